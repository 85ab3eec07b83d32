//! The command lines that write what an installation needs beside the binary.

use std::path::PathBuf;

use clap::Args;

/// For which shell.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Where the manual pages go.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for the pages, one a command; it is made where it is missing
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}
