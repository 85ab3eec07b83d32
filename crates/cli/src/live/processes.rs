//! The processes that do runs for the watched folders, and whether they are alive.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::messages::in_one_line;
use evogrid_runner::engine::folder::manifest::FileStamp;
use evogrid_runner::engine::folder::session;
use evogrid_runner::system::clock::seconds_of;

/// A process that does or did runs.
#[derive(Clone, Debug)]
pub(crate) struct ProcessState {
    /// The name of the process: `process 4711 on node7`.
    pub(crate) name: String,
    /// The shard of the process, if the process does a shard.
    pub(crate) shard: Option<String>,
    /// The number of simultaneous runs of the process.
    pub(crate) jobs: u64,
    /// The time at which the process started, and the time since then.
    pub(crate) started: String,
    pub(crate) age: Option<Duration>,
    pub(crate) life: Life,
    /// The time since the process last wrote its journal file or showed another sign of life.
    pub(crate) silence: Option<Duration>,
    /// The time since the last run of the process finished, if this time is known.
    pub(crate) idle: Duration,
    /// The number of finished and failed runs of the process, and the total wall time of these runs in milliseconds.
    pub(crate) n_runs: u64,
    pub(crate) wall_ms: f64,
    /// The journal file of the process.
    pub(crate) journal: PathBuf,
}

/// Whether a process is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Alive,
    /// The process ended normally: all its runs were done, or a signal arrived.
    Ended,
    /// The process was killed or aborted, or has not written its journal for some minutes.
    Dead,
}

/// The session files that were read before. A session file is read again only if it has changed.
#[derive(Debug, Default)]
pub(crate) struct Sessions(BTreeMap<PathBuf, (FileStamp, Value)>);

impl Sessions {
    /// The present state of the processes of a journal, in the order of their start.
    pub(crate) fn processes(&mut self, journal: &Path) -> Vec<ProcessState> {
        let now = SystemTime::now();
        let state = |path: PathBuf| {
            let stamp = fs::symlink_metadata(&path).ok().and_then(|found| Some((found.modified().ok()?, found.len())));
            let facts = match (self.0.remove(&path), stamp) {
                (Some((known, facts)), Some(stamp)) if known == stamp => facts,
                _ => session::facts(&path),
            };
            let state = process(&path, &facts, now);
            self.0.extend(stamp.map(|stamp| (path, (stamp, facts))));
            state
        };
        session::session_files(journal).into_iter().map(state).collect()
    }
}

/// The processes that ended abnormally since the last normal end, in the order of their start. Only the last process of each shard and the
/// last process without a shard are included, since a later process replaces an earlier process.
pub(crate) fn last_dead(processes: &[ProcessState]) -> Vec<&ProcessState> {
    let mut last: Vec<&ProcessState> = Vec::new();
    for process in processes.iter().rev().take_while(|process| process.life == Life::Dead) {
        if last.iter().all(|later| later.shard != process.shard) {
            last.push(process);
        }
    }
    last.reverse();
    last
}

fn process(path: &Path, facts: &Value, now: SystemTime) -> ProcessState {
    let text = |value: &Value| in_one_line(value.as_str().unwrap_or("?"));
    let life = match (facts["ended"].is_null() && !session::is_copy(facts), session::is_alive(facts, path)) {
        (false, _) => Life::Ended,
        (true, true) => Life::Alive,
        (true, false) => Life::Dead,
    };
    let journal = session::journal_file(path);
    let touched = fs::metadata(&journal).and_then(|metadata| metadata.modified());
    let began = facts["started"].as_str().and_then(seconds_of);
    let began = began.map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
    let id = facts["process"]["id"].as_u64().map_or_else(|| "?".to_owned(), |id| id.to_string());
    ProcessState {
        name: format!("process {id} on {}", text(&facts["host"])),
        shard: facts["shard"].as_str().map(in_one_line),
        jobs: facts["jobs"].as_u64().unwrap_or(1).max(1),
        started: text(&facts["started"]),
        age: began.and_then(|began| now.duration_since(began).ok()),
        life,
        silence: touched.ok().and_then(|touched| now.duration_since(touched).ok()),
        idle: Duration::ZERO,
        n_runs: 0,
        wall_ms: 0.0,
        journal,
    }
}
