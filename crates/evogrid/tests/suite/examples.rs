//! The examples of one's own operator, search and family, built and run as a researcher would: `list`, an experiment, its table, `verify`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

const JOBS: &str =
    "id,bucket,jobs\nfive,small,3 2 5 4 1 4 2 5 7 6 3 9 1 1 2\nsix,small,5 1 9 2 8 6 7 2 12 3 3 8 4 6 20 1 9 3\n";

const BOARDS: &str = "id,puzzle\na,1.......2.......\nb,.2...........4..\n";

/// The folder of the examples. They are built first, since `cargo test --test suite` alone does not; as part of the workspace, since the features of
/// dependencies are then those that `cargo test --workspace` has built.
fn examples() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let test = std::env::current_exe().expect("the test has a path");
        let profile = test.parent().and_then(Path::parent).expect("it lies in target/PROFILE/deps");
        let target = profile.parent().expect("the profile's folder lies in that of the target");
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--workspace", "--examples", "--target-dir"]).arg(target);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        let output = build.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        profile.join("examples")
    })
}

/// What an example prints with these arguments, in a folder.
fn printed(example: &str, folder: &Path, arguments: &[&str]) -> String {
    let output =
        Command::new(examples().join(example)).args(arguments).current_dir(folder).output().expect("it starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{example} {arguments:?}: {messages}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Lists a category, runs an experiment of one algorithm on a data set, and checks all that its results folder claims. Returns `runs.csv`.
fn experiment(example: &str, listed: [&str; 2], data: [&str; 2], algorithm: &str) -> String {
    let [category, name] = listed;
    let [problem, set] = data;
    let folder = TempDir::new().expect("a temporary folder");
    let at = |arguments: &[&str]| printed(example, folder.path(), arguments);
    assert!(at(&["list", category]).contains(&format!(" {name}: ")), "{name}");
    fs::write(folder.path().join("set.csv"), set).expect("the data set is written");
    let text = format!(
        "[experiment]\nname = \"own\"\nseed = 1\nrepetitions = 3\n[[instances]]\nproblem = \"{problem}\"\npath = \"set.csv\"\n\
         [algorithms.own]\n{algorithm}\n[budget]\nevaluations = 2000\n"
    );
    fs::write(folder.path().join("own.toml"), text).expect("the experiment is written");
    at(&["run", "own.toml", "--out", "results", "--quiet"]);
    assert!(at(&["table", "results"]).contains("own"));
    at(&["verify", "results"]);
    fs::read_to_string(folder.path().join("results/runs.csv")).expect("it was written")
}

/// The values of a column of `runs.csv`, of which no field has a comma.
fn column<'r>(runs: &'r str, name: &str) -> Vec<&'r str> {
    let mut rows = runs.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let at = rows.next().expect("a header").iter().position(|column| *column == name).expect("the column");
    rows.map(|row| row[at]).collect()
}

#[test]
fn the_experiment_of_the_page_on_extending_is_right() {
    let page = include_str!("../../../../docs/extending.md");
    let folder = TempDir::new().expect("a temporary folder");
    let files: Vec<(&str, &str)> =
        page.split("```").filter_map(|block| block.split_once(" file=")?.1.split_once('\n')).collect();
    assert_eq!(files.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["jobs.csv", "mine.toml"]);
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).expect("the file is written"));
    printed("own_problem", folder.path(), &["run", "mine.toml", "--quiet"]);
    printed("own_problem", folder.path(), &["verify", "results/mine"]);
    assert!(
        printed("own_problem", folder.path(), &["list", "problems", "--format", "markdown"]).contains("## `tardiness`")
    );
}

#[test]
fn an_own_operator_works_in_the_genetic_algorithm() {
    let algorithm = "kind = \"genetic\"\nselection = \"tournament\"\ncrossover = \"order\"\nsurvival = \"generational\"\n\
                     mutation = { kind = \"displacement\", longest = 2 }\n[algorithms.own.grid]\npopulation = [10, 20]";
    let runs = experiment("own_operator", ["operators", "displacement"], ["sudoku", BOARDS], algorithm);
    assert_eq!(runs.lines().count(), 1 + 2 * 2 * 3);
    assert!(column(&runs, "stop").contains(&"target"), "{runs}");
}

#[test]
fn an_own_search_works_by_any_neighbourhood() {
    let algorithm =
        "kind = \"tabu-search\"\n[algorithms.own.grid]\nneighbourhood = [\"family\", \"swap\", \"or-2opt\"]";
    let runs = experiment("own_search", ["algorithms", "tabu-search"], ["sudoku", BOARDS], algorithm);
    assert_eq!(runs.lines().count(), 1 + 3 * 2 * 3);
    assert!(column(&runs, "stop").contains(&"target"), "{runs}");
}

#[test]
fn an_own_family_is_solved_by_the_searches_that_ship() {
    for kind in ["iterated-local-search", "random-search"] {
        let algorithm = format!("kind = \"{kind}\"");
        let runs = experiment("own_problem", ["problems", "tardiness"], ["tardiness", JOBS], &algorithm);
        // The least of all 120 and 720 orders, by exhaustive search.
        for (instance, fitness) in column(&runs, "instance").into_iter().zip(column(&runs, "best_fitness")) {
            assert_eq!(fitness, if instance == "five" { "21.0" } else { "15.0" }, "{kind}: {runs}");
        }
    }
}

#[test]
fn a_search_in_a_program_builds_neither_a_reader_of_toml_nor_a_command_line() {
    let mut tree = Command::new(env!("CARGO"));
    tree.args([
        "tree",
        "--package",
        "evogrid",
        "--no-default-features",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--offline",
    ]);
    let output = tree.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("UTF-8");
    let names: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains(&"evogrid-problems"), "{tree}");
    let unwanted: Vec<&&str> =
        names.iter().filter(|name| name.starts_with("clap") || name.starts_with("toml")).collect();
    assert!(unwanted.is_empty(), "{unwanted:?}");
}

#[test]
fn messages_name_the_binary_that_was_called() {
    let folder = TempDir::new().expect("a temporary folder");
    let example = examples().join("own_operator");
    let failed = Command::new(&example).args(["live", "nowhere"]).current_dir(&folder).output().expect("it starts");
    let first = Command::new(&example).current_dir(&folder).output().expect("it starts");
    let said = [failed, first].map(|output| String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(said[1].contains("  own_operator run first.toml"), "{}", said[1]);
    assert!(said.iter().all(|text| !text.contains("runner")), "{said:?}");
}
