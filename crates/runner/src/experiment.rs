//! An experiment carried out: what is left of its plan, or of a shard of it, is run, and its files are made from the journal.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use evogrid_results::journal::{Index, Writer};

use crate::execute::{ExecutionOptions, Tally, execute};
use crate::experiment_error::ExperimentError;
use crate::manifest::{self, Experiment, Session};
use crate::numbers::{counted, counted_are};
use crate::outputs::{Folder, Written};
use crate::plan::Plan;
use crate::progress::{Progress, line};
use crate::signals::{Interruption, Signal, Signals};

/// How an experiment is carried out.
pub struct ExperimentOptions<'a> {
    /// Its file, for the manifest.
    pub file: &'a Path,
    /// What is set over it, for the manifest.
    pub sets: &'a [String],
    /// Where its results go.
    pub folder: &'a Folder,
    /// How its runs are done.
    pub terms: ExecutionOptions,
    /// Whether nothing but warnings and errors is said.
    pub quiet: bool,
    /// Whether the journal of earlier runs is set aside first.
    pub fresh: bool,
    /// The wish to stop.
    pub signals: &'a Signals,
}

/// How it ended.
pub enum ExperimentOutcome {
    /// All runs are there, and the files are made of them.
    Done(Box<Written>),
    /// All runs of the shard are there. The files are left to a merge, which knows all shards.
    Shard(Tally),
    /// A run failed, and that was to end it.
    FailedFast(Tally),
    /// A signal came; what had finished is in the journal.
    Interrupted(Signal, Tally),
}

/// Carries an experiment out.
///
/// # Errors
/// If the journal or a file cannot be read or written; an [`ExperimentError`] says what is safe.
pub fn carry_out(plan: &Arc<Plan>, manner: &ExperimentOptions<'_>) -> Result<ExperimentOutcome> {
    let mut tally = Tally::default();
    match attempt(plan, manner, &mut tally) {
        Err(error) => match error.downcast_ref() {
            Some(&Interruption(signal)) => Ok(ExperimentOutcome::Interrupted(signal, tally)),
            None => Err(error),
        },
        ended => ended,
    }
}

fn attempt(plan: &Arc<Plan>, manner: &ExperimentOptions<'_>, tally: &mut Tally) -> Result<ExperimentOutcome> {
    let (folder, terms) = (manner.folder, manner.terms);
    if manner.fresh
        && let Some(aside) = folder.set_journal_aside()?
    {
        manner.say(&format!("the earlier runs are set aside in {}", aside.display()));
    }
    let index = folder.index(manner.signals).map_err(ExperimentError::before_any_run)?;
    tell_damages(&index, folder);
    let n_runs = terms.shard.map_or(plan.n_runs(), |shard| shard.n_runs(plan.n_runs()));
    let of_shard = terms.shard.map(|shard| format!(", shard {shard}")).unwrap_or_default();
    let threads = counted(terms.jobs as u64, "thread");
    manner.say(&format!("{}{of_shard}: {} on {threads}", plan.spec().name, counted(n_runs, "run")));

    let experiment = Experiment::new(plan, manner.file, manner.sets);
    let journal = Writer::create(&folder.journal()).map_err(ExperimentError::before_any_run)?;
    manifest::announce(folder, plan, &experiment).map_err(ExperimentError::before_any_run)?;
    let session = Session::begin(journal.path(), manner.file, terms.jobs, terms.shard);
    let session = session.map_err(ExperimentError::before_any_run)?;
    let mut progress = Progress::new(n_runs, manner.quiet);
    let executed = execute(plan, index, journal, terms, manner.signals, &mut progress);
    progress.finish();
    *tally = executed?;
    let session = session.end(tally.done).map_err(ExperimentError::while_making_files)?;
    if let Some(signal) = tally.interrupted {
        return Err(Interruption(signal).into());
    }
    if terms.is_fail_fast && tally.failed > 0 {
        return Ok(ExperimentOutcome::FailedFast(tally.clone()));
    }
    let told = format!("{} done, {} found in the journal", counted(tally.done, "run"), tally.found);
    if terms.shard.is_some() {
        manner.say(&told);
        return Ok(ExperimentOutcome::Shard(tally.clone()));
    }

    let written = folder.write(plan, manner.signals).map_err(ExperimentError::while_making_files)?;
    let made = manifest::complete(folder, plan, &experiment, &written, (tally, Some(session)));
    made.map_err(ExperimentError::while_making_files)?;
    if written.untraced > 0 {
        let runs = counted(written.untraced, "earlier run");
        line(&format!(
            "warning: no trace, or another one, was recorded of {runs}; `--fresh` does all runs again, with it"
        ));
    }
    manner.say(&format!("{told}; see {}", folder.path().join("runs.csv").display()));
    Ok(ExperimentOutcome::Done(Box::new(written)))
}

impl ExperimentOptions<'_> {
    fn say(&self, text: &str) {
        if !self.quiet {
            line(text);
        }
    }
}

/// Tells damaged lines of the journal, each once: what was told before is kept aside.
pub(crate) fn tell_damages(index: &Index, folder: &Folder) {
    let mut known = 0;
    for damage in index.damages() {
        match folder.keep_aside(damage) {
            Ok(true) => line(&format!("warning: {damage}; its run is to be done again")),
            Ok(false) => known += 1,
            Err(error) => {
                line(&format!("warning: {damage}; its run is to be done again; no copy of it can be kept: {error:#}"));
            }
        }
    }
    if index.n_damages() > known {
        line(&format!("the damaged lines are kept in {}", folder.damaged().display()));
    }
    let untold = index.n_damages() - index.damages().len();
    if untold > 0 {
        line(&format!("warning: {} more damaged, left out too", counted_are(untold as u64, "line")));
    }
}
