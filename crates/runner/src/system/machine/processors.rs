//! The processors of a machine, the clock rate of some CPUs, and their frequency governor.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::files::{SystemFiles, known};

/// The processors of a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CpuInfo {
    /// The name of the first processor, if it has one.
    pub(crate) model: Option<String>,
    /// Whether the machine is virtual; `None` if the processors do not report it.
    pub(crate) is_virtual: Option<bool>,
    /// The present clock rate of each CPU by its number, in MHz.
    mhz: BTreeMap<usize, f64>,
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

/// The settings that control the clock rate of these CPUs: governor, limits in MHz, and whether the rate may rise above the nominal rate
/// for a while.
pub(crate) fn governing(files: &SystemFiles, cpus: &[usize]) -> Value {
    let governors: BTreeSet<String> = cpus.iter().filter_map(|cpu| files.value(&file(*cpu, "governor"))).collect();
    let limits = |name: &str| cpus.iter().filter_map(|cpu| mhz_of(files, *cpu, name)).collect::<Vec<f64>>();
    let switch = |path: &str| files.value::<u8>(path);
    let turbo = switch("sys/devices/system/cpu/intel_pstate/no_turbo")
        .map(|no_turbo| no_turbo == 0)
        .or_else(|| switch("sys/devices/system/cpu/cpufreq/boost").map(|boost| boost == 1));
    json!({
        "governor": known((!governors.is_empty()).then(|| governors.into_iter().collect::<Vec<_>>().join(", "))),
        "min_mhz": known(limits("min_freq").into_iter().reduce(f64::min)),
        "max_mhz": known(limits("max_freq").into_iter().reduce(f64::max)),
        "turbo": known(turbo),
    })
}

/// The present mean clock rate of these CPUs in MHz; `None` if the rate of one of these CPUs is unknown.
pub(crate) fn mean_mhz(files: &SystemFiles, cpus: &[usize]) -> Option<f64> {
    let of_policies: Option<Vec<f64>> = cpus.iter().map(|cpu| mhz_of(files, *cpu, "cur_freq")).collect();
    let of_info = || {
        let info = CpuInfo::read(files)?;
        cpus.iter().map(|cpu| info.mhz.get(cpu).copied()).collect()
    };
    let rates: Vec<f64> = of_policies.or_else(of_info)?;
    (!rates.is_empty()).then(|| (rates.iter().sum::<f64>() / rates.len() as f64).round())
}

/// The clock rate of a CPU, from a file that contains the rate in kHz.
fn mhz_of(files: &SystemFiles, cpu: usize, name: &str) -> Option<f64> {
    files.value::<f64>(&file(cpu, name)).map(|khz| (khz / 1e3).round())
}

fn file(cpu: usize, name: &str) -> String {
    format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_{name}")
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn limits_are_those_in_force_and_what_is_not_told_is_unknown() {
        let folder = TempDir::new().expect("a temporary folder");
        let files = [
            (file(0, "governor"), "performance\n"),
            (file(2, "governor"), "powersave\n"),
            (file(0, "min_freq"), "800000\n"),
            (file(2, "min_freq"), "1200000\n"),
            (file(0, "max_freq"), "4700000\n"),
            (file(0, "cur_freq"), "4100400\n"),
            (file(2, "cur_freq"), "3900000\n"),
            ("sys/devices/system/cpu/intel_pstate/no_turbo".to_owned(), "0\n"),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let files = SystemFiles::made(&folder, &files);
        let said = governing(&files, &[0, 2]);
        assert_eq!(
            said,
            json!({ "governor": "performance, powersave", "min_mhz": 800.0, "max_mhz": 4700.0, "turbo": true })
        );
        assert_eq!(mean_mhz(&files, &[0, 2]), Some(4000.0));
        assert_eq!(mean_mhz(&files, &[0, 1]), None, "nothing is known of one");
        let said = governing(&files, &[7]);
        assert_eq!((&said["governor"], &said["min_mhz"]), (&json!("unknown"), &json!("unknown")));
    }

    #[test]
    fn where_nothing_governs_it_the_processors_say_their_rate() {
        let folder = TempDir::new().expect("a temporary folder");
        let info = "processor\t: 0\ncpu MHz\t\t: 2599.998\n\nprocessor\t: 1\ncpu MHz\t\t: 2600.998\n";
        let files =
            SystemFiles::made(&folder, &[("proc/cpuinfo", info), ("sys/devices/system/cpu/cpufreq/boost", "0\n")]);
        assert_eq!(mean_mhz(&files, &[0, 1]), Some(2600.0));
        assert_eq!(governing(&files, &[0])["turbo"], false);
    }

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
