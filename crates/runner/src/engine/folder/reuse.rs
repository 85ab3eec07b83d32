//! Reuse: looks in other folders for finished runs of a plan.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use evogrid_results::files::list_folder;
use evogrid_results::journal::{Index, SESSION_SUFFIX};

use crate::engine::folder::outputs::Folder;
use crate::engine::folder::session::{copy_part, facts, is_of_this_machine};
use crate::engine::signals::Signals;
use crate::experiment::diagnostic::{Diagnostic, Diagnostics};
use crate::experiment::plan::{Plan, Run, has_time_limit};
use crate::system::numbers::counted;

/// The folders whose finished runs may be reused.
#[derive(Debug, Default)]
pub struct Reuse(Vec<Source>);

/// A folder with finished runs.
#[derive(Debug)]
struct Source {
    folder: PathBuf,
    index: Index,
    /// For each run of the index, in the order of the index, whether the run can be reused; `None` if the run was not requested yet.
    verdicts: Vec<Option<Verdict>>,
    /// For each file of the index, whether this machine did the runs in the file; `None` while this is unknown.
    is_of_this_machine: Vec<Option<bool>>,
}

/// Whether a finished run can be reused. The error describes the runs that cannot be reused. In a message, the description follows the
/// number of these runs.
type Verdict = Result<(), &'static str>;

/// Runs without a session. The code that did these runs is unknown, and their lines need no checksums.
const WITHOUT_SESSION: &str = "that are in a journal file without a session file";

/// Runs of another machine: a time limit makes their outcomes depend on the machine.
const OF_OTHER_MACHINE: &str = "of another machine; because of a time limit, the outcomes of these runs depend on the \
    machine";

/// Runs without the requested trace: the plan records a trace, and the runs have no trace or another kind of trace.
const WITHOUT_TRACE: &str = "that do not have the trace that this experiment records";

impl Reuse {
    /// Reads the journals of `folders`. `own` is the results folder of the experiment that will reuse runs from these journals.
    ///
    /// # Errors
    /// If one of the folders has no journal or is `own`. If a journal cannot be read. If a signal was received.
    pub fn open(folders: &[PathBuf], own: &Path, signals: &Signals) -> Result<Self> {
        let open = |path: &PathBuf| {
            let refuse = |what: &str, help: &str| {
                Diagnostics::from(Diagnostic::general(format!("cannot reuse runs of {}: {what}", path.display()), help))
            };
            let folder = Folder::new(path.clone());
            if fs::symlink_metadata(folder.journal()).is_err() {
                return Err(refuse("the folder has no journal", "expected a results folder").into());
            }
            if fs::canonicalize(path).ok().is_some_and(|path| fs::canonicalize(own).is_ok_and(|own| own == path)) {
                return Err(refuse(
                    "this folder is the results folder of the experiment itself",
                    "finished runs in the experiment's folder always count; `--reuse` is only for other folders",
                )
                .into());
            }
            list_folder(&folder.journal())?;
            let index = folder.index(signals)?;
            let verdicts = vec![None; index.n_known()];
            Ok(Source { folder: path.clone(), verdicts, is_of_this_machine: vec![None; index.n_files()], index })
        };
        Ok(Self(folders.iter().map(open).collect::<Result<_>>()?))
    }

    /// Whether there are no finished runs in the folders.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|source| source.index.is_empty())
    }

    /// Whether one of the folders has this run in a reusable form. `copy` copies the run from the first folder that contains the run.
    ///
    /// # Errors
    /// If a journal cannot be read.
    pub fn offers(&mut self, plan: &Plan, run: &Run) -> Result<bool> {
        let mut offers = self.0.iter_mut().map(|source| source.offers(plan, run));
        offers.find(|offer| !matches!(offer, Ok(false))).unwrap_or(Ok(false))
    }

    /// Copies the runs that were [offered](Self::offers) to a journal, with their sessions.
    ///
    /// # Errors
    /// If a file cannot be read or written, or a signal was received. All copied runs are complete.
    pub(crate) fn copy(&self, journal: &Path, signals: &Signals) -> Result<()> {
        for source in &self.0 {
            let is_offered =
                |run| source.index.number(run).is_some_and(|number| source.verdicts[number] == Some(Ok(())));
            for part in source.index.parts(false, is_offered) {
                signals.check()?;
                copy_part(&part, &source.folder, journal, 1)?;
            }
        }
        Ok(())
    }

    /// For each folder, the number of runs that the folder [offered](Self::offers).
    pub fn offered(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.0.iter().map(|source| (source.folder.as_path(), source.count(Ok(())))).filter(|&(_, n)| n > 0)
    }

    /// Returns notes that say how many runs cannot be reused, and why.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for source in &self.0 {
            let folder = source.folder.display();
            for reason in [WITHOUT_SESSION, OF_OTHER_MACHINE, WITHOUT_TRACE] {
                let n_runs = source.count(Err(reason));
                if n_runs > 0 {
                    let runs = counted(n_runs, "run");
                    notes.push(format!("note: these runs of {folder} are not reused: {runs} {reason}"));
                }
            }
            let n_damages = source.index.n_damages as u64;
            if n_damages > 0 {
                notes.push(format!("warning: ignored in {folder}: {}", counted(n_damages, "damaged journal line")));
            }
        }
        notes
    }
}

impl Source {
    fn offers(&mut self, plan: &Plan, run: &Run) -> Result<bool> {
        let Some(number) = self.index.number(run.id).filter(|_| self.index.contains(run.id)) else { return Ok(false) };
        let verdict = match self.verdicts[number] {
            Some(verdict) => verdict,
            None => self.judge(plan, run)?,
        };
        self.verdicts[number] = Some(verdict);
        Ok(verdict.is_ok())
    }

    fn judge(&mut self, plan: &Plan, run: &Run) -> Result<Verdict> {
        if !self.index.is_of_session(run.id) {
            return Ok(Err(WITHOUT_SESSION));
        }
        if has_time_limit(&run.projection().settings)
            && let Some(file) = self.index.file(run.id)
        {
            let session = self.index.path(file).with_extension(SESSION_SUFFIX);
            if !*self.is_of_this_machine[file].get_or_insert_with(|| is_of_this_machine(&facts(&session))) {
                return Ok(Err(OF_OTHER_MACHINE));
            }
        }
        let trace = || Ok::<_, anyhow::Error>(self.index.skim(run.id)?.and_then(|found| found.trace));
        Ok(match plan.spec().trace {
            Some(trigger) if trace()?.is_none_or(|trace| trace.trigger != trigger) => Err(WITHOUT_TRACE),
            _ => Ok(()),
        })
    }

    fn count(&self, verdict: Verdict) -> u64 {
        self.verdicts.iter().filter(|&&other| other == Some(verdict)).count() as u64
    }
}
