//! Running experiments: arguments of `runner run`, `check` and `plan`.

use std::path::PathBuf;

use clap::Args;

use super::ProgramArgs;
use evogrid_runner::experiment::shard::Shard;

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

/// How an experiment is run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The experiment to run.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder for the results; by default `results/NAME`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of runs at a time; by default the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
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

/// The arguments of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The experiment to plan.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder with the results of earlier runs, which are not repeated; by default `results/NAME`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of runs at a time that the estimate assumes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Whether external programs are started.
    #[command(flatten)]
    pub programs: ProgramArgs,
}
