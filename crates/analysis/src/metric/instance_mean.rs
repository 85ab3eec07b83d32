//! Means over instances, such as mean gaps, with the interval for instances like these.

use std::collections::BTreeMap;

use evogrid_statistics::{Interval, MeanEstimate, mean_estimate};

/// The mean of some runs, such as of their gaps in per cent: of each instance over its runs, then over the instances.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceMean {
    /// The mean; `None` where a run without a solution makes it infinite, or no run has a figure.
    pub mean: Option<f64>,
    /// The 95 % interval for instances like these, by Student's t over the instances' means; with one instance over its runs. `None` for
    /// a single value, or where all are equal.
    pub interval: Option<Interval>,
    /// How many runs have a figure.
    pub runs: u64,
    /// On how many instances.
    pub instances: usize,
    /// How many of the runs have no solution, and so an infinite figure.
    pub unsolved: u64,
}

impl InstanceMean {
    /// The mean of values, each of a run on an instance.
    pub fn of_values(values: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let mut instances: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        values.into_iter().for_each(|(instance, value)| instances.entry(instance).or_default().push(value));
        let runs = instances.values().map(|values| values.len() as u64).sum();
        let unsolved = instances.values().flatten().filter(|value| value.is_infinite()).count() as u64;
        let means: Vec<f64> =
            instances.values().map(|values| values.iter().sum::<f64>() / values.len() as f64).collect();
        let of_only = instances.values().next().map(Vec::as_slice).unwrap_or_default();
        let estimate = Self::estimate(&means, of_only);
        let MeanEstimate { mean, interval } = estimate.unwrap_or(MeanEstimate { mean: f64::NAN, interval: None });
        Self { mean: Some(mean).filter(|mean| mean.is_finite()), interval, runs, instances: instances.len(), unsolved }
    }

    /// The mean of the means of instances, with its interval; with one instance, of the values of its runs. `None` of nothing.
    pub(crate) fn estimate(means: &[f64], of_only: &[f64]) -> Option<MeanEstimate> {
        mean_estimate(if means.len() == 1 { of_only } else { means })
    }

    /// The mean with its interval, rounded outwards: `3.33 (2.87 to 3.80)`.
    #[must_use]
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

    /// The same, and of how many runs.
    #[must_use]
    pub fn figure(&self) -> String {
        let noun = if self.instances == 1 { "instance" } else { "instances" };
        format!("{} of {} runs on {} {noun}", self.text(), self.runs, self.instances)
    }
}

/// The ends of an interval of gaps with two decimals, rounded outwards: no end looks like a certainty that it is not.
#[must_use]
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
        // scipy.stats.t.interval(0.95, 2, loc=5, scale=scipy.stats.sem([2, 4, 9])) is -3.95669 to 13.95669.
        assert_eq!(one.figure(), "5.00 (-3.96 to 13.96) of 3 runs on 1 instance");
        assert_eq!(InstanceMean::of_values([(0, 2.5)]).figure(), "2.50 of 1 runs on 1 instance");
    }

    #[test]
    fn a_run_without_a_solution_makes_the_mean_infinite() {
        let values = [(0, 2.0), (0, f64::INFINITY), (1, 1.0)];
        assert_eq!(InstanceMean::of_values(values).text(), "infinite: 1 without a solution");
        assert_eq!(InstanceMean::of_values([]).text(), "none");
    }
}
