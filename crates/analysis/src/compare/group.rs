//! Groups: the runs of a configuration, in blocks by instance.

use std::cmp::Ordering;

use super::error::CompareError;
use crate::metric::Metric;
use crate::samples::{Key, Sample, Samples, SelectionError, Selector, n_failed};
use evogrid_core::suggestion::one_of;
use evogrid_results::columns::differences;
use evogrid_statistics::quantile;

/// The runs of a setting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Its name: `huke`, `population = 100`.
    pub name: String,
    /// The keys that tell configurations apart, with their values here; a value is empty if this configuration does not have the setting.
    pub values: Vec<(String, String)>,
    /// Its runs by instance, as the roster counts them.
    pub blocks: InstanceBlocks,
    /// Its figure over all runs, as text, with its 95 % interval.
    pub figure: String,
    /// For wall time, the same figure of processor time, if runs have it.
    pub cpu_figure: Option<String>,
    /// How many runs it has.
    pub runs: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How many of them have no figure.
    pub silent: u64,
    /// The number of its unit of work, and the mean work of the unsolved runs that did not fail; `None` if there are no such runs, or if
    /// their work is not known.
    pub unsolved_work: Option<(usize, f64)>,
    /// The medians of the processor time and of the wall time of these runs, in ms; `None` if it is not known of all.
    pub unsolved_ms: [Option<f64>; 2],
}

/// The runs of a configuration on each instance, consecutively in one list: 16 bytes for each run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceBlocks {
    /// The instances, in the order of their places in the roster.
    instances: Vec<u32>,
    /// Where the runs of each end.
    ends: Vec<u32>,
    runs: Vec<GroupRun>,
}

/// The runs of a configuration on an instance, ordered by their repetition, then by the settings that are grouped together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstanceRuns<'g>(pub &'g [GroupRun]);

/// A run of a configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupRun {
    /// Its cost: less is better.
    pub cost: f64,
    /// The run, by its place in [`Samples::runs`].
    pub run: u32,
}

/// In place of a unit of work: wall time, where a file has no other.
pub(super) const WALL_MS: usize = usize::MAX;

/// How runs of two configurations belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// By instance and repetition with the same seed: both had the same random stream.
    SameSeeds,
    /// By instance and repetition; the seeds differ, or are not known.
    Repetitions,
    /// By instance only: runs of a repetition are missing on one side, or appear twice.
    Instances,
}

impl InstanceBlocks {
    /// Runs, each with its instance, in the order in which they are to be.
    pub(crate) fn new(runs: impl IntoIterator<Item = (usize, GroupRun)>) -> Self {
        let mut blocks = Self::default();
        for (instance, run) in runs {
            if blocks.instances.last() != Some(&(instance as u32)) {
                blocks.instances.push(instance as u32);
                blocks.ends.push(0);
            }
            blocks.runs.push(run);
            *blocks.ends.last_mut().expect("there is an instance") = blocks.runs.len() as u32;
        }
        blocks
    }

    /// The instances on which there are runs, in order.
    pub fn instances(&self) -> impl Iterator<Item = usize> {
        self.instances.iter().map(|&instance| instance as usize)
    }

    /// The runs on an instance; none if there are none.
    pub fn get(&self, instance: usize) -> Option<InstanceRuns<'_>> {
        let at = self.instances.binary_search(&u32::try_from(instance).ok()?).ok()?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(InstanceRuns(&self.runs[start as usize..self.ends[at] as usize]))
    }

    /// The fewest and the most runs on an instance.
    pub(super) fn fewest_and_most(&self) -> [usize; 2] {
        let sizes = || self.instances().filter_map(|at| self.get(at)).map(|runs| runs.0.len());
        [sizes().min(), sizes().max()].map(Option::unwrap_or_default)
    }

    /// How many runs have no figure but infinity.
    pub(super) fn n_infinite(&self) -> u64 {
        self.runs.iter().filter(|run| run.cost.is_infinite()).count() as u64
    }

    /// Whether it is without runs.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

impl InstanceRuns<'_> {
    /// The costs alone.
    pub(super) fn costs(self) -> Vec<f64> {
        self.0.iter().map(|run| run.cost).collect()
    }

    /// Whether these runs ended as those of another configuration did, in all but time.
    pub(super) fn ended_as(self, other: Self, samples: &Samples) -> bool {
        let outcome = |run: &GroupRun| &samples.runs[run.run as usize].outcome;
        self.0.iter().zip(other.0).all(|(one, two)| differences(outcome(one), outcome(two)).next().is_none())
    }

    /// One cost for the instance: of rates their mean, of others the median.
    pub(super) fn typical_cost(self, metric: Metric) -> f64 {
        let mut costs = self.costs();
        if metric == Metric::Solved {
            return costs.iter().sum::<f64>() / costs.len() as f64;
        }
        costs.sort_unstable_by(f64::total_cmp);
        quantile(&costs, 0.5).unwrap_or(f64::INFINITY)
    }
}

/// What tells a run from the others of its setting on its instance: its repetition, and settings that are taken together.
pub(super) struct RunOrder<'s> {
    pub(super) samples: &'s Samples,
    /// The keys of the settings that are taken together.
    pub(super) rest: Vec<Key>,
}

impl RunOrder<'_> {
    fn compare(&self, one: u32, other: u32) -> Ordering {
        let [one, other] = [one, other].map(|at| &self.samples.runs[at as usize]);
        let values = |run| self.rest.iter().map(move |&key| self.samples.value(key, run));
        one.repetition.cmp(&other.repetition).then_with(|| values(one).cmp(values(other)))
    }

    /// The runs of a configuration in blocks by instance; if several are indistinguishable, the last one counts.
    fn blocks(&self, metric: Metric, runs: &[u32]) -> InstanceBlocks {
        let instance = |at: u32| self.samples.runs[at as usize].instance();
        let cost = |&run: &u32| {
            let cost = metric.cost(self.samples, &self.samples.runs[run as usize])?;
            Some(GroupRun { cost, run })
        };
        let mut runs: Vec<GroupRun> = runs.iter().filter_map(cost).collect();
        runs.sort_unstable_by(|one, other| {
            let order = instance(one.run).cmp(&instance(other.run)).then_with(|| self.compare(one.run, other.run));
            // The last one first, which is then kept.
            order.then_with(|| other.run.cmp(&one.run))
        });
        runs.dedup_by(|later, kept| {
            instance(later.run) == instance(kept.run) && self.compare(later.run, kept.run) == Ordering::Equal
        });
        InstanceBlocks::new(runs.into_iter().map(|run| (instance(run.run), run)))
    }
}

/// The groups that the keys tell apart; by the algorithm and all varied settings if there are none. With them comes what tells their
/// runs apart.
pub(super) fn groups<'s>(
    samples: &'s Samples,
    metric: Metric,
    by: &[String],
) -> Result<(Vec<Group>, RunOrder<'s>), SelectionError> {
    let roster = &samples.roster;
    let keys = if by.is_empty() { roster.configuration_keys().collect() } else { roster.keys(by)? };
    let rest: Vec<Key> = roster.configuration_keys().filter(|key| !keys.contains(key)).collect();
    let order = RunOrder { samples, rest };
    // Without any run nothing can be grouped.
    roster.select(&Selector::default())?;
    let grouped = samples.grouped_by(&keys, (0..).zip(&samples.runs));
    // What all have in common need not be said.
    let differs = |at: usize| grouped.iter().any(|(values, _)| values[at] != grouped[0].0[at]);
    let named: Vec<usize> = (0..keys.len()).filter(|&at| differs(at)).collect();
    let named_keys: Vec<Key> = named.iter().map(|&at| keys[at]).collect();
    let group = |(values, places): &(Vec<&str>, Vec<u32>)| {
        let named_values: Vec<&str> = named.iter().map(|&at| values[at]).collect();
        let conditions = Selector::with_values(roster, &named_keys, &named_values);
        let name = match conditions.0.is_empty() {
            true => values.first().copied().unwrap_or_default().to_owned(),
            false => conditions.label(),
        };
        let blocks = order.blocks(metric, places);
        let runs: Vec<&Sample> = places.iter().map(|&at| &samples.runs[at as usize]).collect();
        let is_unsolved = |run: &&&Sample| !run.outcome.is_solved() && !run.outcome.has_failed();
        let unsolved: Vec<&Sample> = runs.iter().filter(is_unsolved).copied().collect();
        let is_missing = |column: &str| samples.missing.contains(&column);
        let key_names = keys.iter().map(|&key| roster.name(key).to_owned());
        Group {
            name,
            values: key_names.zip(values.iter().map(|&value| value.to_owned())).collect(),
            blocks,
            figure: metric.group_figure(samples, &runs),
            cpu_figure: (metric == Metric::WallMs && !samples.missing.contains(&"cpu_ms"))
                .then(|| Metric::CpuMs.group_figure(samples, &runs)),
            runs: runs.len() as u64,
            failed: n_failed(&runs),
            silent: runs.iter().filter(|run| metric.figure(samples, run).is_none()).count() as u64,
            unsolved_work: unsolved_work(samples, &unsolved),
            unsolved_ms: [
                median(unsolved.iter().map(|run| run.outcome.cpu_ms)),
                median(unsolved.iter().map(|run| Some(run.outcome.wall_ms).filter(|_| !is_missing("wall_ms")))),
            ],
        }
    };
    Ok((grouped.iter().map(group).collect(), order))
}

/// The place of the configuration that is called so, or is the only one of which some values are called so: those of an algorithm, or
/// `a, population = 20` where `b` has that population, too.
pub(super) fn baseline(groups: &[Group], name: &str) -> Result<usize, CompareError> {
    let whole =
        |group: &Group| Selector::with_names(group.values.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    if let Some(at) = groups.iter().position(|group| group.name == name || whole(group).label() == name) {
        return Ok(at);
    }
    let mut found = (0..groups.len()).filter(|&at| whole(&groups[at]).is_called(name));
    match (found.next(), found.count()) {
        (Some(at), 0) => Ok(at),
        (Some(_), more) => Err(CompareError::SeveralBaselines { baseline: name.to_owned(), found: more + 1 }),
        (None, _) => {
            let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
            Err(CompareError::NoBaseline { baseline: name.to_owned(), expected: one_of(name, &names) })
        }
    }
}

/// The median, if all are known.
fn median(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect::<Option<_>>()?;
    values.sort_unstable_by(f64::total_cmp);
    quantile(&values, 0.5)
}

/// The mean work of these runs, with the number of its unit.
fn unsolved_work(samples: &Samples, unsolved: &[&Sample]) -> Option<(usize, f64)> {
    let is_missing = |column: &&str| samples.missing.contains(column);
    let mean = |work: fn(&Sample) -> f64| unsolved.iter().map(|run| work(run)).sum::<f64>() / unsolved.len() as f64;
    let unit = unsolved.first()?.unit();
    if is_missing(&"evaluations") {
        return (!is_missing(&"wall_ms")).then(|| (WALL_MS, mean(|run| run.outcome.wall_ms)));
    }
    let is_known = unsolved.iter().all(|run| run.unit() == unit && !samples.is_work_unknown(run));
    is_known.then(|| (unit, mean(|run| run.outcome.evaluations as f64)))
}

/// How the runs of all groups can be matched.
pub(super) fn matching(order: &RunOrder<'_>, groups: &[Group]) -> Matching {
    let samples = order.samples;
    if samples.missing.contains(&"repetition") {
        return Matching::Instances;
    }
    let (first, others) = groups.split_first().expect("there are groups");
    let has_seeds = !samples.missing.contains(&"seed");
    let mut matching = if has_seeds { Matching::SameSeeds } else { Matching::Repetitions };
    for other in others {
        for instance in first.blocks.instances() {
            let [Some(block), Some(others)] = [first, other].map(|group| group.blocks.get(instance)) else { continue };
            let pairs = || block.0.iter().zip(others.0).map(|(one, two)| (one.run, two.run));
            let is_same = |(one, two)| order.compare(one, two) == Ordering::Equal;
            if block.0.len() != others.0.len() || !pairs().all(is_same) {
                return Matching::Instances;
            }
            if pairs().any(|(one, two)| samples.runs[one as usize].seed != samples.runs[two as usize].seed) {
                matching = Matching::Repetitions;
            }
        }
    }
    matching
}
