//! Sessions: a session describes one process that did runs. A session contains the version of the code, the machine and the times. Each
//! session writes a file beside its journal file. So several processes can share a folder, and no facts are lost. If a process is killed,
//! its session file remains.

mod liveness;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evogrid_core::identity::RESULTS_VERSION;
use evogrid_results::files::{FilePlace, list_folder, remove_if_there, replace, replace_unflushed};
use evogrid_results::journal::{JournalPart, SESSION_SUFFIX};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::engine::folder::origin::{build_id, revision};
use crate::engine::timing::{Timing, WarmUp};
use crate::experiment::diagnostic::in_one_line;
use crate::experiment::document::read_regular;
use crate::experiment::plan::Plan;
use crate::experiment::shard::Shard;
use crate::system::clock::utc_now;
use crate::system::machine::{CpuTicks, Machine, known, load_average, mean_mhz};
use crate::system::platform::host;

/// The compiler that built this program.
pub const COMPILER: &str = env!("EVOGRID_RUSTC");

/// The target triple for which this program was built.
pub const TARGET: &str = env!("EVOGRID_TARGET");

/// The maximum size of a session file, in bytes.
const SESSION_SIZE_LIMIT: u64 = 1 << 20;

/// The maximum number of bytes that are read from all session files of a journal together.
const SESSIONS_SIZE_LIMIT: u64 = 64 << 20;

/// The session of a process that does runs.
pub struct Session {
    path: PathBuf,
    facts: Value,
    machine: Machine,
    /// The CPUs of the session's runs, if the runs are timed.
    cpus: Vec<usize>,
    /// The clock ticks of the CPUs at the start.
    ticks: Option<CpuTicks>,
}

impl Session {
    /// Starts the session of the process that writes this journal file. The session file lists the number of simultaneous runs, the shard,
    /// the timing and the plan. A later comparison of session files shows how the sessions differ.
    ///
    /// # Errors
    /// If the session file cannot be written.
    pub fn begin(
        journal: &Path,
        experiment: &Path,
        (jobs, shard): (usize, Option<Shard>),
        timing: Option<(&Timing, &WarmUp)>,
        plan: &Plan,
    ) -> Result<Self> {
        let machine = Machine::present();
        let cpus = timing.map(|(timing, _)| timing.cpus.clone()).unwrap_or_default();
        let facts = json!({
            "done": null,
            "evogrid": {
                "version": env!("CARGO_PKG_VERSION"),
                "results_version": RESULTS_VERSION,
                "build": build_id(),
            },
            "repository": revision(experiment.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
                .map(|revision| json!({ "revision": revision })),
            "toolchain": COMPILER,
            "target": TARGET,
            "host": host(),
            "processor": machine.processor(),
            "cores": std::thread::available_parallelism().map_or(0, usize::from),
            "topology": machine.topology_facts(),
            "load_average": known(load_average(&machine.files)),
            "timing": timing.map(|(timing, warm_up)| timing.facts(warm_up, &machine)),
            "plan": {
                "analysis": plan.spec().analysis,
                "repetitions": plan.spec().repetitions,
                "runs": plan.n_runs(),
            },
            "process": liveness::identity(),
            "jobs": jobs,
            "shard": shard.map(|shard| shard.to_string()),
            "started": utc_now(),
            // If the process is killed, these values stay `null`.
            "ended": null,
            "at_end": null,
        });
        let (path, ticks) = (journal.with_extension(SESSION_SUFFIX), machine.ticks(&cpus));
        let session = Self { path, facts, machine, cpus, ticks };
        // The file describes this process, so it need not survive a crash of the machine. A flush would only delay the first run.
        replace_unflushed(FilePlace::in_subfolder(&session.path), |output| write_value(output, &session.facts))?;
        Ok(session)
    }

    /// Ends the session. If the session did no runs, its file is deleted.
    ///
    /// # Errors
    /// If the session file cannot be written.
    pub fn end(mut self, done: u64) -> Result<Value> {
        self.facts["done"] = done.into();
        self.facts["ended"] = utc_now().into();
        let ticks = self.machine.ticks(&self.cpus).zip(self.ticks);
        let stolen = ticks.and_then(|(now, begun)| now.stolen_share_since(begun));
        self.facts["at_end"] = json!({
            "load_average": known(load_average(&self.machine.files)),
            "stolen_share": known(stolen.map(|share| (share * 1e4).round() / 1e4)),
            "mhz": known(mean_mhz(&self.machine.files, &self.cpus)),
        });
        if done > 0 {
            write_json(FilePlace::in_subfolder(&self.path), &self.facts)?;
        } else {
            remove_if_there(FilePlace::in_subfolder(&self.path))?;
        }
        Ok(self.facts)
    }
}

/// Writes a JSON file completely or not at all.
pub(crate) fn write_json<'a>(place: impl Into<FilePlace<'a>>, value: &impl Serialize) -> Result<()> {
    replace(place, |output| write_value(output, value))
}

/// Writes a value as JSON, ended by a line break.
pub(super) fn write_value(output: &mut dyn Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer_pretty(&mut *output, value)?;
    Ok(writeln!(output)?)
}

/// Returns the paths of a journal's session files, in the order of their starts.
pub fn session_files(journal: &Path) -> Vec<PathBuf> {
    let mut paths = list_folder(journal).unwrap_or_default();
    paths.retain(|path| is_session(path));
    paths
}

/// The sessions that wrote runs to a journal, in the order of their starts.
pub fn sessions(journal: &Path) -> Vec<Value> {
    read_sessions(journal).map(|(_, session)| session).collect()
}

/// The sessions of a journal, each with its file.
fn read_sessions(journal: &Path) -> impl Iterator<Item = (PathBuf, Value)> {
    let mut left = SESSIONS_SIZE_LIMIT;
    // A session is left out if it cannot be read, or if the sessions together are too large. No result depends on it.
    let read = move |path: PathBuf| {
        let text = read_regular(FilePlace::in_subfolder(&path), SESSION_SIZE_LIMIT).ok()?;
        left = left.checked_sub(text.len() as u64)?;
        Some((path, serde_json::from_str(&text).ok()?))
    };
    session_files(journal).into_iter().filter_map(read)
}

/// Finds the other processes that seem to write to a journal. Returns a description and the session file of each process.
pub fn living(journal: &Path) -> Vec<(String, PathBuf)> {
    let words = |(path, session): (PathBuf, Value)| {
        let text = |value: &Value| in_one_line(value.as_str().unwrap_or("?"));
        let process = session["process"]["id"].as_u64().map_or_else(|| "?".to_owned(), |id| id.to_string());
        (format!("process {process} (on {}, since {})", text(&session["host"]), text(&session["started"])), path)
    };
    let is_living =
        |(path, session): &(PathBuf, Value)| session["process"] != liveness::identity() && is_alive(session, path);
    read_sessions(journal).filter(is_living).map(words).collect()
}

/// Whether the process that writes this journal file is still running.
pub fn is_living(journal_file: &Path) -> bool {
    let session = journal_file.with_extension(SESSION_SUFFIX);
    is_alive(&facts(&session), &session)
}

/// Reads the facts in a session file. The result is empty if the file cannot be read.
pub fn facts(session: &Path) -> Value {
    let text = read_regular(FilePlace::in_subfolder(session), SESSION_SIZE_LIMIT).ok();
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Whether the process of this session is still running.
pub fn is_alive(facts: &Value, session: &Path) -> bool {
    facts["ended"].is_null() && !is_copy(facts) && liveness::is_alive(&facts["process"], &journal_file(session))
}

/// The journal file that belongs to a session file.
pub fn journal_file(session: &Path) -> PathBuf {
    let name = session.file_name().unwrap_or_default().to_string_lossy();
    session.with_file_name(name.replace(&format!(".{SESSION_SUFFIX}"), ".jsonl"))
}

/// Reads the text of a session file. The text must be a JSON object.
///
/// # Errors
/// If the file cannot be read or is too large. If the file is not a JSON object.
pub fn read_session(path: &Path) -> Result<String> {
    let text = read_regular(FilePlace::in_subfolder(path), SESSION_SIZE_LIMIT)?;
    let read: Result<Map<String, Value>, _> = serde_json::from_str(&text);
    read.with_context(|| format!("{} is not a session file of this program: remove it", path.display()))?;
    Ok(text)
}

/// Copies lines from a journal of the results folder `from` to the journal folder `journal`. The function does not follow a link in the
/// last `depth` parts of the path `journal`. The function also copies the session file that belongs to the copied lines. The copied session
/// file contains the path of the folder from which the lines were copied.
///
/// # Errors
/// If a file cannot be read or written. Even after an error, all lines that were copied are complete.
pub fn copy_part(part: &JournalPart<'_>, from: &Path, journal: &Path, depth: usize) -> Result<()> {
    if part.is_of_session() {
        let mut facts: Value = serde_json::from_str(&read_session(&part.path().with_extension(SESSION_SUFFIX))?)?;
        let earlier = facts[REUSED].take();
        facts["done"] = part.n_lines().into();
        facts[REUSED] = json!({ "from": from.to_string_lossy(), "runs": part.n_lines(), "earlier": earlier });
        let copy = part.path_of_copy(journal).with_extension(SESSION_SUFFIX);
        write_json(FilePlace::below(&copy, depth + 1), &facts)?;
    }
    Ok(part.copy(journal, depth)?)
}

/// The key under which JSON files describe copied runs. In a session file, the value of this key is the folder from which lines were
/// copied. In a manifest, the value of this key gives the number of copied runs.
pub const REUSED: &str = "reused";

/// Whether a session file describes journal lines from another folder.
pub fn is_copy(session: &Value) -> bool {
    session[REUSED].is_object()
}

/// The runs that were copied from a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReusedRuns {
    /// The folder.
    pub from: String,
    /// The number of runs.
    pub runs: u64,
    /// The number of sessions in which the runs were done.
    pub sessions: u64,
}

/// The copied runs by folder. `files` gives the number of runs in each journal file.
pub(crate) fn reused_runs<'p>(files: impl Iterator<Item = (&'p Path, u64)>) -> Vec<ReusedRuns> {
    let mut by_folder: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (path, n_runs) in files.filter(|&(path, n_runs)| n_runs > 0 && JournalPart::is_copy(path)) {
        let facts = facts(&path.with_extension(SESSION_SUFFIX));
        if is_copy(&facts) {
            let (runs, sessions) =
                by_folder.entry(in_one_line(facts[REUSED]["from"].as_str().unwrap_or("?"))).or_default();
            (*runs, *sessions) = (*runs + n_runs, *sessions + 1);
        }
    }
    by_folder.into_iter().map(|(from, (runs, sessions))| ReusedRuns { from, runs, sessions }).collect()
}

/// Whether the process of a session ran on this machine.
pub(crate) fn is_of_this_machine(session: &Value) -> bool {
    let machine = Machine::present();
    let same = |key: &str, ours: Option<&str>| ours.is_some() && session[key].as_str() == ours;
    same("host", host().as_deref()) && same("processor", machine.processor())
}

/// Whether another build of the program wrote runs to a journal. A session without a build id counts as another build.
pub(crate) fn is_of_another_build(journal: &Path) -> bool {
    sessions(journal).iter().any(|session| session["evogrid"]["build"].as_str() != build_id())
}

/// Whether this is a session file.
pub fn is_session(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&format!(".{SESSION_SUFFIX}")))
}
