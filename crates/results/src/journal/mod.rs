//! The journal: one finished run a line, appended as runs finish. All else is made from it.
//!
//! A journal is a folder of `*.jsonl` files, one for each process that ever wrote to it. No two writers share a file, so no
//! lock is needed, on a cluster's file system neither. What was appended survives the death of its process; a line that the
//! death cut in two is dropped when the journal is read. Solutions too long for a line stand in a file of the same name beside it,
//! `*.solutions`.

mod appended;
mod attempt;
mod batch;
mod checksum;
mod conflict;
mod in_flight;
mod index;
mod lines;
mod place;
mod scan;
mod skim;
mod solutions;
mod tail;
mod writer;

use std::path::PathBuf;

use evogrid_core::identity::RunId;

pub use batch::JournalBatch;
pub use conflict::Conflict;
pub use in_flight::{RunInFlight, RunsInFlight, count_runs, forget_runs_in_flight, runs_in_flight};
pub use index::{Damage, Index};
pub use skim::FinishedRun;
pub use solutions::{SOLUTION_LIMIT, SOLUTIONS_SUFFIX};
pub use tail::{JournalTail, TailChange, TailVisitor};
pub use writer::{HEARTBEAT_INTERVAL, Writer};

use crate::files::FileError;
use crate::format::{printable, quoted};

/// A line of a journal has at most this many bytes, so that no file can make a reader fill its memory.
pub const LINE_LIMIT: usize = 1 << 20;

/// The name of the file that a process leaves beside its journal file, on itself, has this in place of `jsonl`.
pub const SESSION_SUFFIX: &str = "session.json";

/// A journal could not be written or read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum JournalError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "the record of run {run_id} has {bytes} bytes, and a journal line at most {LINE_LIMIT}; shorten its settings"
    )]
    RecordTooLong { run_id: RunId, bytes: usize },
    #[error("the solution of run {run_id} has {bytes} bytes, and may have at most {SOLUTION_LIMIT}; shorten it")]
    SolutionTooLong { run_id: RunId, bytes: usize },
    #[error("`{}`: run {run_id}: {reason}; run the same command again: it repeats the run", printable(&path.to_string_lossy()))]
    NoSolution { path: PathBuf, run_id: RunId, reason: String },
    #[error(
        "`{}`: the line at byte {offset} is not a record of run {run_id}: {reason}; remove the line, and the run is \
         repeated",
        printable(&path.to_string_lossy())
    )]
    NoRecord { path: PathBuf, offset: u64, run_id: RunId, reason: String },
    #[error("`{}`: the journal has too many files or a file of more than a terabyte; split it", printable(&path.to_string_lossy()))]
    TooLarge { path: PathBuf },
    #[error("while it was written, the journal file `{}` {what}", printable(&path.to_string_lossy()))]
    Lost { path: PathBuf, what: String },
    #[error("reading the journal was cancelled")]
    Cancelled,
}

/// What is wrong with a line, with its place in the line's text only where the text is not JSON.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line 1 column ") {
        Some((what, _)) if error.is_data() => quoted(what),
        Some((what, column)) => quoted(&format!("{what} at column {column}")),
        None => quoted(&text),
    }
}
