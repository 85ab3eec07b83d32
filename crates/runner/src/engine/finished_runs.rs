//! Finished runs on their way to the journal: the worker threads make their lines, and one thread writes them.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;
use evogrid_results::Record;
use evogrid_results::journal::{JournalBatch, JournalError};

/// The most runs that may wait for the writer; then the worker threads wait.
const WAITING_LIMIT: usize = 4096;

/// The same if each may be long: with a trace of some 50 KB, or a solution of a very long instance.
const LONG_WAITING_LIMIT: usize = 256;

/// A buffer of this many bytes holds the line of most runs.
const USUAL_LINE: usize = 1024;

/// How long the writer lets finished runs gather, so that millions of short runs do not wake it each time.
const GATHERING_TIME: Duration = Duration::from_micros(500);

/// Finished runs that no one has taken yet. Once it is dropped, none is taken.
pub(crate) struct FinishedRuns(Receiver<FinishedBatch>);

/// Hands finished runs over; when the last of a channel's is dropped, no more will come.
#[derive(Clone)]
pub(crate) struct FinishedRunSender(SyncSender<FinishedBatch>);

/// Both ends of a channel for finished runs, in which long ones wait in smaller numbers.
pub(crate) fn channel(has_long_records: bool) -> (FinishedRunSender, FinishedRuns) {
    let (sender, receiver) = sync_channel(if has_long_records { LONG_WAITING_LIMIT } else { WAITING_LIMIT });
    (FinishedRunSender(sender), FinishedRuns(receiver))
}

/// Some finished runs.
#[derive(Debug, Default)]
pub(crate) struct FinishedBatch {
    pub lines: JournalBatch,
    pub counts: RunCounts,
    /// Why one of these runs has no line.
    pub error: Option<JournalError>,
}

/// A failed run in one line, for a message.
pub fn describe_failure(run: RunId, instance: &str, message: &str) -> String {
    format!("{run} on {instance}: {message}")
}

impl FinishedBatch {
    fn add(&mut self, mut other: Self) {
        self.lines.append(&mut other.lines);
        self.counts.add(other.counts);
        self.error = self.error.take().or(other.error);
    }

    /// Empties it; it keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
        (self.counts, self.error) = (RunCounts::default(), None);
    }
}

/// Finished runs in numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunCounts {
    pub done: u64,
    /// Of the runs that say whether they were solved: how many were, and how many there are.
    pub solved: u64,
    pub judged: u64,
    pub failed: u64,
    /// The message of the first failure.
    pub first_failure: Option<String>,
}

impl RunCounts {
    pub(crate) fn new(record: &Record) -> Self {
        let has_failed = record.outcome.stop == Stop::Failed;
        let failure = || {
            let message = record.message.as_deref().unwrap_or_default();
            describe_failure(record.key.run_id, &record.key.instance, message)
        };
        Self {
            done: 1,
            solved: record.outcome.is_solved().into(),
            judged: record.outcome.solved.is_some().into(),
            failed: has_failed.into(),
            first_failure: has_failed.then(failure),
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.done += other.done;
        self.solved += other.solved;
        self.judged += other.judged;
        self.failed += other.failed;
        self.first_failure = self.first_failure.take().or(other.first_failure);
    }
}

impl FinishedRuns {
    /// Adds all that there are to a batch, waiting for some until `timeout`. False once no more will come.
    pub(crate) fn take(&self, batch: &mut FinishedBatch, timeout: Duration) -> bool {
        match self.0.recv_timeout(timeout) {
            Ok(run) => batch.add(run),
            Err(error) => return error == RecvTimeoutError::Timeout,
        }
        std::thread::sleep(GATHERING_TIME);
        self.0.try_iter().take(WAITING_LIMIT).for_each(|run| batch.add(run));
        true
    }
}

impl FinishedRunSender {
    /// Hands a run over, waiting for room. False if none is taken any more.
    pub(crate) fn send(&self, record: &Record) -> bool {
        let mut lines = JournalBatch::with_capacity(USUAL_LINE);
        let error = lines.push(record).err();
        self.0.send(FinishedBatch { lines, counts: RunCounts::new(record), error }).is_ok()
    }
}
