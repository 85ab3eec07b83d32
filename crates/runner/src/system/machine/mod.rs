//! The machine: what Linux tells of it, in files under `/proc` and `/sys`. On other systems, or if a file is missing, the fact is unknown.

mod cpu_info;
mod files;
mod frequency;
mod topology;
mod usage;

use serde_json::{Value, json};

use crate::system::platform::allowed_cpus;
pub(crate) use files::known;
pub(crate) use frequency::{governing, mean_mhz};
pub(crate) use usage::load_average;

use cpu_info::CpuInfo;
use files::SystemFiles;
use topology::Topology;
use usage::CpuTicks;

/// A machine, including the part of it that this process may use.
#[derive(Clone, Debug)]
pub struct Machine {
    files: SystemFiles,
    info: CpuInfo,
    topology: Option<Topology>,
    /// The CPUs that this process may run on.
    allowed: Option<Vec<usize>>,
}

impl Machine {
    /// The machine that this process runs on.
    pub fn present() -> Self {
        let files = SystemFiles::of_this_machine();
        let (info, topology) = (CpuInfo::read(&files).unwrap_or_default(), Topology::read(&files));
        Self { files, info, topology, allowed: allowed_cpus() }
    }

    /// The name of its processor.
    pub fn processor(&self) -> Option<&str> {
        self.info.model.as_deref()
    }

    /// One CPU of each physical core that this process may use; `None` if the cores are unknown.
    pub(crate) fn usable_cores(&self) -> Option<Vec<usize>> {
        let cores = self.topology.as_ref()?.one_thread_a_core(self.allowed.as_ref()?);
        Some(cores).filter(|cores| !cores.is_empty())
    }

    /// Facts about sockets, cores and threads for a manifest.
    pub(crate) fn topology_facts(&self) -> Value {
        let topology = self.topology.as_ref();
        json!({
            "sockets": known(topology.map(|topology| topology.sockets)),
            "cores": known(topology.map(Topology::n_cores)),
            "threads": known(topology.map(Topology::n_threads)),
            "usable_cores": known(self.usable_cores().map(|cores| cores.len())),
            "virtual": known(self.info.is_virtual),
        })
    }

    /// The files in which the system describes the machine.
    pub(crate) fn files(&self) -> &SystemFiles {
        &self.files
    }

    /// Starts to count the stolen time of these CPUs, or of all CPUs that this process may use if the list is empty.
    pub(crate) fn count_stolen(&self, cpus: &[usize]) -> StolenTime {
        let cpus = if cpus.is_empty() { self.allowed.clone().unwrap_or_default() } else { cpus.to_vec() };
        StolenTime { begun: CpuTicks::read(&self.files, &cpus), files: self.files.clone(), cpus }
    }
}

/// Processor time that the host of a virtual machine gives to other machines, counted from a certain moment.
#[derive(Debug)]
pub(crate) struct StolenTime {
    files: SystemFiles,
    cpus: Vec<usize>,
    begun: Option<CpuTicks>,
}

impl StolenTime {
    /// The stolen share of the time in which the CPUs worked or wanted to work; `None` if it is unknown, or the time is too short.
    pub(crate) fn share(&self) -> Option<f64> {
        CpuTicks::read(&self.files, &self.cpus)?.stolen_share_since(self.begun?)
    }
}
