//! Experiments: arguments of `runner init`, `run`, `check`, `plan`, `space`, `target` and `slurm`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use evogrid_core::catalogue::Catalogue;

use super::ProgramArgs;
use evogrid_runner::experiment::shard::{self, Shard};
use evogrid_runner::system::program;

/// The arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Name of the experiment and of its file
    #[arg(value_name = "NAME", default_value = "first")]
    pub name: String,
    /// Family of problems; by default the first of `runner list problems`
    #[arg(long, value_name = "FAMILY")]
    pub problem: Option<String>,
    /// Write a tuning for `runner tune` instead
    #[arg(long)]
    pub tune: bool,
}

const FIRST_STEPS: &str = include_str!("first_steps.txt");

/// The text that is printed if no command is given: how to begin.
pub(super) fn first_steps(catalogue: &Catalogue) -> String {
    let families = catalogue.families().filter(|family| family.first_experiment().is_some());
    let families: Vec<&str> = families.map(|family| family.declaration().name).collect();
    let text = FIRST_STEPS.trim_end().replace("{runner}", program::name());
    text.replace("{families}", &families.join(", "))
}

/// An experiment file, and the settings laid over it.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    pub experiment: PathBuf,
    /// Set a value in place of the file's, by dotted path: `experiment.repetitions=2`, or a setting of all algorithms: `population=50`
    /// (which is then not varied any more), or the values that one varies: `algorithms.NAME.grid.mutation.other=[0.0, 0.1]`. Put a name
    /// that contains a dot in double quotes. May be given several times
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
}

/// How runs are done, and what happens to earlier ones.
#[derive(Debug, Args)]
pub struct ExecutionArgs {
    /// Number of runs at a time; by default the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Start again from nothing: set the journal of earlier runs aside
    #[arg(long)]
    pub fresh: bool,
    /// Replace the tables of another experiment that are in the folder; a copy of the old tables is kept
    #[arg(long)]
    pub overwrite: bool,
    /// Show no progress and no table
    #[arg(long, short)]
    pub quiet: bool,
}

/// How an experiment is run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The experiment to run.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder for the results; by default `results/NAME`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Measure times that can be compared: one run at a time on each physical core (at most `--jobs` of them), each thread pinned to its
    /// core, the core's other threads idle, configurations in turn, after a warm-up; `manifest.json` records this and any disturbance.
    /// Results are the same
    #[arg(long)]
    pub timing: bool,
    /// Do only the I-th of N shards: each process of a cluster does one shard, in this folder or in another, and `runner merge` joins them
    #[arg(long, value_name = "I/N", conflicts_with = "fresh")]
    pub shard: Option<Shard>,
    /// Stop at the first run that fails; by default the other runs go on
    #[arg(long)]
    pub fail_fast: bool,
    /// Results folders of other experiments whose finished runs are not repeated if this experiment has the same ones: their lines are
    /// copied to the journal first, and `manifest.json` says where they are from
    #[arg(long, value_name = "RESULTS", num_args = 1..)]
    pub reuse: Vec<PathBuf>,
    /// How runs are done, and what happens to earlier ones.
    #[command(flatten)]
    pub execution: ExecutionArgs,
}

/// The arguments of `tune`.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// The experiment, with `[tune]` and the space of an algorithm.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder for the results; by default `results/NAME-tune`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Do only the I-th of N shards of the runs up to the next decision; after `runner merge` the next call goes on
    #[arg(long, value_name = "I/N", conflicts_with = "fresh")]
    pub shard: Option<Shard>,
    /// How runs are done, and what happens to earlier ones.
    #[command(flatten)]
    pub execution: ExecutionArgs,
}

/// The arguments of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The experiment to plan.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder with the results of earlier runs, which are not repeated; by default `results/NAME`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Results folders of other experiments whose finished runs would be reused, as `run --reuse` does
    #[arg(long, value_name = "RESULTS", num_args = 1..)]
    pub reuse: Vec<PathBuf>,
    /// Number of runs at a time that the estimate assumes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Whether external programs are started.
    #[command(flatten)]
    pub programs: ProgramArgs,
}

/// The arguments of `space`.
#[derive(Debug, Args)]
pub struct SpaceArgs {
    /// The experiment with the instances, the budget and the space.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// The tuner whose files are written
    #[arg(long, value_enum)]
    pub style: SpaceStyle,
    /// The algorithm to tune; by default that of `[tune]`, or the only algorithm of the experiment
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// The metric that is the cost, as `target` takes it; by default that of `[tune]`
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Folder to write, which must not exist yet: the space, the instances, the program that does a run, and how they are used; by default
    /// only the space is printed
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// A tuner, and the form of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SpaceStyle {
    /// irace 4
    Irace,
    /// irace 3.5, which reads forbidden combinations from a file of their own
    Irace3,
    /// ConfigSpace 1.2 as JSON, for SMAC3 and others
    Configspace,
    /// A Python module for Optuna
    Optuna,
}

/// The arguments of `target`.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The experiment with the instances, the budget and the settings that are not tuned.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// The configurator that calls
    #[arg(long, value_enum)]
    pub style: TargetStyle,
    /// The algorithm to tune; by default the only algorithm of the experiment
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// The metric that is the cost, such as `objective`, `gap`, `evaluations` or `cpu_ms`; times are printed in seconds. By default the
    /// processor time until the instance is solved; if nothing defines when it is solved, the gap or the objective
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// If the cost is the work until the instance is solved: an unsolved run costs this many times the limit of processor time, of
    /// the experiment or of the call, whichever is longer; without a limit, or by another metric, this many times its own work
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    pub penalty: f64,
    /// With `--style irace`: print the processor time after the cost even if irace gives no bound, as its `maxTime` needs
    #[arg(long)]
    pub time: bool,
    /// What the configurator passes on: for irace `CONFIGURATION INSTANCE_NUMBER SEED INSTANCE [BOUND]`, for SMAC3 `--instance=INSTANCE
    /// --seed=SEED`, for AClib `INSTANCE SPECIFICS CUTOFF RUNLENGTH SEED` or `--instance INSTANCE --seed SEED [--cutoff CUTOFF] --config`;
    /// then settings by dotted path, `--PATH=VALUE` or `-PATH VALUE`
    #[arg(value_name = "ARGUMENT", last = true, required = true)]
    pub arguments: Vec<String>,
}

/// The form of a configurator's calls, and of the answers that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetStyle {
    /// irace, versions 3 and 4: `COST` or `COST TIME`
    Irace,
    /// SMAC3 with a script: `cost=COST; runtime=TIME; status=STATUS`
    Smac,
    /// Wrappers of AClib, as ParamILS, SMAC 2 and irace with `aclib = 1` call them
    Aclib,
}

/// How to spread an experiment over a Slurm cluster.
#[derive(Debug, Args)]
#[command(after_long_help = SCRIPTS)]
pub struct SlurmArgs {
    /// The experiment to run.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Number of tasks that share the runs; at most the number of runs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=shard::MAX_SHARDS))]
    pub shards: u64,
    /// Folder for the results, on a file system that all nodes share; by default `results/NAME`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Cores of a task, and number of runs at a time in it
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub cpus: u16,
    /// Number of tasks at a time; by default Slurm decides
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=shard::MAX_SHARDS))]
    pub at_once: Option<u64>,
    /// Time limit as sbatch takes it, more than two minutes: `30`, `4:00:00`, `1-12`; by default the partition's limit
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,
    /// Memory as sbatch takes it: `500M`, `4G`; by default the partition's
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// Partition; by default Slurm chooses
    #[arg(long, value_name = "NAME")]
    pub partition: Option<String>,
    /// Account to charge; by default yours
    #[arg(long, value_name = "NAME")]
    pub account: Option<String>,
    /// A line of shell code to run before the runner starts, used unchanged: `module load gcc/13`. May be given several times; if a line
    /// fails, the task ends
    #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
    pub setup: Vec<String>,
    /// One more option for sbatch: `--sbatch=--constraint=avx2`. May be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,
    /// Submit both scripts
    #[arg(long)]
    pub submit: bool,
}

const SCRIPTS: &str = include_str!("slurm_scripts.txt");
