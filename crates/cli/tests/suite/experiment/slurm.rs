//! `runner slurm`: scripts that do what they say, and submitting to a Slurm whose commands are scripts of the test.
// Its commands are scripts of the shell here.
#![cfg(unix)]

use std::fs;
use std::process::Command;

use crate::test_folder::{Report, TestFolder, report};

/// A folder with an experiment of eight boards and two populations, 16 runs, and with these commands in the place of Slurm's, scripts of
/// `sh`.
fn cluster(commands: &[(&str, &str)]) -> TestFolder {
    let folder = TestFolder::new("[20, 30]", 1);
    fs::create_dir(folder.path("bin")).expect("a folder for commands");
    commands.iter().for_each(|(name, script)| folder.script(&format!("bin/{name}"), script));
    folder
}

fn slurm(cluster: &TestFolder, arguments: &[&str]) -> Report {
    let mut command = cluster.command(&[&["slurm", "test.toml"], arguments].concat());
    report(command.env("PATH", cluster.path("bin")), "")
}

/// What the runner prints when all goes well.
fn printed(cluster: &TestFolder, arguments: &[&str]) -> String {
    let (status, printed, messages) = slurm(cluster, arguments);
    assert_eq!(status, Some(0), "{messages}");
    printed
}

/// What the runner says when it ends with this status.
fn refused(cluster: &TestFolder, status: i32, arguments: &[&str]) -> String {
    let (ended, printed, messages) = slurm(cluster, arguments);
    assert_eq!((ended, printed.as_str()), (Some(status), ""), "{messages}");
    messages.replace(cluster.path("").to_string_lossy().trim_end_matches('/'), "HERE")
}

/// What `sbatch` was given, one submission a line, answered by ids from 41.
const SBATCH: &str =
    "echo \"$@\" >> submitted; while read -r _; do id=$((${id:-40} + 1)); done < submitted; echo \"$id;far\"";

#[test]
fn it_says_what_it_wrote_and_how_to_submit_look_and_go_on() {
    insta::assert_snapshot!(printed(&cluster(&[]), &["--shards", "4", "--cpus", "2"]));
}

#[test]
fn what_is_missing_is_known_before_any_task_has_started() {
    let cluster = cluster(&[]);
    printed(&cluster, &["--shards", "4"]);
    assert_eq!(cluster.report(&["missing", "results/test", "--shards", "4"]).1, "1-4\n");
}

#[test]
fn the_scripts_run_the_shards_and_merge_them_even_from_a_folder_with_an_awkward_name() {
    let cluster = cluster(&[]);
    let out = "it's 100% \"$HOME\" #1";
    printed(&cluster, &["--shards", "3", "--out", out, "--setup", "test -e test.toml", "--set", "experiment.seed=7"]);
    let bash = |script: &str, index: &str| {
        let mut command = Command::new("bash");
        command.arg(cluster.path(out).join("slurm").join(script)).env("SLURM_ARRAY_TASK_ID", index);
        let (status, _, messages) = report(command.current_dir("/"), "");
        assert_eq!(status, Some(0), "{messages}");
    };
    for index in ["1", "2", "3"] {
        bash("array.sbatch", index);
    }
    bash("merge.sbatch", "");
    cluster.run(&["--out", "alone", "--set", "experiment.seed=7"]);
    assert_eq!(cluster.rows(out), cluster.rows("alone"));
}

#[test]
fn both_scripts_are_submitted_the_merge_after_any_end_of_the_array() {
    let cluster = cluster(&[("sbatch", SBATCH)]);
    let printed = printed(&cluster, &["--shards", "4", "--submit"]);
    assert!(printed.contains("submitted: array 41, then merge 42\n"), "{printed}");
    insta::assert_snapshot!(cluster.read("submitted"), @"
    --parsable results/test/slurm/array.sbatch
    --parsable --dependency=afterany:41 results/test/slurm/merge.sbatch
    ");
}

#[test]
fn what_cannot_be_submitted_is_told_with_the_way_out() {
    let clusters = [
        cluster(&[]),
        cluster(&[("sbatch", "echo 'invalid account' >&2; exit 1")]),
        cluster(&[("sbatch", "[ -e once ] && { echo 'queue is full' >&2; exit 1; }; : > once; echo 41")]),
        // An answer that is not an id is not used as one.
        cluster(&[("sbatch", "echo 'filter: thank you'")]),
    ];
    let refusals = clusters.map(|cluster| refused(&cluster, 1, &["--shards", "4", "--submit"]));
    insta::assert_snapshot!(refusals.concat());
}

#[test]
fn what_no_array_can_be_made_of_is_refused_before_anything_is_written() {
    let small = cluster(&[("scontrol", "echo 'MaxArraySize            = 9'")]);
    let cluster = cluster(&[]);
    let mut refusals = vec![refused(&small, 2, &["--shards", "9"]), refused(&cluster, 2, &["--shards", "17"])];
    let options = [
        ["--sbatch", "constraint=avx2"].as_slice(),
        &["--sbatch", "--constraint avx2"],
        &["--sbatch=--array=1-3"],
        &["--partition", "main\nrm -rf ~"],
        &["--out", "back\\slash"],
    ];
    refusals.extend(options.map(|options| refused(&cluster, 2, &[&["--shards", "4"], options].concat())));
    let array = "this option of sbatch is not accepted, because `--shards` defines the array\n  use `--shards`; `--at-once` limits the simultaneous tasks\n";
    let cores =
        "this option of sbatch is not accepted, because `--cpus` sets the cores of a task\n  use `--cpus` instead\n";
    for (options, why) in [
        (
            &["--array", "--array=1", "--arr=1-5", "--ar=1-5", "--a=1", "-a1-5", "-a=1-5", "-Ha1-5", "-QHva1-5"][..],
            array,
        ),
        (&["--cpus-per-task=2", "--cpus-per-t=2", "--cpus=2", "-c2", "-Hc2"], cores),
    ] {
        for option in options {
            let said = refused(&cluster, 2, &["--shards", "4", &format!("--sbatch={option}")]);
            assert_eq!(said, format!("error: `--sbatch={option}`: {why}"));
        }
    }
    for option in ["-a 1-5", "--array 1-5", "--ar\"ray\"=1-5", "--a\\rray=1-5", "-'a'1-5", "--", "-", "--=1", "-\ta1"] {
        let said = refused(&cluster, 2, &["--shards", "4", &format!("--sbatch={option}")]);
        assert!(said.contains("must be exactly one option of sbatch, without spaces"), "{option}: {said}");
    }
    // Published figures that no task could read.
    cluster.change("test.toml", |text| text.replace("[experiment]\n", "[experiment]\npublished = \"figures.csv\"\n"));
    cluster.write("figures.csv", "bucket\neasy\n");
    refusals.push(refused(&cluster, 2, &["--shards", "4"]));
    insta::assert_snapshot!(refusals.concat());
    let misspelt = refused(&cluster, 2, &["--shards", "4", "--set", "populatoin=3"]);
    assert!(misspelt.contains("did you mean `population`?"), "{misspelt}");
    assert!(!small.path("results").exists() && !cluster.path("results").exists());
    printed(&small, &["--shards", "8"]);
    // What is not a beginning of the script's own option, and what it may override.
    let others = [
        "--acctg-freq=30",
        "--cpu-freq=low",
        "--cpus-per-gpu=2",
        "-Cavx2",
        "-HCa",
        "--signal=B:TERM@300",
        "--no-requeue",
    ];
    let others: Vec<String> = others.iter().map(|option| format!("--sbatch={option}")).collect();
    let others: Vec<&str> = ["--shards", "4"].into_iter().chain(others.iter().map(String::as_str)).collect();
    printed(&small, &others);
}
