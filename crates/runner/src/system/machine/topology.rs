//! Sockets, physical cores and hardware threads, from `/sys/devices/system/cpu`.

use std::collections::BTreeSet;

use super::files::SystemFiles;

/// The sockets, cores and threads of a machine that are online.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Topology {
    /// Number of sockets.
    pub(crate) sockets: usize,
    /// The threads of each physical core, by their numbers.
    pub(crate) cores: BTreeSet<Vec<usize>>,
}

impl Topology {
    /// Reads the topology of a machine; `None` if the system does not report it.
    pub(crate) fn read(files: &SystemFiles) -> Option<Self> {
        let (mut sockets, mut cores) = (BTreeSet::new(), BTreeSet::new());
        for cpu in cpu_list(&files.text("sys/devices/system/cpu/online")?)? {
            let file = |name: &str| format!("sys/devices/system/cpu/cpu{cpu}/topology/{name}");
            sockets.insert(files.value::<i64>(&file("physical_package_id"))?);
            cores.insert(cpu_list(&files.text(&file("thread_siblings_list"))?)?);
        }
        Some(Self { sockets: sockets.len(), cores }).filter(|topology| !topology.cores.is_empty())
    }

    /// The first hardware thread of each physical core that has a thread among `allowed`.
    pub(crate) fn one_thread_a_core(&self, allowed: &[usize]) -> Vec<usize> {
        self.cores
            .iter()
            .filter_map(|threads| threads.iter().copied().find(|thread| allowed.contains(thread)))
            .collect()
    }
}

/// The numbers of a list such as `0-3,8`.
fn cpu_list(text: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        cpus.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A machine whose CPUs are on these sockets and have these siblings.
    fn machine(online: &str, cpus: &[(&str, &str)]) -> Option<Topology> {
        let folder = TempDir::new().expect("a temporary folder");
        let file = |cpu: usize, name: &str| format!("sys/devices/system/cpu/cpu{cpu}/topology/{name}");
        let mut files = vec![("sys/devices/system/cpu/online".to_owned(), online)];
        for (cpu, (socket, siblings)) in cpus.iter().enumerate() {
            files.push((file(cpu, "physical_package_id"), *socket));
            files.push((file(cpu, "thread_siblings_list"), *siblings));
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        Topology::read(&SystemFiles::made(&folder, &files))
    }

    #[test]
    fn siblings_are_one_core() {
        let siblings = [("0\n", "0,4\n"), ("0\n", "1,5\n"), ("1\n", "2,6\n"), ("1\n", "3,7\n")];
        let cpus = [siblings, siblings].concat();
        let topology = machine("0-7\n", &cpus).expect("it is told");
        assert_eq!((topology.sockets, topology.cores.len(), topology.cores.iter().flatten().count()), (2, 4, 8));
        assert_eq!(topology.one_thread_a_core(&[0, 1, 2, 3, 4, 5, 6, 7]), [0, 1, 2, 3]);
        assert_eq!(topology.one_thread_a_core(&[1, 4, 5, 6]), [4, 1, 6], "a core of which one thread is allowed");
        assert_eq!(topology.one_thread_a_core(&[]), Vec::<usize>::new());
    }

    #[test]
    fn what_is_offline_is_no_part_of_it() {
        let cpus = [("0", "0"), ("-1", "?"), ("0", "2")];
        assert_eq!(machine("0,2", &cpus).expect("it is told").cores.len(), 2);
        assert_eq!(machine("0-2", &cpus), None, "a file that is not understood");
        assert_eq!(machine("0-3", &cpus), None, "a file that is missing");
    }

    #[test]
    fn lists_are_read() {
        assert_eq!(cpu_list("0-2,5,8-9\n"), Some(vec![0, 1, 2, 5, 8, 9]));
        for wrong in ["", "a", "0-", "1,,2", "-1"] {
            assert_eq!(cpu_list(wrong), None, "{wrong}");
        }
    }
}
