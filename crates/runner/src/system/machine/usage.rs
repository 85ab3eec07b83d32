//! The load of a machine: its load average, and the processor time that other virtual machines take from it.

use super::files::SystemFiles;

/// The minimum number of clock ticks (a second on most systems). With fewer ticks, a single stolen tick would be more than one per cent.
const FEWEST_TICKS: u64 = 100;

/// The processor time of some CPUs since the start of their machine, in ticks of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CpuTicks {
    /// The number of clock ticks in which the CPUs worked.
    busy: u64,
    /// The number of clock ticks in which the CPUs had work, but the host gave the processor to another machine.
    stolen: u64,
}

impl CpuTicks {
    /// Reads the ticks of these CPUs from `/proc/stat` (proc_stat(5)); `None` if the system does not report them.
    pub(crate) fn read(files: &SystemFiles, cpus: &[usize]) -> Option<Self> {
        let text = files.text("proc/stat")?;
        let mut ticks = Self { busy: 0, stolen: 0 };
        for cpu in cpus {
            let name = format!("cpu{cpu} ");
            let line = text.lines().find_map(|line| line.strip_prefix(&name))?;
            let counts: Vec<u64> = line.split_whitespace().map_while(|count| count.parse().ok()).collect();
            let &[user, nice, system, _idle, _waiting, interrupts, soft_interrupts, stolen, ..] = counts.as_slice()
            else {
                return None;
            };
            ticks.busy += user + nice + system + interrupts + soft_interrupts;
            ticks.stolen += stolen;
        }
        Some(ticks).filter(|_| !cpus.is_empty())
    }

    /// The share of stolen time since `earlier`, relative to the time in which the CPUs worked or wanted to work; `None` if the time is
    /// too short.
    pub(crate) fn stolen_share_since(self, earlier: Self) -> Option<f64> {
        let stolen = self.stolen.saturating_sub(earlier.stolen);
        let wanted = self.busy.saturating_sub(earlier.busy) + stolen;
        (wanted >= FEWEST_TICKS).then(|| stolen as f64 / wanted as f64)
    }
}

/// The mean number of processes that wanted to run in the last minute, from `/proc/loadavg` (proc_loadavg(5)).
pub(crate) fn load_average(files: &SystemFiles) -> Option<f64> {
    files.text("proc/loadavg")?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn files(stat: &str) -> (TempDir, SystemFiles) {
        let folder = TempDir::new().expect("a temporary folder");
        let files =
            SystemFiles::made(&folder, &[("proc/stat", stat), ("proc/loadavg", "5.67 5.41 3.48 5/128 24633\n")]);
        (folder, files)
    }

    #[test]
    fn ticks_are_those_of_the_cpus_that_are_asked_for() {
        let stat = "cpu  990 0 0 0 0 0 0 0 0 0\ncpu0 100 20 30 4000 50 6 7 80 9 0\ncpu1 1 1 1 1 1 1 1 1 0 0\n\
                    cpu10 300 0 0 9 9 0 0 20 0 0\nintr 59497286 0 0\n";
        let (_folder, files) = files(stat);
        assert_eq!(CpuTicks::read(&files, &[0]), Some(CpuTicks { busy: 163, stolen: 80 }));
        assert_eq!(CpuTicks::read(&files, &[0, 10]), Some(CpuTicks { busy: 463, stolen: 100 }));
        assert_eq!(CpuTicks::read(&files, &[2]), None);
        assert_eq!(CpuTicks::read(&files, &[]), None);
        assert_eq!(load_average(&files), Some(5.67));
    }

    #[test]
    fn what_is_not_understood_is_not_known() {
        for stat in ["", "cpu0 1 2 3\n", "cpu0 1 2 3 4 x 6 7 8\n"] {
            let (_folder, files) = files(stat);
            assert_eq!(CpuTicks::read(&files, &[0]), None, "{stat}");
        }
        let folder = TempDir::new().expect("a temporary folder");
        assert_eq!(load_average(&SystemFiles::made(&folder, &[])), None);
    }

    #[test]
    fn a_share_is_of_the_time_that_was_wanted() {
        let ticks = |busy, stolen| CpuTicks { busy, stolen };
        assert_eq!(ticks(1150, 55).stolen_share_since(ticks(1000, 5)), Some(0.25));
        assert_eq!(ticks(1100, 5).stolen_share_since(ticks(1000, 5)), Some(0.0));
        assert_eq!(ticks(1090, 14).stolen_share_since(ticks(1000, 5)), None, "less than a second");
        assert_eq!(ticks(0, 0).stolen_share_since(ticks(1000, 5)), None, "another machine's");
    }
}
