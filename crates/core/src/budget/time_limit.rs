//! Limits of a run's time: by the clock, and by the processor time of its thread.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::budget::Budget;
use crate::budget::cpu_time;

/// The time limits of one run, counted from the moment when this value was created.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimits {
    clock: Deadline,
    /// The same, with the processor time taken as time by the clock.
    deadline: Deadline,
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

    /// The deadline for work outside the thread of the run, which cannot measure the processor time of the run. A limit of processor time
    /// is treated as wall time, which is never shorter for a single thread.
    pub(crate) fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// The same limits for several threads, whose processor times are added up from now on.
    pub(crate) fn shared(&self) -> SharedTime {
        let meter = ThreadMeter::begin();
        let clock = if meter.0.is_some() { self.clock } else { self.deadline };
        SharedTime { clock, cpu_seconds: self.cpu_seconds_left(), nanoseconds: meter.0.map(|_| AtomicU64::new(0)) }
    }

    /// The remaining wall time in seconds; `None` if it is not limited.
    pub(crate) fn seconds_left(&self) -> Option<f64> {
        self.clock.left().map(|left| left.as_secs_f64())
    }

    /// The remaining processor time of the thread in seconds; `None` if it is not limited.
    pub(crate) fn cpu_seconds_left(&self) -> Option<f64> {
        self.cpu.map(CpuLimit::left)
    }

    /// The share of the time that is used up, by the limit that is closer; `None` without a time limit.
    pub(crate) fn spent(&self) -> Option<f64> {
        let clock = self.clock.0.map(|(start, seconds)| start.elapsed().as_secs_f64() / seconds);
        let cpu = self.cpu.map(|cpu| 1.0 - cpu.left() / cpu.seconds);
        clock.into_iter().chain(cpu).reduce(f64::max)
    }

    /// Whether one of the limits is reached.
    pub(crate) fn are_reached(&mut self) -> bool {
        self.clock.is_over() || self.cpu.as_mut().is_some_and(CpuLimit::is_reached)
    }
}

/// The time limits of work that several threads do for one run.
#[derive(Debug)]
pub(crate) struct SharedTime {
    clock: Deadline,
    /// What is left for all of them; `None` if it is not limited.
    cpu_seconds: Option<f64>,
    /// What they have taken; `None` where the system does not tell it.
    nanoseconds: Option<AtomicU64>,
}

impl SharedTime {
    /// Adds the time of the thread since the last call, and returns whether one of the limits is reached.
    pub(crate) fn is_over(&self, meter: &mut ThreadMeter) -> bool {
        let taken = self.nanoseconds.as_ref().map(|all| {
            let new = meter.lap().as_nanos() as u64;
            (all.fetch_add(new, Ordering::Relaxed) + new) as f64 / 1e9
        });
        self.clock.is_over() || self.cpu_seconds.zip(taken).is_some_and(|(limit, taken)| taken >= limit)
    }

    /// The processor time of all threads together, if the system reports it.
    pub(crate) fn taken(&self) -> Option<Duration> {
        self.nanoseconds.as_ref().map(|all| Duration::from_nanos(all.load(Ordering::Relaxed)))
    }
}

/// The processor time of a thread at the last call; `None` if the system does not report it.
#[derive(Debug)]
pub(crate) struct ThreadMeter(Option<Duration>);

impl ThreadMeter {
    pub(crate) fn begin() -> Self {
        Self(cpu_time::of_this_thread())
    }

    /// The processor time of the thread since the last call; zero if the system does not report it.
    fn lap(&mut self) -> Duration {
        let before = std::mem::replace(&mut self.0, cpu_time::of_this_thread());
        self.0.zip(before).map_or(Duration::ZERO, |(now, before)| now.saturating_sub(before))
    }
}

/// The moment at which the time of a run is over, if its budget limits the time.
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

    /// The remaining time; `None` if it is not limited.
    pub fn left(self) -> Option<Duration> {
        self.0.map(|(start, seconds)| Duration::from_secs_f64(seconds).saturating_sub(start.elapsed()))
    }
}

/// A limit of the processor time of the run's thread.
#[derive(Clone, Copy, Debug)]
struct CpuLimit {
    /// What the thread had taken when the run began; `None` where the system does not tell it.
    before: Option<Duration>,
    began: Instant,
    seconds: f64,
    /// Until then it cannot be reached. A look at the clock takes far less than one at the processor time, a call of the system.
    not_before: Instant,
}

impl CpuLimit {
    /// The deadline of a run that begins now.
    fn new(seconds: f64) -> Self {
        let now = Instant::now();
        Self { before: cpu_time::of_this_thread(), began: now, seconds, not_before: now }
    }

    fn left(self) -> f64 {
        // Where the system tells no processor time, the clock: it goes by no slower.
        let taken = self.before.and_then(|before| Some(cpu_time::of_this_thread()? - before));
        (self.seconds - taken.unwrap_or_else(|| self.began.elapsed()).as_secs_f64()).max(0.0)
    }

    fn is_reached(&mut self) -> bool {
        if Instant::now() < self.not_before {
            return false;
        }
        let left = self.left();
        // A thread takes no more than goes by on the clock; by half of it, since the two need not agree to the last.
        self.not_before = Instant::now() + Duration::from_secs_f64(left / 2.0);
        left <= 0.0
    }
}
