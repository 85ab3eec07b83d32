//! Costs of a solution with bootstrap intervals: the expected running time and penalised mean times of a group of runs.

use super::{Metric, figure_text};
use crate::samples::{Sample, Samples};
use evogrid_results::format::short;
use evogrid_statistics::{Bootstrap, Interval, ert, ert_interval};

/// Number of resamples of an interval, and their seed.
const BOOTSTRAP: Bootstrap = Bootstrap { resamples: 20_000, seed: 1 };

/// The mean of a penalised time over the runs that have it, in milliseconds, with its interval: `30.1 (12.5 to 61.0)`.
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

/// The expected running time of a target for a group of runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedTime {
    /// The evaluations of all runs, divided by the number of those that reached the target; `None` if none did.
    pub ert: Option<f64>,
    /// Its 95 % bootstrap interval, infinite above if resamples reach the target in no run.
    pub interval: Interval,
    /// The number of runs that reached the target.
    pub reached: u64,
    /// The number of runs.
    pub runs: u64,
}

impl ExpectedTime {
    /// That of runs, each given by its evaluations, to the target or to its end, and whether it reached the target.
    ///
    /// ```
    /// use evogrid_analysis::metric::ExpectedTime;
    ///
    /// let time = ExpectedTime::new(&[(100, true), (500, false), (200, true)]);
    /// assert_eq!((time.ert, time.reached, time.runs), (Some(400.0), 2, 3));
    /// ```
    pub fn new(runs: &[(u64, bool)]) -> Self {
        // Draws that two thousand runs need for two thousand resamples.
        const MOST_DRAWS: usize = 4_000_000;
        let resamples = (MOST_DRAWS / runs.len().max(1)).clamp(200, 2000);
        Self {
            ert: ert(runs),
            interval: ert_interval(runs, resamples, BOOTSTRAP.seed),
            reached: runs.iter().filter(|(_, is_reached)| *is_reached).count() as u64,
            runs: runs.len() as u64,
        }
    }

    /// That of runs to their own targets, or to the [one set afterwards](crate::truncation::Target).
    pub fn of_runs(group: &[&Sample]) -> Self {
        let runs = group.iter().map(|run| (run.outcome.evaluations, run.outcome.is_solved()));
        Self::new(&runs.collect::<Vec<_>>())
    }
}

/// The expected number of evaluations for a solution (ERT), with its interval: `1,900 (820 to infinite)`.
pub fn expected_evaluations(group: &[&Sample]) -> String {
    let runs: Vec<(u64, bool)> = group.iter().map(|run| (run.outcome.evaluations, run.outcome.is_solved())).collect();
    let Some(expected) = ert(&runs) else { return "none solved".to_owned() };
    let interval = ert_interval(&runs, BOOTSTRAP.resamples, BOOTSTRAP.seed);
    let end = |value: f64| if value.is_finite() { figure_text(value) } else { "infinite".to_owned() };
    format!("{} ({} to {})", figure_text(expected), end(interval.low), end(interval.high))
}
