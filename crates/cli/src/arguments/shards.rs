//! The commands about shards.

use std::path::PathBuf;

use clap::Args;

use evogrid_runner::experiment::shard;

/// The arguments of `merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Results folders of one experiment, complete or of any of its shards
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Folder for the joined results; by default a single folder is completed in place
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print no table
    #[arg(long, short)]
    pub quiet: bool,
}

/// The arguments of `missing`.
#[derive(Debug, Args)]
pub struct MissingArgs {
    /// Results folders of one experiment
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Number of shards into which the experiment was divided
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=shard::MAX_SHARDS))]
    pub shards: u64,
}
