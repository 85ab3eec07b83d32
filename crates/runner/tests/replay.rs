//! `runner replay`: any run of a results folder comes out again as it was, from what the folder holds.

mod experiment_folder;

use std::fs;
use std::process::{Command, Output};

use experiment_folder::ExperimentFolder;

fn replay(folder: &ExperimentFolder, run: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
    command.current_dir(folder.path("")).args(["replay", "results/test", run]).output().expect("the runner runs")
}

fn ran() -> ExperimentFolder {
    let folder = ExperimentFolder::new("[20, 60]", 1);
    folder.run(&[]);
    // From here on the experiment and its boards are gone: the folder is enough.
    fs::remove_file(folder.path("test.toml")).expect("it is there");
    fs::remove_file(folder.path("boards.csv")).expect("it is there");
    folder
}

#[test]
fn every_run_comes_out_the_same_from_its_folder_alone() {
    let folder = ran();
    let rows = folder.rows("results/test");
    for (number, row) in rows.lines().skip(1).enumerate() {
        let id = row.split(',').nth(1).expect("an id");
        let [by_id, by_number] = [replay(&folder, id), replay(&folder, &number.to_string())];
        let told = String::from_utf8_lossy(&by_id.stdout).into_owned();
        assert!(by_id.status.success() && told.contains("the same again"), "{told}");
        assert_eq!(by_id.stdout, by_number.stdout);
    }
}

#[test]
fn a_record_that_was_tampered_with_is_found_out() {
    let folder = ran();
    let rows = folder.rows("results/test");
    let id = rows.lines().nth(1).and_then(|row| row.split(',').nth(1)).expect("an id").to_owned();
    folder.unseal("results/test");
    let path = &folder.journals("results/test")[0];
    let text = fs::read_to_string(path).expect("text");
    let tampered: Vec<String> = text
        .lines()
        .map(|line| {
            if line.contains(&id) { line.replacen("\"evaluations\":", "\"evaluations\":1", 1) } else { line.to_owned() }
        })
        .collect();
    fs::write(path, tampered.join("\n") + "\n").expect("it is written");
    let output = replay(&folder, &id);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("it comes out otherwise\n  evaluations: recorded 1"), "{told}");
}

#[test]
fn a_run_that_is_not_there_is_said_not_to_be() {
    let folder = ran();
    for (run, expected) in [
        ("r0123456789abcdef", "has no run r0123456789abcdef"),
        ("1000", "has no run 1000"),
        ("first", "`first` is no run id: expected an `r` and 16 hexadecimal digits, or a number of `runs.csv`"),
    ] {
        let output = replay(&folder, run);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(expected), "{told}");
    }
}
