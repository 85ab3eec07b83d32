//! Time limits of a run: wall time, and processor time of the thread.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::budget::Budget;
use crate::budget::cpu_time;

/// The time limits of one run. The time begins when this value is created.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimits {
    clock: Deadline,
    /// The deadline for work outside the thread of the run. Such work cannot measure the processor time of the run. Therefore the deadline
    /// treats a limit of processor time as a limit of wall time. The processor time of one thread is never longer than its wall time.
    pub(crate) deadline: Deadline,
    cpu: Option<CpuLimit>,
}

impl TimeLimits {
    /// Starts the time limits of a budget now.
    pub(crate) fn begin(budget: &Budget) -> Self {
        Self {
            clock: Deadline::new(budget.seconds),
            deadline: Deadline::new(budget.seconds.into_iter().chain(budget.cpu_seconds).reduce(f64::min)),
            cpu: budget.cpu_seconds.map(CpuLimit::new),
        }
    }

    /// The same limits for several threads. The processor times of the threads are added up from now on.
    pub(crate) fn shared(&self) -> SharedTime {
        let meter = ThreadMeter::begin();
        let clock = if meter.0.is_some() { self.clock } else { self.deadline };
        SharedTime { clock, cpu_seconds: self.cpu_seconds_left(), nanoseconds: meter.0.map(|_| AtomicU64::new(0)) }
    }

    /// The remaining wall time in seconds. `None` if the wall time is not limited.
    pub(crate) fn seconds_left(&self) -> Option<f64> {
        self.clock.left().map(|left| left.as_secs_f64())
    }

    /// The remaining processor time of the thread in seconds; `None` if the processor time is not limited.
    pub(crate) fn cpu_seconds_left(&self) -> Option<f64> {
        self.cpu.map(CpuLimit::left)
    }

    /// The share of the time limit that is used; `None` without a time limit. With two limits it is the larger share.
    pub(crate) fn spent(&self) -> Option<f64> {
        let clock = self.clock.0.map(|(start, seconds)| start.elapsed().as_secs_f64() / seconds);
        let cpu = self.cpu.map(|cpu| 1.0 - cpu.left() / cpu.seconds);
        clock.into_iter().chain(cpu).reduce(f64::max)
    }

    /// Whether a time limit is reached.
    pub(crate) fn are_reached(&mut self) -> bool {
        self.clock.is_over() || self.cpu.as_mut().is_some_and(CpuLimit::is_reached)
    }
}

/// The time limits for several threads that work for one run.
#[derive(Debug)]
pub(crate) struct SharedTime {
    clock: Deadline,
    /// The processor time that remains for all threads together; `None` if the processor time is not limited.
    cpu_seconds: Option<f64>,
    /// The processor time that the threads have used; `None` if the system does not report processor times.
    nanoseconds: Option<AtomicU64>,
}

impl SharedTime {
    /// Adds the time that the thread has used since its previous call. Returns whether a time limit is reached.
    pub(crate) fn is_over(&self, meter: &mut ThreadMeter) -> bool {
        let taken = self.nanoseconds.as_ref().map(|all| {
            let new = meter.lap().as_nanos() as u64;
            (all.fetch_add(new, Ordering::Relaxed) + new) as f64 / 1e9
        });
        self.clock.is_over() || self.cpu_seconds.zip(taken).is_some_and(|(limit, taken)| taken >= limit)
    }

    /// The processor time of all threads together; `None` if the system does not report processor times.
    pub(crate) fn taken(&self) -> Option<Duration> {
        self.nanoseconds.as_ref().map(|all| Duration::from_nanos(all.load(Ordering::Relaxed)))
    }
}

/// The processor time of a thread at the latest measurement; `None` if the system does not report processor times.
#[derive(Debug)]
pub(crate) struct ThreadMeter(Option<Duration>);

impl ThreadMeter {
    pub(crate) fn begin() -> Self {
        Self(cpu_time::of_this_thread())
    }

    /// The processor time of the thread since the previous measurement; zero if the system does not report processor times.
    fn lap(&mut self) -> Duration {
        let before = std::mem::replace(&mut self.0, cpu_time::of_this_thread());
        self.0.zip(before).map_or(Duration::ZERO, |(now, before)| now.saturating_sub(before))
    }
}

/// The moment when the time of a run is over. `None` if the budget does not limit the time.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<(Instant, f64)>);

impl Deadline {
    fn new(seconds: Option<f64>) -> Self {
        Self(seconds.map(|seconds| (Instant::now(), seconds)))
    }

    /// Whether the time is over.
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|(start, seconds)| start.elapsed().as_secs_f64() >= seconds)
    }

    /// The remaining time; `None` if the time is not limited.
    pub fn left(self) -> Option<Duration> {
        self.0.map(|(start, seconds)| Duration::from_secs_f64(seconds).saturating_sub(start.elapsed()))
    }
}

/// A limit of the processor time of the run's thread.
#[derive(Clone, Copy, Debug)]
struct CpuLimit {
    /// The processor time of the thread at the start of the run; `None` if the system does not report processor times.
    before: Option<Duration>,
    began: Instant,
    seconds: f64,
    /// The limit of processor time cannot be reached before this moment. Reading the clock is much faster than reading the processor time,
    /// which is a system call.
    not_before: Instant,
}

impl CpuLimit {
    /// The limit of a run that begins now.
    fn new(seconds: f64) -> Self {
        let now = Instant::now();
        Self { before: cpu_time::of_this_thread(), began: now, seconds, not_before: now }
    }

    fn left(self) -> f64 {
        // If the system does not report the processor time, the wall time replaces it.
        let taken = self.before.and_then(|before| Some(cpu_time::of_this_thread()? - before));
        (self.seconds - taken.unwrap_or_else(|| self.began.elapsed()).as_secs_f64()).max(0.0)
    }

    fn is_reached(&mut self) -> bool {
        if Instant::now() < self.not_before {
            return false;
        }
        let left = self.left();
        // The processor time grows at most as fast as the clock. Half of the remaining time is a safe distance, since the two clocks differ
        // slightly.
        self.not_before = Instant::now() + Duration::from_secs_f64(left / 2.0);
        left <= 0.0
    }
}
