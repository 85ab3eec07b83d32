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

/// The receiving end for finished runs that nobody has taken yet. When it is dropped, senders learn that no run will be taken any more.
pub(crate) struct FinishedRuns(Receiver<FinishedBatch>);

/// The sending end for finished runs. When the last sender of a channel is dropped, no more runs will come.
#[derive(Clone)]
pub(crate) struct FinishedRunSender(SyncSender<FinishedBatch>);

/// Creates a channel for finished runs. Its capacity is smaller for long runs.
pub(crate) fn channel(has_long_records: bool) -> (FinishedRunSender, FinishedRuns) {
    let (sender, receiver) = sync_channel(if has_long_records { LONG_WAITING_LIMIT } else { WAITING_LIMIT });
    (FinishedRunSender(sender), FinishedRuns(receiver))
}

/// A batch of finished runs.
#[derive(Debug, Default)]
pub(crate) struct FinishedBatch {
    pub lines: JournalBatch,
    pub counts: RunCounts,
    /// Why one of these runs could not be written as a line.
    pub error: Option<JournalError>,
}

/// A message in one line about a failed run.
pub fn describe_failure(run: RunId, instance: &str, message: &str) -> String {
    format!("{run} on {instance}: {message}")
}

impl FinishedBatch {
    fn add(&mut self, mut other: Self) {
        self.lines.append(&mut other.lines);
        self.counts.add(other.counts);
        self.error = self.error.take().or(other.error);
    }

    /// Empties the batch, but keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
        (self.counts, self.error) = (RunCounts::default(), None);
    }
}

/// Counters of finished runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunCounts {
    pub done: u64,
    /// Their wall time together.
    pub seconds: f64,
    /// The number of solved runs, and the number of runs that report whether they were solved.
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
            seconds: record.outcome.wall_ms / 1e3,
            solved: record.outcome.is_solved().into(),
            judged: record.outcome.solved.is_some().into(),
            failed: has_failed.into(),
            first_failure: has_failed.then(failure),
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.done += other.done;
        self.seconds += other.seconds;
        self.solved += other.solved;
        self.judged += other.judged;
        self.failed += other.failed;
        self.first_failure = self.first_failure.take().or(other.first_failure);
    }
}

impl FinishedRuns {
    /// Adds all available runs to a batch, and waits for some until `timeout`. Returns false when no more runs will come.
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
    /// Sends a run, and waits for space if necessary. Returns false if no run is taken any more.
    pub(crate) fn send(&self, record: &Record) -> bool {
        let mut lines = JournalBatch::with_capacity(USUAL_LINE);
        let error = lines.push(record).err();
        self.0.send(FinishedBatch { lines, counts: RunCounts::new(record), error }).is_ok()
    }
}
