//! What a comparison averages over: the keys in which the runs of a configuration differ, since the user's keys do not tell them apart.

use std::collections::BTreeMap;

use evogrid_statistics::{cochran_q, holm};

use super::CompareOptions;
use super::effect::Effect;
use super::group::{Group, GroupRun, InstanceRuns, RunOrder};
use super::limits::outcomes_of;
use crate::metric::Metric;
use crate::samples::Key;

/// A key that a comparison averages over, and whether the difference of two configurations depends on it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AveragedOver {
    /// The name of the key: `population`.
    pub key: String,
    /// The effect at each value that both have; p-values have Holm's correction over the values.
    pub levels: Vec<(String, Effect)>,
    /// The p-value of the hypothesis that on these instances the effect is the same at each value (Cochran's Q), with Holm's correction
    /// over the keys; 1 with fewer than two values.
    pub p_interaction: f64,
    /// Whether both configurations have as many runs at each value.
    pub is_balanced: bool,
}

/// All that a comparison of two groups averages over, on the instances that both have.
pub(super) fn averaged_over(
    order: &RunOrder<'_>,
    (metric, options): (Metric, CompareOptions<'_>),
    groups: [&Group; 2],
    instances: &[usize],
) -> Vec<AveragedOver> {
    let samples = order.samples;
    let of_key = |&key: &Key| {
        // The runs on each instance by value and side.
        let mut values: BTreeMap<&str, [BTreeMap<usize, Vec<GroupRun>>; 2]> = BTreeMap::new();
        for (side, group) in groups.into_iter().enumerate() {
            for &instance in instances {
                for &run in group.blocks.get(instance).into_iter().flat_map(|runs| runs.0) {
                    let value = samples.value(key, &samples.runs[run.run as usize]);
                    values.entry(value).or_default()[side].entry(instance).or_default().push(run);
                }
            }
        }
        if values.len() < 2 {
            return None;
        }
        let count = |runs: &BTreeMap<usize, Vec<GroupRun>>| runs.values().map(Vec::len).sum::<usize>();
        let is_balanced = values.values().all(|[first, second]| count(first) == count(second));
        let level = |(value, [first, second]): (&&str, &[BTreeMap<usize, Vec<GroupRun>>; 2])| {
            let both =
                first.iter().filter_map(|(at, runs)| Some([runs, second.get(at)?].map(|runs| InstanceRuns(runs))));
            let outcomes: Vec<_> = both.map(|sides| outcomes_of(samples, metric, sides).0).collect();
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
