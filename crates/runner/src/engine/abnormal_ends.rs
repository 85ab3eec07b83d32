//! Abnormal ends: runs that were in flight when their process was killed or aborted. A run to which this happened twice is not tried a
//! third time at once, since it may be the cause: it is recorded as failed, and the others are done.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use evogrid_core::identity::RunId;
use evogrid_results::journal::{Index, RunInFlight, RunsInFlight, count_runs, forget_runs_in_flight, runs_in_flight};

use crate::engine::folder::session;

/// After this many abnormal ends a run is given up.
const ENDS_UNTIL_GIVEN_UP: usize = 2;

/// What the record of such a run says.
pub(crate) const MESSAGE: &str = "its process ended abnormally twice during this run (killed, out of memory or \
                                  aborted), so it was not tried again this time";

/// What becomes of a run that a thread comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunFate {
    /// It is done.
    Begun,
    /// It is recorded as failed without being tried.
    GivenUp,
    /// As above, but the journal already has its failure, so nothing is written.
    FailureKnown,
}

/// The runs in flight of this process, and those of processes that ended abnormally.
pub(crate) struct AbnormalEnds {
    ours: RunsInFlight,
    /// The journal files of processes that ended abnormally, with the unfinished runs that they were doing.
    ended: Vec<(PathBuf, Vec<RunId>)>,
    /// The runs that are given up; true for those of which the journal has a failure already.
    given_up: HashMap<RunId, bool>,
    /// Those of the unfinished runs that this process has not come to.
    open: Mutex<HashSet<RunId>>,
}

impl AbnormalEnds {
    /// Looks for runs that were in flight, and begins to note those of the process that writes a journal file.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub(crate) fn begin(journal_file: &Path, done: &Index) -> Result<Self> {
        let named = runs_in_flight(journal_file.parent().unwrap_or(Path::new("")))?;
        let ended = named.into_iter().filter(|(file, _)| !session::is_living(file));
        let unfinished =
            |runs: Vec<RunInFlight>| runs.iter().map(|run| run.id).filter(|&run| !done.contains(run)).collect();
        let ended: Vec<(PathBuf, Vec<RunId>)> = ended.map(|(file, runs)| (file, unfinished(runs))).collect();
        let counts = count_runs(ended.iter().map(|(_, runs)| runs.as_slice()));
        let open = Mutex::new(counts.keys().copied().collect());
        let given_up = counts.into_iter().filter(|&(_, count)| count >= ENDS_UNTIL_GIVEN_UP);
        let given_up = given_up.map(|(run, _)| (run, done.knows(run)));
        Ok(Self { ours: RunsInFlight::create(journal_file)?, ended, given_up: given_up.collect(), open })
    }

    /// Decides on a run, of the configuration with this number, that a thread, by its number from 0, comes to.
    pub(crate) fn decide(&self, thread: usize, run: RunId, configuration: u64) -> RunFate {
        if !self.ended.is_empty() {
            self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&run);
        }
        match self.given_up.get(&run) {
            Some(true) => RunFate::FailureKnown,
            Some(false) => RunFate::GivenUp,
            None => {
                self.ours.begin(thread, run, configuration);
                RunFate::Begun
            }
        }
    }

    /// The process ends normally. If it did all that it was to do, it forgets the processes all of whose runs it came to. The next process
    /// tries those again that it gave up.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub(crate) fn end(&self, is_complete: bool) -> Result<()> {
        self.ours.end()?;
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for (journal_file, runs) in self.ended.iter().filter(|_| is_complete) {
            // Other runs are of another shard, or another plan.
            if runs.iter().all(|run| !open.contains(run)) {
                forget_runs_in_flight(journal_file)?;
            }
        }
        Ok(())
    }
}
