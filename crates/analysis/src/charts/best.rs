//! The best configurations: those that are shown if there are too many for a chart or a comparison.

use std::cmp::Ordering;

use super::chart::ChartInput;
use super::quality::Quality;
use super::work_unit::WorkUnit;
use crate::compare::MAX_CONFIGURATIONS;
use crate::metric::{Metric, Rate, standing_name};
use crate::samples::{Key, Sample, Samples, Selector};
use evogrid_statistics::ert;

/// Of too many configurations this many are shown: there are as many colours.
pub(crate) const N_BEST: usize = super::vega::MOST_COLORS;

/// The combinations of the keys' values, the best first: by success rate, of equals the one whose solutions cost less where the runs
/// count their work in one unit; or by mean gap or objective, where the input's metric is that; else in the order in which they come.
pub(super) fn best_first<'a>(input: &ChartInput<'a>, runs: &[&'a Sample], keys: &[Key]) -> Vec<Vec<&'a str>> {
    let standing = standing(input);
    let groups = input.samples.grouped_by(keys, runs.iter().map(|&run| (run, run))).into_iter();
    let mut standings: Vec<(Vec<&str>, (f64, f64))> = groups.map(|(values, runs)| (values, standing(&runs))).collect();
    let by_standing = |(_, one): &(_, (f64, f64)), (_, other): &(_, (f64, f64))| -> Ordering {
        other.0.total_cmp(&one.0).then(one.1.total_cmp(&other.1))
    };
    standings.sort_by(by_standing);
    standings.into_iter().map(|(values, _)| values).collect()
}

/// How good some runs are by the input's metric: more is better; of equals, the less their solutions cost the better.
pub(super) fn standing(input: &ChartInput<'_>) -> impl Fn(&[&Sample]) -> (f64, f64) {
    let (samples, unit) = (input.samples, input.unit);
    let is_comparable = !samples.missing.contains(&unit.column()) && unit.check(samples).is_ok();
    let quality = if input.metric == Metric::Solved { None } else { Quality::new(input).ok() };
    move |runs| {
        if let Some(quality) = &quality {
            return (-quality.mean(runs).mean.unwrap_or(f64::INFINITY), 0.0);
        }
        let spent: Vec<(u64, bool)> = runs.iter().map(|run| (unit.spent(run), run.outcome.is_solved())).collect();
        let cost = ert(&spent).filter(|_| is_comparable).unwrap_or(f64::INFINITY);
        (Rate::of_solved(runs.iter().copied()).share, cost)
    }
}

/// Says that of so many configurations the best are shown, and what else is.
pub(super) fn caveat((shown, others): (usize, &str), configurations: usize, metric: Metric) -> String {
    format!(
        "The best {shown} of {configurations} configurations by {}{others}, chosen by these same runs, which may flatter them.",
        standing_name(metric)
    )
}

/// Which of many configurations are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct BestChoice<'a> {
    /// The keys that tell configurations apart; all of these if it is empty.
    pub by: &'a [String],
    /// How many; if it is not given all are, or the best seven if all are more than [`MAX_CONFIGURATIONS`] and `by` is empty.
    pub top: Option<usize>,
    /// The name of a configuration that is kept; of an algorithm, all of its configurations are.
    pub baseline: Option<&'a str>,
}

/// The runs of the best configurations by a metric ([`Metric::Gap`], [`Metric::Objective`], else success), and a sentence that
/// says so; none if all of them are compared, or the keys are not known.
#[must_use]
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
    let input = ChartInput {
        samples,
        trace: None,
        published: None,
        by: &[],
        unit: WorkUnit::shared(samples),
        metric,
        columns: 1,
        caveats: &[],
        work_caveat: None,
        most_bytes: usize::MAX,
    };
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
    let caveat = caveat((shown, and_baseline), configurations, metric);
    Some((Samples { runs: best, ..samples.clone() }, caveat))
}
