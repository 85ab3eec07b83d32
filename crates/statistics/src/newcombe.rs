//! Newcombe's intervals for a difference of two rates.

use super::interval::Interval;
use super::wilson::wilson;

/// The 95 % interval of the first rate less the second, from runs that have nothing to do with each other.
///
/// R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven methods",
/// Statistics in Medicine 17(8), 1998, pages 873 to 890, method 10: the squared distances to the ends of both rates' Wilson
/// intervals are added. It lies in `[-1, 1]` and has a width also where all runs or none are solved; without runs on either
/// side it is `[-1, 1]`. Where the two have seeds and instances in common, [`newcombe_paired`] is narrower.
///
/// # Panics
/// If more are solved than there are.
#[must_use]
pub fn newcombe(first_solved: u64, first_runs: u64, second_solved: u64, second_runs: u64) -> Interval {
    let (first, second) = (Rate::of(first_solved, first_runs), Rate::of(second_solved, second_runs));
    if first_runs == 0 || second_runs == 0 {
        Interval { low: -1.0, high: 1.0 }
    } else {
        difference(&first, &second, 0.0)
    }
}

/// The 95 % interval of the first rate less the second, from pairs of runs: how many pairs both solved, only the first, only
/// the second, and neither.
///
/// R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data",
/// Statistics in Medicine 17(22), 1998, pages 2635 to 2650, method 10: as [`newcombe`], less the part that the two have in
/// common, by their correlation with a continuity correction. It takes the pairs for independent. It lies in `[-1, 1]`;
/// without pairs it is `[-1, 1]`. It has a width also where no pair differs.
#[must_use]
pub fn newcombe_paired(both: u64, first_only: u64, second_only: u64, neither: u64) -> Interval {
    let n = both + first_only + second_only + neither;
    if n == 0 {
        return Interval { low: -1.0, high: 1.0 };
    }
    let (first, second) = (Rate::of(both + first_only, n), Rate::of(both + second_only, n));
    let [a, b, c, d] = [both, first_only, second_only, neither].map(|count| count as f64);
    let product = ((a + b) * (c + d)).sqrt() * ((a + c) * (b + d)).sqrt();
    let common = a * d - b * c;
    let common = if common > 0.0 { (common - n as f64 / 2.0).max(0.0) } else { common };
    difference(&first, &second, if product == 0.0 { 0.0 } else { common / product })
}

/// A rate and how far it is to the ends of its Wilson interval.
struct Rate {
    rate: f64,
    down: f64,
    up: f64,
}

impl Rate {
    fn of(solved: u64, runs: u64) -> Self {
        let interval = wilson(solved, runs);
        let rate = solved as f64 / runs as f64;
        Self { rate, down: rate - interval.low, up: interval.high - rate }
    }
}

fn difference(first: &Rate, second: &Rate, correlation: f64) -> Interval {
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
    fn the_worked_example_of_a_textbook_comes_out() {
        // `Newcombe_square_and_add_CI_paired_2x2` of the R package contingencytables, to "Statistical Analysis of Contingency
        // Tables" (Fagerland, Lydersen and Laake 2017), printed to four digits.
        let paired = newcombe_paired(59, 6, 16, 80);
        assert!((paired.low + 0.1186).abs() < 5e-5 && (paired.high + 0.0046).abs() < 5e-5, "{paired:?}");
    }

    #[test]
    fn without_runs_nothing_is_known() {
        let all = Interval { low: -1.0, high: 1.0 };
        assert_eq!((newcombe(0, 0, 5, 10), newcombe(5, 10, 0, 0), newcombe_paired(0, 0, 0, 0)), (all, all, all));
    }
}
