//! Estimates for groups of runs, with their intervals: rates, means over instances, and costs of a solution.

use std::collections::BTreeMap;

use evogrid_results::format::{percent, short};
use evogrid_statistics::{
    Bootstrap, ClusteredRate, Interval, MeanEstimate, ert, ert_interval, mean_estimate, mean_instance_rate,
    nonnegative_mean_estimate, wilson,
};

use super::{Metric, figure_text};
use crate::samples::{Sample, Samples};

/// If there are fewer runs than this, the interval of a rate near 50 % is wider than 50 percentage points.
pub const FEW_RUNS: u64 = 10;

/// The share of runs with a certain property. An example is the share of solved runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// The number of runs that have the property, for example the number of solved runs.
    pub count: u64,
    /// The number of runs.
    pub runs: u64,
    /// The rate as a fraction. This rate is the mean of the rates on the instances. All instances have equal weight. The rate is 0 if there
    /// are no runs.
    pub share: f64,
    /// The 95 % interval of the rate, for instances like these. If there is only one instance, the interval holds only for this instance.
    pub interval: Interval,
    /// The number of independent runs that would give as much information as these runs.
    pub effective_runs: f64,
}

impl Rate {
    /// Computes the rate of these runs. Each pair describes one run: the index of the instance, and `true` if the run has the property.
    pub fn new(runs: impl IntoIterator<Item = (usize, bool)>) -> Self {
        let mut instances: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        for (instance, counts) in runs {
            let (count, all) = instances.entry(instance).or_default();
            *count += u64::from(counts);
            *all += 1;
        }
        Self::of_counts(&instances.into_values().collect::<Vec<_>>())
    }

    /// The rate of runs on several instances. Each pair has two numbers for an instance: the number of runs with the property, and the
    /// number of all runs.
    pub(crate) fn of_counts(instances: &[(u64, u64)]) -> Self {
        let (count, runs) = instances.iter().fold((0, 0), |(count, runs), one| (count + one.0, runs + one.1));
        let (share, ClusteredRate { interval, effective_runs, .. }) = mean_instance_rate(instances);
        Self { count, runs, share, interval, effective_runs }
    }

    /// The rate `count / runs` with Wilson's interval. The interval holds only for the instances of these runs.
    ///
    /// # Panics
    /// Panics if `count` is larger than `runs`.
    pub fn of_these(count: u64, runs: u64) -> Self {
        let share = if runs == 0 { 0.0 } else { count as f64 / runs as f64 };
        Self { count, runs, share, interval: wilson(count, runs), effective_runs: runs as f64 }
    }

    /// The rate of solved runs. A run is ignored if its success is unknown.
    pub fn of_solved<'a>(runs: impl IntoIterator<Item = &'a Sample>) -> Self {
        Self::new(runs.into_iter().filter_map(|run| Some((run.instance(), run.outcome.solved?))))
    }

    /// The numbers of independent runs that would give as much information as these runs, rounded. The first number counts only the runs
    /// that have the property that the rate measures. For example, if the rate is the success rate, the first number counts the solved
    /// runs. The second number counts all runs.
    pub fn effective_counts(&self) -> (u64, u64) {
        effective_counts(self.share, self.effective_runs)
    }

    /// The rate with its interval, for example `85 % (71 to 93)`.
    pub fn text(&self) -> String {
        if self.runs == 0 {
            return "no runs".to_owned();
        }
        let [low, high] = [(100.0 * self.interval.low).floor(), (100.0 * self.interval.high).ceil()];
        format!("{} % ({low} to {high})", percent(self.share))
    }

    /// The rate with its interval and the number of runs, as text.
    pub fn figure(&self) -> String {
        format!("{} of {} runs", self.text(), self.runs)
    }
}

/// The numbers of solved runs and of all runs among independent runs that would give the same amount of information as the clustered runs.
pub(crate) fn effective_counts(share: f64, effective_runs: f64) -> (u64, u64) {
    ((share * effective_runs).round() as u64, effective_runs.round() as u64)
}

/// The mean of a metric over a group of runs, for example the mean gap in per cent. The program first computes the mean over the runs on
/// each instance. The result is the mean of the means on the instances.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceMean {
    /// The mean. The value is `None` if no run has a value. The value is also `None` if a run without a solution makes the mean infinite.
    pub mean: Option<f64>,
    /// The 95 % interval, which holds for instances like these. The interval is computed from the means on the instances. If there is only
    /// one instance, the interval is computed from the values of the runs. If no run has a negative value, the interval does not reach
    /// below 0. The interval is `None` if there is only one value, or if all values are equal.
    pub interval: Option<Interval>,
    /// The number of runs with a value.
    pub runs: u64,
    /// The number of instances where at least one run has a value.
    pub instances: usize,
    /// The number of runs without a solution. The value of a run without a solution is infinite.
    pub unsolved: u64,
}

impl InstanceMean {
    /// Computes the mean from the values of runs. Each pair has the index of a run's instance, and the run's value.
    pub fn of_values(values: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let mut instances: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        values.into_iter().for_each(|(instance, value)| instances.entry(instance).or_default().push(value));
        let runs = instances.values().map(|values| values.len() as u64).sum();
        let unsolved = instances.values().flatten().filter(|value| value.is_infinite()).count() as u64;
        let means: Vec<f64> =
            instances.values().map(|values| values.iter().sum::<f64>() / values.len() as f64).collect();
        let of_only = instances.values().next().map(Vec::as_slice).unwrap_or_default();
        let least = instances.values().flatten().copied().fold(f64::INFINITY, f64::min);
        let estimate = Self::estimate(Self::sample(&means, of_only), least);
        let MeanEstimate { mean, interval } = estimate.unwrap_or(MeanEstimate { mean: f64::NAN, interval: None });
        Self { mean: Some(mean).filter(|mean| mean.is_finite()), interval, runs, instances: instances.len(), unsolved }
    }

    /// The values that are averaged: the means on the instances. If there is one instance, they are the values of the runs.
    pub(crate) fn sample<'v>(means: &'v [f64], of_only: &'v [f64]) -> &'v [f64] {
        if means.len() == 1 { of_only } else { means }
    }

    /// The mean of a sample with its interval; `least` is the smallest value of a run. `None` for an empty sample.
    pub(crate) fn estimate(values: &[f64], least: f64) -> Option<MeanEstimate> {
        // If a run is better than the best known value, a mean below 0 is possible.
        if least < 0.0 { mean_estimate(values) } else { nonnegative_mean_estimate(values) }
    }

    /// The mean with its interval, for example `3.33 (2.87 to 3.80)`. The interval is rounded outwards.
    pub fn text(&self) -> String {
        match (self.mean, self.interval) {
            (None, _) if self.unsolved > 0 => format!("infinite: {} without a solution", self.unsolved),
            (None, _) => "none".to_owned(),
            (Some(mean), None) => format!("{mean:.2}"),
            (Some(mean), Some(interval)) => {
                let [low, high] = gap_ends(interval.low, interval.high);
                format!("{mean:.2} ({low} to {high})")
            }
        }
    }

    /// The mean with its interval and the number of runs, as text.
    pub fn figure(&self) -> String {
        let noun = if self.instances == 1 { "instance" } else { "instances" };
        format!("{} of {} runs on {} {noun}", self.text(), self.runs, self.instances)
    }
}

/// The ends of an interval of gaps with two decimals. The ends are rounded outwards, so that the printed interval is not too narrow.
pub(crate) fn gap_ends(low: f64, high: f64) -> [String; 2] {
    // A tiny distance from a step is a rounding error.
    let ends = [(low * 100.0 + 1e-6).floor(), (high * 100.0 - 1e-6).ceil()];
    // Adding 0 takes the sign from a zero.
    ends.map(|end| format!("{:.2}", end / 100.0 + 0.0))
}

/// The number of resamples for a bootstrap interval, and the seed of the resamples.
const BOOTSTRAP: Bootstrap = Bootstrap { resamples: 20_000, seed: 1 };

/// The mean of the penalised times in milliseconds, with its interval: `30.1 (12.5 to 61.0)`. Runs without a penalised time are ignored.
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

/// The expected running time until a target, for a group of runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedTime {
    /// The evaluations of all runs, divided by the number of runs that reached the target. The value is `None` if no run reached the
    /// target.
    pub ert: Option<f64>,
    /// The 95 % bootstrap interval of the expected running time. If more than 2.5 % of the resamples contain no run that reached the
    /// target, the upper end is infinite.
    pub interval: Interval,
    /// The number of runs that reached the target.
    pub reached: u64,
    /// The number of runs.
    pub runs: u64,
}

impl ExpectedTime {
    /// Computes the expected running time from these runs. Each pair describes one run: the number of evaluations, and `true` if the run
    /// reached the target. If a run reached the target, only the evaluations up to the target are counted. If a run did not reach the
    /// target, all evaluations of the run are counted.
    ///
    /// ```
    /// use evogrid_analysis::metric::ExpectedTime;
    ///
    /// let time = ExpectedTime::new(&[(100, true), (500, false), (200, true)]);
    /// assert_eq!((time.ert, time.reached, time.runs), (Some(400.0), 2, 3));
    /// ```
    pub fn new(runs: &[(u64, bool)]) -> Self {
        // The number of draws for 2000 resamples of 2000 runs.
        const MOST_DRAWS: usize = 4_000_000;
        let resamples = (MOST_DRAWS / runs.len().max(1)).clamp(200, 2000);
        Self {
            ert: ert(runs),
            interval: ert_interval(runs, resamples, BOOTSTRAP.seed),
            reached: runs.iter().filter(|(_, is_reached)| *is_reached).count() as u64,
            runs: runs.len() as u64,
        }
    }

    /// The expected running time until the runs reach their targets. A target may also be a [target that was set after the
    /// runs](crate::truncation::Target).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_gap_is_one_of_instances_where_there_are_several() {
        let several = InstanceMean::of_values([(0, 2.0), (0, 4.0), (1, 1.0), (2, -1.0), (2, 1.0)]);
        // scipy.stats.t.interval(0.95, 2, loc=4/3, scale=scipy.stats.sem([3, 1, 0])) is -2.46125 to 5.12792.
        assert_eq!(several.figure(), "1.33 (-2.47 to 5.13) of 5 runs on 3 instances");
        let one = InstanceMean::of_values([(7, 2.0), (7, 4.0), (7, 9.0)]);
        // mean * numpy.exp([-t, t]) with t = scipy.stats.t.ppf(0.975, 2) * scipy.stats.sem([2, 4, 9]) / mean is 0.83369 to 29.98733.
        assert_eq!(one.figure(), "5.00 (0.83 to 29.99) of 3 runs on 1 instance");
        assert_eq!(InstanceMean::of_values([(0, 2.5)]).figure(), "2.50 of 1 runs on 1 instance");
    }

    #[test]
    fn an_interval_of_gaps_reaches_below_zero_only_if_a_run_does() {
        let gaps = |last: f64| InstanceMean::of_values([(0, 0.2), (1, 0.0), (2, 3.0), (3, 1.0), (3, last)]).interval;
        assert!(gaps(0.0).expect("they differ").low > 0.0);
        // The instance's mean stays at or above 0, but its best known value is beaten.
        assert!(gaps(-1.0).expect("they differ").low < 0.0);
    }

    #[test]
    fn a_run_without_a_solution_makes_the_mean_infinite() {
        let values = [(0, 2.0), (0, f64::INFINITY), (1, 1.0)];
        assert_eq!(InstanceMean::of_values(values).text(), "infinite: 1 without a solution");
        assert_eq!(InstanceMean::of_values([]).text(), "none");
    }
}
