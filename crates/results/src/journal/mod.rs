//! The journal: one line for each finished run, appended as runs finish. All other files are made from the journal.
//!
//! A journal is a folder of `*.jsonl` files. Each process that writes to the journal has its own file. So the journal needs no lock, even
//! on the file system of a cluster. If a process dies, its appended lines are not lost. If a process dies while it writes a line, readers
//! of the journal ignore this line. Solutions too long for a line are in a file `*.solutions` beside the journal file. The two files have
//! the same name, except for the ending.

mod appended;
mod checksum;
mod conflict;
mod in_flight;
mod index;
mod lines;
mod part;
mod place;
mod scan;
mod skim;
mod solutions;
mod tail;
mod writer;

use std::path::PathBuf;

use evogrid_core::identity::RunId;

pub use in_flight::{RunInFlight, RunsInFlight, count_runs, forget_runs_in_flight, runs_in_flight};
pub use index::{Damage, Index};
pub use part::JournalPart;
pub use skim::FinishedRun;
pub(crate) use solutions::SOLUTION_LIMIT;
pub use solutions::SOLUTIONS_SUFFIX;
pub use tail::{JournalTail, TailChange, TailVisitor};
pub use writer::{HEARTBEAT_INTERVAL, JournalBatch, Writer};

use crate::files::FileError;
use crate::format::{printable, quoted};

/// The maximum length of a journal line in bytes. Without this limit, a program that reads the file could run out of memory.
pub const LINE_LIMIT: usize = 1 << 20;

/// The suffix of the file in which a process describes itself. The file is next to the journal file, which ends in `jsonl`.
pub const SESSION_SUFFIX: &str = "session.json";

/// The error if a journal could not be written or read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the errors")]
#[non_exhaustive]
pub enum JournalError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "the record of run {run_id} has {bytes} bytes, above the limit of {LINE_LIMIT}: shorten the run's settings"
    )]
    RecordTooLong { run_id: RunId, bytes: usize },
    #[error("the solution of run {run_id} has {bytes} bytes, above the limit of {SOLUTION_LIMIT}: shorten its text")]
    SolutionTooLong { run_id: RunId, bytes: usize },
    #[error("`{}`: run {run_id}: {reason}; repeat the command to repeat the run", printable(&path.to_string_lossy()))]
    NoSolution { path: PathBuf, run_id: RunId, reason: String },
    #[error(
        "`{}`: the line at byte {offset} is not a record of run {run_id}: {reason}; remove the line, then repeat the \
         command",
        printable(&path.to_string_lossy())
    )]
    NoRecord { path: PathBuf, offset: u64, run_id: RunId, reason: String },
    #[error("`{}`: the journal has too many files, or a file above a terabyte: split the experiment", printable(&path.to_string_lossy()))]
    TooLarge { path: PathBuf },
    #[error("the journal file `{}` {what} while it was written", printable(&path.to_string_lossy()))]
    Lost { path: PathBuf, what: String },
    #[error("reading the journal was cancelled")]
    Cancelled,
}

/// The reason why a line is not valid. The reason includes the position in the line only if the text is not JSON.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line 1 column ") {
        Some((what, _)) if error.is_data() => quoted(what),
        Some((what, column)) => quoted(&format!("{what} at column {column}")),
        None => quoted(&text),
    }
}
