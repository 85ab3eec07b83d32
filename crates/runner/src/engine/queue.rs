//! The queue: the runs of a plan that are still to be done, taken by the threads that do them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard};

use evogrid_results::journal::Index;

use crate::experiment::plan::{Block, Blocks, Run};

/// The number of runs that a thread looks up at a time.
pub(crate) const RUNS_PER_BLOCK: u64 = 1024;

/// The number of runs at the end of a plan that are ordered, the longest first.
const LAST_RUNS: usize = 4096;

/// For each run that is taken, this many of them are ordered again.
const FEW_RUNS: usize = 64;

/// The most configurations on an instance whose times are kept.
const TIMES_LIMIT: usize = 65_536;

/// The queue of runs, from which several threads take one run at a time. Runs come in the order of their blocks; the last ones of a plan
/// are ordered by decreasing expected time, so that no thread is idle while another does a long run. The results do not depend on the
/// order.
///
/// A thread that finds few ready looks up the next block in the index, outside the lock, so that a journal of millions of
/// finished runs is passed by all threads together.
pub(crate) struct RunQueue {
    done: Index,
    state: Mutex<QueueState>,
    /// Notified when runs are ready, or no more will be.
    changed: Condvar,
}

struct QueueState {
    blocks: Blocks,
    /// Whether there may be another block.
    has_blocks: bool,
    ready: VecDeque<Run>,
    /// How many are ready when they are put in order the next time; 0 where they never are.
    ordered_at: usize,
    times: RunTimes,
    /// Threads that are looking runs up.
    n_looking: usize,
    n_found: u64,
    /// Runs that are not done because their failure is known; few, at most one for each thread of a process that was killed.
    known_failures: Vec<Run>,
}

impl RunQueue {
    /// The queue of these runs without those in the index; `runs_per_configuration` runs of the plan belong to each configuration.
    pub(crate) fn new(blocks: Blocks, done: Index, runs_per_configuration: u64) -> Self {
        let state = QueueState {
            blocks,
            has_blocks: true,
            ready: VecDeque::new(),
            ordered_at: LAST_RUNS,
            times: RunTimes { runs_per_configuration, ..RunTimes::default() },
            n_looking: 0,
            n_found: 0,
            known_failures: Vec::new(),
        };
        Self { done, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The same queue, but the last runs keep the order of their blocks, too.
    pub(crate) fn in_order(blocks: Blocks, done: Index) -> Self {
        let mut queue = Self::new(blocks, done, 1);
        queue.state.get_mut().expect("nobody else has it").ordered_at = 0;
        queue
    }

    /// Records how long a run took, in milliseconds.
    pub(crate) fn add_time(&self, run: &Run, wall_ms: f64) {
        self.state().times.add(run, wall_ms);
    }

    /// The number of runs found in the index so far.
    pub(crate) fn n_found(&self) -> u64 {
        self.state().n_found
    }

    /// Counts a run from the queue as found, because the index contains its failure and it is not tried again.
    pub(crate) fn add_known_failure(&self, run: Run) {
        let mut state = self.state();
        state.n_found += 1;
        state.known_failures.push(run);
    }

    /// The number of runs that were counted in this way.
    pub(crate) fn known_failures(&self) -> Vec<Run> {
        self.state().known_failures.clone()
    }

    /// The next run; `None` if none is left.
    pub(crate) fn next(&self) -> Option<Run> {
        let mut state = self.state();
        loop {
            let is_short = state.ready.len() < LAST_RUNS && (state.ready.is_empty() || state.n_looking == 0);
            if is_short && state.has_blocks {
                let Some(block) = state.blocks.next() else {
                    state.has_blocks = false;
                    continue;
                };
                state.n_looking += 1;
                drop(state);
                let (open, n_found) = self.look_up(block);
                state = self.state();
                state.n_looking -= 1;
                state.n_found += n_found;
                state.ready.extend(open);
                self.changed.notify_all();
            } else if let Some(run) = state.deal() {
                return Some(run);
            } else if state.n_looking > 0 {
                // What another thread is looking up may be more than it can do alone.
                state = self.changed.wait(state).expect("no thread fails while it holds the queue");
            } else {
                return None;
            }
        }
    }

    /// The missing runs of a block, and the number of its finished runs.
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

impl QueueState {
    /// Takes the first run that is ready.
    fn deal(&mut self) -> Option<Run> {
        let is_end = !self.has_blocks && self.n_looking == 0;
        if is_end && self.ready.len() <= self.ordered_at {
            let n = self.ready.len();
            self.ordered_at = if n > FEW_RUNS { n / 2 } else { n.saturating_sub(1) };
            let times = &self.times;
            let order = |one: &Run, other: &Run| {
                let by_time = times.expected(other).total_cmp(&times.expected(one));
                by_time.then(one.number.cmp(&other.number))
            };
            self.ready.make_contiguous().sort_unstable_by(order);
        }
        self.ready.pop_front()
    }
}

/// How long runs took, in milliseconds: of a configuration, and of a configuration on an instance.
#[derive(Default)]
struct RunTimes {
    runs_per_configuration: u64,
    of_configurations: HashMap<u64, MeanTime>,
    of_instances: HashMap<(u64, usize), MeanTime>,
}

#[derive(Clone, Copy, Default)]
struct MeanTime {
    sum: f64,
    n: u64,
}

impl RunTimes {
    fn add(&mut self, run: &Run, wall_ms: f64) {
        let configuration = run.number / self.runs_per_configuration;
        let add = |mean: &mut MeanTime| (mean.sum, mean.n) = (mean.sum + wall_ms, mean.n + 1);
        if self.of_configurations.len() < TIMES_LIMIT || self.of_configurations.contains_key(&configuration) {
            add(self.of_configurations.entry(configuration).or_default());
        }
        let key = (configuration, run.instance);
        if self.of_instances.len() < TIMES_LIMIT || self.of_instances.contains_key(&key) {
            add(self.of_instances.entry(key).or_default());
        }
    }

    /// The expected time of a run; infinite if its configuration has no finished run.
    fn expected(&self, run: &Run) -> f64 {
        let configuration = run.number / self.runs_per_configuration;
        let known = self
            .of_instances
            .get(&(configuration, run.instance))
            .or_else(|| self.of_configurations.get(&configuration));
        known.map_or(f64::INFINITY, |mean| mean.sum / mean.n as f64)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use evogrid_core::catalogue::Catalogue;

    use super::*;
    use crate::experiment::plan::Plan;
    use crate::experiment::spec::Spec;

    /// The plan of two algorithms on two boards, three runs each: the first has runs 0 to 2 and 3 to 5.
    fn plan() -> Arc<Plan> {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
        let mut catalogue = Catalogue::new();
        evogrid_problems::families().into_iter().for_each(|family| catalogue.add_family(family));
        let family = catalogue.families().next().expect("there are families");
        let (problem, column) = (family.declaration().name, family.text_column());
        write("instances.csv", &format!("id,{column}\na,1...............\nb,2...............\n"));
        let experiment = format!(
            "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 3\n[[instances]]\nproblem = \"{problem}\"\n\
             path = \"instances.csv\"\n[algorithms.a]\nkind = \"random-search\"\n[algorithms.b]\nkind = \"random-search\"\n\
             fitness = \"collisions\"\n[budget]\nevaluations = 1\n"
        );
        write("test.toml", &experiment);
        let spec = Spec::load(&folder.path().join("test.toml"), &[], &catalogue).expect("an experiment");
        Arc::new(Plan::new(spec, catalogue))
    }

    /// The numbers of the runs in the order in which one thread gets them, if each takes so long.
    fn order(queue: &RunQueue, wall_ms: impl Fn(u64) -> f64) -> Vec<u64> {
        let deal = || {
            let run = queue.next()?;
            queue.add_time(&run, wall_ms(run.number));
            Some(run.number)
        };
        std::iter::from_fn(deal).collect()
    }

    #[test]
    fn every_run_is_dealt_out_once_and_those_expected_to_be_longest_first() {
        // A run of each configuration first: nothing is known of the others. Then those of the longest configuration, its longer board first.
        let wall_ms = |number| [1.0, 1.0, 10.0, 30.0][number as usize / 3];
        let plan = plan();
        let queue =
            || RunQueue::new(plan.blocks(None, RUNS_PER_BLOCK), Index::default(), plan.runs_per_configuration());
        assert_eq!(order(&queue(), wall_ms), [0, 6, 7, 8, 9, 10, 11, 1, 2, 3, 4, 5]);
        assert_eq!(order(&queue(), |_| 5.0), [0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11], "in the order of the plan");
    }

    #[test]
    fn an_order_that_is_given_is_kept_to_the_last_run_whatever_runs_take() {
        let queue = RunQueue::in_order(plan().interleaved(None), Index::default());
        assert_eq!(order(&queue, |number| number as f64), [0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11]);
    }
}
