//! Finished runs on their way to the journal: their lines are made by the threads that did them, and written by one.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;
use evogrid_results::Record;
use evogrid_results::journal::{JournalBatch, JournalError};

/// Runs that may wait for the writer before the threads that do them wait too.
const WAITING_LIMIT: usize = 4096;

/// The same where each may be long: with a trace of some 50 KB, or a solution of an instance that is itself longer than a line's.
const LONG_WAITING_LIMIT: usize = 256;

/// How long the writer lets finished runs gather, so that millions of short ones do not wake it each.
const GATHERING_TIME: Duration = Duration::from_micros(500);

/// Finished runs that no one has taken yet.
pub(crate) struct FinishedRuns {
    waiting: Mutex<Waiting>,
    /// Notified when there are runs where there were none, and when a thread has ended.
    changed: Condvar,
    /// Notified when there is room.
    taken: Condvar,
    limit: usize,
}

struct Waiting {
    runs: FinishedBatch,
    n_threads: usize,
    is_closed: bool,
}

/// Some finished runs.
#[derive(Debug, Default)]
pub(crate) struct FinishedBatch {
    pub lines: JournalBatch,
    pub counts: RunCounts,
    /// Why a run among them has no line.
    pub error: Option<JournalError>,
}

/// A failed run in one line, for a message.
pub fn describe_failure(run: RunId, instance: &str, message: &str) -> String {
    format!("{run} on {instance}: {message}")
}

impl FinishedBatch {
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
    /// Of those that say whether they were solved: how many were, and how many there are.
    pub solved: u64,
    pub judged: u64,
    pub failed: u64,
    /// The first of those that failed, for a message.
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
    /// Those of so many threads.
    pub(crate) fn new(n_threads: usize, has_long_records: bool) -> Self {
        let waiting = Waiting { runs: FinishedBatch::default(), n_threads, is_closed: false };
        Self {
            waiting: Mutex::new(waiting),
            changed: Condvar::new(),
            taken: Condvar::new(),
            limit: if has_long_records { LONG_WAITING_LIMIT } else { WAITING_LIMIT },
        }
    }

    /// What one of the threads hands its runs over by.
    pub(crate) fn sender(&self) -> FinishedRunSender<'_> {
        FinishedRunSender { runs: self, line: JournalBatch::default() }
    }

    /// Takes all that there are, waiting for some until `timeout`, in exchange for an empty batch. False once no more will come.
    pub(crate) fn take(&self, batch: &mut FinishedBatch, timeout: Duration) -> bool {
        let has_none = |waiting: &mut Waiting| waiting.runs.counts.done == 0 && waiting.n_threads > 0;
        let waited = self.changed.wait_timeout_while(self.waiting(), timeout, has_none);
        let mut waiting = waited.expect("no thread fails while it holds them").0;
        if waiting.n_threads > 0 && waiting.runs.counts.done > 0 {
            drop(waiting);
            std::thread::sleep(GATHERING_TIME);
            waiting = self.waiting();
        }
        std::mem::swap(batch, &mut waiting.runs);
        self.taken.notify_all();
        waiting.n_threads > 0
    }

    /// From now on none is taken.
    pub(crate) fn close(&self) {
        self.waiting().is_closed = true;
        self.taken.notify_all();
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().expect("no thread fails while it holds them")
    }
}

/// Hands the finished runs of one thread over; when it is dropped, the thread has ended.
pub(crate) struct FinishedRunSender<'r> {
    runs: &'r FinishedRuns,
    /// The line of the run in hand; kept for its memory.
    line: JournalBatch,
}

impl FinishedRunSender<'_> {
    /// Hands a run over. False if none is taken any more.
    pub(crate) fn send(&mut self, record: &Record) -> bool {
        let (counts, result) = (RunCounts::new(record), self.line.push(record));
        let has_no_room =
            |waiting: &mut Waiting| waiting.runs.counts.done >= self.runs.limit as u64 && !waiting.is_closed;
        let room = self.runs.taken.wait_while(self.runs.waiting(), has_no_room);
        let mut waiting = room.expect("no thread fails while it holds them");
        if waiting.is_closed {
            return false;
        }
        let is_first = waiting.runs.counts.done == 0;
        waiting.runs.lines.append(&mut self.line);
        waiting.runs.counts.add(counts);
        if let Err(error) = result {
            waiting.runs.error.get_or_insert(error);
        }
        drop(waiting);
        if is_first {
            self.runs.changed.notify_one();
        }
        true
    }
}

impl Drop for FinishedRunSender<'_> {
    fn drop(&mut self) {
        // A thread that fails while it holds them fails here as well: then the writer fails, too.
        if let Ok(mut waiting) = self.runs.waiting.lock() {
            waiting.n_threads -= 1;
        }
        self.runs.changed.notify_one();
    }
}
