//! The processor time of a thread, which a budget in `cpu_seconds` is measured by.

use std::time::Duration;

/// Processor time that this thread has taken since it began, where the system tells it.
#[cfg(unix)]
#[must_use]
pub fn of_this_thread() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// Processor time that this thread has taken since it began, where the system tells it.
#[cfg(not(unix))]
#[must_use]
pub fn of_this_thread() -> Option<Duration> {
    None
}
