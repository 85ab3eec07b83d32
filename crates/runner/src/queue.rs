//! The queue: the runs of a plan that are still to be done, found by the threads that do them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};

use evogrid_results::journal::Index;

use crate::plan::{Block, Blocks, Run};

/// Runs that a thread looks up at a time.
pub(crate) const RUNS_PER_BLOCK: u64 = 1024;

/// Runs to do, taken one by one by several threads.
///
/// A thread that finds none ready looks up the next block in the index, outside the lock, so that a journal of millions of
/// finished runs is passed by all threads together.
pub(crate) struct RunQueue {
    done: Index,
    state: Mutex<QueueState>,
    /// Notified when runs are ready, or no more will be.
    changed: Condvar,
}

struct QueueState {
    blocks: Blocks,
    ready: VecDeque<Run>,
    /// Threads that are looking runs up.
    n_looking: usize,
    n_found: u64,
    /// Runs that are not done because their failure is known; few, at most one for each thread of a process that was killed.
    known_failures: Vec<Run>,
}

impl RunQueue {
    /// The queue of these runs, without those that the index has.
    pub(crate) fn new(blocks: Blocks, done: Index) -> Self {
        let state = QueueState { blocks, ready: VecDeque::new(), n_looking: 0, n_found: 0, known_failures: Vec::new() };
        Self { done, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Runs that were found in the index so far.
    pub(crate) fn n_found(&self) -> u64 {
        self.state().n_found
    }

    /// Counts a run that it dealt out as found: its failure is in the index, and it is not tried again.
    pub(crate) fn add_known_failure(&self, run: Run) {
        let mut state = self.state();
        state.n_found += 1;
        state.known_failures.push(run);
    }

    /// The runs that were so counted.
    pub(crate) fn known_failures(&self) -> Vec<Run> {
        self.state().known_failures.clone()
    }

    /// The next run; `None` once there is none left.
    pub(crate) fn next(&self) -> Option<Run> {
        let mut state = self.state();
        loop {
            if let Some(run) = state.ready.pop_front() {
                return Some(run);
            }
            if let Some(block) = state.blocks.next() {
                state.n_looking += 1;
                drop(state);
                let (open, n_found) = self.look_up(block);
                state = self.state();
                state.n_looking -= 1;
                state.n_found += n_found;
                state.ready.extend(open);
                self.changed.notify_all();
            } else if state.n_looking > 0 {
                // What another thread is looking up may be more than it can do alone.
                state = self.changed.wait(state).expect("no thread fails while it holds the queue");
            } else {
                return None;
            }
        }
    }

    /// The runs of a block that are to be done, and the number of the others.
    fn look_up(&self, block: Block) -> (Vec<Run>, u64) {
        let mut n_found = 0;
        let is_open = |run: &Run| {
            let is_done = self.done.contains(run.id);
            n_found += u64::from(is_done);
            !is_done
        };
        (block.filter(is_open).collect(), n_found)
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().expect("no thread fails while it holds the queue")
    }
}
