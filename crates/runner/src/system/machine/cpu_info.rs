//! The facts about each processor in `/proc/cpuinfo`.

use std::collections::BTreeMap;

use super::files::SystemFiles;

/// The processors of a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CpuInfo {
    /// The name of the first processor, if it has one.
    pub(crate) model: Option<String>,
    /// Whether the machine is virtual; `None` if the processors do not report it.
    pub(crate) is_virtual: Option<bool>,
    /// The present clock rate of each CPU by its number, in MHz.
    pub(super) mhz: BTreeMap<usize, f64>,
}

impl CpuInfo {
    /// Reads the processors of a machine; `None` if the file does not exist.
    pub(crate) fn read(files: &SystemFiles) -> Option<Self> {
        let text = files.text("proc/cpuinfo")?;
        let (mut info, mut cpu) = (Self::default(), 0);
        for (name, value) in text.lines().filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            match name.trim() {
                "processor" => cpu = value.parse().unwrap_or_default(),
                "model name" if info.model.is_none() => info.model = Some(value.to_owned()),
                "flags" if info.is_virtual.is_none() => {
                    info.is_virtual = Some(value.split_whitespace().any(|flag| flag == "hypervisor"));
                }
                "cpu MHz" => info.mhz.extend(value.parse().ok().map(|mhz| (cpu, mhz))),
                _ => {}
            }
        }
        Some(info)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn read(text: &str) -> CpuInfo {
        let folder = TempDir::new().expect("a temporary folder");
        CpuInfo::read(&SystemFiles::made(&folder, &[("proc/cpuinfo", text)])).expect("the file is there")
    }

    #[test]
    fn each_processor_has_its_rate() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC\ncpu MHz\t\t: 2599.998\nflags\t\t: fpu ht hypervisor\n\n\
                    processor\t: 3\nmodel name\t: another\ncpu MHz\t\t: 3100.5\n";
        let info = read(text);
        assert_eq!((info.model.as_deref(), info.is_virtual), (Some("AMD EPYC"), Some(true)));
        assert_eq!(info.mhz, BTreeMap::from([(0, 2599.998), (3, 3100.5)]));
        assert_eq!(read("flags : fpu hypervisors\n").is_virtual, Some(false));
    }

    #[test]
    fn a_processor_of_another_kind_tells_less() {
        assert_eq!(
            read("processor\t: 0\nBogoMIPS\t: 48.00\nFeatures\t: fp asimd\nCPU part\t: 0xd0c\n"),
            CpuInfo::default()
        );
        let folder = TempDir::new().expect("a temporary folder");
        assert_eq!(CpuInfo::read(&SystemFiles::made(&folder, &[])), None);
    }
}
