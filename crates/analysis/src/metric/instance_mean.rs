//! Means over instances, such as mean gaps, with the interval for instances like these.

use std::collections::BTreeMap;

use evogrid_statistics::{Interval, MeanEstimate, mean_estimate, nonnegative_mean_estimate};

/// The mean of some runs, for example of their gaps in per cent: first over the runs of each instance, then over the instances.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceMean {
    /// The mean; `None` if a run without a solution makes it infinite, or no run has a figure.
    pub mean: Option<f64>,
    /// The 95 % interval for instances like these, from the instances' means, or from the runs if there is one instance. The interval is
    /// not below 0 unless a run is. `None` if there is only one value, or if all values are equal.
    pub interval: Option<Interval>,
    /// The number of runs with a value.
    pub runs: u64,
    /// The number of instances of these runs.
    pub instances: usize,
    /// The number of runs without a solution, whose value is infinite.
    pub unsolved: u64,
}

impl InstanceMean {
    /// The mean of values; each belongs to a run on an instance.
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

    /// The averaged values: the means of the instances, or the values of the runs if there is one instance.
    pub(crate) fn sample<'v>(means: &'v [f64], of_only: &'v [f64]) -> &'v [f64] {
        if means.len() == 1 { of_only } else { means }
    }

    /// The mean of a sample with its interval; `least` is the smallest value of a run. `None` for an empty sample.
    pub(crate) fn estimate(values: &[f64], least: f64) -> Option<MeanEstimate> {
        // A best known value that a run beats is not the optimum: then means below 0 are possible.
        if least < 0.0 { mean_estimate(values) } else { nonnegative_mean_estimate(values) }
    }

    /// The mean with its interval, rounded outwards: `3.33 (2.87 to 3.80)`.
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

    /// The same, with the number of runs.
    pub fn figure(&self) -> String {
        let noun = if self.instances == 1 { "instance" } else { "instances" };
        format!("{} of {} runs on {} {noun}", self.text(), self.runs, self.instances)
    }
}

/// The ends of an interval of gaps with two decimals, rounded outwards, so that the interval does not look narrower than it is.
pub(crate) fn gap_ends(low: f64, high: f64) -> [String; 2] {
    // What lies a hair beside a step is a rounding error.
    let ends = [(low * 100.0 + 1e-6).floor(), (high * 100.0 - 1e-6).ceil()];
    // Adding 0 takes the sign from a zero.
    ends.map(|end| format!("{:.2}", end / 100.0 + 0.0))
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
