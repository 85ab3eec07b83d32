//! Shards: an experiment divided among processes, joined again, and the same to the byte as if one had done it all.

mod experiment_folder;

use std::fs;
use std::process::Output;

use experiment_folder::{ExperimentFolder, number_before, stderr, stdout};

/// What it printed on standard output, where it ended well.
fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    stdout(output).trim_end().to_owned()
}

#[test]
fn shards_in_one_folder_are_joined_where_they_are() {
    let folder = ExperimentFolder::new("[20, 60]", 3);
    folder.run(&["--out", "whole"]);
    for shard in ["1/3", "2/3", "3/3"] {
        folder.run(&["--out", "divided", "--shard", shard]);
        assert!(!folder.path("dealt/runs.csv").exists(), "a shard leaves the files to the merge");
    }
    assert_eq!(folder.journal_lines("divided"), 2 * 8 * 3, "no run is done twice");
    let again = folder.run(&["--out", "divided", "--shard", "1/3"]);
    assert_eq!(number_before(&again, " found in the journal"), 16, "{again}");
    printed(&folder.runner(&["merge", "divided"]));
    assert_eq!(folder.rows("divided"), folder.rows("whole"));
    assert_eq!(summary(&folder, "divided"), summary(&folder, "whole"));
    printed(&folder.runner(&["verify", "divided"]));
}

/// Bucket, runs, solved and rate of each row of a summary: what depends on no clock.
fn summary(folder: &ExperimentFolder, results: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.path(results).join("summary.csv")).expect("a summary");
    text.lines().map(|line| line.split(',').take(7).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn shards_of_any_number_from_any_folders_are_joined_without_doubles() {
    let folder = ExperimentFolder::new("[20, 60]", 3);
    folder.run(&["--out", "whole"]);
    // A third and a half overlap; the rest comes from a folder that was finished by one process.
    folder.run(&["--out", "one", "--shard", "2/3"]);
    folder.run(&["--out", "two", "--shard", "1/2"]);
    let joined = folder.runner(&["merge", "one", "two", "--out", "joined"]);
    assert_eq!(joined.status.code(), Some(1), "{}", stderr(&joined));
    assert!(stderr(&joined).contains("of 48 runs missing"), "{}", stderr(&joined));
    assert!(stderr(&joined).contains("runner run test.toml --out joined"), "{}", stderr(&joined));
    folder.run(&["--out", "three", "--shard", "2/2"]);
    let joined = folder.runner(&["merge", "one", "two", "three", "--out", "joined"]);
    assert!(stderr(&joined).contains("done more than once"), "{}", stderr(&joined));
    printed(&joined);
    assert_eq!(folder.rows("joined"), folder.rows("whole"));
    // Once more changes nothing.
    printed(&folder.runner(&["merge", "joined", "one", "--out", "joined"]));
    assert_eq!(folder.rows("joined"), folder.rows("whole"));
}

#[test]
fn the_indices_still_to_do_are_those_whose_shards_complete_it() {
    let folder = ExperimentFolder::new("[20, 60]", 3);
    for shard in ["1/5", "3/5", "4/5"] {
        folder.run(&["--shard", shard]);
    }
    assert_eq!(printed(&folder.runner(&["missing", "results/test", "--shards", "5"])), "2,5");
    for shard in ["2/5", "5/5"] {
        folder.run(&["--shard", shard]);
    }
    let left = folder.runner(&["missing", "results/test", "--shards", "5"]);
    assert_eq!(printed(&left), "");
    insta::assert_snapshot!(stderr(&left), @"0 of 48 runs left to do, in 0 shards");
    printed(&folder.runner(&["merge", "results/test"]));
}

#[test]
fn a_run_that_came_out_in_two_ways_stops_the_merge() {
    let folder = ExperimentFolder::new("[20]", 1);
    folder.run(&["--out", "one"]);
    folder.run(&["--out", "other"]);
    folder.unseal("other");
    let path = &folder.journals("other")[0];
    let text = fs::read_to_string(path).expect("a journal");
    let (first, rest) = text.split_once('\n').expect("lines");
    let (before, after) = first.split_once("\"evaluations\":").expect("the field");
    let (number, after) = after.split_once(',').expect("more fields");
    let other = format!("{before}\"evaluations\":{},{after}\n{rest}", number.parse::<u64>().expect("a number") + 1);
    fs::write(path, other).expect("it is written");
    let joined = folder.runner(&["merge", "one", "other", "--out", "joined"]);
    assert_eq!(joined.status.code(), Some(1));
    assert!(stderr(&joined).contains(" disagree: `evaluations` is "), "{}", stderr(&joined));
    assert!(!folder.path("joined/runs.csv").exists(), "nothing is made of records that disagree");
}

#[test]
fn a_damaged_line_is_reported_once_by_a_merge_and_its_run_is_missing() {
    let folder = ExperimentFolder::new("[20]", 1);
    folder.run(&[]);
    let path = &folder.journals("results/test")[0];
    let text = fs::read_to_string(path).expect("a journal");
    fs::write(path, text.replacen("\"solved\"", "\"salved\"", 1)).expect("it is written");
    for is_first in [true, false] {
        let merged = folder.runner(&["merge", "results/test"]);
        assert_eq!(merged.status.code(), Some(1));
        assert!(stderr(&merged).contains("error: 1 of 8 runs missing"), "{}", stderr(&merged));
        assert_eq!(stderr(&merged).contains("left out a damaged line"), is_first, "{}", stderr(&merged));
    }
}

#[test]
fn folders_of_different_experiments_are_not_joined() {
    let folder = ExperimentFolder::new("[20]", 1);
    folder.run(&["--out", "one"]);
    folder.run(&["--out", "two", "--set", "experiment.seed=2"]);
    let joined = folder.runner(&["merge", "one", "two", "--out", "joined"]);
    assert_eq!(joined.status.code(), Some(2));
    insta::assert_snapshot!(stderr(&joined), @"error: one and two are of different experiments: they differ in `seed`: 1 and 2");
    for (arguments, expected) in [
        (&["merge", "one", "two"][..], "error: several folders are joined into one: name it with `--out`\n"),
        (&["merge", "nowhere"], "error: nowhere is no results folder: it has no manifest.json\n"),
        (&["missing", "nowhere", "--shards", "2"], "error: nowhere is no results folder: it has no manifest.json\n"),
    ] {
        let output = folder.runner(arguments);
        assert_eq!((stderr(&output).as_str(), output.status.code()), (expected, Some(2)));
    }
}

#[test]
fn a_shard_that_is_none_is_refused() {
    let folder = ExperimentFolder::new("[20]", 1);
    for wrong in ["0/3", "4/3", "1", "a/b"] {
        let output = folder.attempt(&["--shard", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(stderr(&output).contains("`--shard 3/8` is the third of eight"), "{}", stderr(&output));
    }
    assert!(!folder.path("results").exists(), "nothing is written");
}

#[test]
fn a_folder_shows_what_it_is_of_from_its_first_shard_on() {
    let folder = ExperimentFolder::new("[20, 60]", 3);
    folder.run(&["--shard", "1/3", "--set", "experiment.seed=7"]);
    let joined = folder.runner(&["merge", "results/test"]);
    assert_eq!(joined.status.code(), Some(1));
    let messages = stderr(&joined);
    assert!(messages.contains("error: 32 of 48 runs missing\n  huke, population = 20 on easy-01: "), "{messages}");
    assert!(messages.contains("\n  runner run test.toml --set experiment.seed=7 --out results/test\n"), "{messages}");
    assert!(folder.path("results/test/summary.csv").exists(), "what is there is shown");
}

#[test]
fn a_manifest_with_more_combinations_than_can_be_planned_is_refused() {
    let folder = ExperimentFolder::new("[20]", 1);
    folder.run(&["--shard", "1/2"]);
    let path = folder.path("results/test/manifest.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(&path).expect("a manifest")).expect("it is JSON");
    let axis = manifest["experiment"]["algorithms"][0]["varied"][0].clone();
    let mut axes = Vec::new();
    for setting in ["population", "mutation.other", "crossover.parents", "survival.elite"] {
        let mut axis = axis.clone();
        axis["settings"] = serde_json::json!([setting]);
        axis["points"] = (1..=1000).map(|point| serde_json::json!([point])).collect();
        axes.push(axis);
    }
    manifest["experiment"]["algorithms"][0]["varied"] = axes.into();
    fs::write(&path, manifest.to_string()).expect("it is written");
    let output = folder.runner(&["missing", "results/test", "--shards", "2"]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(stderr(&output), @"error: its grids have 1000000000000 combinations, and at most 10000000 can be planned");
}
