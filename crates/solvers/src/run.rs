//! The run of a solver. The model is built and solved, and the answer is reported to the evaluator.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use evogrid_core::cpu_time;
use evogrid_core::prelude::*;
use evogrid_core::time_limit::Deadline;

use crate::model::Model;

/// After the deadline, a solver may still stop by itself within this time.
const GRACE: Duration = Duration::from_millis(200);

/// If late work cannot be abandoned, the program checks after this time whether it has ended.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// The largest number of abandoned solvers for each core. Abandoned solvers take processor time from later runs.
const ABANDONED_PER_CORE: usize = 4;

/// The number of abandoned solvers that still run.
static N_ABANDONED: AtomicUsize = AtomicUsize::new(0);

/// The states of a solver in its own thread.
const RUNNING: u8 = 0;
const ENDED: u8 = 1;
const ABANDONED: u8 = 2;

/// The answer of a solver.
#[derive(Default)]
pub(crate) struct Answer {
    /// Whether each binary is true; `None` if the solver proved that no solution exists.
    pub(crate) truth: Option<Vec<bool>>,
    /// The number of nodes or decisions, which count as evaluations.
    pub(crate) nodes: u64,
    /// The number of backtracks or conflicts, which count as generations.
    pub(crate) backtracks: u64,
}

/// Runs a solver on the model of a problem. `solve` returns `None` if the solver itself stopped at the time limit.
///
/// # Panics
/// If the problem does not consist of all-different sets. If the solver fails.
pub(crate) fn run<S>(evaluator: Evaluator<'_, dyn DynProblem>, presolve: bool, solve: S) -> Outcome
where
    S: Fn(&Model, Deadline) -> Option<Answer> + Copy + Send + 'static,
{
    let model = Arc::new(Model::new(evaluator.problem(), presolve));
    evaluator.run_trials(|evaluator| {
        if evaluator.deadline().is_over() {
            return Stop::Time;
        }
        if presolve && model.is_refuted() {
            return Stop::Exhausted;
        }
        let for_solver = Arc::clone(&model);
        let answer = in_time(evaluator, move |deadline| solve(&for_solver, deadline)).flatten();
        let Some(Answer { truth, nodes, backtracks }) = answer else { return Stop::Time };
        let left = evaluator.evaluations_left();
        evaluator.account(nodes.min(left), backtracks);
        match truth {
            _ if nodes > left => Stop::Evaluations,
            Some(truth) => model.tell(&truth, evaluator),
            None => Stop::Exhausted,
        }
    })
}

/// The result of a function; `None` if the function does not return before the time of the run is over. The function receives the deadline
/// of the run.
///
/// If the time is limited, the work is done in its own thread. Late work is abandoned. A thread cannot end another thread, so abandoned
/// work continues until it ends by itself, and takes processor time and memory. The number of abandoned solvers for each core of the
/// machine is limited to [`ABANDONED_PER_CORE`]. If this number is reached, the run waits for late work, and ends later than it should.
///
/// # Panics
/// If the work panics.
fn in_time<A: Send + 'static>(
    evaluator: &mut Evaluator<'_, dyn DynProblem>,
    work: impl FnOnce(Deadline) -> A + Send + 'static,
) -> Option<A> {
    let deadline = evaluator.deadline();
    let Some(left) = deadline.left() else { return Some(work(deadline)) };
    let end = End(Arc::new(AtomicU8::new(RUNNING)));
    let state = Arc::clone(&end.0);
    let (sender, receiver) = channel();
    let worker = move || {
        let _end = end;
        let answer = work(deadline);
        // Nobody receives the answer of abandoned work.
        let _ = sender.send((answer, cpu_time::of_this_thread()));
    };
    let thread =
        thread::Builder::new().name("solver".to_owned()).spawn(worker).expect("the system can start a new thread");
    match receiver.recv_timeout(left + GRACE) {
        Ok((answer, cpu)) => {
            evaluator.charge_cpu(cpu);
            return Some(answer);
        }
        Err(RecvTimeoutError::Disconnected) => {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
        Err(RecvTimeoutError::Timeout) => {
            while !thread.is_finished() && !abandon(&state) {
                thread::sleep(LOOK_INTERVAL);
            }
        }
    }
    evaluator.charge_cpu(None);
    None
}

/// Abandons work, unless too many solvers are already abandoned. Returns true if the run does not have to wait for the work.
fn abandon(state: &AtomicU8) -> bool {
    let most = ABANDONED_PER_CORE * thread::available_parallelism().map_or(1, usize::from);
    let has_room = N_ABANDONED.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| (n < most).then_some(n + 1));
    if has_room.is_err() {
        return false;
    }
    if state.compare_exchange(RUNNING, ABANDONED, Ordering::AcqRel, Ordering::Acquire).is_err() {
        N_ABANDONED.fetch_sub(1, Ordering::AcqRel);
    }
    true
}

/// Marks the end of work, even if the work ends with a panic.
struct End(Arc<AtomicU8>);

impl Drop for End {
    fn drop(&mut self) {
        if self.0.swap(ENDED, Ordering::AcqRel) == ABANDONED {
            N_ABANDONED.fetch_sub(1, Ordering::AcqRel);
        }
    }
}
