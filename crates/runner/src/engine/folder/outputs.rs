//! Outputs: the files that are made from a plan and its journal. A file is written completely or not at all.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use evogrid_analysis::summary::{Builder, Summary, metadata};
use evogrid_results::files::{FilePlace, remove_if_there, replace};
use evogrid_results::journal::{Damage, Index, JournalError, JournalPart};
use evogrid_results::runs::Writer;
use evogrid_results::trace::{self, Trace};

use crate::engine::experiment_error::ExperimentError;
use crate::engine::finished_runs::describe_failure;
use crate::engine::folder::beaten::BeatenValues;
use crate::engine::folder::session::{ReusedRuns, reused_runs};
use crate::engine::signals::Signals;
use crate::experiment::plan::{Plan, Run};

/// The name of the summary table.
pub(super) const SUMMARY: &str = "summary.csv";

/// The name of the file with the types of the columns.
pub(super) const METADATA: &str = "csv-metadata.json";

/// A results folder.
pub struct Folder(PathBuf);

/// Facts about those runs of a plan that are in a journal.
pub struct OutputReport {
    /// The summary of the runs.
    pub summary: Summary,
    /// The number of runs in the journal.
    pub runs: u64,
    /// The number of failed runs in the journal.
    pub failed: u64,
    /// A message about the first failed run.
    pub first_failure: Option<String>,
    /// The number of instances with at least one run.
    pub instances: usize,
    /// The runs that found a better value than the best known value of their instance.
    pub beaten: BeatenValues,
    /// The number of runs that lack the trace requested by the experiment file.
    pub untraced: u64,
    /// The runs that were copied from other folders.
    pub reused: Vec<ReusedRuns>,
}

impl Folder {
    /// Creates an object for the results folder at this path. The folder need not exist yet.
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The folder of the journal.
    pub fn journal(&self) -> PathBuf {
        self.0.join("journal")
    }

    /// Reads the journal and returns the index of its records.
    ///
    /// # Errors
    /// If the journal cannot be read, or a signal was received ([`Interruption`](crate::engine::signals::Interruption)).
    pub fn index(&self, signals: &Signals) -> Result<Index> {
        match Index::read_unless(&self.journal(), &|| signals.received().is_some()) {
            Err(JournalError::Cancelled) => {
                Err(signals.check().expect_err("the journal is read to the end unless a signal is received").into())
            }
            index => Ok(index?),
        }
    }

    /// Copies a damaged line of the journal to a separate file, for repair. Returns false if the line was already copied.
    ///
    /// # Errors
    /// If the line cannot be read, or the copy cannot be written.
    pub(crate) fn keep_aside(&self, damage: &Damage) -> Result<bool> {
        let journal = damage.path.file_stem().unwrap_or_default().to_string_lossy();
        let aside = self.damaged().join(format!("{journal}-line-{}.txt", damage.line));
        if aside.exists() {
            return Ok(false);
        }
        let line = damage.read()?;
        replace(FilePlace::in_subfolder(&aside), |output| -> Result<()> { Ok(output.write_all(&line)?) })?;
        Ok(true)
    }

    /// The folder for damaged lines.
    pub fn damaged(&self) -> PathBuf {
        self.0.join("damaged")
    }

    /// Renames the journal so that an experiment can start again without losing finished runs. Returns the new path.
    ///
    /// # Errors
    /// If the journal cannot be renamed.
    pub(crate) fn set_journal_aside(&self) -> Result<Option<PathBuf>> {
        for number in 1..1000 {
            let aside = self.0.join(format!("journal.old-{number}"));
            if aside.exists() {
                continue;
            }
            match std::fs::rename(self.journal(), &aside) {
                Ok(()) => return Ok(Some(aside)),
                // The journal does not exist, or another process with `--fresh` has already moved it.
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty) => {}
                Err(error) => {
                    let moved = Err(error).with_context(|| format!("cannot move {}", self.journal().display()));
                    return moved.map_err(ExperimentError::before_any_run);
                }
            }
        }
        bail!("{} contains a thousand old journals: delete some of these journals", self.0.display())
    }

    /// Writes `runs.csv`, `summary.csv` and `csv-metadata.json` from those runs of the plan that the journal contains. If runs are traced,
    /// also writes `trace.csv.gz`. If runs are not traced, the function removes an earlier `trace.csv.gz`. The earlier `trace.csv.gz` may
    /// contain traces of other runs.
    ///
    /// # Errors
    /// If the journal cannot be read. If a file cannot be written. If a signal was received
    /// ([`Interruption`](crate::engine::signals::Interruption)).
    pub fn write_indexed(&self, plan: &Arc<Plan>, index: &Index, signals: &Signals) -> Result<OutputReport> {
        self.write_if(plan, index, signals, &|_| Ok(()))
    }

    /// Writes the files as [`write_indexed`](Self::write_indexed) does, if `check` permits it. Before each file receives its final name,
    /// `check` is called with the number of the plan's runs in the journal.
    ///
    /// # Errors
    /// The errors of [`write_indexed`](Self::write_indexed) and of `check`.
    pub(crate) fn write_if(
        &self,
        plan: &Arc<Plan>,
        index: &Index,
        signals: &Signals,
        check: &dyn Fn(u64) -> Result<()>,
    ) -> Result<OutputReport> {
        let traces = self.0.join("trace.csv.gz");
        let Some(trigger) = plan.spec().trace else {
            remove_if_there(&traces)?;
            return self.write_tables(plan, index, (signals, check), |_, _| Ok(true));
        };
        replace(&traces, |output| {
            let mut writer = trace::Writer::new(output, trigger)?;
            let written = self.write_tables(plan, index, (signals, check), |run, trace| {
                match trace.filter(|trace| trace.trigger == trigger) {
                    Some(trace) => writer.write(run.number, &trace.points).map(|()| true),
                    None => Ok(false),
                }
            })?;
            writer.finish()?;
            check(written.runs)?;
            Ok(written)
        })
    }

    /// Writes `runs.csv`, `summary.csv` and the types of their columns. Passes every successful run with its trace to `write_trace`,
    /// which returns whether the trace is the requested one.
    fn write_tables(
        &self,
        plan: &Arc<Plan>,
        index: &Index,
        (signals, check): (&Signals, &dyn Fn(u64) -> Result<()>),
        mut write_trace: impl FnMut(&Run, Option<Trace>) -> io::Result<bool>,
    ) -> Result<OutputReport> {
        if let Some(conflict) = index.conflict()? {
            return Err(ExperimentError::because_of(conflict).into());
        }
        let (mut summary, varied_types) = (Builder::new(plan.varied()), plan.varied_types());
        let fractions: Vec<bool> = varied_types.iter().map(|varied| varied.may_be_fraction).collect();
        let (mut runs, mut failed, mut first_failure, mut untraced) = (0, 0, None, 0);
        let mut beaten = BeatenValues::default();
        let mut is_used = vec![false; plan.spec().instances.len()];
        let has_copies = (0..index.n_files()).any(|file| JournalPart::is_copy(index.path(file)));
        let mut runs_of_file = vec![0; index.n_files()];
        replace(&self.0.join("runs.csv"), |output| -> Result<()> {
            let mut writer = Writer::new(output, plan.varied())?.with_fractions(&fractions);
            for run in plan.runs() {
                signals.check()?;
                let Some(found) = index.skim(run.id)? else { continue };
                beaten.add(plan, &run, &found.outcome);
                let row = plan.row(&run, found.outcome);
                writer.write(&row)?;
                summary.add(&row);
                runs += 1;
                is_used[run.instance] = true;
                if let Some(file) = index.file(run.id).filter(|_| has_copies) {
                    runs_of_file[file] += 1;
                }
                if found.outcome.has_failed() {
                    failed += 1;
                    let message = found.message.unwrap_or_default();
                    first_failure.get_or_insert_with(|| describe_failure(run.id, &row.key.instance, &message));
                } else if !write_trace(&run, found.trace)? && !plan.spec().has_default_trace {
                    untraced += 1;
                }
            }
            writer.finish()?;
            check(runs)
        })?;
        let summary = summary.finish();
        replace(&self.0.join(SUMMARY), |output| -> Result<()> {
            summary.write_csv(output, &fractions)?;
            check(runs)
        })?;
        let types: Vec<_> = varied_types.iter().map(|varied| (varied.path, varied.column)).collect();
        replace(&self.0.join(METADATA), |output| -> Result<()> { Ok(metadata::write(output, &types)?) })?;
        let instances = is_used.iter().filter(|&&used| used).count();
        let reused = reused_runs(runs_of_file.into_iter().enumerate().map(|(file, n_runs)| (index.path(file), n_runs)));
        Ok(OutputReport { summary, runs, failed, first_failure, instances, beaten, untraced, reused })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_processes_that_move_one_journal_aside_at_once_one_does_and_none_fails() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Folder::new(place.path().to_owned());
        for round in 1..=50 {
            std::fs::create_dir(folder.journal()).expect("a folder");
            std::fs::write(folder.journal().join("a.jsonl"), "{}\n").expect("a file");
            let moved = std::thread::scope(|scope| {
                let threads = [(); 4].map(|()| scope.spawn(|| folder.set_journal_aside().expect("no error")));
                threads.map(|thread| thread.join().expect("no panic")).into_iter().flatten().count()
            });
            assert_eq!(moved, 1);
            assert!(place.path().join(format!("journal.old-{round}/a.jsonl")).exists());
        }
    }
}
