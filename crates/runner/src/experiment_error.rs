//! Errors of an experiment: the system failed an experiment half way. What happened, what is safe, how to go on.

use std::error::Error;

use evogrid_results::journal::Conflict;

use crate::numbers::counted_are;
use crate::signals::Interruption;

/// An experiment that could not go on.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ExperimentError {
    what: String,
    /// What is safe, and how to go on.
    pub help: String,
}

impl ExperimentError {
    /// An experiment that cannot begin.
    pub fn before_any_run(error: impl Into<anyhow::Error>) -> anyhow::Error {
        Self::unless_known(
            error.into(),
            "nothing was run and nothing lost; make the folder writable, or name another with `--out`",
        )
    }

    /// An experiment whose runs are done, and whose files cannot be made.
    pub fn while_making_files(error: anyhow::Error) -> anyhow::Error {
        let help = "all runs are safe in the journal; make room, or mend what is wrong, and give the same command again: it \
                    makes the files";
        Self::unless_known(error, help)
    }

    /// An error with some help, unless it says for itself what to do.
    fn unless_known(error: anyhow::Error, help: &str) -> anyhow::Error {
        if error.is::<Self>() || error.is::<Interruption>() {
            return error;
        }
        Self { what: format!("{error:#}"), help: help.to_owned() }.into()
    }

    /// An experiment whose journal can no longer be written; it holds so many finished runs.
    #[must_use]
    pub fn while_writing(error: impl Error, safe: u64) -> Self {
        Self {
            what: chain(&error),
            help: format!(
                "{} safe in the journal; make room, or mend what is wrong, and give the same command again: it goes on from there",
                counted_are(safe, "finished run")
            ),
        }
    }

    /// A journal that contradicts itself.
    #[must_use]
    pub fn because_of(conflict: &Conflict) -> Self {
        let help = "the same run came out in two ways, so one of them was done by other code, on a faulty machine, or changed \
                    since: `runner replay` tells which; remove the wrong line, and the files are made";
        Self { what: conflict.to_string(), help: help.to_owned() }
    }
}

/// An error with its causes on one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
