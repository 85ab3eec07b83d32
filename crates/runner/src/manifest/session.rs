//! Sessions: which process did runs, with which code, on which machine, when. Each leaves a file beside its journal file, so that
//! processes that share a folder lose nothing of each other, and a killed one is known.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evogrid_core::identity::RESULTS_VERSION;
use evogrid_results::files::replace;
use evogrid_results::journal::SESSION_SUFFIX;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::build_id::build_id;
use crate::clock::utc_now;
use crate::document::read_regular;
use crate::repository::revision;
use crate::shard::Shard;

/// The largest file of a session that is read, in bytes.
const SESSION_SIZE_LIMIT: u64 = 1 << 20;

/// The same of all sessions of a journal together.
const SESSIONS_SIZE_LIMIT: u64 = 64 << 20;

/// A process that does runs.
pub struct Session {
    path: PathBuf,
    facts: Value,
}

impl Session {
    /// Begins the session of the process that writes this journal file.
    ///
    /// # Errors
    /// If its file cannot be written.
    pub fn begin(journal: &Path, experiment: &Path, jobs: usize, shard: Option<Shard>) -> Result<Self> {
        let facts = json!({
            "done": null,
            "evogrid": {
                "version": env!("CARGO_PKG_VERSION"),
                "results_version": RESULTS_VERSION,
                "build": build_id(),
            },
            "repository": revision(experiment.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
                .map(|revision| json!({ "revision": revision })),
            "toolchain": env!("EVOGRID_RUSTC"),
            "target": env!("EVOGRID_TARGET"),
            "host": host(),
            "processor": processor(),
            "cores": std::thread::available_parallelism().map_or(0, usize::from),
            "jobs": jobs,
            "shard": shard.map(|shard| shard.to_string()),
            "started": utc_now(),
            // Stays so if the process is killed.
            "ended": null,
        });
        let session = Self { path: journal.with_extension(SESSION_SUFFIX), facts };
        write_json(&session.path, &session.facts)?;
        Ok(session)
    }

    /// Ends it. A session that did nothing leaves nothing.
    ///
    /// # Errors
    /// If its file cannot be written.
    pub fn end(mut self, done: u64) -> Result<Value> {
        self.facts["done"] = done.into();
        self.facts["ended"] = utc_now().into();
        if done > 0 {
            write_json(&self.path, &self.facts)?;
        } else {
            std::fs::remove_file(&self.path)?;
        }
        Ok(self.facts)
    }
}

/// Writes a file of JSON, whole or not at all.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    replace(path, |output| -> Result<()> {
        serde_json::to_writer_pretty(&mut *output, value)?;
        Ok(writeln!(output)?)
    })
}

/// The sessions that left runs in a journal, in the order in which they began.
#[must_use]
pub fn sessions(journal: &Path) -> Vec<Value> {
    let entries = std::fs::read_dir(journal).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| is_session(path)).collect();
    paths.sort_unstable();
    let mut left = SESSIONS_SIZE_LIMIT;
    // One that cannot be read, or is beyond what all may have, is left out: no result depends on it.
    let read = |path: &PathBuf| {
        let text = read_regular(path, SESSION_SIZE_LIMIT).ok()?;
        left = left.checked_sub(text.len() as u64)?;
        serde_json::from_str(&text).ok()
    };
    paths.iter().filter_map(read).collect()
}

/// The text of a session's file, which is an object of JSON.
///
/// # Errors
/// If it cannot be read, is larger than any, or is something else.
pub(crate) fn read_session(path: &Path) -> Result<String> {
    let text = read_regular(path, SESSION_SIZE_LIMIT)?;
    let read: Result<Map<String, Value>, _> = serde_json::from_str(&text);
    read.with_context(|| format!("{} is no session of this program: remove it", path.display()))?;
    Ok(text)
}

/// Whether another build of the program left runs in a journal; one that names no build is another.
pub(crate) fn is_of_another_build(journal: &Path) -> bool {
    sessions(journal).iter().any(|session| session["evogrid"]["build"].as_str() != build_id())
}

/// Whether this is the file of a session.
#[must_use]
pub fn is_session(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&format!(".{SESSION_SUFFIX}")))
}

#[cfg(unix)]
fn host() -> Option<String> {
    Some(rustix::system::uname().nodename().to_string_lossy().into_owned())
}

#[cfg(not(unix))]
fn host() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

/// The name of the processor, where the system names it.
pub(crate) fn processor() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
