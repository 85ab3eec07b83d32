//! The CPUs on which a thread may run.

/// The CPUs on which this thread may run; `None` if the system does not report them.
#[cfg(target_os = "linux")]
pub(crate) fn allowed_cpus() -> Option<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).ok()?;
    Some((0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
}

/// Binds this thread, and the threads that it starts later, to one CPU; returns false if the system does not support it.
#[cfg(target_os = "linux")]
pub(crate) fn pin_thread(cpu: usize) -> bool {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    if cpu < CpuSet::MAX_CPU {
        set.set(cpu);
    }
    sched_setaffinity(None, &set).is_ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn allowed_cpus() -> Option<Vec<usize>> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn pin_thread(_cpu: usize) -> bool {
    false
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_and_what_it_starts_may_run_on_its_cpu_only() {
        let last = allowed_cpus().and_then(|cpus| cpus.last().copied()).expect("a CPU");
        let seen = std::thread::spawn(move || {
            assert!(pin_thread(last));
            [allowed_cpus(), std::thread::spawn(allowed_cpus).join().expect("it ends")]
        });
        assert_eq!(seen.join().expect("it ends"), [Some(vec![last]), Some(vec![last])]);
        assert!(!pin_thread(usize::MAX), "this CPU does not exist");
    }
}
