//! Shards: an experiment divided among processes, joined again, and the same to the byte as if one had done it all.

use crate::test_folder::{TestFolder, number_before};

#[test]
fn shards_in_one_folder_are_joined_where_they_are() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--out", "whole"]);
    for shard in ["1/3", "2/3", "3/3"] {
        folder.run(&["--out", "divided", "--shard", shard]);
        assert!(!folder.path("divided/runs.csv").exists(), "a shard leaves the files to the merge");
    }
    assert_eq!(folder.journal_lines("divided"), 2 * 8 * 3, "no run is done twice");
    let again = folder.run(&["--out", "divided", "--shard", "1/3"]);
    assert_eq!(number_before(&again, " found in the journal"), 16, "{again}");
    folder.outputs(0, &["merge", "divided"]);
    assert_eq!(folder.rows("divided"), folder.rows("whole"));
    assert_eq!(summary(&folder, "divided"), summary(&folder, "whole"));
    folder.outputs(0, &["verify", "divided"]);
}

/// Bucket, runs, solved and rate of each row of a summary: what depends on no clock.
fn summary(folder: &TestFolder, results: &str) -> Vec<String> {
    let text = folder.read(folder.path(results).join("summary.csv"));
    text.lines().map(|line| line.split(',').take(7).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn shards_of_any_number_from_any_folders_are_joined_without_doubles() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--out", "whole"]);
    // A third and a half overlap; the rest comes from a folder that was finished by one process.
    folder.run(&["--out", "one", "--shard", "2/3"]);
    folder.run(&["--out", "two", "--shard", "1/2"]);
    let (_, messages) = folder.outputs(1, &["merge", "one", "two", "--out", "joined"]);
    assert!(messages.contains("of 48 runs missing"), "{messages}");
    assert!(messages.contains("runner run test.toml --out joined"), "{messages}");
    folder.run(&["--out", "three", "--shard", "2/2"]);
    let (_, messages) = folder.outputs(0, &["merge", "one", "two", "three", "--out", "joined"]);
    assert!(messages.contains("done more than once"), "{messages}");
    assert_eq!(folder.rows("joined"), folder.rows("whole"));
    // Once more changes nothing.
    folder.outputs(0, &["merge", "joined", "one", "--out", "joined"]);
    assert_eq!(folder.rows("joined"), folder.rows("whole"));
}

#[test]
fn the_indices_still_to_do_are_those_whose_shards_complete_it() {
    let folder = TestFolder::new("[20, 60]", 3);
    for shard in ["1/5", "3/5", "4/5"] {
        folder.run(&["--shard", shard]);
    }
    let missing = || folder.outputs(0, &["missing", "results/test", "--shards", "5"]);
    assert_eq!(missing().0, "2,5\n");
    for shard in ["2/5", "5/5"] {
        folder.run(&["--shard", shard]);
    }
    let (left, messages) = missing();
    assert_eq!(left, "");
    insta::assert_snapshot!(messages, @"0 of 48 runs left to do, in 0 shards");
    folder.outputs(0, &["merge", "results/test"]);
}

#[test]
fn a_run_that_came_out_in_two_ways_stops_the_merge() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "one"]);
    folder.run(&["--out", "other"]);
    folder.change_line(&folder.journals("other")[0], "\"evaluations\":", |line| {
        let (before, after) = line.split_once("\"evaluations\":").expect("the field");
        let (number, after) = after.split_once(',').expect("more fields");
        format!("{before}\"evaluations\":{},{after}", number.parse::<u64>().expect("a number") + 1)
    });
    folder.reseal("other");
    let messages = folder.refused(1, &["merge", "one", "other", "--out", "joined"]);
    assert!(messages.contains(" differ: `evaluations` is "), "{messages}");
    assert!(!folder.path("joined/runs.csv").exists(), "nothing is made of records that disagree");
}

#[test]
fn a_damaged_line_is_reported_once_by_a_merge_and_its_run_is_missing() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&[]);
    folder.change(&folder.journals("results/test")[0], |text| text.replacen("\"solved\"", "\"salved\"", 1));
    for is_first in [true, false] {
        let (_, messages) = folder.outputs(1, &["merge", "results/test"]);
        assert!(messages.contains("error: 1 of 8 runs missing"), "{messages}");
        assert_eq!(messages.contains("ignored a damaged line"), is_first, "{messages}");
    }
}

#[test]
fn folders_of_different_experiments_are_not_joined() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "one"]);
    folder.run(&["--out", "two", "--set", "experiment.seed=2"]);
    let messages = folder.refused(2, &["merge", "one", "two", "--out", "joined"]);
    insta::assert_snapshot!(messages, @"error: one and two belong to different experiments: the experiments differ in `seed`: 1 and 2");
    for (arguments, expected) in [
        (&["merge", "one", "two"][..], "error: to merge several folders, name a new folder with `--out`\n"),
        (&["merge", "nowhere"], "error: nowhere is not a results folder: it has no manifest.json\n"),
        (&["missing", "nowhere", "--shards", "2"], "error: nowhere is not a results folder: it has no manifest.json\n"),
    ] {
        assert_eq!(folder.refused(2, arguments), expected);
    }
}

#[test]
fn a_shard_that_is_none_is_refused() {
    let folder = TestFolder::new("[20]", 1);
    for wrong in ["0/3", "4/3", "1", "a/b"] {
        let messages = folder.run_to(2, &["--shard", wrong]);
        assert!(messages.contains("`--shard 3/8` does the third of eight shards"), "{wrong}: {messages}");
    }
    assert!(!folder.path("results").exists(), "nothing is written");
}

#[test]
fn a_folder_shows_what_it_is_of_from_its_first_shard_on() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--shard", "1/3", "--set", "experiment.seed=7"]);
    let (_, messages) = folder.outputs(1, &["merge", "results/test"]);
    assert!(messages.contains("error: 32 of 48 runs missing\n  huke, population = 20 on easy-01: "), "{messages}");
    assert!(messages.contains("\n  runner run test.toml --set experiment.seed=7 --out results/test\n"), "{messages}");
    assert!(folder.path("results/test/summary.csv").exists(), "what is there is shown");
}

#[test]
fn a_manifest_with_more_combinations_than_can_be_planned_is_refused() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--shard", "1/2"]);
    let mut manifest: serde_json::Value =
        serde_json::from_str(&folder.read("results/test/manifest.json")).expect("it is JSON");
    let axis = manifest["experiment"]["algorithms"][0]["varied"][0].clone();
    let mut axes = Vec::new();
    for setting in ["population", "mutation.other", "crossover.parents", "survival.elite"] {
        let mut axis = axis.clone();
        axis["settings"] = serde_json::json!([setting]);
        axis["points"] = (1..=1000).map(|point| serde_json::json!([point])).collect();
        axes.push(axis);
    }
    manifest["experiment"]["algorithms"][0]["varied"] = axes.into();
    folder.write("results/test/manifest.json", manifest.to_string());
    let messages = folder.refused(1, &["missing", "results/test", "--shards", "2"]);
    insta::assert_snapshot!(messages, @"error: the grids have 1000000000000 combinations, but at most 10000000 are allowed");
}
