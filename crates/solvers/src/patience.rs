//! Patience: a solver is waited for until the time of its run is over, whether or not it checks the clock.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use evogrid_core::cpu_time;
use evogrid_core::evaluator::Evaluator;
use evogrid_core::problem::DynProblem;
use evogrid_core::time_limit::Deadline;

/// How long after the deadline a solver may still notice it by itself.
const GRACE: Duration = Duration::from_millis(200);

/// How often late work that may not be abandoned is checked.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// How many abandoned solvers may still run, for each core: they take time from the runs that follow.
const ABANDONED_PER_CORE: usize = 4;

/// Solvers that were given up and have not ended yet.
static N_ABANDONED: AtomicUsize = AtomicUsize::new(0);

/// The states of a solver in its own thread.
const RUNNING: u8 = 0;
const ENDED: u8 = 1;
const ABANDONED: u8 = 2;

/// The result of a function if it returns before the time of the run is over. The function receives the remaining time, if the time is
/// limited.
///
/// Work with a deadline is done by a thread of its own. Work that is late is abandoned: nobody can end a thread from outside, so it
/// continues, and takes processor time and memory, until it ends by itself. At most [`ABANDONED_PER_CORE`] for each core of the machine
/// are abandoned at a time; where there are that many, late work is waited for, and the run ends later than it should.
///
/// # Panics
/// If the work does.
pub(crate) fn in_time<A: Send + 'static>(
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
        // It is not wanted any more if nobody receives it.
        let _ = sender.send((answer, cpu_time::of_this_thread()));
    };
    let thread = thread::Builder::new().name("solver".to_owned()).spawn(worker).expect("a thread can be had");
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

/// Abandons work, unless the most that may be abandoned already are. Whether it need not be waited for any more.
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

/// Marks the end of work, however it ends.
struct End(Arc<AtomicU8>);

impl Drop for End {
    fn drop(&mut self) {
        if self.0.swap(ENDED, Ordering::AcqRel) == ABANDONED {
            N_ABANDONED.fetch_sub(1, Ordering::AcqRel);
        }
    }
}
