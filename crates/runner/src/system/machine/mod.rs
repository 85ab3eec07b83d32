//! The machine: reads facts from files under `/proc` and `/sys` on Linux. Systems other than Linux do not have these files. If a file is
//! missing, its facts are unknown.

mod files;
mod processors;
mod topology;
mod usage;

use serde_json::{Value, json};

use crate::system::platform::allowed_cpus;
pub(crate) use files::{SystemFiles, known};
use processors::CpuInfo;
pub(crate) use processors::{governing, mean_mhz};
use topology::Topology;
pub(crate) use usage::{CpuTicks, load_average};

/// A machine, and the CPUs that this process may use.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The files in which the system describes the machine.
    pub(crate) files: SystemFiles,
    info: CpuInfo,
    topology: Option<Topology>,
    /// The CPUs that this process may run on.
    allowed: Option<Vec<usize>>,
}

impl Machine {
    /// Returns a description of the machine on which this process runs.
    pub fn present() -> Self {
        let files = SystemFiles::of_this_machine();
        let (info, topology) = (CpuInfo::read(&files).unwrap_or_default(), Topology::read(&files));
        Self { files, info, topology, allowed: allowed_cpus() }
    }

    /// The name of the machine's processor.
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
            "cores": known(topology.map(|topology| topology.cores.len())),
            "threads": known(topology.map(|topology| topology.cores.iter().flatten().count())),
            "usable_cores": known(self.usable_cores().map(|cores| cores.len())),
            "virtual": known(self.info.is_virtual),
        })
    }

    /// The clock ticks of these CPUs, or of all CPUs that this process may use if the list is empty.
    pub(crate) fn ticks(&self, cpus: &[usize]) -> Option<CpuTicks> {
        CpuTicks::read(&self.files, if cpus.is_empty() { self.allowed.as_deref()? } else { cpus })
    }
}
