//! Arguments of the commands that complete an installation: shell completions and manual pages.

use std::path::PathBuf;

use clap::Args;

/// For which shell.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Where to write the manual pages.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for the pages, one for each command; created if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}
