//! Newcombe's intervals of a difference of two success rates.

use crate::interval::Interval;
use crate::intervals::wilson::{wilson, wilson_score};

/// Newcombe's 95 % interval of the first success rate minus the second, from independent runs.
///
/// With the rates `p₁`, `p₂` and their [Wilson](wilson) intervals `[l₁, u₁]`, `[l₂, u₂]`:
/// from `p₁ - p₂ - √((p₁ - l₁)² + (u₂ - p₂)²)` to `p₁ - p₂ + √((u₁ - p₁)² + (p₂ - l₂)²)`. It lies in `[-1, 1]` and has a width also
/// where all runs or none are solved; it is `[-1, 1]` where either side has no runs.
///
/// Source: R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven
/// methods", Statistics in Medicine 17(8), 1998, pages 873 to 890, method 10.
///
/// # Panics
/// If on either side more runs are solved than there are.
///
/// # Example
/// ```
/// // Newcombe 1998, table II, comparison (a): 0.0524 to 0.3339.
/// let interval = evogrid_statistics::newcombe(56, 70, 48, 80);
/// assert!((interval.low - 0.0524).abs() < 5e-5 && (interval.high - 0.3339).abs() < 5e-5);
/// ```
#[must_use]
pub fn newcombe(first_solved: u64, first_runs: u64, second_solved: u64, second_runs: u64) -> Interval {
    let (first, second) =
        (EstimatedRate::new(first_solved, first_runs), EstimatedRate::new(second_solved, second_runs));
    if first_runs == 0 || second_runs == 0 { Interval { low: -1.0, high: 1.0 } } else { difference(&first, &second) }
}

/// The same for rates that are known as well as from so many independent runs, which need not be whole, with so many standard errors on each
/// side.
pub(crate) fn newcombe_of_effective_runs(sides: [(f64, f64); 2], reach: f64) -> Interval {
    let [first, second] = sides.map(|(rate, runs)| EstimatedRate::within(rate, wilson_score(rate, runs, reach)));
    difference(&first, &second)
}

/// A rate with its distances to the ends of its Wilson interval.
struct EstimatedRate {
    rate: f64,
    down: f64,
    up: f64,
}

impl EstimatedRate {
    fn new(solved: u64, runs: u64) -> Self {
        Self::within(solved as f64 / runs as f64, wilson(solved, runs))
    }

    fn within(rate: f64, interval: Interval) -> Self {
        Self { rate, down: rate - interval.low, up: interval.high - rate }
    }
}

fn difference(first: &EstimatedRate, second: &EstimatedRate) -> Interval {
    let middle = first.rate - second.rate;
    Interval {
        low: (middle - first.down.hypot(second.up)).max(-1.0),
        high: (middle + second.down.hypot(first.up)).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_runs_nothing_is_known() {
        let all = Interval { low: -1.0, high: 1.0 };
        assert_eq!((newcombe(0, 0, 5, 10), newcombe(5, 10, 0, 0)), (all, all));
    }
}
