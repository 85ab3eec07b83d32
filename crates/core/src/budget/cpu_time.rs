//! The processor time of a thread, for limits in `cpu_seconds`.

use std::time::Duration;

/// The processor time of this thread since its start, if the system reports it.
#[cfg(unix)]
pub fn of_this_thread() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// The processor time of this thread since its start, if the system reports it.
#[cfg(not(unix))]
pub fn of_this_thread() -> Option<Duration> {
    None
}
