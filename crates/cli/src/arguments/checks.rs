//! What checks results: arguments of `runner replay` and `runner verify`.

use std::path::PathBuf;

use clap::Args;

use evogrid_runner::external::ProgramPolicy;

/// Whether external programs are started.
#[derive(Clone, Copy, Debug, Args)]
pub struct ProgramArgs {
    /// Start the commands of `kind = "external"`. By default they are only printed, since a folder from elsewhere may name any program
    #[arg(long)]
    pub run_programs: bool,
}

impl ProgramArgs {
    pub(crate) fn policy(self) -> ProgramPolicy {
        if self.run_programs { ProgramPolicy::Start } else { ProgramPolicy::Refuse }
    }
}

/// The run to repeat.
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

/// What to check.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A results folder
    pub results: PathBuf,
    /// Number of runs to do again, drawn at random
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub sample: usize,
    /// Seed for choosing these runs; by default a new one each time, so that a forger cannot predict which runs are chosen
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Seconds for repeating runs; runs that have not ended by then count as not repeated
    #[arg(long, value_name = "S", default_value_t = 3600)]
    pub seconds: u64,
    /// Whether external programs are started.
    #[command(flatten)]
    pub programs: ProgramArgs,
}
