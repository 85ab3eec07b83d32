//! Errors of an experiment that the system cuts short: what happened, what is safe, and how to continue.

use std::io;

use evogrid_results::journal::Conflict;

use crate::numbers::counted_are;
use crate::signals::Interruption;

/// Why an experiment could not continue.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ExperimentError {
    what: String,
    /// What is safe, and how to continue.
    pub help: String,
}

impl ExperimentError {
    /// An experiment that cannot begin.
    pub fn before_any_run(error: impl Into<anyhow::Error>) -> anyhow::Error {
        Self::with_help(
            error.into(),
            "nothing was run and nothing lost; make the folder writable, or name another with `--out`",
        )
    }

    /// An experiment whose runs are done, and whose files cannot be made.
    pub fn while_making_files(error: anyhow::Error) -> anyhow::Error {
        let help = "all runs are safe in the journal; make room, or mend what is wrong, and give the same command again: it \
                    makes the files";
        Self::with_help(error, help)
    }

    /// An error with this help, unless it has its own.
    fn with_help(error: anyhow::Error, help: &str) -> anyhow::Error {
        if error.is::<Self>() || error.is::<Interruption>() {
            return error;
        }
        Self { what: describe(&error), help: help.to_owned() }.into()
    }

    /// An experiment whose journal can no longer be written; it holds so many finished runs.
    #[must_use]
    pub fn while_writing(error: impl Into<anyhow::Error>, safe: u64) -> Self {
        Self {
            what: describe(&error.into()),
            help: format!(
                "{} safe in the journal; make room, or mend what is wrong, and give the same command again: it continues from there",
                counted_are(safe, "finished run")
            ),
        }
    }

    /// A journal that contradicts itself.
    #[must_use]
    pub fn because_of(conflict: &Conflict) -> Self {
        let help = "the same run came out in two ways, so one of them was done by other code, on a faulty machine, or changed \
                    since: `runner replay` shows which; remove the wrong line, and the files are made";
        Self { what: conflict.to_string(), help: help.to_owned() }
    }
}

/// What went wrong, and how a limit that the system does not name is called.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    let is_too_large = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::FileTooLarge)
    };
    let limit = if error.chain().any(is_too_large) { ", the limit of `ulimit -f`" } else { "" };
    format!("{error:#}{limit}")
}
