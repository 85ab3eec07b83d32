//! `runner verify`: what a folder claims is so, and whoever changes it is found out.

mod experiment_folder;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use experiment_folder::ExperimentFolder;

fn verify(folder: &ExperimentFolder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
    command.current_dir(folder.path("")).args(["verify", "results/test"]).args(arguments).output().expect("it runs")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn ran() -> ExperimentFolder {
    let folder = ExperimentFolder::new("[60, 200]", 2);
    folder.run(&[]);
    folder
}

/// Changes the first line of a file that holds some text, and says whether there was one.
fn tamper(path: &PathBuf, holds: &str, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).expect("text");
    assert!(text.contains(holds), "nothing to tamper with");
    let mut is_done = false;
    let lines = text.lines().map(|line| {
        if is_done || !line.contains(holds) {
            return line.to_owned();
        }
        is_done = true;
        change(line)
    });
    let lines: Vec<String> = lines.collect();
    fs::write(path, lines.join("\n") + "\n").expect("it is written");
}

#[test]
fn a_folder_that_nobody_touched_is_right() {
    let folder = ran();
    let output = verify(&folder, &["--sample", "8"]);
    let text = told(&output);
    assert!(output.status.success(), "{text}");
    assert!(
        text.starts_with("32 runs checked: ") && text.ends_with(" solutions, 8 runs done again\nnothing is wrong\n"),
        "{text}"
    );
}

#[test]
fn a_row_that_was_changed_is_found() {
    let folder = ran();
    tamper(&folder.path("results/test/runs.csv"), ",false,", |line| line.replacen(",false,", ",true,", 1));
    let output = verify(&folder, &["--sample", "0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("its row in runs.csv is not what the journal says"), "{}", told(&output));
}

#[test]
fn a_solution_that_is_none_is_found() {
    let folder = ran();
    folder.unseal("results/test");
    tamper(&folder.journals("results/test")[0], "\"solution\":\"", |line| {
        let (before, rest) = line.split_once("\"solution\":\"").expect("it is there");
        let (solution, after) = rest.split_once('"').expect("it ends");
        let mirrored: String = solution.chars().rev().collect();
        format!("{before}\"solution\":\"{mirrored}\"{after}")
    });
    let output = verify(&folder, &["--sample", "0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("no solution: row 1, column "), "{}", told(&output));
}

#[test]
fn settings_that_are_not_those_of_the_identity_are_found_and_not_tried() {
    let folder = ran();
    folder.unseal("results/test");
    tamper(&folder.journals("results/test")[0], "\"population\":60", |line| {
        line.replacen("\"population\":60", "\"population\":10000000", 1)
    });
    let output = verify(&folder, &["--sample", "32"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told(&output).lines().next().is_some_and(|first| first.ends_with("31 runs done again")),
        "{}",
        told(&output)
    );
    assert!(told(&output).contains("its settings, instance and seed are those of r"), "{}", told(&output));
}

#[test]
fn a_count_that_was_changed_everywhere_is_found_by_doing_the_run_again() {
    let folder = ran();
    folder.unseal("results/test");
    tamper(&folder.journals("results/test")[0], "\"generations\":", |line| {
        line.replacen("\"generations\":", "\"generations\":9", 1)
    });
    // The rows are made from the journal, so they agree with it.
    fs::remove_file(folder.path("results/test/runs.csv")).expect("it is there");
    folder.run(&[]);
    assert!(verify(&folder, &["--sample", "0"]).status.success());
    let output = verify(&folder, &["--sample", "32"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("done again: generations was 9"), "{}", told(&output));
}

#[test]
fn a_line_that_was_changed_and_not_sealed_anew_is_found() {
    let folder = ran();
    tamper(&folder.journals("results/test")[0], "\"solved\":true", |line| line.replacen("target", "restarts", 1));
    let output = verify(&folder, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told(&output).contains("left out a damaged line: its checksum is that of other bytes"),
        "{}",
        told(&output)
    );
}
