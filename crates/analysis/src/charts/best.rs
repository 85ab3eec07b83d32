//! The best configurations: those that are shown if there are too many for a chart or a comparison.

use std::cmp::Ordering;

use super::chart::ChartInput;
use super::quality::Quality;
use super::work_unit::WorkUnit;
use crate::metric::Metric;
use crate::samples::{Key, Sample, Samples, n_judged, n_solved};
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
        (n_solved(runs) as f64 / n_judged(runs).max(1) as f64, cost)
    }
}

/// Says that of so many settings the best are shown.
pub(super) fn caveat(settings: usize, metric: Metric) -> String {
    format!(
        "The best {N_BEST} of {settings} configurations by {}, chosen by these same runs: with new runs they do \
         somewhat worse.",
        standing_name(metric)
    )
}

/// What settings are the best by.
pub(super) fn standing_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Gap => "mean gap",
        Metric::Objective => "mean objective",
        _ => "success rate",
    }
}

/// The runs of the best configurations by a metric ([`Metric::Gap`], [`Metric::Objective`], else success), and a sentence that
/// says so; none if there are at most `most` configurations. The configurations of the algorithm that is the baseline are kept.
#[must_use]
pub fn best_configurations(
    samples: &Samples,
    metric: Metric,
    most: usize,
    baseline: Option<&str>,
) -> Option<(Samples, String)> {
    let keys: Vec<Key> = samples.roster.configuration_keys().collect();
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
    let standings = best_first(&input, &runs, &keys);
    if standings.len() <= most {
        return None;
    }
    let values = |run: &Sample| -> Vec<&str> { keys.iter().map(|&key| samples.value(key, run)).collect() };
    let is_baseline = |run: &Sample| baseline == Some(samples.value(Key::Algorithm, run));
    let is_best = |run: &&Sample| standings[..N_BEST].contains(&values(run)) || is_baseline(run);
    let best = runs.iter().copied().filter(is_best).copied().collect();
    let caveat = caveat(standings.len(), metric);
    Some((Samples { runs: best, ..samples.clone() }, caveat))
}
