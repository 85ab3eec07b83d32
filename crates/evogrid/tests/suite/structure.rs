//! The structure of the workspace, held to what ARCHITECTURE.md promises: crates and folders are those of its drawing and depend one way,
//! no files import each other in a circle, no family of problems is named outside its folder, and neither a file nor a folder grows beyond
//! what can be read at once.

mod drawing;
mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use drawing::{Place, places};
use imports::{Modules, circles, imports_of, is_inside, modules};

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

/// The most files of a folder, side by side.
const FILE_LIMIT: usize = 22;

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

/// The folders in a folder, by name, that hold sources.
fn folders(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let folders = entries.filter(|path| path.is_dir() && !sources(path).is_empty());
    folders.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect()
}

fn map() -> String {
    fs::read_to_string(crates().join("../ARCHITECTURE.md")).expect("the map")
}

/// What the files of a crate import of each other.
fn modules_of(name: &str) -> Modules {
    let source = crates().join(name).join("src");
    let sources = sources(&source);
    modules(&source, sources.iter().map(|(path, text)| (path.as_path(), text.as_str())))
}

#[test]
fn crates_depend_as_drawn() {
    let places = places(&map());
    let drawn: Vec<&Place> = places.iter().filter(|place| place.parent().is_none()).collect();
    assert_eq!(BTreeSet::from_iter(drawn.iter().map(|place| place.path.clone())), folders(&crates()));
    for Place { path, imported } in drawn {
        let manifest = fs::read_to_string(crates().join(path).join("Cargo.toml")).expect("a manifest");
        let sections = manifest.split("\n[").filter_map(|section| section.split_once("]\n"));
        let sections =
            sections.filter(|(name, _)| name.ends_with("dependencies") && !name.ends_with("dev-dependencies"));
        let own = sections.flat_map(|(_, lines)| lines.lines()).filter_map(|line| line.strip_prefix("evogrid-"));
        let own: BTreeSet<&str> = own.map(|line| line.split(['.', ' ']).next().unwrap_or_default()).collect();
        assert_eq!(BTreeSet::from_iter(imported.iter().map(String::as_str)), own, "what {path} depends on");
    }
}

#[test]
fn the_drawing_has_the_folders_that_there_are() {
    let places = places(&map());
    for Place { path, .. } in &places {
        let is_crate = !path.contains('/');
        let folder = if is_crate { path.clone() + "/src" } else { path.replacen('/', "/src/", 1) };
        let drawn = places.iter().filter(|place| place.parent() == Some(path));
        let drawn: BTreeSet<String> =
            drawn.map(|place| place.path.rsplit('/').next().unwrap_or_default().to_owned()).collect();
        // Of a folder either all folders are drawn or none.
        if is_crate || !drawn.is_empty() {
            assert_eq!(drawn, folders(&crates().join(&folder)), "the folders of {folder}");
        }
    }
}

#[test]
fn folders_import_as_drawn() {
    let places = places(&map());
    let module = |path: &str| path.split('/').skip(1).collect::<Vec<_>>().join("::");
    for place in places.iter().filter(|place| place.parent().is_some()) {
        let modules = modules_of(place.path.split('/').next().unwrap_or_default());
        let own = modules.iter().filter(|(file, _)| is_inside(file, &module(&place.path)));
        let used: BTreeSet<&String> = own.flat_map(|(_, imports)| &imports.used).collect();
        let siblings = places.iter().filter(|other| other.parent() == place.parent() && other.path != place.path);
        let imported = siblings.filter(|other| used.iter().any(|file| is_inside(file, &module(&other.path))));
        let imported: BTreeSet<String> = imported.map(|other| other.path.clone()).collect();
        assert_eq!(place.imported, imported, "what {} imports from", place.path);
    }
}

#[test]
fn arrows_point_down() {
    let places = places(&map());
    for (line, place) in places.iter().enumerate() {
        let is_below = |path: &String| places[line..].iter().any(|other| other.path == *path);
        assert!(place.imported.iter().all(is_below), "{place:?} points up, or to what is not drawn");
    }
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
    let map = map();
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
    for name in folders(&crates()) {
        for (path, text) in sources(&crates().join(name).join("src")) {
            let is_the_place = path.ends_with("cpu_time.rs")
                || path.iter().any(|part| part == "platform")
                || path.ends_with("platform.rs")
                // Tests in a file of their own, as those behind `cfg(test)`.
                || path.ends_with("tests.rs");
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
fn no_folder_holds_more_than_can_be_overlooked() {
    let mut wrong = Vec::new();
    let mut open: Vec<PathBuf> = folders(&crates())
        .into_iter()
        .flat_map(|name| ["src", "tests"].map(|part| crates().join(&name).join(part)))
        .collect();
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
        let (inner, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
        open.extend(inner);
        // Snapshots and data lie in folders of their own.
        let is_source = files.iter().any(|file| file.extension().is_some_and(|extension| extension == "rs"));
        if is_source && files.len() > FILE_LIMIT {
            wrong.push(format!("{}: {} files", folder.display(), files.len()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut found = Vec::new();
    for name in folders(&crates()) {
        let modules = modules_of(&name);
        found.extend(circles(&modules).iter().map(|circle| format!("{name}: {}", circle.join(" -> "))));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn circles_through_reexports_and_declarations_are_found() {
    let circles_of = |texts: &[(&str, &str)]| -> Vec<String> {
        let modules = modules(Path::new(""), texts.iter().map(|&(path, text)| (Path::new(path), text)));
        circles(&modules).iter().map(|circle| circle.join(" -> ")).collect()
    };
    let plan = [
        ("lib.rs", "pub mod limits;\npub mod plan;\npub mod spec;\n"),
        ("spec.rs", "pub struct Spec;\n"),
        (
            "plan.rs",
            "mod cell;\n\nuse crate::spec::Spec;\n\npub use cell::Cell;\n\npub struct Plan(Spec, Vec<Cell>);\n",
        ),
        ("plan/cell.rs", "use crate::limits::Sizes;\n\npub struct Cell(Sizes);\n"),
        ("limits.rs", "use crate::plan::Plan;\n\npub type Sizes = Vec<f64>;\n\npub fn limits(_: &Plan) {}\n"),
    ];
    assert_eq!(circles_of(&plan), ["limits -> plan -> plan::cell -> limits"]);
    let declared = plan.map(|(path, text)| (path, text.replace("pub use cell::Cell;", "")));
    let declared = declared.each_ref().map(|(path, text)| (*path, text.as_str()));
    assert_eq!(circles_of(&declared), ["limits -> plan -> plan::cell -> limits"], "`mod cell` leads there, too");

    let own = [("a.rs", "mod b;\npub use b::X;\npub struct Y;\n"), ("a/b.rs", "use super::Y;\npub struct X;\n")];
    assert!(circles_of(&own).is_empty(), "a file and its own submodules are one module");
    let used = [("a.rs", "mod b;\nuse b::X;\npub struct Y;\n"), ("a/b.rs", "use super::Y;\npub struct X;\n")];
    assert_eq!(circles_of(&used), ["a -> a::b -> a"], "unless the file uses them");
    let root = [
        ("lib.rs", "mod a;\nmod b;\npub use a::X;\n"),
        ("a.rs", "use crate::b::Y;\npub struct X;\n"),
        ("b.rs", "use crate::X;\npub struct Y;\n"),
    ];
    assert_eq!(circles_of(&root), ["a -> b -> a"], "a file above hides no circle between those below it");
}

#[test]
fn imports_are_found_in_every_form() {
    let files = BTreeSet::from(["", "a", "a::b", "a::c", "d"].map(str::to_owned));
    let found = |module: &str, text: &str| Vec::from_iter(imports_of(module, text, &files).used);
    assert_eq!(found("a::b", "use super::c::{X, self};\nuse crate::{d::Y, a::b::Z};"), ["a::c", "d"]);
    assert_eq!(found("a::b", "use crate::d::*;\nuse super::*;"), ["a", "d"]);
    assert_eq!(found("a", "mod b;\nuse b::X;\nfn f() { crate::d::g() } // crate::a::c\n"), ["a::b", "d"]);
    let own = |module: &str, text: &str| Vec::from_iter(imports_of(module, text, &files).own);
    assert_eq!(own("a", "mod b;\npub(crate) use c::Y;\nuse crate::d::X;"), ["a::b", "a::c"]);
    assert_eq!(own("a", "mod e;\nmod inline { mod f; }\n"), [""; 0], "not a file");
    assert_eq!(
        found("d", "#[cfg(test)]\nmod tests {\n    use crate::a::X;\n}\n"),
        [""; 0],
        "tests may import anything"
    );
    assert_eq!(found("d", "#[cfg(test)]\nmod tests;\nuse crate::a::X;\n"), ["a"], "what follows them may not");
}
