//! The same experiment leaves the same bytes: at any number of threads, after any interruption, however its grid grew.
//!
//! Every test runs the real binary.

mod experiment_folder;

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use experiment_folder::{ExperimentFolder, number_before};

#[test]
fn one_thread_and_two_write_the_same_rows() {
    let folder = ExperimentFolder::new("[20, 60]", 3);
    folder.run(&["--jobs", "1", "--out", "one"]);
    folder.run(&["--jobs", "2", "--out", "two"]);
    assert_eq!(folder.rows("one"), folder.rows("two"));
    assert_eq!(folder.rows("one").lines().count(), 1 + 2 * 8 * 3);
}

#[test]
fn a_run_killed_in_the_middle_goes_on_where_it_stopped() {
    let folder = ExperimentFolder::new("[500, 1000]", 20);
    folder.run(&["--out", "whole"]);
    for _ in 0..3 {
        let before = folder.journal_lines("killed");
        let mut child = folder.command(&["--out", "killed"]).stderr(Stdio::null()).spawn().expect("the runner starts");
        while folder.journal_lines("killed") < before + 20 {
            assert!(child.try_wait().expect("its state is known").is_none(), "it was to be killed before it ended");
            sleep(Duration::from_millis(1));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it is waited for");
    }
    let kept = folder.journal_lines("killed");
    assert!(kept < 2 * 8 * 20, "some runs are left to do");
    let messages = folder.run(&["--out", "killed"]);
    // A line may be torn by the kill, so a few may be done twice, but no more.
    let found = number_before(&messages, " found in the journal");
    assert!(found + 3 >= kept && found <= kept, "{found} of {kept} were found: {messages}");
    assert_eq!(folder.rows("whole"), folder.rows("killed"));
}

#[test]
fn a_value_added_to_the_grid_and_removed_again_changes_nothing() {
    let folder = ExperimentFolder::new("[20, 60]", 3);
    folder.run(&[]);
    let before = folder.rows("results/test");
    folder.write("[20, 40, 60]", 3);
    let messages = folder.run(&[]);
    assert_eq!(number_before(&messages, " runs done"), 8 * 3, "only the new runs are done: {messages}");
    assert_eq!(number_before(&messages, " found in the journal"), 2 * 8 * 3);
    assert_ne!(folder.rows("results/test"), before);
    folder.write("[20, 60]", 3);
    let messages = folder.run(&[]);
    assert_eq!(number_before(&messages, " runs done"), 0, "{messages}");
    assert_eq!(folder.rows("results/test"), before);
}

#[test]
fn a_rate_written_as_a_whole_number_is_the_same_rate() {
    let folder = ExperimentFolder::new("[20]", 1);
    folder.run(&["--set", "mutation_rate=1"]);
    let messages = folder.run(&["--set", "mutation_rate=1.0"]);
    assert_eq!(number_before(&messages, " runs done"), 0, "{messages}");
}

#[test]
fn paired_cells_share_their_seeds_and_independent_ones_do_not() {
    let seeds = |folder: &ExperimentFolder, out: &str| -> Vec<(String, String)> {
        let rows = folder.rows(out);
        let fields = rows.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        fields.map(|fields| (fields[3].to_owned(), fields[8].to_owned())).collect()
    };
    let folder = ExperimentFolder::new("[20, 60]", 2);
    folder.run(&["--out", "paired"]);
    folder.run(&["--out", "independent", "--set", "experiment.seeding=independent"]);
    let seeds_at = |out: &str, population: &str| -> Vec<String> {
        seeds(&folder, out).into_iter().filter(|(cell, _)| cell == population).map(|(_, seed)| seed).collect()
    };
    assert_eq!(seeds_at("paired", "20"), seeds_at("paired", "60"));
    assert!(seeds_at("independent", "20").iter().all(|seed| !seeds_at("independent", "60").contains(seed)));
}

#[test]
fn a_fresh_start_does_everything_again_and_keeps_the_old_journal() {
    let folder = ExperimentFolder::new("[20]", 1);
    folder.run(&[]);
    let before = folder.rows("results/test");
    let messages = folder.run(&["--fresh"]);
    assert_eq!(number_before(&messages, " runs done"), 8, "{messages}");
    assert_eq!(folder.rows("results/test"), before);
    assert!(folder.path("results/test/journal.old-1").is_dir());
}

#[test]
fn a_session_that_does_nothing_changes_nothing_of_what_made_the_runs() {
    let folder = ExperimentFolder::new("[20]", 1);
    let sessions = || {
        let text = std::fs::read_to_string(folder.path("results/test/manifest.json")).expect("a manifest");
        let manifest: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(
            manifest["started"],
            manifest["sessions"].as_array().and_then(|all| all.last()).expect("one")["started"]
        );
        manifest["sessions"]
            .as_array()
            .expect("sessions")
            .iter()
            .map(|one| one["done"].as_u64().expect("a count"))
            .collect::<Vec<_>>()
    };
    folder.run(&[]);
    folder.run(&[]);
    assert_eq!(sessions(), [8]);
    folder.write("[20, 40]", 1);
    folder.run(&[]);
    assert_eq!(sessions(), [8, 8]);
    folder.run(&["--fresh"]);
    assert_eq!(sessions(), [16]);
}
