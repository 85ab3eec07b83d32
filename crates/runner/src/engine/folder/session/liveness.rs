//! Finds out, without locks, whether a process that writes a journal is alive.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use evogrid_results::journal::HEARTBEAT_INTERVAL;
use serde_json::{Value, json};

/// The time without a write to its journal file after which a process counts as ended, if nothing else is known about the process.
const SILENCE: Duration = HEARTBEAT_INTERVAL.saturating_mul(5);

/// Facts that identify this process: its process id, its start time, the boot of its machine, and its namespace, if the system reports
/// them.
pub(super) fn identity() -> Value {
    let id = std::process::id();
    json!({ "id": id, "began": began(id), "boot": boot(), "namespace": namespace() })
}

/// Whether the process of a session is alive. For a process of the same boot of this machine, the answer follows from the process id. For
/// other processes, it follows from the time since the last write to the journal file.
pub(super) fn is_alive(process: &Value, journal: &Path) -> bool {
    let is_here = [("boot", boot()), ("namespace", namespace())]
        .into_iter()
        .all(|(key, ours)| ours.is_some() && process[key].as_str() == ours.as_deref());
    let id = process["id"].as_u64().and_then(|id| u32::try_from(id).ok());
    match id.filter(|_| is_here) {
        Some(id) => began(id).is_some_and(|began| process["began"].as_u64() == Some(began)),
        None => {
            let touched = fs::metadata(journal).and_then(|metadata| metadata.modified());
            // A time in the future means that the clock of the other machine is ahead.
            touched.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|silent| silent < SILENCE))
        }
    }
}

/// The start of a process, in clock ticks since the machine started; `None` if the process does not exist, or the system does not report
/// it. A process that has ended, but was not reaped yet, counts as missing.
fn began(id: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in brackets may contain any characters. The fields after the name begin with the state, which is the third field.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?;
    fields.nth(18)?.parse().ok().filter(|_| !matches!(state, "Z" | "X"))
}

fn boot() -> Option<String> {
    Some(fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned())
}

/// The namespace of process ids: a container has its own process ids.
fn namespace() -> Option<String> {
    Some(fs::read_link("/proc/self/ns/pid").ok()?.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Elsewhere the system does not tell when a process began.
    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_lives_and_others_are_told_from_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = folder.path().join("a.jsonl");
        let ours = identity();
        assert!(is_alive(&ours, &journal), "{ours}");
        let mut another = ours.clone();
        another["began"] = 1.into();
        assert!(!is_alive(&another, &journal), "its number was given to this one since");
        // Of another machine nothing is known but its journal file.
        let mut elsewhere = ours.clone();
        elsewhere["boot"] = "another".into();
        assert!(!is_alive(&elsewhere, &journal));
        let file = fs::File::create(&journal).expect("a file");
        for (age, expected) in [(0, true), (200, true), (400, false)] {
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("a time");
            assert_eq!(is_alive(&elsewhere, &journal), expected, "{age} s");
            assert_eq!(is_alive(&Value::Null, &journal), expected, "a session that says nothing, {age} s");
        }
    }
}
