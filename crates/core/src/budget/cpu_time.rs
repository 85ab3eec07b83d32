//! The processor time of a thread, which limits in `cpu_seconds` use.

use std::time::Duration;

/// The processor time of this thread since it began, if the system reports it.
#[cfg(unix)]
pub fn of_this_thread() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// The processor time of this thread since it began, if the system reports it.
#[cfg(not(unix))]
pub fn of_this_thread() -> Option<Duration> {
    None
}
