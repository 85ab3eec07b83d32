//! `runner replay`: any run of a results folder comes out again as it was, from what the folder holds.

use std::fs;

use crate::test_folder::TestFolder;

fn ran() -> TestFolder {
    let folder = TestFolder::new("[20, 60]", 1);
    folder.run(&[]);
    // From here on the experiment and its boards are gone: the folder is enough.
    fs::remove_file(folder.path("test.toml")).expect("it is there");
    fs::remove_file(folder.path("boards.csv")).expect("it is there");
    folder
}

#[test]
fn every_run_comes_out_the_same_from_its_folder_alone() {
    let folder = ran();
    for (number, id) in folder.column("results/test", "run_id").iter().enumerate() {
        let (by_id, _) = folder.outputs(0, &["replay", "results/test", id]);
        assert!(by_id.contains("the outcome is the same"), "{by_id}");
        assert_eq!(folder.report(&["replay", "results/test", &number.to_string()]).1, by_id);
    }
}

#[test]
fn a_record_that_was_tampered_with_is_found_out() {
    let folder = ran();
    let id = &folder.column("results/test", "run_id")[0];
    let journal = &folder.journals("results/test")[0];
    folder.change_line(journal, id, |line| line.replacen("\"evaluations\":", "\"evaluations\":1", 1));
    folder.reseal("results/test");
    let (told, _) = folder.outputs(1, &["replay", "results/test", id]);
    assert!(told.contains("the result differs\n  evaluations: recorded 1"), "{told}");
}

#[test]
fn a_run_that_is_not_there_is_said_not_to_be() {
    let folder = ran();
    for (run, expected) in [
        ("r0123456789abcdef", "has no run r0123456789abcdef"),
        ("1000", "has no run 1000"),
        (
            "first",
            "`first` is not a run id: expected an `r` and 16 hexadecimal digits, or the number of a run in `runs.csv`",
        ),
    ] {
        let told = folder.refused(2, &["replay", "results/test", run]);
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn a_run_that_a_time_limit_may_have_ended_is_not_called_wrong() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--set", "budget.cpu_seconds=1000"]);
    let id = &folder.column("results/test", "run_id")[0];
    let journal = &folder.journals("results/test")[0];
    folder.change_line(journal, id, |line| line.replacen("\"evaluations\":", "\"evaluations\":1", 1));
    folder.reseal("results/test");
    let (told, _) = folder.outputs(0, &["replay", "results/test", id]);
    let why = "possibly because of its time limit, whose effect depends on the machine";
    assert!(told.contains(&format!("the result differs, {why}\n  evaluations: recorded 1")), "{told}");
}
