//! Shards: an experiment dealt to processes, joined again, and the same to the byte as if one had done it all.

mod workshop;

use std::fs;
use std::process::{Command, Output};

use workshop::Workshop;

/// `runner` with these arguments, in the workshop.
fn runner(workshop: &Workshop, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
    command.current_dir(workshop.path("")).args(arguments).output().expect("the runner runs")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What it printed on standard output, where it ended well.
fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", told(output));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

#[test]
fn shards_in_one_folder_are_joined_where_they_are() {
    let workshop = Workshop::new("[20, 60]", 3);
    workshop.run(&["--out", "whole"]);
    for shard in ["1/3", "2/3", "3/3"] {
        workshop.run(&["--out", "dealt", "--shard", shard]);
        assert!(!workshop.path("dealt/runs.csv").exists(), "a shard leaves the files to the merge");
    }
    assert_eq!(workshop.journal_lines("dealt"), 2 * 8 * 3, "no run is done twice");
    let again = workshop.run(&["--out", "dealt", "--shard", "1/3"]);
    assert_eq!(workshop::number_before(&again, " found in the journal"), 16, "{again}");
    printed(&runner(&workshop, &["merge", "dealt"]));
    assert_eq!(workshop.rows("dealt"), workshop.rows("whole"));
    assert_eq!(summary(&workshop, "dealt"), summary(&workshop, "whole"));
    printed(&runner(&workshop, &["verify", "dealt"]));
}

/// Bucket, runs, solved and rate of each row of a summary: what hangs on no clock.
fn summary(workshop: &Workshop, results: &str) -> Vec<String> {
    let text = fs::read_to_string(workshop.path(results).join("summary.csv")).expect("a summary");
    text.lines().map(|line| line.split(',').take(7).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn shards_of_any_number_from_any_folders_are_joined_without_doubles() {
    let workshop = Workshop::new("[20, 60]", 3);
    workshop.run(&["--out", "whole"]);
    // A third and a half overlap; the rest comes from a folder that was finished by one process.
    workshop.run(&["--out", "one", "--shard", "2/3"]);
    workshop.run(&["--out", "two", "--shard", "1/2"]);
    let joined = runner(&workshop, &["merge", "one", "two", "--out", "joined"]);
    assert_eq!(joined.status.code(), Some(1), "{}", told(&joined));
    assert!(told(&joined).contains("of 48 runs missing"), "{}", told(&joined));
    assert!(told(&joined).contains("runner run test.toml --out joined"), "{}", told(&joined));
    workshop.run(&["--out", "three", "--shard", "2/2"]);
    let joined = runner(&workshop, &["merge", "one", "two", "three", "--out", "joined"]);
    assert!(told(&joined).contains("done more than once"), "{}", told(&joined));
    printed(&joined);
    assert_eq!(workshop.rows("joined"), workshop.rows("whole"));
    // Once more changes nothing.
    printed(&runner(&workshop, &["merge", "joined", "one", "--out", "joined"]));
    assert_eq!(workshop.rows("joined"), workshop.rows("whole"));
}

#[test]
fn the_indices_still_to_do_are_those_whose_shards_complete_it() {
    let workshop = Workshop::new("[20, 60]", 3);
    for shard in ["1/5", "3/5", "4/5"] {
        workshop.run(&["--shard", shard]);
    }
    assert_eq!(printed(&runner(&workshop, &["missing", "results/test", "--shards", "5"])), "2,5");
    for shard in ["2/5", "5/5"] {
        workshop.run(&["--shard", shard]);
    }
    let left = runner(&workshop, &["missing", "results/test", "--shards", "5"]);
    assert_eq!(printed(&left), "");
    insta::assert_snapshot!(told(&left), @"0 of 48 runs left to do, in 0 shards");
    printed(&runner(&workshop, &["merge", "results/test"]));
}

#[test]
fn a_run_that_came_out_in_two_ways_stops_the_merge() {
    let workshop = Workshop::new("[20]", 1);
    workshop.run(&["--out", "one"]);
    workshop.run(&["--out", "other"]);
    workshop.unseal("other");
    let path = &workshop.journals("other")[0];
    let text = fs::read_to_string(path).expect("a journal");
    let (first, rest) = text.split_once('\n').expect("lines");
    let (before, after) = first.split_once("\"evaluations\":").expect("the field");
    let (number, after) = after.split_once(',').expect("more fields");
    let other = format!("{before}\"evaluations\":{},{after}\n{rest}", number.parse::<u64>().expect("a number") + 1);
    fs::write(path, other).expect("it is written");
    let joined = runner(&workshop, &["merge", "one", "other", "--out", "joined"]);
    assert_eq!(joined.status.code(), Some(1));
    assert!(told(&joined).contains(" disagree: `evaluations` is "), "{}", told(&joined));
    assert!(!workshop.path("joined/runs.csv").exists(), "nothing is made of records that disagree");
}

#[test]
fn a_damaged_line_is_told_once_by_a_merge_and_its_run_is_missing() {
    let workshop = Workshop::new("[20]", 1);
    workshop.run(&[]);
    let path = &workshop.journals("results/test")[0];
    let text = fs::read_to_string(path).expect("a journal");
    fs::write(path, text.replacen("\"solved\"", "\"salved\"", 1)).expect("it is written");
    for is_first in [true, false] {
        let merged = runner(&workshop, &["merge", "results/test"]);
        assert_eq!(merged.status.code(), Some(1));
        assert!(told(&merged).contains("error: 1 of 8 runs missing"), "{}", told(&merged));
        assert_eq!(told(&merged).contains("left out a damaged line"), is_first, "{}", told(&merged));
    }
}

#[test]
fn folders_of_different_experiments_are_not_joined() {
    let workshop = Workshop::new("[20]", 1);
    workshop.run(&["--out", "one"]);
    workshop.run(&["--out", "two", "--set", "experiment.seed=2"]);
    let joined = runner(&workshop, &["merge", "one", "two", "--out", "joined"]);
    assert_eq!(joined.status.code(), Some(2));
    insta::assert_snapshot!(told(&joined), @"error: one and two are of different experiments: they differ in `seed`: 1 and 2");
    for (arguments, expected) in [
        (&["merge", "one", "two"][..], "error: several folders are joined into one: name it with `--out`\n"),
        (&["merge", "nowhere"], "error: nowhere is no results folder: it has no manifest.json\n"),
        (&["missing", "nowhere", "--shards", "2"], "error: nowhere is no results folder: it has no manifest.json\n"),
    ] {
        let output = runner(&workshop, arguments);
        assert_eq!((told(&output).as_str(), output.status.code()), (expected, Some(2)));
    }
}

#[test]
fn a_shard_that_is_none_is_refused() {
    let workshop = Workshop::new("[20]", 1);
    for wrong in ["0/3", "4/3", "1", "a/b"] {
        let output = workshop.command(&["--shard", wrong]).output().expect("the runner runs");
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(told(&output).contains("`--shard 3/8` is the third of eight"), "{}", told(&output));
    }
    assert!(!workshop.path("results").exists(), "nothing is written");
}

#[test]
fn a_folder_tells_what_it_is_of_from_its_first_shard_on() {
    let workshop = Workshop::new("[20, 60]", 3);
    workshop.run(&["--shard", "1/3", "--set", "experiment.seed=7"]);
    let joined = runner(&workshop, &["merge", "results/test"]);
    assert_eq!(joined.status.code(), Some(1));
    let told = told(&joined);
    assert!(told.contains("error: 32 of 48 runs missing\n  huke, population = 20 on easy-01: "), "{told}");
    assert!(told.contains("\n  runner run test.toml --set experiment.seed=7 --out results/test\n"), "{told}");
    assert!(workshop.path("results/test/summary.csv").exists(), "what is there is shown");
}

#[test]
fn a_manifest_with_more_combinations_than_can_be_planned_is_refused() {
    let workshop = Workshop::new("[20]", 1);
    workshop.run(&["--shard", "1/2"]);
    let path = workshop.path("results/test/manifest.json");
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
    let output = runner(&workshop, &["missing", "results/test", "--shards", "2"]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(told(&output), @"error: its grids have 1000000000000 combinations, and at most 10000000 can be planned");
}
