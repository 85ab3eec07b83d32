//! Checks of the rows of `runs.csv`. The rows are read in the same way as in every command.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use evogrid_results::journal::Index;
use evogrid_results::runs::{Reader, Row};

use super::findings::Findings;
use crate::messages::counted;
use evogrid_runner::experiment::instance_list::InstancesById;
use evogrid_runner::experiment::plan::Plan;

/// Selects the records from which the rows were made. Another process may have added records of the same runs later, and the later records
/// differ in their times. Returns the reason if the rows cannot be read.
///
/// # Errors
/// If the journal cannot be read.
pub(super) fn prefer_recorded(runs: &Path, index: &mut Index, found: &mut Findings) -> Result<Option<String>> {
    let mut n_later = 0;
    let read = each(runs, |row| {
        n_later += u64::from(index.prefer(row.key.run_id, &row.outcome)?);
        Ok(())
    })?;
    if n_later > 0 {
        let rows = counted(n_later, "row");
        found.notes.add(format!(
            "for {rows} of runs.csv, the journal has two records of the same run; another process added one of the two records after runs.csv was written"
        ));
    }
    Ok(read)
}

/// Compares the rows with the journal, for experiments that this program knows only in part. The rows of such experiments cannot be written
/// again. Reports runs of unknown instances and algorithms as not repeatable.
///
/// # Errors
/// If the journal cannot be read.
pub(super) fn compare(runs: &Path, (plan, why): (&Plan, &str), index: &Index, found: &mut Findings) -> Result<()> {
    let (mut n_rows, instances) = (0, InstancesById::new(Arc::clone(&plan.spec().instances)));
    let read = each(runs, |row| {
        n_rows += 1;
        let key = &row.key;
        let of = format!("{} on {}", key.run_id, key.instance);
        match index.skim(key.run_id)? {
            None => found.faults.add(format!("runs.csv: the journal has no record of {of}")),
            Some(record) if record.outcome != row.outcome => {
                found.faults.add(format!("runs.csv: the row of {of} differs from its record in the journal"));
            }
            Some(_) => {}
        }
        let mut algorithms = plan.spec().algorithms.iter();
        let is_known = instances.get(&key.instance).is_some()
            && algorithms.any(|algorithm| algorithm.spec().name == key.algorithm);
        if !is_known {
            found.unrepeatable(1, (key.run_id, &key.instance), why);
        }
        Ok(())
    })?;
    if let Some(unreadable) = read {
        found.faults.add(unreadable);
    } else if n_rows < index.n_known() {
        found.notes.add(format!(
            "runs.csv has no row for {} of the journal",
            counted((index.n_known() - n_rows) as u64, "run")
        ));
    }
    found.is_partly_unknown = true;
    Ok(())
}

/// Calls `with` for each row. Returns the reason if the next row cannot be read.
fn each(runs: &Path, mut with: impl FnMut(&Row) -> Result<()>) -> Result<Option<String>> {
    let (mut reader, mut row) = (Reader::open(runs)?, Row::default());
    loop {
        match reader.read_over(&mut row) {
            Ok(true) => with(&row)?,
            Ok(false) => return Ok(None),
            Err(error) => return Ok(Some(error.to_string())),
        }
    }
}
