//! The manifest: what was asked, by which code, on which machine, when, and whether all of it was done.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use evogrid_core::identity::RESULTS_VERSION;
use evogrid_results::files::replace;
use serde_json::{Value, json};

use crate::execute::Tally;
use crate::outputs::{Folder, Written};
use crate::plan::Plan;
use crate::spec::{AlgorithmSpec, Loaded, Seeding, Spec};

/// When and how an experiment was run.
pub struct Session<'a> {
    /// The experiment file.
    pub experiment: &'a Path,
    /// Whether earlier runs were set aside.
    pub fresh: bool,
    /// Threads.
    pub jobs: usize,
    /// Start, in UTC.
    pub started: &'a str,
    /// End, in UTC.
    pub ended: &'a str,
    /// What was done.
    pub tally: Tally,
}

/// Writes `manifest.json`.
///
/// # Errors
/// If it cannot be written.
pub fn write(folder: &Folder, plan: &Plan, written: &Written, session: &Session<'_>) -> Result<()> {
    let (spec, tally) = (plan.spec(), session.tally);
    let sessions = sessions(folder, session);
    let mut manifest = json!({
        "experiment": {
            "file": session.experiment.display().to_string(),
            "name": spec.name,
            "title": spec.title,
            "seed": spec.seed,
            "repetitions": spec.repetitions,
            "seeding": match spec.seeding { Seeding::Paired => "paired", Seeding::Independent => "independent" },
            "algorithms": spec.algorithms.iter().map(|algorithm| self::algorithm(plan, algorithm)).collect::<Vec<_>>(),
            "record": { "trace": spec.trace.map_or_else(|| json!("none"), |trigger| json!(trigger)) },
            "instances": spec.instances.iter().map(instance).collect::<Vec<_>>(),
        },
        "runs": {
            "planned": plan.n_runs(),
            "present": written.runs,
            "failed": written.failed,
            "done_this_time": tally.done,
            "found_this_time": tally.found,
        },
        "all_instances_used": written.instances == spec.instances.len(),
        "depends_on_speed": depends_on_speed(spec),
        "sessions": sessions,
    });
    // What made the runs, at the top: the last session that did any.
    if let (Some(manifest), Some(Value::Object(last))) = (manifest.as_object_mut(), sessions.last()) {
        manifest.extend(last.iter().filter(|(key, _)| *key != "done").map(|(key, value)| (key.clone(), value.clone())));
    }
    replace(&folder.path().join("manifest.json"), |output| -> Result<()> {
        serde_json::to_writer_pretty(&mut *output, &manifest)?;
        Ok(writeln!(output)?)
    })
}

/// All sessions that did runs, this one the last if it did any: a session that found all of them done changes nothing of what
/// made them.
fn sessions(folder: &Folder, session: &Session<'_>) -> Vec<Value> {
    let path = folder.path().join("manifest.json");
    // A manifest that cannot be read has nothing to keep: the journal is the truth.
    let earlier = std::fs::read(path).ok().filter(|_| !session.fresh);
    let earlier: Option<Value> = earlier.and_then(|text| serde_json::from_slice(&text).ok());
    let mut sessions = earlier.and_then(|manifest| manifest["sessions"].as_array().cloned()).unwrap_or_default();
    if session.tally.done > 0 || sessions.is_empty() {
        sessions.push(json!({
            "done": session.tally.done,
            "evogrid": { "version": env!("CARGO_PKG_VERSION"), "results_version": RESULTS_VERSION },
            "repository": repository(session.experiment),
            "toolchain": env!("EVOGRID_RUSTC"),
            "target": env!("EVOGRID_TARGET"),
            "host": host(),
            "processor": processor(),
            "cores": std::thread::available_parallelism().map_or(0, usize::from),
            "jobs": session.jobs,
            "started": session.started,
            "ended": session.ended,
        }));
    }
    sessions
}

/// An algorithm's settings at the first point of its grid, resolved, and what it varies.
fn algorithm(plan: &Plan, algorithm: &AlgorithmSpec) -> Value {
    let first = plan.first_cell(&algorithm.name);
    let axes = algorithm.axes.iter().map(|axis| {
        let points = axis.points.iter().map(|point| point.iter().map(ToString::to_string).collect::<Vec<_>>());
        json!({ "settings": axis.paths, "points": points.collect::<Vec<_>>() })
    });
    json!({
        "name": algorithm.name,
        "settings": first.map(|cell| cell.recorded),
        "varied": axes.collect::<Vec<_>>(),
        "excluded": algorithm.excluded.iter().map(|combination| {
            combination.iter().map(|(path, value)| format!("{path}={value}")).collect::<Vec<_>>()
        }).collect::<Vec<_>>(),
    })
}

/// An instance with its content, so that its runs can be repeated from the results folder alone.
fn instance(loaded: &Loaded) -> Value {
    json!({
        "id": loaded.id,
        "bucket": loaded.bucket,
        "problem": loaded.problem,
        "content": loaded.instance.content(),
    })
}

/// Whether a limit in seconds makes the results depend on the machine.
fn depends_on_speed(spec: &Spec) -> bool {
    spec.algorithms.iter().any(|algorithm| {
        algorithm.base.at("budget.seconds").is_some()
            || algorithm.axes.iter().flat_map(|axis| &axis.paths).any(|path| path == "budget.seconds")
    })
}

/// The git revision of the experiment's repository, and whether anything in it was changed.
fn repository(experiment: &Path) -> Value {
    let folder = experiment.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    match git(&["rev-parse", "HEAD"]) {
        Some(revision) => {
            let changes = git(&["status", "--porcelain", "--untracked-files=no"]);
            json!({ "revision": revision, "dirty": changes.map(|changes| !changes.is_empty()) })
        }
        None => Value::Null,
    }
}

#[cfg(unix)]
fn host() -> Option<String> {
    Some(rustix::system::uname().nodename().to_string_lossy().into_owned())
}

#[cfg(not(unix))]
fn host() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

/// The name of the processor, where the system tells it.
pub(crate) fn processor() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
