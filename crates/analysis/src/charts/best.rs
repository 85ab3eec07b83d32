//! The best configurations. If there are too many configurations for a chart or a comparison, only the best are shown.

use std::collections::{BTreeMap, BTreeSet};

use super::input::ChartInput;
use super::quality::Quality;
use crate::compare::MAX_CONFIGURATIONS;
use crate::metric::{self, InstanceMean, Metric, Rate};
use crate::responses::RunCosts;
use crate::samples::{Key, Sample, Samples, Selector};
use evogrid_statistics::ert;

/// The number of configurations that are shown if there are too many: one for each colour.
pub(crate) const N_BEST: usize = super::vega::MOST_COLORS;

/// The combinations of the keys' values, sorted by [`standing`] with the best combination first. Equally good combinations keep the order
/// of the runs.
pub(super) fn best_first<'a>(input: &ChartInput<'a>, runs: &[&'a Sample], keys: &[Key]) -> Vec<Vec<&'a str>> {
    let standing = standing(input);
    let groups = input.samples.grouped_by(keys, runs.iter().map(|&run| (run, run))).into_iter();
    let mut standings: Vec<(Vec<&str>, (f64, f64))> = groups.map(|(values, runs)| (values, standing(&runs))).collect();
    standings.sort_by(|(_, one), (_, other)| other.0.total_cmp(&one.0).then(one.1.total_cmp(&other.1)));
    standings.into_iter().map(|(values, _)| values).collect()
}

/// The best `shown` combinations of the keys' values; `None` if there are at most `most` combinations. If all runs of several combinations
/// had the same results, only the best of these combinations is shown. Adds a sentence about the choice.
pub(super) fn distinct_best<'a>(
    input: &ChartInput<'a>,
    runs: &[&'a Sample],
    keys: &[Key],
    (most, shown): (usize, usize),
    caveats: &mut Vec<String>,
) -> Option<Vec<Vec<&'a str>>> {
    let mut best = best_first(input, runs, keys);
    let n = best.len();
    if n <= most {
        return None;
    }
    let ended = |run: &Sample| {
        let outcome = &run.outcome;
        let found = [outcome.objective, outcome.best_fitness].map(|found| found.map(f64::to_bits));
        (run.instance(), run.repetition, outcome.solved, found, outcome.evaluations, outcome.evaluations_to_best)
    };
    let mut ends = BTreeMap::new();
    for (values, mut ended) in input.samples.grouped_by(keys, runs.iter().map(|&run| (ended(run), run))) {
        ended.sort_unstable();
        ends.insert(values, ended);
    }
    let (mut known, mut n_alike) = (BTreeSet::new(), 0);
    best.retain(|values| {
        let is_full = known.len() == shown;
        let is_shown = !is_full && known.insert(ends.get(values));
        n_alike += usize::from(!is_full && !is_shown);
        is_shown
    });
    let mut caveat = caveat((best.len(), ""), n, input);
    if n_alike > 0 {
        caveat += &format!(
            " {n_alike} other configurations are omitted, because each of them had the same results as a shown configuration."
        );
    }
    caveats.push(caveat);
    Some(best)
}

/// The standing of a group of runs: a score by the metric of the input, and the cost of a solution. A larger score is better. If two groups
/// have equal scores, the lower cost is better. The cost is infinite if the runs have no common unit of work.
pub(super) fn standing(input: &ChartInput<'_>) -> impl Fn(&[&Sample]) -> (f64, f64) {
    let (samples, unit) = (input.samples, input.unit);
    let is_comparable = !samples.missing.contains(&unit.declaration().column) && unit.check_work(samples).is_ok();
    let quality = if input.metric == Metric::Solved { None } else { Quality::new(samples, input.metric).ok() };
    let place = |run: &Sample| (run.configuration(), run.instance(), run.repetition);
    let ranks: Option<BTreeMap<_, f64>> = (quality.is_some() && has_several_families(samples)).then(|| {
        let costs = RunCosts::new(samples, input.metric);
        let ranked = samples.runs.iter().enumerate();
        ranked.filter_map(|(at, run)| Some((place(run), costs.of_run(at)?))).collect()
    });
    move |runs| {
        if let Some(ranks) = &ranks {
            let ranks = runs.iter().filter_map(|run| Some((run.instance(), *ranks.get(&place(run))?)));
            return (-InstanceMean::of_values(ranks).mean.unwrap_or(f64::INFINITY), 0.0);
        }
        if let Some(quality) = &quality {
            return (-quality.cost(runs), 0.0);
        }
        let spent: Vec<(u64, bool)> = runs.iter().map(|run| (unit.spent(run), run.outcome.is_solved())).collect();
        let cost = ert(&spent).filter(|_| is_comparable).unwrap_or(f64::INFINITY);
        (Rate::of_solved(runs.iter().copied()).share, cost)
    }
}

/// The sentence about the number of the best configurations that are shown, and about other shown configurations.
fn caveat((shown, others): (usize, &str), configurations: usize, input: &ChartInput<'_>) -> String {
    let by = standing_name(input);
    format!(
        "The best {shown} of {configurations} configurations by {by}{others} are shown. These runs were also used to choose the configurations. Therefore the results may look too good."
    )
}

/// The name of the figure that decides which configurations are the best.
pub(super) fn standing_name(input: &ChartInput<'_>) -> &'static str {
    let is_ranked = input.metric != Metric::Solved && has_several_families(input.samples);
    if is_ranked { "mean rank" } else { metric::standing_name(input.metric) }
}

/// Whether the runs belong to several families. Gaps and objectives of different families have no common scale.
pub(super) fn has_several_families(samples: &Samples) -> bool {
    samples.roster.instances.windows(2).any(|two| two[0].problem != two[1].problem)
}

/// If there are many configurations, these options decide which configurations are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct BestChoice<'a> {
    /// The keys that distinguish configurations. If the list is empty, all keys are used.
    pub by: &'a [String],
    /// The number of configurations to compare, starting with the best. By default all configurations are compared. If `by` is empty and
    /// there are more than [`MAX_CONFIGURATIONS`] configurations, only the best seven are compared.
    pub top: Option<usize>,
    /// The name of the baseline, which is always kept. If the name is an algorithm's name, all configurations of the algorithm are kept.
    pub baseline: Option<&'a str>,
}

/// Returns the runs of the best configurations, and a sentence about the choice. Returns `None` if all configurations are compared, or if
/// `choice.by` contains an unknown key. For [`Metric::Gap`] and [`Metric::Objective`], the values of the metric decide which configurations
/// are best. If there are several families, the ranks of the gaps or objectives are averaged, and the configurations with the best mean
/// ranks are best. For all other metrics, the configurations with the highest success rates are best.
pub fn best_configurations(samples: &Samples, metric: Metric, choice: BestChoice<'_>) -> Option<(Samples, String)> {
    let roster = &samples.roster;
    let keys =
        if choice.by.is_empty() { roster.configuration_keys().collect() } else { roster.keys(choice.by).ok()? };
    let (most, shown) = match choice.top {
        Some(top) => (top, top),
        None if choice.by.is_empty() => (MAX_CONFIGURATIONS, N_BEST),
        None => return None,
    };
    let runs: Vec<&Sample> = samples.runs.iter().collect();
    let input = ChartInput::new(samples, metric);
    let mut kept = best_first(&input, &runs, &keys);
    let configurations = kept.len();
    if configurations <= most {
        return None;
    }
    let others = kept.split_off(shown);
    let is_baseline = |values: &Vec<&str>| {
        choice.baseline.is_some_and(|name| Selector::with_values(roster, &keys, values).is_called(name))
    };
    kept.extend(others.into_iter().filter(is_baseline));
    let and_baseline = if kept.len() > shown { " and the baseline" } else { "" };
    let values = |run: &Sample| -> Vec<&str> { keys.iter().map(|&key| samples.value(key, run)).collect() };
    let best = runs.iter().copied().filter(|run| kept.contains(&values(run))).copied().collect();
    let caveat = caveat((shown, and_baseline), configurations, &input);
    Some((samples.with_runs(best), caveat))
}
