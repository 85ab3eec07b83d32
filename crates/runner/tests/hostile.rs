//! Nothing that stands in a file steers the terminal that it is shown on.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

/// Turns red, goes to the start of the line, and writes from right to left.
const STEERING: &str = "\\u001B[31m\\r\\u202E";

/// All that the runner says to these arguments in a folder with a small experiment, and its exit status.
fn said(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String) {
    let experiment = format!(
        "[experiment]\nname = \"x\"\ntitle = \"red{STEERING}\"\nseed = 1\nrepetitions = 1\n\
         [[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n[algorithms.huke]\npreset = \"huke\"\npopulation = 10\n"
    );
    fs::write(folder.path().join("x.toml"), experiment).expect("a file");
    fs::write(folder.path().join("boards.csv"), "id,puzzle\na,1...............\n").expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_runner"))
        .current_dir(folder.path())
        .args(arguments)
        .output()
        .expect("the runner runs");
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8"))
}

fn is_harmless(text: &str) -> bool {
    !text.contains(|character: char| character != '\n' && character.is_control() || character == '\u{202e}')
}

#[test]
fn the_title_of_an_experiment_does_not() {
    let folder = TempDir::new().expect("a folder");
    let (status, told) = said(&folder, &["plan", "x.toml"]);
    assert!(status == Some(0) && told.starts_with("x: red\u{fffd}[31m\u{fffd}\u{fffd}\n"), "{told:?}");
    assert!(is_harmless(&told), "{told:?}");
}

#[test]
fn what_a_run_failed_of_does_not() {
    let folder = TempDir::new().expect("a folder");
    assert_eq!(said(&folder, &["run", "x.toml"]).0, Some(0));
    let journal = folder.path().join("results/x/journal");
    for entry in fs::read_dir(journal).expect("a journal").map(|entry| entry.expect("an entry").path()) {
        if entry.extension().is_some_and(|extension| extension == "jsonl") {
            let line = fs::read_to_string(&entry).expect("a journal");
            let (record, _) = line.split_once(",\"crc32\"").expect("a checksum");
            let (before, after) = record.split_once("\"stop\":\"").expect("why it stopped");
            let (_, after) = after.split_once('"').expect("why it stopped");
            let failed = format!("{before}\"stop\":\"failed\"{after},\"message\":\"red{STEERING}\"}}\n");
            fs::write(&entry, failed).expect("a journal");
        }
    }
    // The run is tried again, and merging shows what there is.
    let (status, told) = said(&folder, &["merge", "results/x"]);
    assert!(status == Some(1) && told.contains("red\u{fffd}[31m"), "{told:?}");
    assert!(is_harmless(&told), "{told:?}");
}
