//! What the files of a crate import of each other, read from their texts, and the circles in that.
//!
//! A file imports another if it names it: in a `use`, re-exports among them, by a path in its code, or by declaring it with `mod`. A name
//! that a path reaches through a re-export counts for the file that re-exports it, since that is the one a reader opens; where that file is
//! above the one that takes the name, it counts for the file where the name comes from, too.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

/// The modules of a crate, each a file, with what they import; `a::b` is `a/b.rs`, or `a/b/mod.rs`, and the root is empty.
pub(crate) type Modules = BTreeMap<String, Imports>;

/// The modules of its crate that a file imports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Imports {
    /// What it uses.
    pub(crate) used: BTreeSet<String>,
    /// Its own submodules that it declares or re-exports.
    pub(crate) own: BTreeSet<String>,
    /// The names that it re-exports of its own submodules, and where each comes from.
    reexported: BTreeMap<String, String>,
    /// The names that it takes from files above it, each after its file.
    from_above: BTreeSet<(String, String)>,
}

/// Reads what the files of a crate import, by their paths and texts; tests may import anything.
pub(crate) fn modules<'a>(source: &Path, sources: impl IntoIterator<Item = (&'a Path, &'a str)>) -> Modules {
    let module = |path: &Path| -> String {
        let inside = path.strip_prefix(source).expect("a path inside").with_extension("");
        let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
        let names = names.iter().filter(|name| !["mod", "lib", "main"].contains(&name.as_ref()));
        names.map(AsRef::as_ref).collect::<Vec<&str>>().join("::")
    };
    let is_test = |path: &Path| path.iter().any(|name| name.to_string_lossy().contains("tests") || name == "main.rs");
    let texts: BTreeMap<String, &str> = sources
        .into_iter()
        .filter(|(path, _)| !is_test(path.strip_prefix(source).expect("a path inside")))
        .map(|(path, text)| (module(path), text))
        .collect();
    let files: BTreeSet<String> = texts.keys().cloned().collect();
    let mut modules: Modules =
        texts.into_iter().map(|(module, text)| (module.clone(), imports_of(&module, text, &files))).collect();
    let source = |(above, name): &(String, String)| modules[above].reexported.get(name).cloned();
    let sources: Vec<BTreeSet<String>> =
        modules.values().map(|imports| imports.from_above.iter().filter_map(source).collect()).collect();
    for ((module, imports), sources) in modules.iter_mut().zip(sources) {
        imports.used.extend(sources.into_iter().filter(|source| source != module));
    }
    modules
}

/// Circles of files that import each other, a shortest one of each group of files that do; the first file comes again at the end.
///
/// A file and its own submodules are one module to a reader. So the file may declare and re-export them while they use what stands in
/// it: a circle is none if one of its files is above all the others, and reaches the next one by `mod` or a re-export.
pub(crate) fn circles(modules: &Modules) -> Vec<Vec<&str>> {
    let mut graph: Graph<'_> = BTreeMap::new();
    for (module, Imports { used, own, .. }) in modules {
        graph.insert(module, used.iter().chain(own).map(String::as_str).collect());
    }
    let mut open = Vec::from_iter(groups(&graph, &graph.keys().copied().collect()));
    let mut circles = Vec::new();
    while let Some(group) = open.pop() {
        let top = group.iter().copied().find(|top| group.iter().all(|file| is_inside(file, top)));
        let used_by_top: BTreeSet<&str> = top.iter().flat_map(|&top| &modules[top].used).map(String::as_str).collect();
        match top {
            Some(top) if !graph[top].iter().all(|file| used_by_top.contains(file) || !group.contains(file)) => {
                graph.insert(top, used_by_top);
                open.extend(groups(&graph, &group));
            }
            _ => circles.extend(shortest_circle(&graph, &group, top)),
        }
    }
    circles
}

/// What each file imports.
type Graph<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The groups of more than one of these files that all reach each other through these files.
fn groups<'a>(graph: &Graph<'a>, files: &BTreeSet<&'a str>) -> BTreeSet<BTreeSet<&'a str>> {
    let reached = |start: &&'a str| (*start, paths(graph, files, start).into_keys().collect());
    let reached: BTreeMap<&str, BTreeSet<&str>> = files.iter().map(reached).collect();
    let is_mutual = |file: &str, other: &str| reached[file].contains(other) && reached[other].contains(file);
    let group = |file: &&'a str| files.iter().copied().filter(|other| is_mutual(file, other)).collect::<BTreeSet<_>>();
    files.iter().map(group).filter(|group| group.len() > 1).collect()
}

/// A shortest circle of a group that passes through its top, or leaves what is below one of its files where it has no top.
fn shortest_circle<'a>(graph: &Graph<'a>, group: &BTreeSet<&'a str>, top: Option<&str>) -> Option<Vec<&'a str>> {
    let tops = |file: &str| group.iter().find(|top| is_inside(file, top)).copied();
    let is_step = |from: &str, to: &str| if top.is_some() { top == Some(from) } else { tops(from) != tops(to) };
    let steps = group.iter().flat_map(|from| graph[from].intersection(group).map(move |to| (*from, *to)));
    let circle = |(from, to): (&'a str, &'a str)| {
        let mut circle = paths(graph, group, to).remove(from)?;
        circle.insert(0, from);
        Some(circle)
    };
    steps.filter(|(from, to)| is_step(from, to)).filter_map(circle).min_by_key(Vec::len)
}

/// A shortest path to each of these files that can be reached from one of them.
fn paths<'a>(graph: &Graph<'a>, files: &BTreeSet<&'a str>, start: &'a str) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut found = BTreeMap::from([(start, vec![start])]);
    let mut open = VecDeque::from([start]);
    while let Some(file) = open.pop_front() {
        for next in graph[file].intersection(files) {
            if !found.contains_key(next) {
                let path = found[file].iter().chain([next]).copied().collect();
                found.insert(next, path);
                open.push_back(next);
            }
        }
    }
    found
}

/// Whether a module is this one or below it.
pub(crate) fn is_inside(module: &str, top: &str) -> bool {
    top.is_empty() || module.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The modules that a file imports: by `mod`, by `use` or by a path in its code.
pub(crate) fn imports_of(module: &str, text: &str, files: &BTreeSet<String>) -> Imports {
    let code: Vec<&str> =
        without_tests(text).into_iter().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut found = Imports::default();
    let (mut is_public, mut is_use, mut is_declaration, mut path) = (false, false, false, String::new());
    // The paths before the open braces of a tree of `use`; those of other braces are empty.
    let mut prefixes: Vec<String> = Vec::new();
    let spaced = |code: String, sign: &str| code.replace(sign, &format!(" {sign} "));
    // A star takes names from the module before it.
    let code = code.join("\n").replace("::*", "::self");
    let code = ["{", "}", ";"].into_iter().fold(code, spaced);
    let is_part = |character: char| character.is_alphanumeric() || "_:{};".contains(character);
    for token in code.split(|character| !is_part(character)).filter(|token| !token.is_empty()) {
        match token {
            "pub" => is_public = true,
            "use" => is_use = true,
            "mod" => is_declaration = true,
            ";" => (is_public, is_use, is_declaration) = (false, false, false),
            "{" => prefixes.push(if is_use { std::mem::take(&mut path) } else { String::new() }),
            "}" => drop(prefixes.pop()),
            name => {
                path = format!("{}{name}", prefixes.last().map_or("", String::as_str));
                let is_path = is_use || is_declaration || path.starts_with("crate::") || path.starts_with("super::");
                let is_import = is_path && !path.ends_with("::");
                let target = if is_import { file_of(module, &path, files) } else { None };
                let Some((target, name)) = target.filter(|(target, _)| target != module) else { continue };
                if is_inside(&target, module) && (is_declaration || is_use && is_public) {
                    found.own.insert(target.clone());
                    found.reexported.insert(name, target);
                } else {
                    found.used.insert(target.clone());
                    found.from_above.extend((!name.is_empty() && is_inside(module, &target)).then_some((target, name)));
                }
            }
        }
        is_public &= is_use || !["{", "}"].contains(&token);
        is_declaration &= !["{", "}"].contains(&token);
    }
    found
}

/// The lines of a file but for the items that are compiled for tests only, by the indentation that they are formatted with.
fn without_tests(text: &str) -> Vec<&str> {
    let mut lines = text.lines();
    let mut kept = Vec::new();
    while let Some(line) = lines.next() {
        match line.strip_suffix("#[cfg(test)]") {
            Some(indent) if indent.trim().is_empty() => {
                let is_end = |line: &str| {
                    let is_item = line.strip_prefix(indent).is_some_and(|item| !item.starts_with(char::is_whitespace));
                    is_item && line.ends_with([';', '}'])
                };
                lines.by_ref().find(|line| is_end(line));
            }
            _ => kept.push(line),
        }
    }
    kept
}

/// The file that a path leads to, if it is one of the crate's, and the name there that the path takes; an empty one for the file itself.
fn file_of(module: &str, path: &str, files: &BTreeSet<String>) -> Option<(String, String)> {
    let mut names: Vec<&str> = path.split("::").map(str::trim).filter(|name| *name != "self").collect();
    let mut full: Vec<&str> = match names.first()? {
        &"crate" => {
            names.remove(0);
            Vec::new()
        }
        &"super" => module.split("::").collect(),
        first => {
            let child = if module.is_empty() { (*first).to_owned() } else { format!("{module}::{first}") };
            files.contains(&child).then(|| module.split("::").filter(|name| !name.is_empty()).collect())?
        }
    };
    while names.first() == Some(&"super") {
        names.remove(0);
        full.pop();
    }
    full.extend(names);
    let mut name = "";
    while !full.is_empty() && !files.contains(&full.join("::")) {
        name = full.pop().unwrap_or_default();
    }
    Some((full.join("::"), name.to_owned()))
}
