//! Usage errors: errors that the user can correct (exit status 2).

use std::path::Path;

use evogrid_analysis::effects::EffectsError;
use evogrid_analysis::samples::SelectionError;
use evogrid_analysis::truncation::TruncationError;
use evogrid_claims::reproduction::PlanError;
use evogrid_results::ReadError;
use evogrid_runner::engine::replay::{UnaskedProgram, Unrepeatable};
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::system::program;

use crate::messages::shell::shell_word;
use evogrid_runner::experiment::document::Document;

/// The error for a request that the program cannot fulfil.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Whether the user can correct the cause of an error, and a line of help that the message of the error lacks.
pub(crate) fn correction(error: &anyhow::Error) -> (bool, Option<String>) {
    let has_own_help = error.is::<UsageError>()
        || error.is::<Diagnostics>()
        || error.is::<PlanError>()
        || error.is::<ReadError>()
        || error.is::<TruncationError>()
        || error.is::<UnaskedProgram>()
        || error.is::<Unrepeatable>();
    let effects = || error.downcast_ref().map(EffectsError::help);
    let help = error.downcast_ref().map(SelectionError::help).or_else(effects).map(str::to_owned);
    (has_own_help || help.is_some(), help)
}

/// The error if the user gives an experiment file instead of results.
pub(crate) fn unrun(experiment: &Path) -> UsageError {
    let name = Document::read(experiment)
        .ok()
        .and_then(|document| Some(document.root.node("experiment")?.table()?.node("name")?.text()?.to_owned()));
    let name = name.unwrap_or_else(|| experiment.file_stem().unwrap_or_default().to_string_lossy().into_owned());
    let (file, word) = (experiment.display(), shell_word(experiment));
    let results = shell_word(&Path::new("results").join(name));
    let runner = program::name();
    UsageError(format!(
        "{file} is an experiment file, not results\n  create the results folder {results} with `{runner} run {word}`"
    ))
}

/// The error if the files of a results folder do not exist yet. `lacks` names the missing files.
pub(crate) fn unmade(results: &Path, lacks: &str) -> UsageError {
    let (folder, word) = (results.display(), shell_word(results));
    UsageError(format!(
        "{folder} has {lacks}\n  finish the experiment, or write the files from its finished runs: `{} merge {word}`",
        program::name()
    ))
}
