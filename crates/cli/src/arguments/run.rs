//! Running experiments: arguments of `runner run`, `check` and `plan`.

use std::path::PathBuf;

use clap::Args;

use super::ProgramArgs;
use evogrid_runner::experiment::shard::Shard;

/// An experiment file and what is laid over it.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    pub experiment: PathBuf,
    /// Set a value over the file's, by dotted path: `experiment.repetitions=2`, or a setting of all algorithms:
    /// `population=50` (which is then no longer varied), or what one varies: `algorithms.NAME.grid.mutation.other=[0.0, 0.1]`. A
    /// name that has a dot stands in double quotes. May be given several times
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
}

/// How an experiment is run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// What to run.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder for the results; `results/NAME` unless given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Runs at a time; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Measure times that can be compared: one run at a time on each physical core (`--jobs` at most), its thread kept there and the other
    /// threads of the core idle, settings in turn, after a warm-up; `manifest.json` says so, and what disturbed it. Results are the same
    #[arg(long)]
    pub timing: bool,
    /// Do one share of the runs, the I-th of N: each process of a cluster does its own, in this folder or in others, and
    /// `runner merge` joins them
    #[arg(long, value_name = "I/N", conflicts_with = "fresh")]
    pub shard: Option<Shard>,
    /// Stop at the first run that fails; without it the others go on
    #[arg(long)]
    pub fail_fast: bool,
    /// Start again: set the journal of earlier runs aside
    #[arg(long)]
    pub fresh: bool,
    /// Replace the tables of another experiment that are in the folder; a copy of them is kept
    #[arg(long)]
    pub overwrite: bool,
    /// Show no progress and no table
    #[arg(long, short)]
    pub quiet: bool,
}

/// What is planned.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// What would be run.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder with results of earlier runs, which are not done again; `results/NAME` unless given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Runs at a time, for the estimate
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// What may be started.
    #[command(flatten)]
    pub programs: ProgramArgs,
}
