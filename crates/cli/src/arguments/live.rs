//! What is watched: arguments of `runner live`.

use std::path::PathBuf;

use clap::Args;

/// The arguments of `live`.
#[derive(Debug, Args)]
pub struct LiveArgs {
    /// Results folders of one experiment, complete or of any of its shards
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// HTML file to write at each look, for a browser; the page reloads itself
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Seconds between two looks
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = seconds)]
    pub every: u64,
    /// Look once, print the state, and end
    #[arg(long, conflicts_with = "every")]
    pub once: bool,
}

/// The time between two looks.
fn seconds(text: &str) -> Result<u64, String> {
    let range = 1..=3600;
    text.parse()
        .ok()
        .filter(|seconds| range.contains(seconds))
        .ok_or_else(|| "expected whole seconds, from 1 to 3600".to_owned())
}
