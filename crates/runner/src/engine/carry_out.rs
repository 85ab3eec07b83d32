//! Carries out an experiment. The module first does the missing runs of the plan or of a shard. Then the module writes the files of the
//! experiment from the journal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use evogrid_results::journal::{Index, Writer};

use crate::engine::execute::{ExecutionOptions, Tally, execute};
use crate::engine::experiment_error::ExperimentError;
use crate::engine::folder::manifest::{self, Announcement};
use crate::engine::folder::outputs::{Folder, OutputReport};
use crate::engine::folder::predecessor;
use crate::engine::folder::reuse::Reuse;
use crate::engine::folder::session::{self, Session};
use crate::engine::progress::{Progress, line, wrapped_line};
use crate::engine::signals::{Interruption, Signal, Signals};
use crate::engine::timing::{Timing, WarmUp};
use crate::experiment::manifest_form::Experiment;
use crate::experiment::plan::Plan;
use crate::system::numbers::{counted, counted_are};

/// The options for carrying out an experiment.
pub struct ExperimentOptions<'a> {
    /// The path of the experiment file, which the manifest records.
    pub file: &'a Path,
    /// The settings from the command line that replace settings of the file. The manifest lists these options.
    pub sets: &'a [String],
    /// The folder for the results.
    pub folder: &'a Folder,
    /// How the runs are executed.
    pub execution: ExecutionOptions,
    /// Whether only warnings and errors are written to standard error.
    pub quiet: bool,
    /// Whether the journal of earlier runs is renamed first. If the journal is renamed, all runs are done again.
    pub fresh: bool,
    /// Whether the tables of another experiment in the folder may be replaced.
    pub overwrite: bool,
    /// Other results folders. If a run is finished in one of these folders, the run is not repeated.
    pub reuse: &'a [PathBuf],
    /// The signals that may stop the experiment.
    pub signals: &'a Signals,
}

/// How an experiment ended.
pub enum ExperimentOutcome {
    /// All runs are done, and the files are written from them.
    Done(Box<OutputReport>),
    /// All runs of the shard are finished. The command `merge`, which knows all shards, writes the files.
    Shard(Tally),
    /// A run failed, and `--fail-fast` was given.
    FailedFast(Tally),
    /// A signal arrived; the finished runs are in the journal.
    Interrupted(Signal, Tally),
}

/// Carries out an experiment.
///
/// # Errors
/// If the journal or a file cannot be read or written. The message of an [`ExperimentError`] tells which runs are in the journal.
pub fn carry_out(plan: &Arc<Plan>, options: &ExperimentOptions<'_>) -> Result<ExperimentOutcome> {
    let mut tally = Tally::default();
    attempt(plan, options, &mut tally).or_else(|error| match error.downcast_ref() {
        Some(&Interruption(signal)) => Ok(ExperimentOutcome::Interrupted(signal, tally)),
        None => Err(error),
    })
}

/// Does the same as [`carry_out`], but a signal causes the error [`Interruption`]. The counters are written to `tally`, also if there is an
/// error.
pub(crate) fn attempt(
    plan: &Arc<Plan>,
    options: &ExperimentOptions<'_>,
    tally: &mut Tally,
) -> Result<ExperimentOutcome> {
    *tally = Tally::default();
    let (folder, execution) = (options.folder, &options.execution);
    let experiment = Experiment::new(plan, options.file, options.sets);
    let reuse = Reuse::open(options.reuse, folder.path(), options.signals)?;
    let announcement = take_folder(plan, &experiment, options)?;
    let mut index = folder.index(options.signals).map_err(ExperimentError::before_any_run)?;
    report_damages(&index, folder);
    if !options.reuse.is_empty() {
        index = copy_runs(reuse, &index, plan, options).map_err(ExperimentError::before_any_run)?;
    }
    let n_runs = execution.shard.map_or(plan.n_runs(), |shard| shard.n_runs(plan.n_runs()));
    let shard = execution.shard.map(|shard| format!(", shard {shard}")).unwrap_or_default();
    let threads = counted(execution.jobs as u64, "thread");
    options.inform(&format!("{}{shard}: {} on {threads}", plan.spec().name, counted(n_runs, "run")));
    if !index.is_empty() && session::is_of_another_build(&folder.journal()) && !options.quiet {
        wrapped_line(
            "note: another build of this program did the earlier runs in this folder. If a search or an operator now \
             gives other results, raise its `version`, or repeat all runs with `--fresh`",
        );
    }

    let timing = execution.timing.as_ref().map(|timing| (timing, warm_up(timing, options)));
    let journal = Writer::create(&folder.journal()).map_err(ExperimentError::before_any_run)?;
    let timing = timing.as_ref().map(|(timing, warm_up)| (*timing, warm_up));
    let session = Session::begin(journal.path(), options.file, (execution.jobs, execution.shard), timing, plan);
    let session = session.map_err(ExperimentError::before_any_run)?;
    let mut progress = Progress::new(n_runs, options.quiet);
    let executed = execute(plan, index, journal, execution, options.signals, &mut progress);
    progress.finish();
    *tally = executed?;
    let while_making_files = |error| ExperimentError::while_making_files(error, &folder.journal());
    let session = session.end(tally.done).map_err(while_making_files)?;
    if let Some(signal) = tally.interrupted {
        return Err(Interruption(signal).into());
    }
    if execution.is_fail_fast && tally.failed > 0 {
        return Ok(ExperimentOutcome::FailedFast(tally.clone()));
    }

    // The journal is read again, since only its present content counts.
    let index = folder.index(options.signals).map_err(while_making_files)?;
    let check_present = |present| {
        let is_lost = present < n_runs;
        if is_lost { Err(ExperimentError::lost_runs(&folder.journal(), present, n_runs).into()) } else { Ok(()) }
    };
    let summary = format!("{} done, {} found in the journal", counted(tally.done, "run"), tally.found);
    if let Some(shard) = execution.shard {
        let runs = plan.blocks(Some(shard), u64::MAX).flatten();
        check_present(runs.filter(|run| index.knows(run.id)).count() as u64)?;
        options.inform(&summary);
        return Ok(ExperimentOutcome::Shard(tally.clone()));
    }
    let check = |present| check_present(present).and_then(|()| announcement.check(folder, &experiment));
    let written = folder.write_if(plan, &index, options.signals, &check).map_err(while_making_files)?;
    let made = manifest::complete(folder, plan, &experiment, &written, (tally, Some(session)));
    made.map_err(while_making_files)?;
    if written.untraced > 0 {
        let runs = counted(written.untraced, "earlier run");
        line(&format!(
            "warning: the trace of {runs} is missing, or was not recorded as this experiment requires; to repeat all \
             runs, use `--fresh`"
        ));
    }
    options.inform(&format!("{summary}; see {}", folder.path().join("runs.csv").display()));
    Ok(ExperimentOutcome::Done(Box::new(written)))
}

/// Copies the runs of the plan that other folders have and this folder lacks. Returns the new index of the journal.
fn copy_runs(mut reuse: Reuse, index: &Index, plan: &Arc<Plan>, options: &ExperimentOptions<'_>) -> Result<Index> {
    let (folder, signals) = (options.folder, options.signals);
    let runs = plan.blocks(options.execution.shard, u64::MAX).flatten();
    for run in runs.take(if reuse.is_empty() { 0 } else { usize::MAX }) {
        signals.check()?;
        if !index.contains(run.id) {
            reuse.offers(plan, &run)?;
        }
    }
    reuse.copy(&folder.journal(), signals)?;
    for (from, n_runs) in reuse.offered() {
        options.inform(&format!("{} reused from {}", counted(n_runs, "run"), from.display()));
    }
    reuse.notes().iter().for_each(|note| line(note));
    folder.index(signals)
}

/// Warms up the cores on which runs are timed, and reports the warm-up.
fn warm_up(timing: &Timing, options: &ExperimentOptions<'_>) -> WarmUp {
    options.inform(&timing.announcement());
    let warm_up = timing.warm_up();
    warm_up.warnings().iter().for_each(|warning| wrapped_line(warning));
    warm_up
}

/// Claims the folder for this experiment. Earlier contents are kept, including the runs of other experiments.
pub(crate) fn take_folder(
    plan: &Arc<Plan>,
    experiment: &Experiment,
    options: &ExperimentOptions<'_>,
) -> Result<Announcement> {
    let folder = options.folder;
    match session::living(&folder.journal()).first() {
        Some(other) if options.fresh => {
            let would = "`--fresh` would move the journal of that process to another folder";
            return Err(ExperimentError::journal_in_use(folder.path(), would, other).into());
        }
        Some((process, _)) if options.execution.shard.is_none() => {
            options.inform(&format!(
                "note: this folder is also in use by {process}; \
                 if both processes finish the same run, the run is counted once"
            ));
        }
        _ => {}
    }
    let announcement = predecessor::displace(folder, plan, experiment, options.overwrite, |kept| options.inform(kept))?;
    if options.fresh
        && let Some(aside) = folder.set_journal_aside()?
    {
        options.inform(&format!("the earlier runs were moved to {}", aside.display()));
    }
    Ok(announcement)
}

impl<'a> ExperimentOptions<'a> {
    /// The same options for another folder of the tuning. The journal of that folder is kept.
    pub(crate) fn within<'b>(&self, folder: &'b Folder) -> ExperimentOptions<'b>
    where
        'a: 'b,
    {
        ExperimentOptions { folder, fresh: false, execution: self.execution.clone(), ..*self }
    }

    pub(crate) fn inform(&self, text: &str) {
        if !self.quiet {
            line(text);
        }
    }
}

/// Reports damaged lines of the journal, each line once. The function copies the reported lines to a separate folder.
pub fn report_damages(index: &Index, folder: &Folder) {
    let mut n_known = 0;
    for damage in &index.damages {
        match folder.keep_aside(damage) {
            Ok(true) => line(&format!("warning: {damage}; the run of this line will be repeated")),
            Ok(false) => n_known += 1,
            Err(error) => {
                line(&format!(
                    "warning: {damage}; the run of this line will be repeated; the line could not be copied: \
                    {error:#}"
                ));
            }
        }
    }
    if index.n_damages > n_known {
        line(&format!("copies of the damaged lines are in {}", folder.damaged().display()));
    }
    let n_unreported = index.n_damages - index.damages.len();
    if n_unreported > 0 {
        line(&format!("warning: {} ignored, too", counted_are(n_unreported as u64, "further damaged line")));
    }
}
