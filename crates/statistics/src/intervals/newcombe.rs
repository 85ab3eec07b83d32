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
pub fn newcombe(first_solved: u64, first_runs: u64, second_solved: u64, second_runs: u64) -> Interval {
    let side = |solved: u64, runs: u64| (solved as f64 / runs as f64, wilson(solved, runs));
    let sides = [side(first_solved, first_runs), side(second_solved, second_runs)];
    if first_runs == 0 || second_runs == 0 { Interval { low: -1.0, high: 1.0 } } else { difference(sides) }
}

/// The same for rates that are known as well as from so many independent runs, which need not be whole, with so many standard errors on each
/// side.
pub(crate) fn newcombe_of_effective_runs(sides: [(f64, f64); 2], reach: f64) -> Interval {
    difference(sides.map(|(rate, runs)| (rate, wilson_score(rate, runs, reach))))
}

/// The interval of the difference of two rates, each with its Wilson interval.
fn difference([(first, one), (second, other)]: [(f64, Interval); 2]) -> Interval {
    let middle = first - second;
    Interval {
        low: (middle - (first - one.low).hypot(other.high - second)).max(-1.0),
        high: (middle + (second - other.low).hypot(one.high - first)).min(1.0),
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
