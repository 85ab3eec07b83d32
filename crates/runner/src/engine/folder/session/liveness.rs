//! Whether a process that writes a journal is alive, as far as that can be known without locks.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use evogrid_results::journal::HEARTBEAT_INTERVAL;
use serde_json::{Value, json};

/// A process of which nothing else is known counts as ended if it has not written to its journal file for so long.
const SILENCE: Duration = HEARTBEAT_INTERVAL.saturating_mul(5);

/// Facts that identify this process among all processes: its machine, its start time and the boot of the machine, if the system reports
/// them.
pub(super) fn identity() -> Value {
    let id = std::process::id();
    json!({ "id": id, "began": began(id), "boot": boot(), "namespace": namespace() })
}

/// Whether the process of a session is alive. On the same machine and boot its process id decides, and otherwise the time since the last
/// write to its journal file.
pub(super) fn is_alive(process: &Value, journal: &Path) -> bool {
    let is_here = [("boot", boot()), ("namespace", namespace())]
        .into_iter()
        .all(|(key, ours)| ours.is_some() && process[key].as_str() == ours.as_deref());
    let id = process["id"].as_u64().and_then(|id| u32::try_from(id).ok());
    match id.filter(|_| is_here) {
        Some(id) => began(id).is_some_and(|began| process["began"].as_u64() == Some(began)),
        None => {
            let touched = fs::metadata(journal).and_then(|metadata| metadata.modified());
            // A time to come is of a clock that is ahead of ours.
            touched.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|silent| silent < SILENCE))
        }
    }
}

/// When a process began, in clock ticks since the machine started; `None` if it does not exist, or the system does not tell. A process that
/// has ended but was not reaped yet counts as not existing.
fn began(id: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in brackets may hold anything: what follows it counts from the state, the third field.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?;
    fields.nth(18)?.parse().ok().filter(|_| !matches!(state, "Z" | "X"))
}

fn boot() -> Option<String> {
    Some(fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned())
}

/// The process numbers that this process can see: a container has its own.
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
