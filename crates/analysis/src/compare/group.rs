//! Groups: the runs of a setting, in blocks by instance.

use std::collections::BTreeMap;

use crate::samples::{Key, Metric, Sample, Samples, SelectionError, Selector, n_failed};
use evogrid_core::budget::Stop;
use evogrid_results::columns::differences;
use evogrid_results::runs::RunOutcome;
use evogrid_statistics::quantile;

/// The runs of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name: `huke`, `population = 100`.
    pub name: String,
    /// What tells the settings apart, and its value here; empty where this setting does not have it.
    pub values: Vec<(String, String)>,
    /// Its runs by instance, as the roster counts them.
    pub blocks: BTreeMap<usize, InstanceRuns>,
    /// Its figure over all runs, as text, with its 95 % interval.
    pub figure: String,
    /// How many runs it has.
    pub runs: u64,
    /// How many of them failed.
    pub failed: u64,
    /// The number of the unit of its work, and the mean of the runs that ended without success and did not fail; none where there are
    /// none, or it is not known.
    pub unsolved_work: Option<(usize, f64)>,
}

/// The runs of a setting on an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceRuns {
    /// Each run, by what tells it from the others here: its repetition, and settings that are taken together.
    pub runs: BTreeMap<(u64, Vec<String>), GroupRun>,
}

/// A run of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupRun {
    /// The figure that is compared.
    pub figure: f64,
    /// Its seed.
    pub seed: u64,
    /// How it ended.
    pub outcome: RunOutcome,
}

/// How runs of two settings belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// By instance and repetition, which had the same seed: both met the same random stream.
    SameSeeds,
    /// By instance and repetition; their seeds differ, or are not known.
    Repetitions,
    /// By instance only: runs of a repetition are missing on one side, or stand there twice.
    Instances,
}

impl InstanceRuns {
    /// The costs alone: less is better.
    pub(super) fn costs(&self, metric: Metric) -> Vec<f64> {
        self.runs.values().map(|run| metric.cost(run.figure)).collect()
    }

    /// Whether these runs ended as those of another setting did, in all but time.
    pub(super) fn ended_as(&self, other: &Self) -> bool {
        self.runs
            .values()
            .zip(other.runs.values())
            .all(|(one, two)| differences(&one.outcome, &two.outcome).next().is_none())
    }

    /// One cost for the instance: of rates their mean, of others the median.
    pub(super) fn typical_cost(&self, metric: Metric) -> f64 {
        let mut costs = self.costs(metric);
        if metric == Metric::Solved {
            return costs.iter().sum::<f64>() / costs.len() as f64;
        }
        costs.sort_unstable_by(f64::total_cmp);
        quantile(&costs, 0.5).unwrap_or(f64::INFINITY)
    }
}

/// The groups that the keys tell apart; by the algorithm and all varied settings if there are none.
pub(super) fn groups(samples: &Samples, metric: Metric, by: &[String]) -> Result<Vec<Group>, SelectionError> {
    let roster = &samples.roster;
    let keys = if by.is_empty() { roster.configuration_keys().collect() } else { roster.keys(by)? };
    let rest: Vec<Key> = roster.configuration_keys().filter(|key| !keys.contains(key)).collect();
    let everything = roster.select(&Selector::default())?;
    let grouped = samples.grouped(&keys, &everything);
    // What all have in common need not be said.
    let differs = |at: usize| grouped.iter().any(|(values, _)| values[at] != grouped[0].0[at]);
    let named: Vec<usize> = (0..keys.len()).filter(|&at| differs(at)).collect();
    let named_keys: Vec<Key> = named.iter().map(|&at| keys[at]).collect();
    let group = |(values, runs): &(Vec<&str>, Vec<&Sample>)| {
        let named_values: Vec<&str> = named.iter().map(|&at| values[at]).collect();
        let conditions = Selector::with_values(roster, &named_keys, &named_values);
        let name = match conditions.0.is_empty() {
            true => values.first().copied().unwrap_or_default().to_owned(),
            false => conditions.label(),
        };
        let mut blocks: BTreeMap<usize, InstanceRuns> = BTreeMap::new();
        for &run in runs {
            let Some(figure) = metric.figure(samples, run) else { continue };
            let run_of_group = GroupRun { figure, seed: run.seed, outcome: run.outcome };
            let others = rest.iter().map(|&key| samples.value(key, run).to_owned()).collect();
            blocks.entry(run.instance).or_default().runs.insert((run.repetition, others), run_of_group);
        }
        let key_names = keys.iter().map(|&key| roster.name(key).to_owned());
        Group {
            name,
            values: key_names.zip(values.iter().map(|&value| value.to_owned())).collect(),
            blocks,
            figure: metric.group_figure(samples, runs),
            runs: runs.len() as u64,
            failed: n_failed(runs),
            unsolved_work: unsolved_work(samples, runs),
        }
    };
    Ok(grouped.iter().map(group).collect())
}

/// The mean work of the runs that ended without success and did not fail.
fn unsolved_work(samples: &Samples, runs: &[&Sample]) -> Option<(usize, f64)> {
    let is_unsolved = |run: &&&Sample| !run.outcome.solved && run.outcome.stop != Stop::Failed;
    let unsolved: Vec<&&Sample> = runs.iter().filter(is_unsolved).collect();
    let is_known =
        !samples.missing.contains(&"evaluations") && !unsolved.iter().any(|run| samples.is_work_unknown(run));
    let sum: f64 = unsolved.iter().map(|run| run.outcome.evaluations as f64).sum();
    let unit = unsolved.first()?.unit;
    (is_known && unsolved.iter().all(|run| run.unit == unit)).then(|| (unit, sum / unsolved.len() as f64))
}

/// How the runs of all groups can be matched.
pub(super) fn matching(samples: &Samples, groups: &[Group]) -> Matching {
    if samples.missing.contains(&"repetition") {
        return Matching::Instances;
    }
    let (first, others) = groups.split_first().expect("there are groups");
    let has_seeds = !samples.missing.contains(&"seed");
    let mut matching = if has_seeds { Matching::SameSeeds } else { Matching::Repetitions };
    for other in others {
        for (instance, block) in &first.blocks {
            let Some(others) = other.blocks.get(instance) else { continue };
            if !block.runs.keys().eq(others.runs.keys()) {
                return Matching::Instances;
            }
            if block.runs.values().zip(others.runs.values()).any(|(one, two)| one.seed != two.seed) {
                matching = Matching::Repetitions;
            }
        }
    }
    matching
}
