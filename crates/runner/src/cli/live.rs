//! What is watched: arguments of `runner live`.

use std::path::PathBuf;

use clap::Args;

/// What is watched.
#[derive(Debug, Args)]
pub struct LiveArgs {
    /// Results folders of one experiment, whole or in any shards
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Write a page for a browser, anew at each look: one file, which loads itself again
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Seconds from one look to the next
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub every: u64,
    /// Look once, say how things stand, and end
    #[arg(long, conflicts_with = "every")]
    pub once: bool,
}
