//! Groups: the runs of a configuration, in blocks by instance. A comparison averages runs that differ only in keys that the user did not
//! choose.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::effect::{Criteria, Effect, InstanceOutcomes};
use crate::metric::{Metric, Subject};
use crate::samples::{Key, Sample, Samples, SelectionError, Selector, n_failed};
use evogrid_core::budget::Stop;
use evogrid_core::suggestion::one_of;
use evogrid_statistics::{ObservedTime, cochran_q, holm, quantile};

/// The runs of a configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The name of the configuration, for example `huke` or `population = 100`.
    pub name: String,
    /// The keys that distinguish configurations, with the values of this configuration. A value is empty if this configuration does not
    /// have the setting.
    pub values: Vec<(String, String)>,
    /// The runs of the configuration, by instance.
    pub blocks: InstanceBlocks,
    /// The metric's estimate over all runs, as text. The text contains the 95 % interval.
    pub figure: String,
    /// The estimate for processor times, as text. This estimate exists only if the metric is a wall time and the runs also have processor
    /// times.
    pub cpu_figure: Option<String>,
    /// The number of runs.
    pub runs: u64,
    /// The number of failed runs.
    pub failed: u64,
    /// The number of runs for which the metric has no value.
    pub silent: u64,
    /// The first number is the index of a unit of work. The second number is the mean work of the unsolved runs, measured in this unit.
    /// Failed runs are ignored. The value is `None` if there are no unsolved runs, or if the work of such a run is unknown.
    pub unsolved_work: Option<(usize, f64)>,
    /// The median processor time and median wall time of unsolved runs, in ms. `None` if the time of a run is unknown.
    pub unsolved_ms: [Option<f64>; 2],
}

/// The runs of a configuration, grouped by instance. A run needs 16 bytes of memory. The instances are in the order of the roster. The runs
/// on an instance are ordered by repetition. Runs of the same repetition are ordered by the settings in which they differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceBlocks(pub(crate) Vec<GroupRun>);

/// A run of a configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupRun {
    /// The cost of the run. A lower cost is better.
    pub cost: f64,
    /// The index of the run in [`Samples::runs`].
    pub run: u32,
    /// The index of the run's instance in the roster.
    pub instance: u32,
}

/// The index that replaces the index of a unit of work if the file has only wall times.
pub(super) const WALL_MS: usize = usize::MAX;

/// How the runs of two configurations are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// Runs are matched by instance and repetition. The two runs of a pair have the same seed and the same random stream.
    SameSeeds,
    /// Runs are matched by instance and repetition. The two runs of a pair have different seeds, or the seeds are unknown.
    Repetitions,
    /// Runs are matched by instance only. The two configurations have different repetitions.
    Instances,
}

impl InstanceBlocks {
    /// The instances that have runs, in order.
    pub fn instances(&self) -> impl Iterator<Item = usize> {
        self.0.chunk_by(|one, other| one.instance == other.instance).map(|runs| runs[0].instance as usize)
    }

    /// The runs on an instance; `None` if the instance has no runs.
    pub fn get(&self, instance: usize) -> Option<&[GroupRun]> {
        let rest = &self.0[self.0.partition_point(|run| (run.instance as usize) < instance)..];
        let runs = &rest[..rest.partition_point(|run| run.instance as usize == instance)];
        (!runs.is_empty()).then_some(runs)
    }

    /// The smallest and the largest number of runs on an instance.
    pub(super) fn fewest_and_most(&self) -> [usize; 2] {
        let sizes = || self.0.chunk_by(|one, other| one.instance == other.instance).map(<[_]>::len);
        [sizes().min(), sizes().max()].map(Option::unwrap_or_default)
    }
}

/// The costs of runs.
pub(super) fn costs(runs: &[GroupRun]) -> Vec<f64> {
    runs.iter().map(|run| run.cost).collect()
}

/// One cost for all runs on an instance. It is the mean for rates, and the median for other metrics.
pub(super) fn typical_cost(metric: Metric, runs: &[GroupRun]) -> f64 {
    let mut costs = costs(runs);
    if metric == Metric::Solved {
        return costs.iter().sum::<f64>() / costs.len() as f64;
    }
    costs.sort_unstable_by(f64::total_cmp);
    quantile(&costs, 0.5).unwrap_or(f64::INFINITY)
}

/// The order of the runs of a configuration on an instance: by repetition, then by the settings that are averaged.
pub(super) struct RunOrder<'s> {
    pub(super) samples: &'s Samples,
    /// The keys of the settings that are averaged.
    pub(super) rest: Vec<Key>,
}

impl RunOrder<'_> {
    fn compare(&self, one: u32, other: u32) -> Ordering {
        let [one, other] = [one, other].map(|at| &self.samples.runs[at as usize]);
        let values = |run| self.rest.iter().map(move |&key| self.samples.value(key, run));
        one.repetition.cmp(&other.repetition).then_with(|| values(one).cmp(values(other)))
    }

    /// The runs of a configuration in blocks by instance. If several runs are indistinguishable, only the last run is kept.
    fn blocks(&self, metric: Metric, runs: &[u32]) -> InstanceBlocks {
        let of_run = |&run: &u32| {
            let sample = &self.samples.runs[run as usize];
            Some(GroupRun { cost: metric.cost(self.samples, sample)?, run, instance: sample.instance() as u32 })
        };
        let order = |one: &GroupRun, other: &GroupRun| {
            one.instance.cmp(&other.instance).then_with(|| self.compare(one.run, other.run))
        };
        let mut runs: Vec<GroupRun> = runs.iter().filter_map(of_run).collect();
        // The last of several indistinguishable runs comes first, and is kept.
        runs.sort_unstable_by(|one, other| order(one, other).then_with(|| other.run.cmp(&one.run)));
        runs.dedup_by(|later, kept| order(later, kept).is_eq());
        InstanceBlocks(runs)
    }
}

/// The groups that the keys distinguish, and the order of the runs in a group. If `by` is empty, the keys are the algorithm and all varied
/// settings.
pub(super) fn groups<'s>(
    samples: &'s Samples,
    metric: Metric,
    by: &[String],
) -> Result<(Vec<Group>, RunOrder<'s>), SelectionError> {
    let roster = &samples.roster;
    let keys = if by.is_empty() { roster.configuration_keys().collect() } else { roster.keys(by)? };
    let rest: Vec<Key> = roster.configuration_keys().filter(|key| !keys.contains(key)).collect();
    let order = RunOrder { samples, rest };
    // An experiment without runs is an error.
    roster.select(&Selector::default())?;
    let grouped = samples.grouped_by(&keys, (0..).zip(&samples.runs));
    // A name omits the values that all groups have in common.
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

/// The index of the configuration with this name. A name may contain only some values of the configuration, such as the algorithm, if no
/// other configuration has these values.
pub(super) fn baseline(groups: &[Group], name: &str) -> Result<usize, SelectionError> {
    let whole =
        |group: &Group| Selector::with_names(group.values.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    if let Some(at) = groups.iter().position(|group| group.name == name || whole(group).label() == name) {
        return Ok(at);
    }
    let mut found = (0..groups.len()).filter(|&at| whole(&groups[at]).is_called(name));
    match (found.next(), found.count()) {
        (Some(at), 0) => Ok(at),
        (Some(_), more) => {
            let message = format!("`{name}` matches {} configurations; expected only one", more + 1);
            let help = "group these configurations with `--by algorithm`, or write the name of one configuration as it appears in the table";
            Err(SelectionError::new(message, help))
        }
        (None, _) => {
            let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
            let message = format!("`{name}` is not one of the configurations that are compared");
            Err(SelectionError::new(message, one_of(name, &names)))
        }
    }
}

/// The median, if all values are known.
fn median(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect::<Option<_>>()?;
    values.sort_unstable_by(f64::total_cmp);
    quantile(&values, 0.5)
}

/// The index of the unit of work, and the mean work of these runs in this unit.
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
            let pairs = || block.iter().zip(others).map(|(one, two)| (one.run, two.run));
            let is_same = |(one, two)| order.compare(one, two).is_eq();
            if block.len() != others.len() || !pairs().all(is_same) {
                return Matching::Instances;
            }
            if pairs().any(|(one, two)| samples.runs[one as usize].seed != samples.runs[two as usize].seed) {
                matching = Matching::Repetitions;
            }
        }
    }
    matching
}

/// Two limits differ if their ratio exceeds this factor. Small differences are ignored, because the last generation may exceed the limit.
const EQUAL: f64 = 1.1;

/// A key that has different values in the runs of one configuration, so that the runs are averaged over the values of this key. The test
/// shows whether the difference between two configurations depends on the key.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AveragedOver {
    /// The name of the key, for example `population`.
    pub key: String,
    /// The effect at each value of the key. A value is listed only if both configurations have runs with this value. The p-values have
    /// Holm's correction over the values of the key.
    pub levels: Vec<(String, Effect)>,
    /// The p-value of Cochran's Q test, with Holm's correction over the keys. The hypothesis is that the effect on these instances is equal
    /// at all values of the key. If the key has fewer than two values, the p-value is 1.
    pub p_interaction: f64,
    /// Whether both configurations have the same number of runs at each value of the key.
    pub is_balanced: bool,
}

/// The keys over which a comparison of two groups averages. Only instances that both groups have are used.
pub(super) fn averaged_over(
    order: &RunOrder<'_>,
    (metric, criteria): (Metric, Criteria),
    groups: [&Group; 2],
    instances: &[usize],
) -> Vec<AveragedOver> {
    let samples = order.samples;
    let of_key = |&key: &Key| {
        // The runs by value, side and instance.
        let mut values: BTreeMap<&str, [BTreeMap<usize, Vec<GroupRun>>; 2]> = BTreeMap::new();
        for (side, group) in groups.into_iter().enumerate() {
            for &run in instances.iter().filter_map(|&instance| group.blocks.get(instance)).flatten() {
                let value = samples.value(key, &samples.runs[run.run as usize]);
                values.entry(value).or_default()[side].entry(run.instance as usize).or_default().push(run);
            }
        }
        if values.len() < 2 {
            return None;
        }
        let count = |runs: &BTreeMap<usize, Vec<GroupRun>>| runs.values().map(Vec::len).sum::<usize>();
        let is_balanced = values.values().all(|[first, second]| count(first) == count(second));
        let level = |(value, [first, second]): (&&str, &[BTreeMap<usize, Vec<GroupRun>>; 2])| {
            let both = first.iter().filter_map(|(at, runs)| Some([runs, second.get(at)?]));
            let outcomes: Vec<_> = both.map(|sides| outcomes_of(samples, metric, sides.map(Vec::as_slice)).0).collect();
            (!outcomes.is_empty())
                .then(|| ((*value).to_owned(), Effect::new(metric == Metric::Solved, criteria, &outcomes)))
        };
        let levels: Vec<(String, Effect)> = values.iter().filter_map(level).collect();
        let p_interaction = cochran_q(&levels.iter().map(|(_, effect)| effect.estimate()).collect::<Vec<_>>());
        Some(AveragedOver { key: samples.roster.name(key).to_owned(), levels, p_interaction, is_balanced })
    };
    let mut found: Vec<AveragedOver> = order.rest.iter().filter_map(of_key).collect();
    let corrected = holm(&found.iter().map(|over| over.p_interaction).collect::<Vec<_>>());
    found.iter_mut().zip(corrected).for_each(|(over, p)| over.p_interaction = p);
    found
}

/// The outcomes of both sides on an instance, and whether a solved run was cut. If the limits of the unsolved runs differ between the
/// sides, each run that took longer than the lower limit counts as unsolved, because the other side did not run longer.
pub(super) fn outcomes_of(samples: &Samples, metric: Metric, sides: [&[GroupRun]; 2]) -> (InstanceOutcomes, bool) {
    let run = |run: &GroupRun| &samples.runs[run.run as usize];
    let costs = sides.map(costs);
    if metric.declaration().subject != Subject::Work {
        return (InstanceOutcomes { costs, ..InstanceOutcomes::default() }, false);
    }
    let times = |runs: &[GroupRun]| -> Vec<ObservedTime> {
        runs.iter().filter_map(|at| metric.observed_time(samples, run(at))).collect()
    };
    let mut outcomes = InstanceOutcomes { costs, times: sides.map(times) };
    let limits = sides.map(|runs| {
        let unsolved = runs.iter().map(run).filter(|run| ended_by_limit(samples, run));
        unsolved.filter_map(|run| metric.observed_time(samples, run)).map(|(time, _)| time).reduce(f64::max)
    });
    let limit = limits.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    // A side without unsolved runs has no limit.
    let differ = limits.iter().any(|other| other.is_none_or(|other| other > EQUAL * limit)) && limit.is_finite();
    let mut is_cut = false;
    if differ {
        for (costs, times) in outcomes.costs.iter_mut().zip(&mut outcomes.times) {
            for (cost, (time, is_solved)) in costs.iter_mut().zip(times) {
                if *time > limit {
                    is_cut |= *is_solved;
                    (*cost, *time, *is_solved) = (f64::INFINITY, limit, false);
                }
            }
        }
    }
    (outcomes, is_cut)
}

/// Whether the run is unsolved and was ended by a limit. A search that gave up by itself was not ended by a limit.
fn ended_by_limit(samples: &Samples, run: &Sample) -> bool {
    let is_limit = matches!(run.outcome.stop, Stop::Evaluations | Stop::Generations | Stop::Restarts | Stop::Time);
    !run.outcome.is_solved() && !run.outcome.has_failed() && (is_limit || samples.missing.contains(&"stop"))
}
