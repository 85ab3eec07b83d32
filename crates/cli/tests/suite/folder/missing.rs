//! `runner missing`: how many runs are left, of however many, and which shards they are in.

use crate::test_folder::TestFolder;

#[test]
fn of_a_thousand_million_runs_it_is_known_that_all_shards_are_left_before_all_are_counted() {
    let folder = TestFolder::new("[20, 60]", 1);
    folder.run(&["--out", "results"]);
    // The journal has 16 runs of the wider plan; to count the others takes the hash of each.
    folder.change_line("results/manifest.json", "\"repetitions\": 1", |line| line.replace(": 1", ": 100000000"));
    let (shards, messages) = folder.outputs(0, &["missing", "results", "--shards", "1000"]);
    assert_eq!(shards, "1-1000\n");
    insta::assert_snapshot!(messages, @"at least 1599999984 of 1,600,000,000 runs left to do, in 1,000 shards");
    // And of a journal without any run, at once and to the last.
    std::fs::remove_dir_all(folder.path("results/journal")).expect("the journal goes");
    let (shards, messages) = folder.outputs(0, &["missing", "results", "--shards", "7"]);
    assert_eq!(shards, "1-7\n");
    insta::assert_snapshot!(messages, @"1600000000 of 1,600,000,000 runs left to do, in 7 shards");
}

// It sends a signal.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_search_for_what_is_missing() {
    use crate::test_folder::{report_at_end, send};

    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "results", "--shard", "1/2"]);
    folder.change_line("results/manifest.json", "\"repetitions\": 1", |line| line.replace(": 1", ": 100000000"));
    // So many shards that some are long without a run that is known to be left.
    let child = folder.start(&["missing", "results", "--shards", "1000000"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    send("INT", &child);
    assert_eq!(report_at_end(child).0, Some(130));
}
