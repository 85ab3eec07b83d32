//! The book: every experiment and every command in it is run or checked, and its reference is what the declarations say. CONTRIBUTING.md
//! says what the words behind a fence mean. `EVOGRID_BLESS=1` writes the reference again.
// Its commands are those of a shell on Linux.
#![cfg(target_os = "linux")]

mod blocks;
mod reference;
mod shell;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use evogrid_runner::experiment::document::Document;

use blocks::{Block, blocks, pages, pages_below_docs, repository, text, written_pages};

use evogrid_analysis::charts::ChartKind;

use crate::test_folder::TestFolder;

const RUNNER: &str = env!("CARGO_BIN_EXE_runner");

/// Languages of blocks that are not run. Rust is compiled where `crates/evogrid/src/lib.rs` includes the page.
const OTHER_LANGUAGES: [&str; 6] = ["csv", "json", "python", "r", "text", "yaml"];

fn all_blocks() -> Vec<Block> {
    written_pages().iter().flat_map(|page| blocks(page)).collect()
}

/// The page whose files `crates/evogrid/tests/suite/examples.rs` runs: they need its program.
const TESTED_ELSEWHERE: &str = "docs/extending.md";

/// Fails with all that is wrong, each with its place.
fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_page_below_docs_is_in_the_book() {
    let pages = pages();
    assert_eq!(pages.len(), BTreeSet::from_iter(&pages).len(), "a page is there twice");
    let missing: Vec<String> = pages_below_docs().into_iter().filter(|page| !pages.contains(page)).collect();
    assert_none(&missing);
}

#[test]
fn every_block_says_what_it_is() {
    let included = text("crates/evogrid/src/lib.rs");
    let is_known = |block: &Block| {
        let page = block.place.split(':').next().expect("a page");
        if block.value("file").is_some() {
            return is_run(page) || page == TESTED_ELSEWHERE;
        }
        match block.language.as_str() {
            "sh" => block.tags.is_empty() || block.is("run"),
            "toml" => {
                block.tags.iter().all(|tag| ["fragment", "syntax"].contains(&tag.split('=').next().unwrap_or_default()))
            }
            "text" => block.tags.is_empty() || block.is("output") && (is_run(page) || page == "README.md"),
            "rust" => included.contains(page),
            other => OTHER_LANGUAGES.contains(&other),
        }
    };
    let unknown = all_blocks().into_iter().filter(|block| !is_known(block));
    let faults = unknown.map(|block| format!("{}: ```{} {}", block.place, block.language, block.tags.join(" ")));
    assert_none(&faults.collect::<Vec<_>>());
}

/// Whether a page has commands that are run.
fn is_run(page: &str) -> bool {
    blocks(page).iter().any(|block| block.language == "sh" && block.is("run"))
}

/// A folder with the data sets and files that the experiments of the book name.
fn folder_of_experiments() -> TestFolder {
    let folder = TestFolder::empty();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/book/files");
    for linked in ["datasets", "scripts"] {
        symlink(repository().canonicalize().expect("it is there").join(linked), folder.path(linked)).expect("a link");
    }
    fs::create_dir(folder.path("experiments")).expect("a folder");
    for entry in fs::read_dir(&files).expect("the files") {
        let entry = entry.expect("an entry");
        symlink(entry.path(), folder.path("experiments").join(entry.file_name())).expect("a link");
    }
    folder
}

/// A part of an experiment with what it lacks, table by table.
fn completed(block: &Block) -> String {
    let base = block.value("fragment").unwrap_or("base");
    let base = text(&format!("crates/cli/tests/book/base/{base}.toml"));
    let part =
        Document::parse(&block.place, block.text.clone()).unwrap_or_else(|error| panic!("{}: {error}", block.place));
    let is_missing = |table: &&str| {
        let name = table.trim_start_matches('[').split([']', '.']).next().expect("a name");
        part.root.get(name).is_none()
    };
    base.split("\n\n").filter(is_missing).chain([block.text.as_str()]).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn every_experiment_and_every_part_of_one_is_right() {
    let folder = folder_of_experiments();
    let mut faults = Vec::new();
    let mut n_checked = 0;
    for block in all_blocks().into_iter().filter(|block| block.language == "toml" && block.value("file").is_none()) {
        let document = Document::parse(&block.place, block.text.clone());
        if block.is("syntax") {
            faults.extend(document.err().map(|error| error.to_string()));
            continue;
        }
        let is_part = block.is("fragment") || block.value("fragment").is_some();
        let experiment = if is_part { completed(&block) } else { block.text.clone() };
        folder.write("experiments/it.toml", &experiment);
        let mut check = Command::new(RUNNER);
        let output =
            check.args(["check", "it.toml"]).current_dir(folder.path("experiments")).output().expect("it starts");
        if !output.status.success() {
            faults.push(format!("{}: {}", block.place, String::from_utf8_lossy(&output.stderr)));
        }
        n_checked += 1;
    }
    assert_none(&faults);
    assert!(n_checked >= 20, "only {n_checked} were found");
}

#[test]
fn every_command_is_one_that_there_is() {
    let mut faults = Vec::new();
    let mut checks = BTreeSet::new();
    for block in all_blocks().into_iter().filter(|block| block.language == "sh") {
        for words in shell::commands(&block.text) {
            let fault = shell::fault(&words, &mut |arguments| checks.extend(checked(arguments)));
            faults.extend(fault.map(|fault| format!("{}: {}\n{fault}", block.place, words.join(" "))));
        }
    }
    assert_none(&faults);
    for arguments in checks {
        let output = Command::new(RUNNER).args(&arguments).current_dir(repository()).output().expect("it starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The arguments of `check` for a command that does an experiment of the repository, with what is set in it.
fn checked(arguments: &[String]) -> Option<Vec<String>> {
    let (command, rest) = arguments.split_first()?;
    let file = rest.iter().find(|word| word.starts_with("experiments/") && word.ends_with(".toml"))?;
    let sets = rest.windows(2).filter(|pair| pair[0] == "--set").flatten();
    let is_done = ["run", "check", "plan", "slurm"].contains(&command.as_str());
    is_done.then(|| ["check".to_owned(), file.clone()].into_iter().chain(sets.cloned()).collect())
}

/// The words of a line; where times may vary, each number with a fraction is a `#`.
fn words(line: &str, is_varying: bool) -> Vec<String> {
    let is_time = |word: &str| is_varying && word.contains('.') && word.parse::<f64>().is_ok();
    line.split_whitespace().map(|word| if is_time(word) { "#" } else { word }.to_owned()).collect()
}

/// Fails unless the lines of a block stand in what was printed, in this order.
fn assert_printed(block: &Block, printed: &str) {
    let mut lines = printed.lines();
    for line in block.text.lines().filter(|line| line.trim() != "...") {
        let shown = words(line, block.is("varies"));
        let is_there = lines.any(|line| words(line, block.is("varies")) == shown);
        assert!(is_there, "{}: `{line}` is not printed, or not in this order:\n{printed}", block.place);
    }
}

/// Fails unless a picture of the book is this file, or writes it.
fn assert_picture(name: &str, drawn: &Path) {
    let picture = repository().join("docs/images").join(name);
    let drawn = fs::read(drawn).expect("it was drawn");
    if std::env::var_os("EVOGRID_BLESS").is_some() {
        return fs::write(picture, drawn).expect("the picture is written");
    }
    assert!(fs::read(picture).is_ok_and(|there| there == drawn), "docs/images/{name}: EVOGRID_BLESS=1 rewrites it");
}

#[test]
fn the_readme_shows_what_its_main_command_prints_and_the_chart_of_it() {
    let folder = TestFolder::empty();
    let out = folder.path("popsize").display().to_string();
    let run = |arguments: &[&str]| {
        let output = Command::new(RUNNER).args(arguments).current_dir(repository()).output().expect("it starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(text("README.md").contains("cargo run --release -- run experiments/popsize.toml "));
    let printed = run(&["run", "experiments/popsize.toml", "--out", &out]);
    let shown = blocks("README.md").into_iter().filter(|block| block.is("output"));
    assert_eq!(shown.map(|block| assert_printed(&block, &printed)).count(), 1);
    run(&["plot", &out, "--chart", "success", "--width", "120"]);
    assert_picture("popsize.svg", &folder.path("popsize/charts/success.svg"));
}

#[test]
fn what_is_to_be_typed_in_order_works_and_prints_what_is_shown() {
    let binaries = Path::new(RUNNER).parent().expect("a folder").to_owned();
    let others = std::env::var_os("PATH").expect("a path");
    let path = std::env::join_paths([binaries].into_iter().chain(std::env::split_paths(&others))).expect("a path");
    let pages: Vec<String> = written_pages().into_iter().filter(|page| is_run(page)).collect();
    assert!(pages.contains(&"docs/guide.md".to_owned()));
    for page in pages {
        let folder = TestFolder::empty();
        let mut printed = String::new();
        for block in blocks(&page) {
            if let Some(name) = block.value("file") {
                folder.write(name, &block.text);
            } else if block.is("run") {
                let script = format!("{{\n{}}} 2>&1", block.text);
                let mut shell = Command::new("sh");
                let shell = shell.args(["-e", "-c", &script]).env("PATH", &path).current_dir(folder.path(""));
                let output = shell.output().expect("a shell");
                printed = String::from_utf8(output.stdout).expect("UTF-8");
                assert!(output.status.success(), "{}: {printed}", block.place);
            } else if block.is("output") {
                assert_printed(&block, &printed);
            }
        }
        // `images/NAME-CHART.svg` is the chart of the results of that name.
        for picture in text(&page).split("](images/").skip(1).map(|rest| rest.split(')').next().expect("a link ends")) {
            let (name, chart) = picture.split_once('-').expect("results and chart");
            assert_picture(picture, &folder.path(format!("results/{name}/charts/{chart}")));
        }
    }
}

#[test]
fn the_gallery_has_every_chart_with_its_command_and_its_picture() {
    let page = text("docs/gallery.md");
    for kind in ChartKind::all() {
        let name = kind.text();
        assert!(page.contains(&format!("--chart {name}\n")), "the command of {name}");
        assert!(page.contains(&format!("](images/gallery/{name}.svg)")), "the picture of {name}");
        assert!(repository().join(format!("docs/images/gallery/{name}.svg")).is_file(), "sh scripts/gallery.sh");
    }
}

#[test]
fn every_experiment_that_ships_is_in_their_list() {
    let list = text("experiments/README.md");
    let folders = ["experiments", "experiments/elsewhere"].into_iter().flat_map(|folder| {
        let entries = fs::read_dir(repository().join(folder)).expect("the folder");
        entries.map(move |entry| format!("{folder}/{}", entry.expect("an entry").file_name().display()))
    });
    let files = folders.filter(|path| path.ends_with(".toml"));
    let links = files.map(|path| format!("]({})", path.trim_start_matches("experiments/")));
    let missing: Vec<String> = links.filter(|link| !list.contains(link)).collect();
    assert_none(&missing);
}
