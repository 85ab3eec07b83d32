//! The queue of the runs that are still to be done. Threads take runs from the queue and do them.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};

use evogrid_results::RunOutcome;
use evogrid_results::journal::Index;

use crate::engine::forecast::{Forecast, RunTimes};
use crate::experiment::plan::{Blocks, Run};

/// The number of runs that a thread looks up in one step.
pub(crate) const RUNS_PER_BLOCK: u64 = 1024;

/// The number of runs at the end of a plan that are sorted by their expected times.
const LAST_RUNS: usize = 4096;

/// 2^64 divided by the golden ratio. Its multiples (modulo 2^64) are spread evenly, whatever their number.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// If at most this many runs are left, they are sorted again after each run.
const FEW_RUNS: usize = 64;

/// The source of the runs of a queue.
pub(crate) trait RunSource: Send {
    /// The next runs.
    fn supply(&mut self) -> RunSupply;

    /// Receives the outcome of a run that the source supplied.
    fn report(&mut self, _run: &Run, _outcome: &RunOutcome) {}
}

/// The supply of a source.
pub(crate) enum RunSupply {
    /// Runs, which may be looked up and done in any order.
    Runs(Box<dyn Iterator<Item = Run> + Send>),
    /// No runs until more of the supplied runs have ended.
    Wait,
    /// No more runs.
    End,
}

impl RunSource for Blocks {
    fn supply(&mut self) -> RunSupply {
        self.next().map_or(RunSupply::End, |block| RunSupply::Runs(Box::new(block)))
    }
}

/// The queue of runs, from which several threads take one run at a time. Runs are taken in the order of their blocks. The last runs of a
/// plan are sorted by decreasing expected time, so that no thread is idle at the end while another thread does a long run. To learn these
/// times, one run of each configuration on each instance comes first. The results do not depend on the order.
///
/// A thread that finds few ready runs looks up the next block in the index, without holding the lock. So all threads together skip the
/// finished runs of a large journal.
pub(crate) struct RunQueue {
    done: Index,
    state: Mutex<QueueState>,
    /// Notified when runs become ready, or when no more runs will come.
    changed: Condvar,
}

struct QueueState {
    source: Box<dyn RunSource>,
    /// Whether the source may have more runs.
    has_more: bool,
    ready: VecDeque<Run>,
    /// When the number of ready runs has fallen to this value, the ready runs are sorted; 0 if the runs are never sorted.
    ordered_at: usize,
    times: RunTimes,
    /// The number of threads that are looking up runs.
    n_looking: usize,
    n_found: u64,
    /// The runs that are not done because their failure is known. There are few such runs: each thread of a killed process adds at most one
    /// run.
    known_failures: Vec<Run>,
}

impl RunQueue {
    /// The queue of the runs of a source. Runs in the index are left out. `times` is still empty. If `is_in_order`, the last runs also keep
    /// the order of their blocks.
    pub(crate) fn new(source: impl RunSource + 'static, done: Index, times: RunTimes, is_in_order: bool) -> Self {
        let state = QueueState {
            source: Box::new(source),
            has_more: true,
            ready: VecDeque::new(),
            ordered_at: if is_in_order { 0 } else { LAST_RUNS },
            times,
            n_looking: 0,
            n_found: 0,
            known_failures: Vec::new(),
        };
        Self { done, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Records how a run ended. If `is_known`, the run was not done: it counts as found, because the index contains its failure.
    pub(crate) fn report(&self, run: &Run, outcome: &RunOutcome, is_known: bool) {
        let mut state = self.state();
        let place = state.times.place(run);
        state.times.count(place);
        if is_known {
            state.n_found += 1;
            state.known_failures.push(run.clone());
        } else {
            state.times.add(place, outcome.wall_ms / 1e3);
        }
        state.source.report(run, outcome);
        self.changed.notify_all();
    }

    /// The [forecast](RunTimes::forecast) of the remaining time.
    pub(crate) fn forecast(&self, at_a_time: f64, silent: f64) -> Option<Forecast> {
        self.state().times.forecast(at_a_time, silent)
    }

    /// The number of runs found in the index so far.
    pub(crate) fn n_found(&self) -> u64 {
        self.state().n_found
    }

    /// The runs that were not done, because their failure is known.
    pub(crate) fn known_failures(&self) -> Vec<Run> {
        self.state().known_failures.clone()
    }

    /// The next run; `None` if no run is left.
    pub(crate) fn next(&self) -> Option<Run> {
        let mut state = self.state();
        loop {
            let is_short = state.ready.len() < LAST_RUNS && (state.ready.is_empty() || state.n_looking == 0);
            let supply = if is_short && state.has_more { state.source.supply() } else { RunSupply::Wait };
            if let RunSupply::End = supply {
                state.has_more = false;
            } else if let RunSupply::Runs(block) = supply {
                state.n_looking += 1;
                drop(state);
                let (found, open): (Vec<Run>, Vec<Run>) = block.partition(|run| self.done.contains(run.id));
                state = self.state();
                state.n_looking -= 1;
                state.n_found += found.len() as u64;
                found.iter().for_each(|run| {
                    let place = state.times.place(run);
                    state.times.count(place);
                });
                state.ready.extend(open);
                self.changed.notify_all();
            } else if let Some(run) = state.deal() {
                return Some(run);
            } else if state.n_looking > 0 || state.has_more {
                // Another thread may find more runs than it can do alone, or finish a run on which the next runs depend.
                state = self.changed.wait(state).expect("no thread panics while it has locked the queue");
            } else {
                return None;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().expect("no thread panics while it has locked the queue")
    }
}

impl QueueState {
    /// Takes the first run that is ready.
    fn deal(&mut self) -> Option<Run> {
        let is_end = !self.has_more && self.n_looking == 0;
        if is_end && self.ready.len() <= self.ordered_at {
            let n = self.ready.len();
            self.ordered_at = if n > FEW_RUNS { n / 2 } else { n.saturating_sub(1) };
            let Self { ready, times, .. } = self;
            ready.make_contiguous().sort_by_cached_key(|run| {
                let (configuration, _) = times.place(run);
                let rank = if run.repetition == 0 { run.number.wrapping_mul(SPREAD) } else { configuration };
                // Times are never negative, so the order of their bits is the order of the times.
                (Reverse(times.expected(run).to_bits()), run.repetition > 0, rank, run.repetition, run.number)
            });
        }
        self.ready.pop_front()
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

    fn times(plan: &Plan) -> RunTimes {
        RunTimes::new(plan, 2, 1.0)
    }

    /// The numbers of the runs in the order in which one thread gets them, if each takes so long.
    fn order(queue: &RunQueue, wall_ms: impl Fn(u64) -> f64) -> Vec<u64> {
        let deal = || {
            let run = queue.next()?;
            queue.report(&run, &RunOutcome { wall_ms: wall_ms(run.number), ..RunOutcome::default() }, false);
            Some(run.number)
        };
        std::iter::from_fn(deal).collect()
    }

    #[test]
    fn every_run_is_dealt_out_once_and_those_expected_to_be_longest_first() {
        // A run of each configuration on each board first: nothing is known of the others. Then the longest.
        let wall_ms = |number| [1.0, 1.0, 10.0, 30.0][number as usize / 3];
        let plan = plan();
        let queue = || RunQueue::new(plan.blocks(None, RUNS_PER_BLOCK), Index::default(), times(&plan), false);
        assert_eq!(order(&queue(), wall_ms), [0, 9, 6, 3, 10, 11, 7, 8, 1, 4, 2, 5]);
        assert_eq!(
            order(&queue(), |_| 5.0),
            [0, 9, 6, 3, 1, 4, 2, 5, 7, 10, 8, 11],
            "one configuration after the other"
        );
    }

    #[test]
    fn an_order_that_is_given_is_kept_to_the_last_run_whatever_runs_take() {
        let queue = RunQueue::new(plan().interleaved(None), Index::default(), times(&plan()), true);
        assert_eq!(order(&queue, |number| number as f64), [0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11]);
    }
}
