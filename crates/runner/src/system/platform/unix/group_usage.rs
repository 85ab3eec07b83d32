//! The resources that the processes of a group use. Linux reports these resources in `/proc`; other systems do not report them.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, getpgrp};

use crate::system::platform::program_output::{ProgramLimits, ProgramUsage, ReachedLimit};

/// The longest time between two measurements if memory is limited. It is also the shortest time between two searches for the processes of
/// the group, since a search reads all processes of the system.
const SEARCH_PERIOD: Duration = Duration::from_millis(20);

/// The shortest time between two measurements.
const SHORTEST_PERIOD: Duration = Duration::from_millis(1);

/// The time of a search is at most the time until the next search, divided by this number.
const LOOK_SHARE: u32 = 20;

const NOT_TOLD: &str = "the processor time and memory of the program cannot be measured";

/// Whether the processor time and the memory of a process group can be measured.
pub(crate) fn measures_groups() -> bool {
    search(getpgrp()).is_some()
}

/// Measures the resources of a process group as often as the limits of the group require.
pub(super) struct GroupWatch {
    group: Pid,
    /// The processor time that the group used before the watch began, in milliseconds.
    before: f64,
    limits: ProgramLimits,
    /// The time of the next measurement; `None` if nothing is limited.
    next: Option<Instant>,
    /// The processes of the group that were found last.
    members: Vec<i32>,
    next_search: Instant,
    /// The largest values that were measured.
    seen: ProgramUsage,
}

impl GroupWatch {
    /// Begins to watch a group. `has_worked` says whether the group existed before.
    ///
    /// # Errors
    /// If the system does not report the resources of the group.
    pub(super) fn new(group: Pid, limits: &ProgramLimits, has_worked: bool) -> Result<Self, String> {
        let is_needed = limits.cpu.is_some() || limits.memory.is_some();
        let before = if has_worked && is_needed { search(group).ok_or(NOT_TOLD)?.0.cpu_ms } else { 0.0 };
        Ok(Self {
            group,
            before,
            limits: *limits,
            next: is_needed.then(Instant::now),
            members: Vec::new(),
            next_search: Instant::now(),
            seen: ProgramUsage::default(),
        })
    }

    /// The time until the next measurement; `None` if nothing is limited.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.next.map(|next| next.saturating_duration_since(Instant::now()))
    }

    /// Measures the group if the next measurement is due. Returns the limit that is reached, if any.
    ///
    /// # Errors
    /// If the system does not report the resources.
    pub(super) fn look(&mut self) -> Result<Option<ReachedLimit>, String> {
        let begun = Instant::now();
        if self.next.is_none_or(|next| begun < next) {
            return Ok(None);
        }
        if begun < self.next_search {
            // Processes that began after the last search are missing, so this is a lower bound.
            let is_of_group = |stat: &ProcessStat| stat.group == self.group.as_raw_nonzero().get();
            let usage = sum(self.members.iter().filter_map(|&member| stat_of(member)).filter(is_of_group));
            self.seen = self.seen.max(self.since_before(usage));
        } else {
            self.search().ok_or(NOT_TOLD)?;
            self.next_search = begun + SEARCH_PERIOD.max(LOOK_SHARE * begun.elapsed());
        }
        let cpu_left =
            self.limits.cpu.map(|limit| limit.saturating_sub(Duration::from_secs_f64(self.seen.cpu_ms / 1e3)));
        if cpu_left == Some(Duration::ZERO) {
            return Ok(Some(ReachedLimit::Cpu));
        }
        if self.limits.memory.is_some_and(|limit| self.seen.memory > limit) {
            return Ok(Some(ReachedLimit::Memory));
        }
        // All cores together cannot use the remaining processor time sooner.
        let n_cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let periods = cpu_left.map(|left| left / n_cores).into_iter().chain(self.limits.memory.map(|_| SEARCH_PERIOD));
        let period = periods.min().unwrap_or(SEARCH_PERIOD).max(SHORTEST_PERIOD);
        // A measurement after a search may come soon: it reads only the processes of the group.
        self.next = Some(begun + period);
        Ok(None)
    }

    /// The largest values that were measured, including a last measurement before the group ends. Memory is 0 if it is not limited.
    pub(super) fn last(mut self) -> ProgramUsage {
        if self.next.is_some() {
            self.search();
        }
        ProgramUsage { memory: self.limits.memory.map_or(0, |_| self.seen.memory), ..self.seen }
    }

    /// Finds the processes of the group and measures them; `None` if the system does not report them.
    fn search(&mut self) -> Option<()> {
        let (usage, members) = search(self.group)?;
        self.seen = self.seen.max(self.since_before(usage));
        self.members = members;
        Some(())
    }

    /// The resources that the group has used since the watch began.
    fn since_before(&self, usage: ProgramUsage) -> ProgramUsage {
        ProgramUsage { cpu_ms: (usage.cpu_ms - self.before).max(0.0), ..usage }
    }
}

/// The resources of the processes of a group, and their process ids; `None` if the system does not report them. The processor time includes
/// the processes for which the processes of the group have waited. A shared page of memory counts for each process.
fn search(group: Pid) -> Option<(ProgramUsage, Vec<i32>)> {
    let (mut members, mut found, mut is_told) = (Vec::new(), Vec::new(), false);
    for process in fs::read_dir("/proc").ok()? {
        // A process may end at any moment.
        let Ok(process) = process else { continue };
        let Some(number) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Some(stat) = stat_of(number) else { continue };
        is_told = true;
        if stat.group == group.as_raw_nonzero().get() {
            members.push(number);
            found.push(stat);
        }
    }
    // A group that has just ended has no processes. If no process of the system is reported, the system does not report processes.
    is_told.then(|| (sum(found), members))
}

/// The sum of the resources of processes.
fn sum(processes: impl IntoIterator<Item = ProcessStat>) -> ProgramUsage {
    let (ticks, pages) =
        processes.into_iter().fold((0, 0), |(ticks, pages), process| (ticks + process.ticks, pages + process.pages));
    ProgramUsage { cpu_ms: ticks as f64 * tick_ms(), memory: pages * rustix::param::page_size() as u64 }
}

/// The processor time that a process has used so far, by two measurements of the system.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessTime {
    /// The time of the living threads of the process, with a resolution of nanoseconds.
    threads_ms: f64,
    /// The time of all threads of the process, and of the processes for which this process has waited, with a resolution of clock ticks.
    total_ms: f64,
}

impl ProcessTime {
    /// The time of a process until now; `None` if the system does not report it.
    pub(super) fn of(process: Pid) -> Option<Self> {
        let folder = format!("/proc/{}", process.as_raw_nonzero());
        let mut nanoseconds = 0;
        for thread in fs::read_dir(format!("{folder}/task")).ok()?.flatten() {
            // A thread may end at any moment.
            let Ok(text) = fs::read_to_string(thread.path().join("schedstat")) else { continue };
            nanoseconds += text.split(' ').next()?.parse::<u64>().ok()?;
        }
        let ProcessStat { ticks, .. } = stat_of(process.as_raw_nonzero().get())?;
        Some(Self { threads_ms: nanoseconds as f64 / 1e6, total_ms: ticks as f64 * tick_ms() })
    }

    /// The whole time, in milliseconds.
    pub(super) fn total_ms(self) -> f64 {
        self.total_ms.max(self.threads_ms)
    }

    /// The milliseconds since an earlier moment. Normally, this is the time of the living threads. If the total time is larger by more than
    /// the rounding to ticks, threads or processes have ended in the meantime; then this is the total time.
    pub(super) fn since(self, before: Self) -> f64 {
        let threads = (self.threads_ms - before.threads_ms).max(0.0);
        let total = self.total_ms - before.total_ms;
        if total > threads + 2.0 * tick_ms() { total } else { threads }
    }
}

fn tick_ms() -> f64 {
    1e3 / rustix::param::clock_ticks_per_second() as f64
}

/// The figures of a process in `/proc/PID/stat` (proc(5)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProcessStat {
    group: i32,
    /// Clock ticks of processor time.
    ticks: u64,
    /// Resident pages.
    pages: u64,
}

/// The figures of a process; `None` if the process has ended.
fn stat_of(process: i32) -> Option<ProcessStat> {
    figures(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

fn figures(stat: &str) -> Option<ProcessStat> {
    // The name of the program, in brackets, may contain any characters.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
    let ticks = (11..15).map(number).sum::<Option<u64>>()?;
    Some(ProcessStat { group: fields.get(2)?.parse().ok()?, ticks, pages: number(21)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_behind_any_name() {
        let stat = "7 (a) b) S 1 42 7 0 -1 4 9 9 0 0 10 5 2 1 20 0 1 0 100 4096 33 18446744073709551615 1";
        assert_eq!(figures(stat), Some(ProcessStat { group: 42, ticks: 18, pages: 33 }));
        assert_eq!(figures("7 (a"), None);
        assert_eq!(figures("7 (a) S 1 42"), None);
    }

    #[test]
    fn the_time_of_threads_and_processes_that_have_ended_counts() {
        let time = |threads_ms, total_ms| ProcessTime { threads_ms, total_ms };
        assert_eq!(time(12.5, 20.0).since(time(10.0, 10.0)), 2.5);
        // A thread that was there before has ended, and took its time with it.
        assert_eq!(time(1.0, 500.0).since(time(90.0, 100.0)), 400.0);
        assert_eq!(time(1.0, 100.0).since(time(90.0, 100.0)), 0.0);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_group_of_this_process_has_memory() {
        let (usage, members) = search(getpgrp()).expect("the system tells");
        assert!(usage.memory > 100_000 && members.contains(&(std::process::id() as i32)), "{usage:?}");
    }
}
