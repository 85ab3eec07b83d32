//! Errors of an experiment that could not continue. The errors say what happened, which runs are safe, and how to continue.

use std::io;
use std::path::{Path, PathBuf};

use evogrid_results::journal::{Index, JournalError};

use crate::engine::signals::Interruption;
use crate::system::numbers::{counted, counted_are, grouped};
use crate::system::program;

/// An error after which an experiment cannot continue.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ExperimentError {
    what: String,
    /// The help: which runs are safe, and how to continue.
    pub help: String,
}

impl ExperimentError {
    /// The error if an experiment cannot start.
    pub(crate) fn before_any_run(error: impl Into<anyhow::Error>) -> anyhow::Error {
        Self::with_help(
            error.into(),
            "no run was started, and no data were lost; make the folder writable, or choose another folder with `--out`",
        )
    }

    /// The error if all runs are done, but the files cannot be written. `journal` is the folder of the journal.
    pub fn while_making_files(error: anyhow::Error, journal: &Path) -> anyhow::Error {
        Self::with_help(
            error,
            &format!(
                "{}; make space on the disk or remove the cause of the error, then repeat the command to write the files",
                safe(journal)
            ),
        )
    }

    /// The error if a journal should be moved away while another process writes to it. `would` says what the command would do to the
    /// journal.
    pub fn journal_in_use(folder: &Path, would: &str, (process, session): &(String, PathBuf)) -> Self {
        Self {
            what: format!("{} is in use by {process}; {would}", folder.display()),
            help: format!(
                "wait for the other process, stop it, or choose another folder with `--out`. If the process has \
                 already ended, remove {}",
                session.display()
            ),
        }
    }

    /// The error if finished runs are missing in the journal: the journal has `present` of the `planned` runs.
    pub(crate) fn lost_runs(journal: &Path, present: u64, planned: u64) -> Self {
        Self {
            what: format!(
                "{} of {} are missing in {}, although all runs were finished: another program removed or changed \
                 journal files",
                grouped(planned - present),
                counted(planned, "run"),
                journal.display()
            ),
            help: "no tables were written; repeat the command to do the missing runs".to_owned(),
        }
    }

    /// Returns the error for this case: another process has started a different experiment in the folder.
    pub fn displaced(folder: &Path, by: &str) -> Self {
        let folder = folder.display();
        Self {
            what: format!("another process started a different experiment in {folder} at the same time: {by}"),
            help: format!(
                "{folder}/journal still has the runs of both experiments; repeat each command with its own folder \
                 (`--out`)"
            ),
        }
    }

    /// The same error with this help, unless the error already has a help text.
    fn with_help(error: anyhow::Error, help: &str) -> anyhow::Error {
        if error.is::<Self>() || error.is::<Interruption>() {
            return error;
        }
        Self { what: describe(&error), help: help.to_owned() }.into()
    }

    /// The error if the journal in this folder cannot be written any more.
    pub(crate) fn while_writing(error: JournalError, journal: &Path) -> Self {
        let what_to_do = match error {
            JournalError::Lost { .. } => {
                "find out why files in this folder disappear, then repeat the command. Possible causes: a clean-up \
                 job, a lost mount, or another process with `--fresh`. The option `--fresh` renames the journal to \
                 journal.old-N"
            }
            _ => {
                "make space on the disk or remove the cause of the error, then repeat the command to do the missing runs"
            }
        };
        Self { what: describe(&error.into()), help: format!("{}; {what_to_do}", safe(journal)) }
    }

    /// The error for a journal that contradicts itself; `conflict` is a sentence about the contradiction.
    pub(crate) fn because_of(conflict: String) -> Self {
        let help = format!(
            "one of the two records is wrong. Possible causes: a change of the code, a faulty machine, or a later \
             change of the journal. Use `{} replay` to find out which record is wrong. Remove the line of this record, \
             then repeat the command",
            program::name()
        );
        Self { what: conflict, help }
    }
}

/// A sentence about the number of finished runs that the journal has now.
fn safe(journal: &Path) -> String {
    match Index::read(journal) {
        Ok(index) => format!("{} safe in {}", counted_are(index.len() as u64, "finished run"), journal.display()),
        Err(_) => format!("the number of finished runs is unknown: {} cannot be read", journal.display()),
    }
}

/// Returns a description of the error. If the system's limit on file sizes was reached, the description says so.
pub fn describe(error: &anyhow::Error) -> String {
    let is_too_large = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::FileTooLarge)
    };
    let limit = ": the file reached the size limit of this process (`ulimit -f`)";
    format!("{error:#}{}", if error.chain().any(is_too_large) { limit } else { "" })
}
