//! `runner slurm`: scripts that do what they say, and submitting to a Slurm whose commands are scripts of the test.

mod experiment_folder;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use experiment_folder::{ExperimentFolder, stderr, stdout};

/// A folder with an experiment, and one of commands in the place of Slurm's.
struct Cluster {
    folder: ExperimentFolder,
}

impl Cluster {
    /// Eight boards and two populations: 16 runs. No command of Slurm is there.
    fn without_slurm() -> Self {
        let folder = ExperimentFolder::new("[20, 30]", 1);
        fs::create_dir(folder.path("bin")).expect("a folder for commands");
        Self { folder }
    }

    /// The same with a command in it, a script of `sh`.
    fn with(self, name: &str, script: &str) -> Self {
        let path = self.folder.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a command is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
        self
    }

    fn slurm(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
        command.current_dir(self.folder.path("")).args(["slurm", "test.toml"]).args(arguments);
        command.env("PATH", self.folder.path("bin")).output().expect("the runner runs")
    }

    /// What the runner prints when all goes well.
    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.slurm(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    }

    /// What the runner says when it ends with this status.
    fn refused(&self, status: i32, arguments: &[&str]) -> String {
        let output = self.slurm(arguments);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(status), "{message}");
        assert!(output.stdout.is_empty(), "{}", stdout(&output));
        message.replace(self.folder.path("").to_string_lossy().trim_end_matches('/'), "HERE")
    }

    fn exists(&self, path: &str) -> bool {
        self.folder.path(path).exists()
    }
}

/// What `sbatch` was given, one submission a line, answered by ids from 41.
const SBATCH: &str =
    "echo \"$@\" >> submitted; while read -r _; do id=$((${id:-40} + 1)); done < submitted; echo \"$id;far\"";

#[test]
fn it_says_what_it_wrote_and_how_to_submit_look_and_go_on() {
    insta::assert_snapshot!(Cluster::without_slurm().printed(&["--shards", "4", "--cpus", "2"]));
}

#[test]
fn what_is_missing_is_known_before_any_task_has_started() {
    let cluster = Cluster::without_slurm();
    cluster.printed(&["--shards", "4"]);
    let missing = cluster.folder.runner(&["missing", "results/test", "--shards", "4"]);
    assert_eq!(stdout(&missing), "1-4\n");
}

#[test]
fn the_scripts_run_the_shards_and_merge_them_even_from_a_folder_with_an_awkward_name() {
    let cluster = Cluster::without_slurm();
    let out = "it's 100% \"$HOME\" #1";
    cluster.printed(&["--shards", "3", "--out", out, "--setup", "test -e test.toml", "--set", "experiment.seed=7"]);
    let bash = |script: &str, index: &str| {
        let mut command = Command::new("bash");
        command.arg(cluster.folder.path(out).join("slurm").join(script)).env("SLURM_ARRAY_TASK_ID", index);
        let output = command.current_dir("/").output().expect("bash runs");
        assert!(output.status.success(), "{}", stderr(&output));
    };
    for index in ["1", "2", "3"] {
        bash("array.sbatch", index);
    }
    bash("merge.sbatch", "");
    cluster.folder.run(&["--out", "alone", "--set", "experiment.seed=7"]);
    assert_eq!(cluster.folder.rows(out), cluster.folder.rows("alone"));
}

#[test]
fn both_scripts_are_submitted_the_merge_after_any_end_of_the_array() {
    let cluster = Cluster::without_slurm().with("sbatch", SBATCH);
    let printed = cluster.printed(&["--shards", "4", "--submit"]);
    assert!(printed.contains("submitted: array 41, then merge 42\n"), "{printed}");
    let submitted = fs::read_to_string(cluster.folder.path("submitted")).expect("something was submitted");
    insta::assert_snapshot!(submitted, @"
    --parsable results/test/slurm/array.sbatch
    --parsable --dependency=afterany:41 results/test/slurm/merge.sbatch
    ");
}

#[test]
fn without_slurm_it_says_where_to_submit() {
    insta::assert_snapshot!(Cluster::without_slurm().refused(1, &["--shards", "4", "--submit"]), @"
    error: cannot submit results/test/slurm/array.sbatch: there is no `sbatch` here
      both scripts are written: submit them where and when Slurm takes them
    ");
}

#[test]
fn what_sbatch_says_against_it_is_passed_on() {
    let cluster = Cluster::without_slurm().with("sbatch", "echo 'invalid account' >&2; exit 1");
    insta::assert_snapshot!(cluster.refused(1, &["--shards", "4", "--submit"]), @"
    error: cannot submit results/test/slurm/array.sbatch: invalid account
      both scripts are written: submit them where and when Slurm takes them
    ");
}

#[test]
fn an_array_without_its_merge_is_told_with_the_way_out() {
    let once = "[ -e once ] && { echo 'queue is full' >&2; exit 1; }; : > once; echo 41";
    let cluster = Cluster::without_slurm().with("sbatch", once);
    insta::assert_snapshot!(cluster.refused(1, &["--shards", "4", "--submit"]));
}

#[test]
fn an_answer_of_sbatch_that_is_no_id_is_not_used_as_one() {
    let cluster = Cluster::without_slurm().with("sbatch", "echo 'filter: thank you'");
    insta::assert_snapshot!(cluster.refused(1, &["--shards", "4", "--submit"]), @"
    error: cannot submit results/test/slurm/array.sbatch: `sbatch` answered `filter: thank you`, which is no job's id; `squeue --me` shows what it did
      both scripts are written: submit them where and when Slurm takes them
    ");
}

#[test]
fn more_shards_than_the_cluster_takes_are_refused() {
    let cluster = Cluster::without_slurm().with("scontrol", "echo 'MaxArraySize            = 9'");
    insta::assert_snapshot!(cluster.refused(2, &["--shards", "9"]), @"
    error: `--shards 9`, and an array of this Slurm has 8 tasks at most (MaxArraySize)
      expected fewer shards; `--cpus` gives each more cores
    ");
    assert!(!cluster.exists("results"));
    cluster.printed(&["--shards", "8"]);
}

#[test]
fn more_shards_than_runs_are_refused() {
    let cluster = Cluster::without_slurm();
    insta::assert_snapshot!(cluster.refused(2, &["--shards", "17"]), @"
    error: `--shards 17`, and the experiment has 16 runs
      expected no more shards than runs
    ");
    assert!(!cluster.exists("results"));
}

#[test]
fn a_wrong_experiment_is_refused_before_anything_is_written() {
    let cluster = Cluster::without_slurm();
    let message = cluster.refused(2, &["--shards", "4", "--set", "populatoin=3"]);
    assert!(message.contains("did you mean `population`?"), "{message}");
    assert!(!cluster.exists("results"));
}

#[test]
fn published_figures_that_no_task_could_read_are_refused() {
    let cluster = Cluster::without_slurm();
    let path = cluster.folder.path("test.toml");
    let experiment = fs::read_to_string(&path).expect("the experiment is there");
    let with_figures = experiment.replace("[experiment]\n", "[experiment]\npublished = \"figures.csv\"\n");
    fs::write(&path, with_figures).expect("the experiment is written");
    fs::write(cluster.folder.path("figures.csv"), "bucket\neasy\n").expect("the figures are written");
    insta::assert_snapshot!(cluster.refused(2, &["--shards", "4"]), @"error: figures.csv: no column `source`; the columns are `bucket`");
    assert!(!cluster.exists("results"));
}

#[test]
fn options_that_no_script_can_hold_are_refused() {
    let cluster = Cluster::without_slurm();
    let refused = |arguments: &[&str]| cluster.refused(2, &[&["--shards", "4"], arguments].concat());
    insta::assert_snapshot!(
        [
            refused(&["--sbatch", "constraint=avx2"]),
            refused(&["--sbatch", "--constraint avx2"]),
            refused(&["--sbatch=--array=1-3"]),
            refused(&["--partition", "main\nrm -rf ~"]),
            refused(&["--out", "back\\slash"]),
        ]
        .concat()
    );
    assert!(!cluster.exists("results"));
}
