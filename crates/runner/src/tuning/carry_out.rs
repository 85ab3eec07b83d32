//! A tuning has three parts: a race, a test of the winner of the race, and a path of configurations. The path goes from the default
//! configuration to the winner. Each part of a tuning is an experiment with a separate results folder.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use anyhow::{Context, Result};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::journal::{Index, Writer};

use super::outputs;
use super::path::{self, PathStep};
use super::plans::{is_test, part_of, plan_of};
use super::race_runs::{OpenBlocks, RaceRuns, Tuner};
use crate::engine::abnormal_ends::AbnormalEnds;
use crate::engine::carry_out::{ExperimentOptions, attempt, report_damages, take_folder};
use crate::engine::execute::{Tally, execute_queue};
use crate::engine::experiment_error::ExperimentError;
use crate::engine::folder::manifest;
use crate::engine::folder::outputs::Folder;
use crate::engine::folder::session::Session;
use crate::engine::forecast::RunTimes;
use crate::engine::progress::Progress;
use crate::engine::queue::RunQueue;
use crate::engine::run_cost::{CostRule, default_metric};
use crate::engine::signals::{Interruption, Signal};
use crate::experiment::diagnostic::{Diagnostic, Diagnostics};
use crate::experiment::manifest_form::Experiment;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{AlgorithmSpec, Spec, TunePlan};
use crate::system::numbers::counted;

/// The factor of unsolved runs: if the metric is work, an unsolved run costs ten times its work.
const PENALTY: f64 = 10.0;

/// How a tuning ended.
pub enum TuningOutcome {
    /// Everything is done.
    Done(Box<Tuned>),
    /// The process is a shard. It has finished its part of the runs that the race needs before the next decision.
    Shard,
    /// The race is over, so there are no more runs for shards. The remaining runs test the winner, or belong to the path from the default
    /// configuration to the winner. To execute these runs, call the function without a shard.
    RaceOver,
    /// A signal arrived; the finished runs are in the journals.
    Interrupted(Signal, Tally),
}

/// A finished tuning.
pub struct Tuned {
    /// The race.
    pub tuner: Tuner,
    /// The number of the winning candidate; 0 if the default configuration won.
    pub winner: usize,
    /// The results folder of the test of the winner. There is no test (`None`) if there are no test instances, or if the default
    /// configuration won.
    pub test: Option<PathBuf>,
    /// The steps of the path from the default configuration to the winner. The list is empty if no path of configurations was requested.
    pub path: Vec<PathStep>,
}

/// Carries out the tuning that an experiment file describes, and writes the files of the tuning.
///
/// # Errors
/// The errors of [`carry_out`](crate::engine::carry_out::carry_out). Another error is returned if the metric has no value for a run.
pub fn tune(
    spec: &Spec,
    plan: &TunePlan,
    catalogue: &Arc<Catalogue>,
    options: &ExperimentOptions<'_>,
) -> Result<TuningOutcome> {
    let mut tally = Tally::default();
    Tuning { spec, plan, catalogue, options }.attempt(&mut tally).or_else(|error| match error.downcast_ref() {
        Some(&Interruption(signal)) => Ok(TuningOutcome::Interrupted(signal, tally)),
        None => Err(error),
    })
}

/// A tuning that is carried out.
struct Tuning<'t> {
    spec: &'t Spec,
    plan: &'t TunePlan,
    catalogue: &'t Arc<Catalogue>,
    options: &'t ExperimentOptions<'t>,
}

impl Tuning<'_> {
    fn attempt(&self, tally: &mut Tally) -> Result<TuningOutcome> {
        let folder = self.options.folder.path();
        let is_shard = self.options.execution.shard.is_some();
        let options = self.options.within(self.options.folder);
        let mut begin = self.tuners()?;
        if self.options.fresh {
            let mut tuner = begin()?;
            tuner.follow(&Index::default(), true)?;
            let plan = Arc::new(tuner.plan_until(tuner.course.next_blocks().end)?);
            take_folder(&plan, &self.experiment(&plan), self.options)?;
        }
        let mut follow = |was_tried| -> Result<_> {
            let mut tuner = begin()?;
            let index = options.folder.index(options.signals).map_err(ExperimentError::before_any_run)?;
            let open = tuner.follow(&index, was_tried)?;
            Ok((tuner, index, open))
        };
        let mut was_tried = false;
        let tuner = loop {
            let (tuner, index, open) = follow(was_tried)?;
            report_damages(&index, options.folder);
            match open {
                Some(_) if is_shard => {
                    attempt(&Arc::new(tuner.plan_until(tuner.course.next_blocks().end)?), &options, tally)?;
                    return Ok(TuningOutcome::Shard);
                }
                Some(open) => {
                    self.race(tuner, (index, open), tally)?;
                    was_tried = true;
                }
                None if is_shard => return Ok(TuningOutcome::RaceOver),
                None => {
                    self.expect_runs(&tuner)?;
                    let plan = Arc::new(tuner.plan_until(tuner.course.race.n_blocks())?);
                    attempt(&plan, &options, tally)?;
                    // Failed runs were tried again. If one of them has succeeded, the race may continue in another way.
                    was_tried = true;
                    let (again, _, open) = follow(true)?;
                    if open.is_none() && again.course.race == tuner.course.race {
                        break tuner;
                    }
                }
            }
        };
        let winner = tuner.winner();
        outputs::write_race(folder, &tuner)?;
        outputs::write_winner(folder, &tuner, winner)?;
        let mut tuned = Tuned { tuner, winner, test: None, path: Vec::new() };
        if winner != 0 && !self.spec.test_instances.is_empty() {
            let algorithms = [0, winner].map(|candidate| tuned.tuner.algorithm_of(candidate));
            let test = part_of(self.spec, |number| is_test(self.spec, number));
            let name = format!("{}-test", self.spec.name);
            let plan = plan_of(self.spec, (&name, self.spec.seed), test, algorithms.into(), self.catalogue)?;
            let path = folder.join("test");
            attempt(&Arc::new(plan), &options.within(&Folder::new(path.clone())), tally)?;
            tuned.test = Some(path);
        }
        if winner != 0 && self.plan.path > 0 {
            let like = (self.spec, self.catalogue);
            let runs = (winner, self.plan.path);
            tuned.path = path::walk(&tuned.tuner, runs, like, folder.join("path"), (&options, tally))?;
            outputs::write_path(folder, &tuned.tuner, &tuned.path)?;
        }
        Ok(TuningOutcome::Done(Box::new(tuned)))
    }

    /// Returns an error if the budget does not cover the first blocks of the race.
    fn expect_runs(&self, tuner: &Tuner) -> Result<()> {
        if tuner.course.n_runs > 0 {
            return Ok(());
        }
        let needed = counted(tuner.course.race.n_alive() as u64 * self.plan.blocks, "run");
        let message = format!(
            "a budget of {} is too small: the first part of the race needs {needed}",
            counted(self.plan.budget, "run")
        );
        let help = "raise `tune.budget`: before the first decision, each candidate does one run in each block";
        Err(Diagnostics::from(Diagnostic::general(message, help)).into())
    }

    /// Returns a function that makes tunings without known runs.
    fn tuners(&self) -> Result<impl FnMut() -> Result<Tuner>> {
        let (spec, plan, catalogue) = (self.spec, self.plan, self.catalogue);
        let algorithm = spec.algorithms.iter().find(|algorithm| algorithm.spec().name == plan.algorithm);
        let algorithm = algorithm.context("the experiment does not contain the algorithm to tune")?.spec();
        let default = AlgorithmSpec {
            name: format!("{}-default", plan.algorithm),
            base: algorithm.base.clone(),
            ..AlgorithmSpec::default()
        };
        let training = part_of(spec, |number| !is_test(spec, number));
        let name = format!("{}-tune", spec.name);
        let default = Arc::new(plan_of(spec, (&name, spec.seed), training, vec![default], catalogue)?);
        let metric = plan.metric.unwrap_or_else(|| default_metric(&default, false));
        let rule = CostRule { metric, penalty: PENALTY, cpu_limit: None };
        Ok(move || Tuner::new(&default, algorithm, rule, plan))
    }

    fn experiment(&self, plan: &Plan) -> Experiment {
        Experiment::new(plan, self.options.file, self.options.sets)
    }

    /// Executes the runs of a race until the race ends or a signal is received.
    fn race(&self, tuner: Tuner, (index, open): (Index, OpenBlocks), tally: &mut Tally) -> Result<()> {
        let options = self.options.within(self.options.folder);
        let so_far = Arc::new(tuner.plan_until(tuner.course.iteration_end())?);
        take_folder(&so_far, &self.experiment(&so_far), &options)?;
        outputs::remove(options.folder.path())?;
        let journal = Writer::create(&options.folder.journal()).map_err(ExperimentError::before_any_run)?;
        let jobs = (options.execution.jobs, None);
        let session = Session::begin(journal.path(), options.file, jobs, None, &so_far);
        let session = session.map_err(ExperimentError::before_any_run)?;
        let abnormal_ends = AbnormalEnds::begin(journal.path(), &index).map_err(ExperimentError::before_any_run)?;
        let left = self.plan.budget - tuner.course.n_runs;
        let threads = counted(options.execution.jobs as u64, "thread");
        options.inform(&format!("{}: the race does at most {} on {threads}", so_far.spec().name, counted(left, "run")));
        let mut progress = Progress::new(left, options.quiet);
        let (plan, times) = (Arc::clone(&tuner.plan), RunTimes::of_race(&tuner.plan, left));
        let (file, sets) = (options.file.to_owned(), options.sets.to_vec());
        let (path, overwrite) = (options.folder.path().to_owned(), options.overwrite);
        let announce = move |tuner: &Tuner| {
            let plan = tuner.plan_until(tuner.course.iteration_end())?;
            let experiment = Experiment::new(&plan, &file, &sets);
            // If another process has announced its experiment, that manifest stays. The tables are checked at the end.
            manifest::announce(&Folder::new(path.clone()), &plan, &experiment, overwrite).map(drop)
        };
        let (source, error) = RaceRuns::new(tuner, (index, open), Box::new(announce));
        let queue = RunQueue::new(source, Index::default(), times, false);
        let queued = (journal, abnormal_ends, false);
        let executed = execute_queue(&plan, queue, queued, &options.execution, options.signals, &mut progress);
        progress.finish();
        *tally = executed?;
        let ended = session.end(tally.done);
        ended.map_err(|error| ExperimentError::while_making_files(error, &options.folder.journal()))?;
        if let Some(error) = error.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        tally.interrupted.map_or(Ok(()), |signal| Err(Interruption(signal).into()))
    }
}
