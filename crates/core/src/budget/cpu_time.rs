//! The processor time of a thread, for the limit `cpu_seconds`.

use std::time::Duration;

/// The processor time that this thread has used since its start. `None` if the system does not report the time.
#[cfg(unix)]
pub fn of_this_thread() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// The processor time that this thread has used since its start. `None` if the system does not report the time.
#[cfg(not(unix))]
pub fn of_this_thread() -> Option<Duration> {
    None
}
