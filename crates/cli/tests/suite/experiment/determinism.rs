//! The same experiment leaves the same bytes: at any number of threads, after any interruption, however its grid grew.
//!
//! Every test runs the real binary.

use serde_json::Value;

use crate::test_folder::{TestFolder, number_before};

#[test]
fn one_thread_and_two_write_the_same_rows() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--jobs", "1", "--out", "one"]);
    folder.run(&["--jobs", "2", "--out", "two"]);
    assert_eq!(folder.rows("one"), folder.rows("two"));
    assert_eq!(folder.rows("one").lines().count(), 1 + 2 * 8 * 3);
}

#[test]
fn a_run_killed_in_the_middle_goes_on_where_it_stopped() {
    let folder = TestFolder::new("[500, 1000]", 20);
    folder.run(&["--out", "whole"]);
    for _ in 0..3 {
        let n_lines = folder.journal_lines("killed") + 20;
        let mut child = folder.start_until("killed", n_lines, &["run", "test.toml", "--out", "killed"]);
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
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&[]);
    let before = folder.rows("results/test");
    folder.write_experiment("[20, 40, 60]", 3);
    let messages = folder.run(&[]);
    assert_eq!(number_before(&messages, " runs done"), 8 * 3, "only the new runs are done: {messages}");
    assert_eq!(number_before(&messages, " found in the journal"), 2 * 8 * 3);
    assert_ne!(folder.rows("results/test"), before);
    folder.write_experiment("[20, 60]", 3);
    let messages = folder.run(&[]);
    assert_eq!(number_before(&messages, " runs done"), 0, "{messages}");
    assert_eq!(folder.rows("results/test"), before);
}

#[test]
fn a_rate_written_as_a_whole_number_is_the_same_rate() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--set", "mutation_rate=1"]);
    let messages = folder.run(&["--set", "mutation_rate=1.0"]);
    assert_eq!(number_before(&messages, " runs done"), 0, "{messages}");
}

#[test]
fn paired_configurations_share_their_seeds_and_independent_ones_do_not() {
    let folder = TestFolder::new("[20, 60]", 2);
    folder.run(&["--out", "paired"]);
    folder.run(&["--out", "independent", "--set", "experiment.seeding=independent"]);
    let seeds_at = |out: &str, population: &str| -> Vec<String> {
        let seeds = folder.column(out, "population").into_iter().zip(folder.column(out, "seed"));
        seeds.filter(|(configuration, _)| configuration == population).map(|(_, seed)| seed).collect()
    };
    assert_eq!(seeds_at("paired", "20"), seeds_at("paired", "60"));
    assert!(seeds_at("independent", "20").iter().all(|seed| !seeds_at("independent", "60").contains(seed)));
}

#[test]
fn a_fresh_start_does_everything_again_and_keeps_the_old_journal() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&[]);
    let before = folder.rows("results/test");
    let messages = folder.run(&["--fresh"]);
    assert_eq!(number_before(&messages, " runs done"), 8, "{messages}");
    assert_eq!(folder.rows("results/test"), before);
    assert!(folder.path("results/test/journal.old-1").is_dir());
}

#[test]
fn a_session_that_does_nothing_changes_nothing_of_what_made_the_runs() {
    let folder = TestFolder::new("[20]", 1);
    let sessions = || {
        let manifest: Value = serde_json::from_str(&folder.read("results/test/manifest.json")).expect("it is JSON");
        let sessions = manifest["sessions"].as_array().expect("sessions");
        assert_eq!(manifest["started"], sessions.last().expect("one")["started"]);
        sessions.iter().map(|one| one["done"].as_u64().expect("a count")).collect::<Vec<_>>()
    };
    folder.run(&[]);
    folder.run(&[]);
    assert_eq!(sessions(), [8]);
    folder.write_experiment("[20, 40]", 1);
    folder.run(&[]);
    assert_eq!(sessions(), [8, 8]);
    folder.run(&["--fresh"]);
    assert_eq!(sessions(), [16]);
}
