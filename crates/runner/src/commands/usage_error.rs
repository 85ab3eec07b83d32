//! Usage errors: requests that cannot be met as they stand (exit status 2).

use std::path::Path;

use evogrid_results::ReadError;

use crate::shell::shell_word;

/// A request that cannot be met as it stands.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// A file that the user named cannot be read as what it should be.
pub(super) fn usage_error(error: ReadError) -> UsageError {
    UsageError(format!("{:#}", anyhow::Error::from(error)))
}

/// A results folder whose files were not made yet.
pub(super) fn unmade(results: &Path, lacks: &str) -> UsageError {
    let (folder, word) = (results.display(), shell_word(results));
    UsageError(format!(
        "{folder} has {lacks}\n  an experiment that was interrupted is run to its end; `runner merge {word}` makes the files of what is \
         there"
    ))
}
