//! Passes finished runs to the journal. Each worker thread turns its runs into lines of text. A separate thread writes the lines of all
//! worker threads to the journal.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use evogrid_core::identity::RunId;
use evogrid_results::Record;
use evogrid_results::journal::{JournalBatch, JournalError};

use crate::engine::signals::Signal;

/// The maximum number of runs that may wait for the writer. If more runs finish, the worker threads wait.
const WAITING_LIMIT: usize = 4096;

/// The maximum number of waiting runs if records may be long: with a trace of about 50 KB, or a solution of a very large instance.
const LONG_WAITING_LIMIT: usize = 256;

/// The initial size of the buffer for a line in bytes: enough for most runs.
const USUAL_LINE: usize = 1024;

/// The time for which the writer collects finished runs, so that short runs do not wake the writer one by one.
const GATHERING_TIME: Duration = Duration::from_micros(500);

/// Creates a channel for finished runs. Its capacity is smaller for long runs. When the last sender is dropped, no more runs will come; when
/// the receiver is dropped, no run will be taken any more.
pub(crate) fn channel(has_long_records: bool) -> (SyncSender<FinishedBatch>, Receiver<FinishedBatch>) {
    sync_channel(if has_long_records { LONG_WAITING_LIMIT } else { WAITING_LIMIT })
}

/// A batch of finished runs.
#[derive(Debug, Default)]
pub(crate) struct FinishedBatch {
    pub lines: JournalBatch,
    pub counts: Tally,
    /// The error if one of these runs could not be written as a line.
    pub error: Option<JournalError>,
}

/// Returns a message about a failed run, in one line.
pub fn describe_failure(run: RunId, instance: &str, message: &str) -> String {
    format!("{run} on {instance}: {message}")
}

impl FinishedBatch {
    /// The batch of one run.
    pub(crate) fn of(record: &Record) -> Self {
        let mut lines = JournalBatch::with_capacity(USUAL_LINE);
        let error = lines.push(record).err();
        Self { lines, counts: Tally::of(record), error }
    }

    fn add(&mut self, mut other: Self) {
        self.lines.append(&mut other.lines);
        self.counts.add(other.counts);
        self.error = self.error.take().or(other.error);
    }

    /// Empties the batch, but keeps its allocated memory.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
        (self.counts, self.error) = (Tally::default(), None);
    }
}

/// The counters of an execution.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of the plan's runs that were already in the journal.
    pub found: u64,
    /// The number of runs that this execution did.
    pub done: u64,
    /// The number of failed runs among the runs of this execution.
    pub failed: u64,
    /// The message of the first failure.
    pub first_failure: Option<String>,
    /// The signal that stopped the execution, if any.
    pub interrupted: Option<Signal>,
    /// The total wall time of the runs of this execution, in seconds.
    pub seconds: f64,
    /// The number of solved runs among the runs of this execution.
    pub solved: u64,
    /// The number of runs that are known to be solved or unsolved.
    pub judged: u64,
}

impl Tally {
    /// The counters of one run.
    fn of(record: &Record) -> Self {
        let has_failed = record.outcome.has_failed();
        let failure = || {
            let message = record.message.as_deref().unwrap_or_default();
            describe_failure(record.key.run_id, &record.key.instance, message)
        };
        Self {
            done: 1,
            seconds: record.outcome.wall_ms / 1e3,
            solved: record.outcome.is_solved().into(),
            judged: record.outcome.solved.is_some().into(),
            failed: has_failed.into(),
            first_failure: has_failed.then(failure),
            ..Self::default()
        }
    }

    /// Adds the counters of further runs.
    pub(crate) fn add(&mut self, runs: Self) {
        self.done += runs.done;
        self.seconds += runs.seconds;
        self.solved += runs.solved;
        self.judged += runs.judged;
        self.failed += runs.failed;
        self.first_failure = self.first_failure.take().or(runs.first_failure);
    }
}

/// Adds all available runs to a batch. If there are none, waits for runs until `timeout`. Returns false when no more runs will come.
pub(crate) fn take(finished: &Receiver<FinishedBatch>, batch: &mut FinishedBatch, timeout: Duration) -> bool {
    match finished.recv_timeout(timeout) {
        Ok(run) => batch.add(run),
        Err(error) => return error == RecvTimeoutError::Timeout,
    }
    std::thread::sleep(GATHERING_TIME);
    finished.try_iter().take(WAITING_LIMIT).for_each(|run| batch.add(run));
    true
}
