//! Protects existing tables of a results folder from replacement by new tables. Tables are protected if they belong to another experiment,
//! or to a larger plan of the same experiment.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use evogrid_results::files::{FilePlace, is_regular, list_folder, open_regular, replace};
use evogrid_results::runs::Reader;

use crate::engine::experiment_error::ExperimentError;
use crate::engine::folder::manifest::{self, Announcement, Manifest};
use crate::engine::folder::outputs::Folder;
use crate::experiment::diagnostic::{Diagnostic, Diagnostics};
use crate::experiment::manifest_form::Experiment;
use crate::experiment::plan::Plan;
use crate::system::numbers::counted;

/// The files that are written again.
const MANIFEST: &str = "manifest.json";
const TABLES: [&str; 4] = ["runs.csv", "summary.csv", "trace.csv.gz", "csv-metadata.json"];

const HELP: &str = "choose another folder with `--out`, or use `--overwrite` to replace the tables; copies of the old \
    tables are kept";

/// Writes the manifest of an experiment into a results folder. If the folder contains the manifest of an earlier experiment, the new
/// manifest replaces the earlier manifest. A results folder belongs to the experiment whose manifest it contains. First, the function
/// copies the existing tables if they contain runs outside the new plan. After it has copied tables, the function calls `inform`.
///
/// # Errors
/// If the folder belongs to another experiment and may not be overwritten. If the folder cannot be written.
pub fn displace(
    folder: &Folder,
    plan: &Arc<Plan>,
    experiment: &Experiment,
    overwrite: bool,
    inform: impl Fn(&str),
) -> Result<Announcement> {
    loop {
        if let Some(kept) = keep(folder, plan, experiment, overwrite)? {
            inform(&kept);
        }
        // Without an announcement, another process has announced an experiment in the meantime, so the folder is checked again.
        let announced = manifest::announce(folder, plan, experiment, overwrite);
        if let Some(announcement) = announced.map_err(ExperimentError::before_any_run)? {
            return Ok(announcement);
        }
    }
}

/// Copies the tables of a folder to a subfolder, if they have runs that are not in this plan. Returns a sentence about the copy.
///
/// # Errors
/// If the folder belongs to another experiment and may not be overwritten, or the copy cannot be made.
fn keep(folder: &Folder, plan: &Arc<Plan>, experiment: &Experiment, overwrite: bool) -> Result<Option<String>> {
    let refuse = |what: String| -> Result<Option<String>> {
        let message = format!("{} contains {what}", folder.path().display());
        Err(Diagnostics::from(Diagnostic::general(message, HELP)).into())
    };
    let keep_all = |files: &str| {
        let kept = copy_tables(folder).map_err(ExperimentError::before_any_run)?;
        Ok(Some(format!("{files} copied to {}", kept.display())))
    };
    // The files are checked in the reverse of the order in which a process makes them (manifest, journal, tables). So the files of a
    // process that starts in the meantime do not look like foreign files.
    let table = TABLES.iter().find(|file| folder.path().join(file).is_file());
    let has_journal = list_folder(&folder.journal()).is_ok_and(|files| !files.is_empty());
    let earlier = match Manifest::find(folder.path()) {
        Ok(Some(Manifest { experiment, .. })) => experiment,
        Err(unread) if !overwrite => return refuse(format!("a manifest that this program cannot use: {unread:#}")),
        Err(_) => return keep_all("the existing files were"),
        Ok(None) => {
            let Some(table) = table else { return Ok(None) };
            return match count_lost(folder, plan) {
                // Tables of this plan can be made again from the journal.
                Some((0, _)) if has_journal => Ok(None),
                _ if overwrite => keep_all("the existing files were"),
                _ if !has_journal => {
                    refuse(format!("a `{table}` without a manifest and a journal; this table was made elsewhere"))
                }
                Some((n_lost, n_rows)) if n_lost == n_rows => {
                    refuse(format!("a `{table}` of another experiment, whose manifest is missing"))
                }
                _ => keep_all("the tables of another plan, whose manifest is missing, were"),
            };
        }
    };
    if let Some(difference) = earlier.identity_difference(experiment).filter(|_| !overwrite) {
        return refuse(format!("another experiment: {difference}"));
    }
    if earlier.difference(experiment).is_none() {
        return Ok(None);
    }
    // A table that cannot be read belongs to this experiment and is damaged.
    let n_lost = count_lost(folder, plan).map_or(0, |(n_lost, _)| n_lost);
    if n_lost == 0 {
        return Ok(None);
    }
    let runs = counted(n_lost, "run");
    keep_all(&format!("the earlier tables, with {runs} that this plan does not contain, were"))
}

/// Counts the runs in the folder's `runs.csv`. Returns two numbers: the runs that are not in the plan, and all runs. Returns `None` if the
/// file cannot be read.
pub fn count_lost(folder: &Folder, plan: &Arc<Plan>) -> Option<(u64, u64)> {
    let path = folder.path().join("runs.csv");
    let reader = is_regular(&path).ok().and_then(|_| Reader::open(&path).ok())?;
    let mut ids: Vec<u64> = reader.map_while(Result::ok).map(|row| row.key.run_id.bits()).collect();
    ids.sort_unstable();
    let n_found = plan.runs().filter(|run| ids.binary_search(&run.id.bits()).is_ok()).count();
    Some((ids.len().saturating_sub(n_found) as u64, ids.len() as u64))
}

/// Copies the tables into a new folder.
fn copy_tables(folder: &Folder) -> Result<PathBuf> {
    for number in 1..1000 {
        let kept = folder.path().join(format!("earlier-{number}"));
        match fs::create_dir(&kept) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            made => made.with_context(|| format!("cannot create {}", kept.display()))?,
        }
        for name in [MANIFEST].into_iter().chain(TABLES) {
            let Ok(mut file) = open_regular(&folder.path().join(name)) else { continue };
            replace(FilePlace::in_subfolder(&kept.join(name)), |output| -> Result<()> {
                io::copy(&mut file, output).map(drop).with_context(|| format!("cannot copy {name}"))
            })?;
        }
        return Ok(kept);
    }
    bail!("{} contains a thousand copies of earlier tables: delete some copies", folder.path().display())
}
