//! "Done" means done: whatever takes files of a journal away while runs are done, no experiment says that it is done without all of its
//! runs, and the message says what is safe. Every promise is tried with real processes.
// Elsewhere a file that is open cannot be removed.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use crate::test_folder::{TestFolder, report_at_end};

/// A folder whose runs take some seconds in all.
fn long() -> TestFolder {
    TestFolder::new("[500, 1000]", 20)
}

/// A running process whose journal has a few lines.
fn running(folder: &TestFolder) -> Child {
    folder.start_until("o", 8, &["run", "test.toml", "--out", "o", "--jobs", "1", "--quiet"])
}

fn ended(child: Child) -> (Option<i32>, String) {
    let (status, _, told) = report_at_end(child);
    (status, told)
}

/// What is done to the journal file of a process that writes it, by its path.
type Harm = fn(&Path);

const HARMS: [(&str, Harm, &str); 7] = [
    ("truncated", |file| fs::write(file, "").expect("it is cut"), "was truncated to "),
    ("cut in the middle", |file| cut(file, 100), "was truncated to "),
    ("removed", |file| fs::remove_file(file).expect("it goes"), "was removed or renamed"),
    ("renamed", |file| fs::rename(file, file.with_extension("bak")).expect("it goes"), "was removed or renamed"),
    ("replaced by a copy", replace_by_copy, "was replaced by another file"),
    ("its folder removed", |file| fs::remove_dir_all(folder(file)).expect("it goes"), "was removed or renamed"),
    (
        "its folder renamed",
        |file| fs::rename(folder(file), folder(file).with_extension("old-1")).expect("it goes"),
        "was removed or renamed",
    ),
];

fn folder(file: &Path) -> &Path {
    file.parent().expect("a folder")
}

fn cut(file: &Path, length: u64) {
    fs::OpenOptions::new().write(true).open(file).and_then(|file| file.set_len(length)).expect("it is cut");
}

fn replace_by_copy(file: &Path) {
    fs::copy(file, file.with_extension("copy"))
        .and_then(|_| fs::rename(file.with_extension("copy"), file))
        .expect("a copy");
}

#[test]
fn a_journal_that_is_taken_away_stops_the_run_and_the_next_one_does_the_rest() {
    let folder = long();
    folder.run(&["--out", "whole"]);
    for (name, harm, expected) in HARMS {
        let child = running(&folder);
        harm(&folder.journals("o")[0]);
        let (status, told) = ended(child);
        assert_eq!(status, Some(1), "{name}: {told}");
        assert!(told.contains(expected) && told.contains(" finished runs are safe in o/journal"), "{name}: {told}");
        assert!(told.contains("then repeat the command"), "{name}: {told}");
        assert!(!folder.path("o/runs.csv").exists(), "{name}: no table is made of what is left");
        folder.run(&["--out", "o"]);
        assert_eq!(folder.rows("o"), folder.rows("whole"), "{name}");
        fs::remove_dir_all(folder.path("o")).expect("it goes");
    }
}

#[test]
fn earlier_files_of_the_journal_that_vanish_meanwhile_are_missed() {
    let folder = long();
    folder.run(&["--out", "whole"]);
    // The first process leaves a file that the second relies on.
    let first = running(&folder);
    ended_by_kill(first);
    let earlier = folder.journals("o")[0].clone();
    let mut second = folder.start(&["run", "test.toml", "--out", "o", "--jobs", "1", "--quiet"]);
    wait_until(&mut second, || folder.journals("o").len() == 2);
    fs::remove_file(earlier).expect("it is there");
    let (status, told) = ended(second);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains(" of 320 runs are missing in o/journal, although all runs were finished"), "{told}");
    assert!(!folder.path("o/runs.csv").exists());
    folder.run(&["--out", "o"]);
    assert_eq!(folder.rows("o"), folder.rows("whole"));
}

#[test]
fn a_shard_misses_them_too() {
    let folder = long();
    let arguments = ["run", "test.toml", "--out", "o", "--jobs", "1", "--shard", "1/2", "--quiet"];
    ended_by_kill(folder.start_until("o", 8, &arguments));
    let earlier = folder.journals("o")[0].clone();
    let mut second = folder.start(&arguments);
    wait_until(&mut second, || folder.journals("o").len() == 2);
    fs::remove_file(earlier).expect("it is there");
    let (status, told) = ended(second);
    assert!(status == Some(1) && told.contains(" of 160 runs are missing in o/journal"), "{told}");
}

// Elsewhere a process that was killed counts as alive for five minutes.
#[cfg(target_os = "linux")]
#[test]
fn fresh_beside_a_living_process_is_refused() {
    let folder = long();
    let child = running(&folder);
    let told = folder.refused(1, &["run", "test.toml", "--out", "o", "--fresh"]);
    assert!(told.contains(&format!("error: o is in use by process {} (on ", child.id())), "{told}");
    assert!(told.contains("remove o/journal/") && told.contains(".session.json"), "{told}");
    // Beside it, without `--fresh`: the same runs, each once.
    let told = folder.run(&["--out", "o"]);
    assert!(
        told.contains("note: this folder is also in use by process ")
            && told.contains("; if both processes finish the same run, the run is counted once"),
        "{told}"
    );
    assert_eq!(ended(child).0, Some(0));
    // Dead processes keep nobody from it.
    folder.run(&["--out", "o", "--set", "experiment.repetitions=1", "--fresh"]);
    let killed = running(&folder);
    ended_by_kill(killed);
    folder.run(&["--out", "o", "--set", "experiment.repetitions=1", "--fresh"]);
    assert!(folder.path("o/journal.old-2").exists());
}

#[test]
fn two_experiments_that_begin_at_once_never_share_a_folder() {
    let folder = TestFolder::new("[20]", 2);
    let other = folder.read("test.toml").replace("name = \"test\"", "name = \"other\"").replace("seed = 1", "seed = 7");
    folder.write("other.toml", other);
    let mut n_refused = 0;
    for round in 0..12 {
        let out = format!("o{round}");
        let start = |file: &str| folder.start(&["run", file, "--out", &out, "--jobs", "1", "--quiet"]);
        let (one, two) = (start("test.toml"), start("other.toml"));
        let (one, two) = (ended(one), ended(two));
        let ends = [one.0, two.0];
        assert!(ends == [Some(0), Some(2)] || ends == [Some(2), Some(0)], "{one:?} {two:?}");
        n_refused += 1;
        let seeds = folder.read(format!("{out}/manifest.json"));
        let winner = if ends[0] == Some(0) { "\"seed\": 1," } else { "\"seed\": 7," };
        assert!(seeds.contains(winner), "{seeds}");
        folder.outputs(0, &["verify", &out]);
    }
    assert_eq!(n_refused, 12);
}

#[test]
fn another_plan_begun_meanwhile_keeps_the_first_from_mixing_its_tables_in() {
    let folder = long();
    let first = running(&folder);
    // The same experiment, another grid: the folder is the second's now.
    folder.run(&["--out", "o", "--set", "population=20"]);
    let (status, told) = ended(first);
    assert_eq!(status, Some(1), "{told}");
    assert!(
        told.contains(
            "another process started a different experiment in o at the same time: the experiments differ in \
             `algorithms`"
        ),
        "{told}"
    );
    assert!(told.contains("o/journal still has the runs of both experiments"), "{told}");
    folder.outputs(0, &["verify", "o"]);
    let told = folder.run(&["--out", "o"]);
    assert!(told.contains("0 runs done, 320 found in the journal"), "{told}");
}

#[test]
fn files_that_are_not_ours_are_not_replaced_unasked() {
    let folder = TestFolder::new("[20]", 1);
    let cases = [
        ("runs.csv", "mine", "contains a `runs.csv` without a manifest and a journal"),
        ("summary.csv", "mine", "contains a `summary.csv` without a manifest and a journal"),
        ("trace.csv.gz", "mine", "contains a `trace.csv.gz` without a manifest and a journal"),
        ("manifest.json", "{\"name\": \"a web page\"}", "contains a manifest that this program cannot use"),
        ("manifest.json", "[]", "contains a manifest that this program cannot use"),
    ];
    for (number, (name, content, expected)) in cases.into_iter().enumerate() {
        let out = format!("o{number}");
        fs::create_dir(folder.path(&out)).expect("a folder");
        folder.write(format!("{out}/{name}"), content);
        let told = folder.refused(2, &["run", "test.toml", "--out", &out]);
        assert!(told.contains(expected) && told.contains("`--overwrite`"), "{told}");
        assert_eq!(folder.read(format!("{out}/{name}")), content);
        let told = folder.run(&["--out", &out, "--overwrite"]);
        assert!(told.contains(&format!("the existing files were copied to {out}/earlier-1")), "{told}");
        assert_eq!(folder.read(format!("{out}/earlier-1/{name}")), content);
    }
}

#[test]
fn a_folder_of_a_newer_version_is_not_overwritten() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "o"]);
    folder.change("o/manifest.json", |text| {
        let version = text.split_once("\"results_version\": ").expect("it is there").1;
        let version = &version[..version.find(|letter: char| !letter.is_ascii_digit()).expect("it ends")];
        text.replace(&format!("\"results_version\": {version}"), "\"results_version\": 99")
    });
    let before = folder.read("o/manifest.json");
    let told = folder.refused(2, &["run", "test.toml", "--out", "o"]);
    assert!(told.contains("has results version 99"), "{told}");
    assert_eq!(folder.read("o/manifest.json"), before);
}

/// A program that takes its process group's parent with it on one board, as a search that runs out of memory would.
// Elsewhere a process that was killed counts as alive for five minutes.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_takes_its_process_with_it_is_given_up_and_the_others_are_done() {
    let folder = TestFolder::empty();
    let boards = fs::read_to_string("../../datasets/sudoku/huke-40.csv").expect("the data set is there");
    folder.write("boards.csv", boards.lines().take(5).collect::<Vec<_>>().join("\n"));
    // The third board's program kills the runner.
    let third = boards.lines().nth(3).and_then(|line| line.rsplit(',').next()).expect("a board").to_owned();
    folder.script("p.sh", &format!("[ \"$1\" = '3x3 {third}' ] || [ \"$1\" = '{third}' ] && [ ! -e tame ] && sleep 0.1 && kill -9 $PPID; echo '{{\"stop\": \"exhausted\"}}'"));
    folder.write(
        "test.toml",
        "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n\
         [algorithms.x]\nkind = \"external\"\ncommand = \"./p.sh {instance}\"\n",
    );
    let run = || folder.report(&["run", "test.toml", "--out", "o", "--jobs", "1", "--quiet"]);
    for end in 1..=2 {
        assert_eq!(run().0, None, "it is killed at end {end}");
        assert_eq!(folder.journal_lines("o"), 1, "the run before it");
    }
    let (status, _, told) = run();
    assert_eq!(status, Some(1), "{told}");
    assert!(
        told.contains("1 run failed") && told.contains("the process ended abnormally twice during this run"),
        "{told}"
    );
    assert_eq!(folder.column("o", "stop"), ["exhausted", "exhausted", "failed", "exhausted"]);
    // The next `run` tries it again, and finds it mended.
    folder.write("tame", "");
    assert_eq!(run().0, Some(0));
    assert_eq!(folder.column("o", "stop"), ["exhausted"; 4]);
    let left = fs::read_dir(folder.path("o/journal")).expect("a folder").filter(|entry| {
        entry.as_ref().is_ok_and(|entry| entry.path().extension().is_some_and(|extension| extension == "in-flight"))
    });
    assert_eq!(left.count(), 0);
}

/// Two boards whose program kills the runner: the process that gives the first up is killed by the second.
// Elsewhere a process that was killed counts as alive for five minutes.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_was_given_up_has_one_record_however_often_its_process_begins_again() {
    let folder = TestFolder::empty();
    let boards = fs::read_to_string("../../datasets/sudoku/huke-40.csv").expect("the data set is there");
    folder.write("boards.csv", boards.lines().take(5).collect::<Vec<_>>().join("\n"));
    let board = |number| boards.lines().nth(number).and_then(|line| line.rsplit(',').next()).expect("a board");
    let (second, third) = (board(2), board(3));
    folder.script(
        "p.sh",
        &format!(
            "case $1 in *'{second}' | *'{third}') sleep 0.1; kill -9 $PPID;; esac; echo '{{\"stop\": \"exhausted\"}}'"
        ),
    );
    folder.write(
        "test.toml",
        "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n\
         [algorithms.x]\nkind = \"external\"\ncommand = \"./p.sh {instance}\"\n",
    );
    let run = |arguments: &[&str]| {
        folder.report(&[&["run", "test.toml", "--out", "o", "--jobs", "1", "--quiet"], arguments].concat())
    };
    // Two ends by the second board; two by the third, at the first of which the second board is given up.
    for (end, n_lines) in [1, 1, 2, 2].into_iter().enumerate() {
        assert_eq!((run(&[]).0, folder.journal_lines("o")), (None, n_lines), "end {end}");
    }
    let (status, _, told) = run(&["--shard", "1/1"]);
    assert!(status == Some(1) && told.contains("2 runs failed; the first failure was "), "{told}");
    let text: String = folder.journals("o").iter().map(|path| folder.read(path)).collect();
    assert_eq!(text.matches("ended abnormally twice").count(), 2, "{text}");
    assert_eq!(folder.journal_lines("o"), 4);
    let (status, _, told) = folder.report(&["merge", "o"]);
    assert!(status == Some(1) && told.contains("2 runs failed"), "{told}");
    assert_eq!(folder.column("o", "stop"), ["exhausted", "failed", "failed", "exhausted"]);
}

fn ended_by_kill(mut child: Child) {
    child.kill().expect("it can be killed");
    child.wait().expect("it is waited for");
}

/// Waits until something is so while a process lives.
fn wait_until(child: &mut Child, is_so: impl Fn() -> bool) {
    while !is_so() {
        assert!(child.try_wait().expect("its state is known").is_none(), "it ended before");
        std::thread::sleep(Duration::from_millis(1));
    }
}
