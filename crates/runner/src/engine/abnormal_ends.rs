//! Abnormal ends: finds the runs that were in progress when their process was killed or aborted. A run may have caused the abnormal end.
//! After two abnormal ends, a run is not tried again by the next process: it is recorded as failed, and the other runs are done.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use evogrid_core::identity::RunId;
use evogrid_results::journal::{Index, RunInFlight, RunsInFlight, count_runs, forget_runs_in_flight, runs_in_flight};

use crate::engine::folder::session;

/// The number of abnormal ends after which a run is given up.
const ENDS_UNTIL_GIVEN_UP: usize = 2;

/// The message in the record of a run that is given up.
pub(crate) const MESSAGE: &str = "the process ended abnormally twice during this run (killed, out of memory or \
                                  aborted), so this command does not repeat the run";

/// Whether a record with this message belongs to a run that was given up. The words around this part differ between versions.
pub(crate) fn is_given_up(message: Option<&str>) -> bool {
    message.is_some_and(|message| message.contains("process ended abnormally twice during this run"))
}

/// The decision on the next run of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunFate {
    /// The run is started.
    Begun,
    /// The run is recorded as failed without being tried.
    GivenUp,
    /// The run is not tried, and nothing is written, since the journal already contains its failure.
    FailureKnown,
}

/// The runs that this process is doing, and the runs that other processes were doing when they ended abnormally.
pub(crate) struct AbnormalEnds {
    ours: RunsInFlight,
    /// The journal files of processes that ended abnormally, with the unfinished runs of each process.
    ended: Vec<(PathBuf, Vec<RunId>)>,
    /// The runs that are not tried again. The value is true if the journal already contains a failure of the run.
    given_up: HashMap<RunId, bool>,
    /// The unfinished runs that this process has not reached yet.
    open: Mutex<HashSet<RunId>>,
}

impl AbnormalEnds {
    /// Looks for runs that other processes were doing when these processes ended. Starts to note the runs of the process that writes this
    /// journal file.
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

    /// Decides what to do with a run. `configuration` is the number of its configuration, and `thread` is the number of the thread, counted
    /// from 0.
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

    /// Records that the process ends normally. If the process finished all its work, the abnormal ends of the runs that it has reached are
    /// forgotten. So the next process tries the given-up runs again.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub(crate) fn end(&self, is_complete: bool) -> Result<()> {
        self.ours.end()?;
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for (journal_file, runs) in self.ended.iter().filter(|_| is_complete) {
            // The process forgets an abnormal end only if it has reached all its runs. The other runs belong to another shard or another
            // plan.
            if runs.iter().all(|run| !open.contains(run)) {
                forget_runs_in_flight(journal_file)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_any_version_gave_up_are_recognised() {
        let before = "its process ended abnormally twice during this run (killed), so this command does not repeat it";
        assert!(is_given_up(Some(MESSAGE)) && is_given_up(Some(before)));
        assert!(!is_given_up(Some("the process ended")) && !is_given_up(None));
    }
}
