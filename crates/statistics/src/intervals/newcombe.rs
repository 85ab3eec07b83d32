//! Newcombe's intervals of a difference of two success rates.

use crate::interval::Interval;
use crate::intervals::wilson::wilson;

/// Newcombe's 95 % interval of the first success rate minus the second, from independent runs.
///
/// With the rates `p₁`, `p₂` and their [Wilson](wilson) intervals `[l₁, u₁]`, `[l₂, u₂]`:
/// from `p₁ - p₂ - √((p₁ - l₁)² + (u₂ - p₂)²)` to `p₁ - p₂ + √((u₁ - p₁)² + (p₂ - l₂)²)`. It lies in `[-1, 1]` and has a width also
/// where all runs or none are solved; it is `[-1, 1]` where either side has no runs. Where the runs of both sides share seeds
/// and instances, [`newcombe_paired`] is narrower.
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
    if first_runs == 0 || second_runs == 0 {
        Interval { low: -1.0, high: 1.0 }
    } else {
        difference(&first, &second, 0.0)
    }
}

/// Newcombe's 95 % interval of the first success rate minus the second, from pairs of runs.
///
/// A pair is one run of either side with the same instance and seed. The arguments count the pairs that both solved, that only
/// the first solved, that only the second solved, and that neither solved. The formula is that of [`newcombe`] with the term
/// `- 2 φ (p₁ - l₁)(u₂ - p₂)` (or `- 2 φ (u₁ - p₁)(p₂ - l₂)`) under the root, where `φ` is the correlation of the pairs with a
/// continuity correction. The pairs must be independent. The interval lies in `[-1, 1]`, has a width also where no pair differs,
/// and is `[-1, 1]` for no pairs.
///
/// Source: R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data",
/// Statistics in Medicine 17(22), 1998, pages 2635 to 2650, method 10.
///
/// # Example
/// ```
/// // Fagerland, Lydersen and Laake, "Statistical Analysis of Contingency Tables", 2017, and their R package contingencytables:
/// // -0.1186 to -0.0046.
/// let interval = evogrid_statistics::newcombe_paired(59, 6, 16, 80);
/// assert!((interval.low + 0.1186).abs() < 5e-5 && (interval.high + 0.0046).abs() < 5e-5);
/// ```
#[must_use]
pub fn newcombe_paired(both: u64, first_only: u64, second_only: u64, neither: u64) -> Interval {
    let n = both + first_only + second_only + neither;
    if n == 0 {
        return Interval { low: -1.0, high: 1.0 };
    }
    let (first, second) = (EstimatedRate::new(both + first_only, n), EstimatedRate::new(both + second_only, n));
    let [a, b, c, d] = [both, first_only, second_only, neither].map(|count| count as f64);
    let product = ((a + b) * (c + d)).sqrt() * ((a + c) * (b + d)).sqrt();
    let common = a * d - b * c;
    let common = if common > 0.0 { (common - n as f64 / 2.0).max(0.0) } else { common };
    difference(&first, &second, if product == 0.0 { 0.0 } else { common / product })
}

/// A rate with its distances to the ends of its Wilson interval.
struct EstimatedRate {
    rate: f64,
    down: f64,
    up: f64,
}

impl EstimatedRate {
    fn new(solved: u64, runs: u64) -> Self {
        let interval = wilson(solved, runs);
        let rate = solved as f64 / runs as f64;
        Self { rate, down: rate - interval.low, up: interval.high - rate }
    }
}

fn difference(first: &EstimatedRate, second: &EstimatedRate, correlation: f64) -> Interval {
    let half = |one: f64, other: f64| (one * one - 2.0 * correlation * one * other + other * other).max(0.0).sqrt();
    let middle = first.rate - second.rate;
    Interval {
        low: (middle - half(first.down, second.up)).max(-1.0),
        high: (middle + half(second.down, first.up)).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_runs_nothing_is_known() {
        let all = Interval { low: -1.0, high: 1.0 };
        assert_eq!((newcombe(0, 0, 5, 10), newcombe(5, 10, 0, 0), newcombe_paired(0, 0, 0, 0)), (all, all, all));
    }
}
