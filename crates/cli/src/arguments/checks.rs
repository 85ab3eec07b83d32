//! What checks results: arguments of `runner replay` and `runner verify`.

use std::path::PathBuf;

use clap::Args;

use evogrid_runner::external::ProgramPolicy;

/// Whether programs are started.
#[derive(Clone, Copy, Debug, Args)]
pub struct ProgramArgs {
    /// Start the commands of `kind = "external"`. Without it they are only named: they may be anybody's, and do anything
    #[arg(long)]
    pub run_programs: bool,
}

impl ProgramArgs {
    pub(crate) fn policy(self) -> ProgramPolicy {
        if self.run_programs { ProgramPolicy::Start } else { ProgramPolicy::Refuse }
    }
}

/// Which run is done again.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A results folder
    pub results: PathBuf,
    /// The run: its `run_id`, or its number in `runs.csv`
    pub run: String,
    /// What may be started.
    #[command(flatten)]
    pub programs: ProgramArgs,
}

/// What is checked.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A results folder
    pub results: PathBuf,
    /// Runs that are done again, drawn at random
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub sample: usize,
    /// Which runs are drawn follows from it; another one each time unless given, so that no forger knows them
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// What may be started.
    #[command(flatten)]
    pub programs: ProgramArgs,
}
