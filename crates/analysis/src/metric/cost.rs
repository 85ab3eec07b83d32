//! Costs of a solution with bootstrap intervals: the expected running time and penalised mean times of a group of runs.

use super::{Metric, figure_text};
use crate::samples::{Sample, Samples};
use evogrid_results::format::short;
use evogrid_statistics::{Bootstrap, ert, ert_interval};

/// Number of resamples of an interval, and their seed.
const BOOTSTRAP: Bootstrap = Bootstrap { resamples: 20_000, seed: 1 };

/// The mean of a penalised time over the runs that have it, in milliseconds, with its interval: `30.1 (12.5 to 61.0)`.
#[must_use]
pub fn penalised_time(samples: &Samples, metric: Metric, group: &[&Sample]) -> String {
    let times: Vec<f64> = group.iter().filter_map(|run| metric.figure(samples, run)).collect();
    let mean = |times: &[f64]| (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64);
    match BOOTSTRAP.percentile(&times, mean) {
        Some(interval) => {
            format!("{} ({} to {})", short(mean(&times)), short(Some(interval.low)), short(Some(interval.high)))
        }
        None => "no runs".to_owned(),
    }
}

/// The expected number of evaluations for a solution (ERT), with its interval: `1,900 (820 to infinite)`.
#[must_use]
pub fn expected_evaluations(group: &[&Sample]) -> String {
    let runs: Vec<(u64, bool)> = group.iter().map(|run| (run.outcome.evaluations, run.outcome.is_solved())).collect();
    let Some(expected) = ert(&runs) else { return "none solved".to_owned() };
    let interval = ert_interval(&runs, BOOTSTRAP.resamples, BOOTSTRAP.seed);
    let end = |value: f64| if value.is_finite() { figure_text(value) } else { "infinite".to_owned() };
    format!("{} ({} to {})", figure_text(expected), end(interval.low), end(interval.high))
}
