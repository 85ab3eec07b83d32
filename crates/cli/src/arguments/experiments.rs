//! Arguments of commands on experiments: `runner init`, `run`, `tune`, `check`, `plan`, `space`, `target` and `slurm`.

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
    /// Problem family; by default the first family of `runner list problems`
    #[arg(long, value_name = "FAMILY")]
    pub problem: Option<String>,
    /// Write a first experiment for `runner tune`, instead of an experiment for `runner run`
    #[arg(long)]
    pub tune: bool,
}

/// The first steps, which are printed if no command is given.
pub(super) fn first_steps(catalogue: &Catalogue) -> String {
    let families = catalogue.families().filter(|family| family.first_experiment().is_some());
    let families: Vec<&str> = families.map(|family| family.declaration().name).collect();
    let text = include_str!("first_steps.txt").trim_end().replace("{runner}", program::name());
    text.replace("{families}", &families.join(", "))
}

/// An experiment file, and settings that replace settings of the file.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    pub experiment: PathBuf,
    /// Replace a value of the file. Give the dotted path of the value and the new value: `experiment.repetitions=2`. If the path is only
    /// the name of a setting, the setting changes in all algorithms: `population=50`. If the setting was varied, it becomes fixed. A list
    /// gives the values of a varied setting: `algorithms.NAME.grid.mutation.other=[0.0, 0.1]`. If a name contains a dot, put the name in
    /// double quotes. May be given several times
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
}

/// The execution of runs, and the treatment of earlier runs.
#[derive(Debug, Args)]
pub struct ExecutionArgs {
    /// Number of simultaneous runs; by default the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Repeat all runs. The journal of earlier runs is moved aside
    #[arg(long)]
    pub fresh: bool,
    /// If the folder has tables of another experiment, replace these tables. A copy of the old tables is kept
    #[arg(long)]
    pub overwrite: bool,
    /// Show no progress and no table
    #[arg(long, short)]
    pub quiet: bool,
}

/// The arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The experiment to run.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder for the results; by default `results/NAME`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Measure comparable times. Each physical core does one run at a time. At most `--jobs` cores are used. After a warm-up, each thread
    /// of this program is pinned to a core, and configurations take turns. Other hardware threads of the core are idle. `manifest.json`
    /// records that times were measured with `--timing`, and whether something disturbed the measured times. Only times change; all other
    /// results stay the same
    #[arg(long)]
    pub timing: bool,
    /// Do only the I-th of N shards. Each process of a cluster does one shard. The processes may use one common folder or different
    /// folders. `runner merge` joins the shards
    #[arg(long, value_name = "I/N", conflicts_with = "fresh")]
    pub shard: Option<Shard>,
    /// Stop after the first failed run; by default the other runs continue
    #[arg(long)]
    pub fail_fast: bool,
    /// Results folders of other experiments. If a finished run in these folders also belongs to this experiment, the run is copied to the
    /// journal, and the program does not repeat the run. `manifest.json` records the folder from which runs were copied
    #[arg(long, value_name = "RESULTS", num_args = 1..)]
    pub reuse: Vec<PathBuf>,
    /// The execution of runs, and the treatment of earlier runs.
    #[command(flatten)]
    pub execution: ExecutionArgs,
}

/// The arguments of `tune`.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// The experiment file. The file must contain the tables `[tune]` and `[algorithms.NAME.space]`.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder for the results; by default `results/NAME-tune`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Do only the I-th of N shards. The runs that the race needs before its next decision are distributed among the N shards. After
    /// `runner merge`, the next call of `tune` continues the race
    #[arg(long, value_name = "I/N", conflicts_with = "fresh")]
    pub shard: Option<Shard>,
    /// The execution of runs, and the treatment of earlier runs.
    #[command(flatten)]
    pub execution: ExecutionArgs,
}

/// The arguments of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The experiment to plan.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder with results of earlier runs; by default `results/NAME`. The plan counts these runs as done
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Results folders of other experiments. The plan assumes that `run --reuse` reuses the finished runs in these folders
    #[arg(long, value_name = "RESULTS", num_args = 1..)]
    pub reuse: Vec<PathBuf>,
    /// Number of simultaneous runs for the estimate; by default the number of cores
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
    /// Algorithm to tune; by default the algorithm in `[tune]`, or the experiment's only algorithm
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// Metric that `runner target` prints as cost; by default the metric in `[tune]`
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Folder to create; it must not exist. The command writes three things to this folder: the space of settings, the instances, and a
    /// program that does one run. By default only the space is printed
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// A tuner and the format of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SpaceStyle {
    /// irace 4
    Irace,
    /// irace 3.5, which reads forbidden combinations from a separate file
    Irace3,
    /// ConfigSpace 1.2 as JSON, for SMAC3 and others
    Configspace,
    /// A Python module for Optuna
    Optuna,
}

/// The arguments of `target`.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The experiment with the instances, the budget and the fixed settings.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// The configurator that calls this command
    #[arg(long, value_enum)]
    pub style: TargetStyle,
    /// The algorithm to tune; by default the only algorithm of the experiment
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// The metric to print as cost, such as `objective`, `gap`, `evaluations` or `cpu_ms`. Times are printed in seconds. By default, the
    /// cost is the processor time that a run needs to reach its target. If no target defines a solved run, the cost is the gap or the
    /// objective
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// The penalty N of an unsolved run. N is used only if the cost is the work that a run needs to reach its target. Examples of such
    /// costs are `evaluations` and `cpu_ms`. For `cpu_ms`, an unsolved run costs N times the limit of processor time. Both the experiment
    /// and the configurator's call may limit the processor time. If the experiment and the call give different limits, the longer limit is
    /// used. If there is no limit, or if the metric is not `cpu_ms`, an unsolved run costs N times its own work
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    pub penalty: f64,
    /// With `--style irace`: always print the processor time after the cost. By default the time is printed only if the call from irace
    /// contains a time limit (`BOUND`). irace needs the time if `maxTime` is used
    #[arg(long)]
    pub time: bool,
    /// The arguments that the configurator gives. irace gives `CONFIGURATION INSTANCE_NUMBER SEED INSTANCE [BOUND]`. SMAC3 gives
    /// `--instance=INSTANCE --seed=SEED`. AClib gives `INSTANCE SPECIFICS CUTOFF RUNLENGTH SEED` or `--instance INSTANCE --seed SEED
    /// [--cutoff CUTOFF] --config`. After these arguments, give the settings, each with its dotted path: `--PATH=VALUE` or `-PATH VALUE`
    #[arg(value_name = "ARGUMENT", last = true, required = true)]
    pub arguments: Vec<String>,
}

/// The configurator. The configurator decides the format of the arguments, and the format in which the command prints the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetStyle {
    /// For irace 3 and irace 4. The command prints `COST` or `COST TIME`
    Irace,
    /// For a script that SMAC3 calls. The command prints `cost=COST; runtime=TIME; status=STATUS`
    Smac,
    /// For the wrappers of AClib, for ParamILS and SMAC 2, and for irace with `aclib = 1`
    Aclib,
}

/// The arguments of `slurm`.
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("slurm_scripts.txt"))]
pub struct SlurmArgs {
    /// The experiment to run.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Number of shards: at most the number of runs. Each shard is one task
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=shard::MAX_SHARDS))]
    pub shards: u64,
    /// Folder for the results, on a file system that all nodes share; by default `results/NAME`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of cores of each task. A task does this number of runs at the same time
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub cpus: u16,
    /// Largest number of simultaneous tasks; by default Slurm decides
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=shard::MAX_SHARDS))]
    pub at_once: Option<u64>,
    /// Time limit in the format of sbatch: `30`, `4:00:00`, `1-12`. The limit must be more than two minutes. By default, the time limit is
    /// the limit of the partition
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,
    /// Memory in the format of sbatch: `500M`, `4G`. By default, a task gets the memory that the partition grants
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// Partition; by default Slurm chooses a partition
    #[arg(long, value_name = "NAME")]
    pub partition: Option<String>,
    /// Account to charge; by default your own account
    #[arg(long, value_name = "NAME")]
    pub account: Option<String>,
    /// Shell code that runs before the runner starts: `module load gcc/13`. May be given several times. If such a line fails, the task ends
    #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
    pub setup: Vec<String>,
    /// An additional option that sbatch gets: `--sbatch=--constraint=avx2`. May be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,
    /// Submit both scripts
    #[arg(long)]
    pub submit: bool,
}
