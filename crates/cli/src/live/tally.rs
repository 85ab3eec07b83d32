//! Tallies: counters of the runs in journals. The memory of the counters grows with the number of configurations and files, not with the
//! number of runs.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use evogrid_analysis::metric::PartTally;
use evogrid_core::family::{BestKnown, Direction};
use evogrid_core::identity::RunId;
use evogrid_results::journal::{FinishedRun, RunInFlight, TailVisitor};
use evogrid_results::names::NameTable;
use evogrid_results::{Record, gap};

use super::experiment::WatchedExperiment;
use crate::messages::{in_one_line, joined_lines};
use evogrid_runner::engine::forecast::RunTimes;
use evogrid_runner::engine::moments::Moments;

/// The ids of at most this many failed runs are kept. With the ids, a failed run that is tried again is counted only once.
const FAILURES_KNOWN: usize = 65_536;

/// The messages of at most this many failures are kept.
const FAILURES_TOLD: usize = 8;

/// At most this many instances are numbered in their order. Other instances get a number from the bytes of their names.
const INSTANCES_KNOWN: usize = 65_536;

/// The counters of one configuration's runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ConfigurationTally {
    /// The number of planned runs.
    pub planned: u64,
    /// The number of finished runs.
    pub done: u64,
    /// The number of runs that failed in every attempt.
    pub failed: u64,
    /// The number of runs for which it is known whether they were solved, and the number of solved runs.
    pub judged: u64,
    pub solved: u64,
    /// The gaps to the best known values in per cent, and the objectives.
    pub gaps: Moments,
    pub objectives: Moments,
    /// The costs of the runs for each part of the instances. If there is only one instance, the costs of the runs for each repetition.
    pub parts: PartTally,
    /// The number of runs without a solution: their gap and objective are infinite.
    pub without_solution: u64,
    /// The number of runs with an objective on an instance without a best known value.
    pub without_gap: u64,
    /// Whether another algorithm has the same configuration. In this case a record counts for both algorithms, since each of the two
    /// algorithms may have done the run.
    pub is_shared: bool,
}

/// A failed run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub run_id: RunId,
    /// The number of the folder that contains the file.
    pub folder: usize,
    pub instance: String,
    pub message: String,
    pub configuration: usize,
    pub starts_program: bool,
}

/// The counters of all runs.
#[derive(Debug, Default)]
pub(crate) struct Tallies {
    pub configurations: Vec<ConfigurationTally>,
    /// The wall times of the runs.
    pub times: RunTimes,
    /// The number of runs in each journal file and their wall times in ms, by folder and by the number of the file.
    pub files: Vec<Vec<(u64, f64)>>,
    /// The number of runs that are not in the plan.
    pub n_foreign: u64,
    pub n_damaged: u64,
    /// The failures whose message is known, in the order in which they were read.
    pub failures: Vec<Failure>,
    failed: HashSet<RunId>,
    /// The instances. Instances of the plan come first, in the order of the plan.
    instances: NameTable,
    /// For each kind of runs, the configurations to which these runs belong. The number of a kind is looked up by the configurations of the
    /// kind.
    kinds: Vec<Arc<[u32]>>,
    numbers: BTreeMap<Arc<[u32]>, usize>,
    /// The active runs. The flag of a run says whether the run has finished since the active runs were last read.
    pub in_flight: Vec<(RunInFlight, bool)>,
}

impl Tallies {
    /// The counters of an experiment without runs, for this number of folders.
    pub(crate) fn new(experiment: &WatchedExperiment, n_folders: usize) -> Self {
        let tally =
            |number| ConfigurationTally { planned: experiment.planned(number), ..ConfigurationTally::default() };
        let configurations = (0..experiment.configurations.names.len()).map(tally).collect();
        let mut instances = NameTable::default();
        for instance in experiment.plan.spec().instances.iter().take(INSTANCES_KNOWN) {
            instances.number(instance.id);
        }
        let times = RunTimes::new(&experiment.plan, experiment.n_instances(), 1.0);
        Self { configurations, times, files: vec![Vec::new(); n_folders], instances, ..Self::default() }
    }

    /// The number of runs.
    pub(crate) fn n_runs(&self) -> u64 {
        self.files.iter().flatten().map(|(n_runs, _)| n_runs).sum()
    }
}

/// Adds the runs in the journal of one folder.
pub(crate) struct TallyVisitor<'t> {
    pub(crate) tallies: &'t mut Tallies,
    pub(crate) experiment: &'t WatchedExperiment,
    /// The number of the folder.
    pub(crate) folder: usize,
}

impl TailVisitor for TallyVisitor<'_> {
    fn kind(&mut self, record: &Record) -> usize {
        let configurations = self.experiment.configurations.of_record(record, self.experiment.instances.as_ref());
        let Tallies { kinds, numbers, .. } = &mut *self.tallies;
        // There are hardly more kinds than configurations.
        *numbers.entry(configurations.into()).or_insert_with_key(|configurations| {
            kinds.push(Arc::clone(configurations));
            kinds.len() - 1
        })
    }

    fn run(&mut self, kind: usize, file: usize, run: &FinishedRun) {
        let Self { tallies, experiment, folder } = self;
        let files = &mut tallies.files[*folder];
        if files.len() <= file {
            files.resize(file + 1, (0, 0.0));
        }
        let (n_runs, wall_ms) = &mut files[file];
        (*n_runs, *wall_ms) = (*n_runs + 1, *wall_ms + run.outcome.wall_ms);
        for (_, is_finished) in tallies.in_flight.iter_mut().filter(|(noted, _)| noted.id == run.run_id) {
            *is_finished = true;
        }
        let configurations = Arc::clone(&tallies.kinds[kind]);
        if configurations.is_empty() || run.repetition >= experiment.plan.spec().repetitions {
            tallies.n_foreign += 1;
            return;
        }
        let has_failed = run.outcome.has_failed();
        let is_known = tallies.failed.contains(&run.run_id);
        let message = || joined_lines(run.message.as_deref().unwrap_or("no reason is recorded"));
        if has_failed {
            if is_known {
                // The run was tried again, so its latest message is kept.
                let told = tallies.failures.iter_mut().filter(|failure| failure.run_id == run.run_id);
                told.for_each(|failure| failure.message = message());
                return;
            }
            if tallies.failed.len() < FAILURES_KNOWN {
                tallies.failed.insert(run.run_id);
            }
        } else if is_known {
            tallies.failed.remove(&run.run_id);
            tallies.failures.retain(|failure| failure.run_id != run.run_id);
        }
        let number = if experiment.n_instances() == 1 {
            run.repetition as usize
        } else if tallies.instances.names().len() < INSTANCES_KNOWN {
            tallies.instances.number(&run.instance)
        } else {
            let of_bytes = || run.instance.bytes().map(usize::from).sum();
            tallies.instances.find(&run.instance).unwrap_or_else(of_bytes)
        };
        let best_known = experiment.instances.as_ref().and_then(|instances| instances.get(&run.instance)?.best_known);
        for configuration in configurations.iter().map(|&configuration| configuration as usize) {
            if has_failed && tallies.failures.len() < FAILURES_TOLD {
                tallies.failures.push(Failure {
                    run_id: run.run_id,
                    folder: *folder,
                    instance: in_one_line(&run.instance),
                    message: message(),
                    configuration,
                    starts_program: experiment.configurations.programs[configuration],
                });
            }
            let tally = &mut tallies.configurations[configuration];
            tally.is_shared |= configurations.len() > 1;
            if is_known {
                tally.forget_failure(run, number);
            }
            // For a single instance, `number` is the repetition.
            let instance = if experiment.n_instances() == 1 { 0 } else { number };
            tallies.times.count((configuration as u64, instance));
            tallies.times.add((configuration as u64, instance), run.outcome.wall_ms / 1e3);
            tally.add(run, (best_known, experiment.direction.unwrap_or_default()), number);
        }
    }
}

impl ConfigurationTally {
    fn add(&mut self, run: &FinishedRun, (best_known, direction): (Option<BestKnown>, Direction), number: usize) {
        let outcome = &run.outcome;
        let gap = outcome
            .objective
            .zip(best_known)
            .and_then(|(objective, best_known)| gap(objective, best_known.value, best_known.direction));
        self.parts.add(number, outcome, gap, direction);
        let has_failed = outcome.has_failed();
        self.done += u64::from(!has_failed);
        self.failed += u64::from(has_failed);
        self.judged += u64::from(outcome.solved.is_some());
        self.solved += u64::from(outcome.is_solved());
        match outcome.objective {
            Some(objective) => {
                self.objectives.add(objective);
                match gap {
                    Some(gap) => self.gaps.add(gap),
                    None => self.without_gap += 1,
                }
            }
            None => self.without_solution += u64::from(outcome.best_fitness.is_none()),
        }
    }

    /// Removes the contribution of a failure after the run was tried again. The failed run had no solution, and may have counted as unsolved.
    fn forget_failure(&mut self, run: &FinishedRun, number: usize) {
        self.parts.forget_failure(number, &run.outcome);
        self.failed = self.failed.saturating_sub(1);
        self.judged = self.judged.saturating_sub(u64::from(run.outcome.solved.is_some()));
        self.without_solution = self.without_solution.saturating_sub(1);
    }

    /// The number of finished or failed runs, at most the planned number.
    pub(crate) fn present(&self) -> u64 {
        (self.done + self.failed).min(self.planned)
    }
}
