//! The command line of `runner slurm`.

use std::path::PathBuf;

use clap::Args;

use super::ExperimentArgs;
use evogrid_runner::experiment::shard;

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

const SCRIPTS: &str = "\
Writes two scripts to the folder `slurm` of the results, and submits them if asked:
  array.sbatch  a job array, a task for each shard
  merge.sbatch  the job after it that joins the shards, whatever became of them
All options but `--cpus` and `--at-once` hold for both. The scripts say by whole
paths which runner, experiment and results they mean.

docs/clusters.md tells how to look, to go on, and what is safe when what dies.";
