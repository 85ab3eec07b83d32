//! The best settings: those that are shown where there are too many for a chart or a comparison.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::work_unit::WorkUnit;
use crate::samples::{Key, Sample, Samples, n_solved};
use evogrid_statistics::ert;

/// Of too many settings so many are shown: there are as many colours.
pub const N_BEST: usize = super::vega::MOST_COLORS;

/// The combinations of the keys' values, the best first: by success rate; of equals the one whose solutions cost less, where the
/// runs count their work in one unit; else in the order in which they come.
pub(super) fn best_first<'a>(
    samples: &'a Samples,
    runs: &[&'a Sample],
    keys: &[Key],
    unit: WorkUnit,
) -> Vec<Vec<&'a str>> {
    let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    let mut groups: Vec<(Vec<&str>, Vec<&Sample>)> = Vec::new();
    for &run in runs {
        let values: Vec<&str> = keys.iter().map(|&key| samples.value(key, run)).collect();
        let place = *places.entry(values.clone()).or_insert(groups.len());
        if place == groups.len() {
            groups.push((values, Vec::new()));
        }
        groups[place].1.push(run);
    }
    let is_comparable = !samples.missing.contains(&unit.column()) && unit.check(samples).is_ok();
    let standing = |runs: &[&Sample]| {
        let spent: Vec<(u64, bool)> = runs.iter().map(|run| (unit.spent(run), run.outcome.is_solved())).collect();
        let cost = ert(&spent).filter(|_| is_comparable).unwrap_or(f64::INFINITY);
        (n_solved(runs) as f64 / runs.len() as f64, cost)
    };
    let mut standings: Vec<(Vec<&str>, (f64, f64))> =
        groups.into_iter().map(|(values, runs)| (values, standing(&runs))).collect();
    let by_standing = |(_, one): &(_, (f64, f64)), (_, other): &(_, (f64, f64))| -> Ordering {
        other.0.total_cmp(&one.0).then(one.1.total_cmp(&other.1))
    };
    standings.sort_by(by_standing);
    standings.into_iter().map(|(values, _)| values).collect()
}

/// Says that of so many settings the best are shown.
pub(super) fn caveat(settings: usize) -> String {
    format!(
        "The best {N_BEST} of {settings} settings by success rate, chosen by these very runs: with new runs they do somewhat worse."
    )
}

/// The runs of the best [`N_BEST`] settings, and a sentence that says so; none where there are no more than `most` settings.
#[must_use]
pub fn best_settings(samples: &Samples, most: usize) -> Option<(Samples, String)> {
    let keys: Vec<Key> = samples.roster.configuration_keys().collect();
    let runs: Vec<&Sample> = samples.runs.iter().collect();
    let standings = best_first(samples, &runs, &keys, WorkUnit::shared(samples));
    if standings.len() <= most {
        return None;
    }
    let values = |run: &Sample| -> Vec<&str> { keys.iter().map(|&key| samples.value(key, run)).collect() };
    let is_best = |run: &&Sample| standings[..N_BEST].contains(&values(run));
    let best = runs.iter().copied().filter(is_best).copied().collect();
    let caveat = caveat(standings.len());
    Some((Samples { runs: best, ..samples.clone() }, caveat))
}
