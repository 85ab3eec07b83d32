//! A process that was taken for dead and was not: it adds records of runs that others did meanwhile, and the folder stays right.
// Elsewhere a process cannot be stopped and go on.
#![cfg(unix)]

use std::time::Duration;

use crate::test_folder::{TestFolder, report_at_end, send};

/// Stops a process in its runs, does all runs by another, and lets the first one go on until `end` is done to it. `limit` is a line of the
/// budget.
fn with_late_process(limit: &str, arguments: &[&str], end: fn(&TestFolder)) -> TestFolder {
    let folder = TestFolder::new("[500, 1000]", 20);
    folder.change("test.toml", |text| format!("{text}\n[budget]\n{limit}\n"));
    let late = [&["run", "test.toml", "--out", "o", "--jobs", "1", "--quiet"], arguments].concat();
    let mut child = folder.start_until("o", 8, &late);
    send("STOP", &child);
    folder.run(&["--out", "o"]);
    let before = folder.journal_lines("o");
    folder.outputs(0, &["verify", "o"]);
    send("CONT", &child);
    for _ in 0..200 {
        if folder.journal_lines("o") > before || child.try_wait().expect("it can be asked").is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    end(&folder);
    child.kill().expect("it is killed or has ended");
    report_at_end(child);
    assert!(folder.journal_lines("o") > before, "it added records");
    folder
}

/// The folder is right as it is, and after its files were made again.
fn assert_right(folder: &TestFolder) {
    let (told, _) = folder.outputs(0, &["verify", "o"]);
    assert!(told.contains("that repeat an earlier record of the same run"), "{told}");
    folder.outputs(0, &["merge", "o"]);
    folder.outputs(0, &["verify", "o"]);
}

#[test]
fn a_late_process_that_is_killed_leaves_the_folder_right() {
    let folder = with_late_process("", &[], |_| ());
    let (told, _) = folder.outputs(0, &["verify", "o"]);
    assert!(told.contains("of runs.csv, the journal has two records"), "{told}");
    assert_right(&folder);
}

#[test]
fn a_late_shard_leaves_the_folder_right() {
    assert_right(&with_late_process("", &["--shard", "1/2"], |_| ()));
}

#[test]
fn a_late_process_whose_runs_depend_on_the_clock_leaves_the_folder_right() {
    assert_right(&with_late_process("seconds = 0.002", &[], |_| ()));
}

#[test]
fn a_folder_whose_manifest_knows_nothing_of_the_late_process_is_right() {
    let folder = with_late_process("", &[], |folder| {
        // A cleaner of scratch disks took the tables, and they were made again meanwhile.
        std::fs::remove_file(folder.path("o/runs.csv")).expect("it is there");
        folder.outputs(0, &["merge", "o"]);
    });
    assert_right(&folder);
}
