//! The structure of the workspace, held to what ARCHITECTURE.md promises: dependencies point one way, no files import each other in a
//! circle, no family of problems is named outside its folder, and no file grows beyond what can be read at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each crate may depend on, of this workspace.
const DEPENDENCIES: [(&str, &[&str]); 12] = [
    ("core", &[]),
    ("statistics", &[]),
    ("render", &[]),
    ("operators", &["core"]),
    ("problems", &["core"]),
    ("solvers", &["core"]),
    ("results", &["core", "statistics"]),
    ("analysis", &["core", "results", "statistics"]),
    ("runner", &["analysis", "core", "results"]),
    ("claims", &["analysis", "core", "results", "runner", "statistics"]),
    (
        "cli",
        &[
            "analysis",
            "claims",
            "core",
            "operators",
            "problems",
            "render",
            "results",
            "runner",
            "solvers",
            "statistics",
        ],
    ),
    (
        "evogrid",
        &["analysis", "claims", "cli", "core", "operators", "problems", "render", "results", "runner", "statistics"],
    ),
];

/// The crates in which no family is named.
const WITHOUT_FAMILIES: [&str; 9] =
    ["core", "operators", "results", "analysis", "statistics", "render", "runner", "claims", "cli"];

/// Titles of cited works, which may name what they are about.
const TITLES: [&str; 10] = [
    "A Genetic Algorithm for Flowshop Sequencing",
    "A simple and effective iterated greedy algorithm for the permutation flowshop scheduling problem",
    "Solving Sudoku Using Combinatorial Evolution",
    "Solving Sudoku with Ant Colony Optimization",
    "An AI-based solution to Sudoku",
    "Evolutionäre Verfahren: Sudoku",
    "Product Geometric Crossover for the Sudoku Puzzle",
    "Rating and Generating Sudoku Puzzles with GA",
    "Solving Sudoku with Genetic Operations that Preserve Building Blocks",
    "Sudoku as a SAT Problem",
];

/// The most lines of a source file.
const LINE_LIMIT: usize = 400;

/// Whether a text names a family: an abbreviation as a word of its own, a longer name also as a part of one.
fn is_named(text: &str, name: &str) -> bool {
    let is_inside = |at: usize| {
        let ends = [text[..at].chars().next_back(), text[at + name.len()..].chars().next()];
        ends.into_iter().flatten().any(char::is_alphanumeric)
    };
    text.match_indices(name).any(|(at, _)| name.len() > 3 || !is_inside(at))
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of crates").to_owned()
}

/// All Rust files below a folder, with their texts.
fn sources(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                found.insert(path, text);
            }
        }
    }
    found
}

#[test]
fn crates_depend_one_way() {
    for (name, allowed) in DEPENDENCIES {
        let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).expect("a manifest");
        let (_, dependencies) = manifest.split_once("\n[dependencies]").expect("dependencies");
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        let own = dependencies.lines().filter_map(|line| line.strip_prefix("evogrid-"));
        let own: BTreeSet<&str> = own.map(|line| line.split(['.', ' ']).next().unwrap_or_default()).collect();
        assert!(own.iter().all(|other| allowed.contains(other)), "{name} depends on {own:?}");
    }
    let n_crates =
        fs::read_dir(crates()).expect("the crates").filter(|entry| entry.as_ref().expect("an entry").path().is_dir());
    assert_eq!(n_crates.count(), DEPENDENCIES.len(), "every crate stands in the list");
}

#[test]
fn no_family_is_named_outside_its_folder() {
    let families = evogrid::problems::families();
    let names: Vec<&str> = families.iter().map(|family| family.declaration().name).collect();
    assert!(!names.is_empty());
    let mut wrong = Vec::new();
    for name in WITHOUT_FAMILIES {
        for part in ["src", "benches", "examples"] {
            for (path, text) in sources(&crates().join(name).join(part)) {
                // A title may be broken at the end of a line.
                let mut text = text.replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
                TITLES.iter().for_each(|title| text = text.replace(title, ""));
                let text = text.to_lowercase();
                wrong.extend(
                    names.iter().filter(|name| is_named(&text, name)).map(|name| format!("{}: {name}", path.display())),
                );
            }
        }
    }
    // Beside the list that registers it, no other family and nothing else in the crate of problems names it.
    for (path, text) in sources(&crates().join("problems/src")) {
        let inside = path.strip_prefix(crates().join("problems/src")).expect("a path inside").to_owned();
        let is_list = inside == Path::new("lib.rs");
        let others = names.iter().filter(|name| !inside.starts_with(name) && !is_list);
        wrong.extend(
            others
                .filter(|name| is_named(&text.to_lowercase(), name))
                .map(|name| format!("{}: {name}", path.display())),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_map_names_only_what_is_there() {
    let root = crates().parent().expect("the root").to_owned();
    let map = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the map");
    let named = map
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| name.contains('/') && !name.contains(['<', '*', ' ', '$', '{']));
    let missing: Vec<&str> = named.filter(|name| !root.join(name).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn systems_are_told_apart_in_one_place_of_a_crate() {
    let signs = ["cfg(unix)", "cfg(not(unix))", "cfg(windows)", "target_os", "std::os::", "rustix::"];
    let mut wrong = Vec::new();
    for (name, _) in DEPENDENCIES {
        for (path, text) in sources(&crates().join(name).join("src")) {
            let is_the_place = path.ends_with("cpu_time.rs")
                || path.iter().any(|part| part == "platform")
                || path.ends_with("platform.rs");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let is_asking = !is_the_place && signs.iter().any(|sign| code.contains(sign));
            wrong.extend(is_asking.then(|| path.display().to_string()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_file_is_longer_than_can_be_read_at_once() {
    let mut long = Vec::new();
    for (path, text) in sources(&crates()) {
        let n_lines = text.lines().count();
        if n_lines > LINE_LIMIT {
            long.push(format!("{}: {n_lines} lines", path.display()));
        }
    }
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for (name, _) in DEPENDENCIES {
        let imports = imports(&crates().join(name).join("src"));
        for start in imports.keys() {
            let mut reached = BTreeSet::new();
            let mut open: Vec<&String> = imports[start].iter().collect();
            while let Some(module) = open.pop() {
                if reached.insert(module) {
                    open.extend(imports.get(module).into_iter().flatten());
                }
            }
            if reached.contains(start) {
                circles.push(format!("{name}: {start} through {:?}", imports[start]));
            }
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn imports_are_found_in_every_form() {
    let files = BTreeSet::from(["", "a", "a::b", "a::c", "d"].map(str::to_owned));
    let found = |module: &str, text: &str| Vec::from_iter(imports_of(module, text, &files));
    assert_eq!(found("a::b", "use super::c::{X, self};\nuse crate::{d::Y, a::b::Z};"), ["a::c", "d"]);
    assert_eq!(found("a", "mod b;\npub use b::X;\npub(crate) use c::Y;"), [""; 0], "a parent may re-export");
    assert_eq!(found("a", "mod b;\nuse b::X;\nfn f() { crate::d::g() } // crate::a::c\n"), ["a::b", "d"]);
    assert_eq!(
        found("d", "#[cfg(test)]\nmod tests {\n    use crate::a::X;\n}\n"),
        [""; 0],
        "tests may import anything"
    );
}

/// For every module of a crate the modules that it imports from, each a file; `a::b` is `a/b.rs`, or `a/b/mod.rs`.
fn imports(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let module = |path: &Path| -> String {
        let inside = path.strip_prefix(source).expect("a path inside").with_extension("");
        let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
        let names = names.iter().filter(|name| !["mod", "lib", "main"].contains(&name.as_ref()));
        names.map(AsRef::as_ref).collect::<Vec<&str>>().join("::")
    };
    let is_test = |path: &Path| path.iter().any(|name| name.to_string_lossy().contains("tests") || name == "main.rs");
    let texts: BTreeMap<String, String> = sources(source)
        .into_iter()
        .filter(|(path, _)| !is_test(path))
        .map(|(path, text)| (module(&path), text))
        .collect();
    let files: BTreeSet<String> = texts.keys().cloned().collect();
    texts.iter().map(|(module, text)| (module.clone(), imports_of(module, text, &files))).collect()
}

/// The modules that a file imports from, by `use` or by a path in its code.
fn imports_of(module: &str, text: &str, files: &BTreeSet<String>) -> BTreeSet<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut found = BTreeSet::new();
    let (mut is_public, mut is_use, mut path) = (false, false, String::new());
    // The paths before the open braces of a tree of `use`; those of other braces are empty.
    let mut prefixes: Vec<String> = Vec::new();
    let spaced = |code: String, sign: &str| code.replace(sign, &format!(" {sign} "));
    let code = ["{", "}", ";"].into_iter().fold(code.join("\n"), spaced);
    let is_part = |character: char| character.is_alphanumeric() || "_:{};".contains(character);
    for token in code.split(|character| !is_part(character)).filter(|token| !token.is_empty()) {
        match token {
            "pub" => is_public = true,
            "use" => is_use = true,
            ";" => (is_public, is_use) = (false, false),
            "{" => prefixes.push(if is_use { std::mem::take(&mut path) } else { String::new() }),
            "}" => drop(prefixes.pop()),
            name => {
                path = format!("{}{name}", prefixes.last().map_or("", String::as_str));
                let is_path = is_use || path.starts_with("crate::") || path.starts_with("super::");
                let is_import = is_path && !path.ends_with("::");
                let target = if is_import { file_of(module, &path, files) } else { None };
                let may_reexport = |target: &str| module.is_empty() || target.starts_with(&format!("{module}::"));
                let is_reexport = |target: &str| is_use && is_public && may_reexport(target);
                found.extend(target.filter(|target| target != module && !is_reexport(target)));
            }
        }
        is_public &= is_use || !["{", "}"].contains(&token);
    }
    found
}

/// The file that a path leads to, if it is one of the crate's.
fn file_of(module: &str, path: &str, files: &BTreeSet<String>) -> Option<String> {
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
    while !full.is_empty() && !files.contains(&full.join("::")) {
        full.pop();
    }
    Some(full.join("::"))
}
