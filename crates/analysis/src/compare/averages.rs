//! The outcomes of the runs on each instance, and the keys over which a comparison averages them: keys in which the runs of a configuration
//! differ, because the user's keys do not distinguish these runs.

use std::collections::BTreeMap;

use evogrid_core::budget::Stop;
use evogrid_statistics::{ObservedTime, cochran_q, holm};

use super::CompareOptions;
use super::effect::{Effect, InstanceOutcomes};
use super::group::{Group, GroupRun, RunOrder, costs};
use crate::metric::{Metric, Subject};
use crate::samples::{Key, Sample, Samples};

/// Two limits differ if their ratio exceeds this factor, since the last generation may exceed its limit.
const EQUAL: f64 = 1.1;

/// A key over which a comparison averages, and whether the difference of two configurations depends on this key.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AveragedOver {
    /// The name of the key: `population`.
    pub key: String,
    /// The effect at each value that both configurations have. The p-values have Holm's correction over the values.
    pub levels: Vec<(String, Effect)>,
    /// The p-value of the hypothesis that on these instances the effect is the same at each value (Cochran's Q), with Holm's correction
    /// over the keys; 1 with fewer than two values.
    pub p_interaction: f64,
    /// Whether both configurations have equally many runs at each value.
    pub is_balanced: bool,
}

/// The keys over which a comparison of two groups averages, on the instances that both groups have.
pub(super) fn averaged_over(
    order: &RunOrder<'_>,
    (metric, options): (Metric, CompareOptions<'_>),
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
                .then(|| ((*value).to_owned(), Effect::new(metric == Metric::Solved, options.criteria, &outcomes)))
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

/// The outcomes of both sides on an instance, and whether a solved run was cut. If the limits of the unsolved runs differ between the sides, a run
/// counts as unsolved from the lower limit on, because the other side did not run longer.
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

/// Whether a limit ended a run that was unsolved. A search that gave up by itself has no limit.
fn ended_by_limit(samples: &Samples, run: &Sample) -> bool {
    let is_limit = matches!(run.outcome.stop, Stop::Evaluations | Stop::Generations | Stop::Restarts | Stop::Time);
    !run.outcome.is_solved() && !run.outcome.has_failed() && (is_limit || samples.missing.contains(&"stop"))
}
