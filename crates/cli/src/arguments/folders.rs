//! Arguments of commands on results folders: `runner replay`, `verify`, `merge` and `live`.

use std::path::PathBuf;

use clap::Args;
use evogrid_runner::external::ProgramPolicy;

/// Whether external programs are started.
#[derive(Clone, Copy, Debug, Args)]
pub struct ProgramArgs {
    /// Start the commands of external programs (`kind = "external"`). By default the commands are only printed. If the folder comes from
    /// another person, these commands could start any program
    #[arg(long)]
    pub run_programs: bool,
}

impl ProgramArgs {
    pub(crate) fn policy(self) -> ProgramPolicy {
        if self.run_programs { ProgramPolicy::Start } else { ProgramPolicy::Refuse }
    }
}

/// The arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A results folder
    pub results: PathBuf,
    /// The run: its `run_id`, or its number in `runs.csv`
    pub run: String,
    /// Whether external programs are started.
    #[command(flatten)]
    pub programs: ProgramArgs,
}

/// The arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A results folder
    pub results: PathBuf,
    /// Number of runs to repeat, drawn at random
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub sample: usize,
    /// Seed for the choice of the runs to repeat. By default each call uses a new seed. Therefore a person who forges results cannot
    /// predict which runs are repeated
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Time limit for repeating runs, in seconds. If a run has not ended within this time, it counts as not repeated
    #[arg(long, value_name = "S", default_value_t = 3600)]
    pub seconds: u64,
    /// Whether external programs are started.
    #[command(flatten)]
    pub programs: ProgramArgs,
}

/// The arguments of `merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Results folders of one experiment or of its shards
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Folder for the joined results. If you give a single folder without this option, `merge` completes the results in the given folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print no table
    #[arg(long, short)]
    pub quiet: bool,
}

/// The arguments of `live`.
#[derive(Debug, Args)]
pub struct LiveArgs {
    /// Results folders of one experiment or of its shards
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// HTML file to write after each update. In a browser, the page reloads itself
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Seconds between two updates
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub every: u64,
    /// Print the state once, and end
    #[arg(long, conflicts_with = "every")]
    pub once: bool,
}
