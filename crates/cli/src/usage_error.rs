//! Usage errors: requests that cannot be met as they are (exit status 2).

use std::path::Path;

use evogrid_results::ReadError;
use evogrid_runner::system::program;

use crate::messages::shell::shell_word;
use evogrid_runner::experiment::document::Document;

/// A request that cannot be fulfilled as it is.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// The error if a file that the user named cannot be read in the expected format.
pub(crate) fn unreadable(error: ReadError) -> UsageError {
    UsageError(format!("{:#}", anyhow::Error::from(error)))
}

/// The error if an experiment file is given where results are expected.
pub(crate) fn unrun(experiment: &Path) -> UsageError {
    let name = Document::read(experiment)
        .ok()
        .and_then(|document| Some(document.root.node("experiment")?.table()?.node("name")?.text()?.to_owned()));
    let name = name.unwrap_or_else(|| experiment.file_stem().unwrap_or_default().to_string_lossy().into_owned());
    let (file, word) = (experiment.display(), shell_word(experiment));
    let results = shell_word(&Path::new("results").join(name));
    let runner = program::name();
    UsageError(format!(
        "{file} is an experiment file, not results\n  to create the results folder {results}: `{runner} run {word}`"
    ))
}

/// The error if the files of a results folder do not exist yet.
pub(crate) fn unmade(results: &Path, lacks: &str) -> UsageError {
    let (folder, word) = (results.display(), shell_word(results));
    UsageError(format!(
        "{folder} has {lacks}\n  finish the experiment, or write the files from its finished runs: `{} merge {word}`",
        program::name()
    ))
}
