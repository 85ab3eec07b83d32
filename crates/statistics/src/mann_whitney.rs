//! Two independent samples: does one tend to larger numbers? The test of Mann and Whitney.

use super::normal;
use super::ranks::{cubed_less_itself, ranks};

/// What the test of Mann and Whitney says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitneyTest {
    /// Of all pairs of a number of the first sample and one of the second, how many have the larger in the first; equal ones
    /// count one half.
    pub u: f64,
    /// The two-sided p-value of both being draws from one distribution, in `[0, 1]`.
    pub p_value: f64,
    /// Whether it comes from the distribution of `u` itself and not from a normal one.
    pub is_exact: bool,
}

/// From how many numbers in a sample on the normal distribution is used.
const MANY: usize = 50;

/// The two-sided test of Mann and Whitney, "On a test of whether one of two random variables is stochastically larger than
/// the other", Annals of Mathematical Statistics 18(1), 1947, doi:10.1214/aoms/1177730491.
///
/// It is exact for samples of fewer than 50 numbers without ties. Else `u` is taken for normal, with a continuity
/// correction of 1/2 and the variance corrected for ties (Lehmann, "Nonparametrics: Statistical Methods Based on Ranks",
/// 1975, chapter 1). An unsolved run may stand as `f64::INFINITY`: all such are tied. The p-value is 1 where a sample is
/// empty, or all numbers are equal. All draws are independent; for runs in pairs there is [`wilcoxon`](super::wilcoxon). No
/// number is NaN.
#[must_use]
pub fn mann_whitney(first: &[f64], second: &[f64]) -> MannWhitneyTest {
    let ranks = ranks(&[first, second].concat());
    let (m, n) = (first.len(), second.len());
    let rank_sum: f64 = ranks.ranks[..m].iter().sum();
    let u = rank_sum - m as f64 * (m + 1) as f64 / 2.0;
    let pairs = m as f64 * n as f64;
    if pairs == 0.0 {
        return MannWhitneyTest { u, p_value: 1.0, is_exact: false };
    }
    let fewer = u.min(pairs - u);
    if ranks.ties == 0.0 && m.max(n) < MANY {
        let p_value = (2.0 * at_most(fewer as usize, m.min(n), m.max(n))).min(1.0);
        return MannWhitneyTest { u, p_value, is_exact: true };
    }
    let all = m + n;
    let variance = pairs / 12.0 * (cubed_less_itself(all) - ranks.ties) / (all as f64 * (all - 1) as f64);
    // No further than one half from the middle is no distance; without variance there is no other.
    let distance = pairs / 2.0 - fewer - 0.5;
    let p_value = if distance <= 0.0 { 1.0 } else { 2.0 * normal::at_most(-distance / variance.sqrt()) };
    MannWhitneyTest { u, p_value, is_exact: false }
}

/// The probability of a `u` of at most that, for samples of `m` and `n` from one continuous distribution.
///
/// Mann and Whitney's recurrence over the largest number of all: with probability `m/(m+n)` it is in the first sample, and
/// larger than all `n` of the second.
fn at_most(u: usize, m: usize, n: usize) -> f64 {
    // For samples of `i` and `j`: the probabilities of 0, 1, ... `u`.
    let mut certain = vec![0.0; u + 1];
    certain[0] = 1.0;
    let mut rows = vec![certain; n + 1];
    for i in 1..=m {
        for j in 1..=n {
            let share = i as f64 / (i + j) as f64;
            let (done, open) = rows.split_at_mut(j);
            let (before, row) = (&done[j - 1], &mut open[0]);
            for at in (0..=u).rev() {
                let largest_in_first = if at >= j { row[at - j] } else { 0.0 };
                row[at] = share * largest_in_first + (1.0 - share) * before[at];
            }
        }
    }
    rows[n].iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_without_numbers_or_all_numbers_equal_say_nothing() {
        assert_eq!(mann_whitney(&[], &[1.0]), MannWhitneyTest { u: 0.0, p_value: 1.0, is_exact: false });
        assert_eq!(mann_whitney(&[], &[]).p_value, 1.0);
        let equal = mann_whitney(&[f64::INFINITY; 30], &[f64::INFINITY; 60]);
        assert_eq!(equal, MannWhitneyTest { u: 900.0, p_value: 1.0, is_exact: false });
    }

    #[test]
    fn the_tables_of_mann_and_whitney_come_out() {
        // Probabilities of at most `u`, printed to three digits.
        for (u, m, n, printed) in [(0, 3, 3, 0.050), (2, 4, 5, 0.032), (4, 5, 5, 0.048), (15, 6, 6, 0.350)] {
            assert!((at_most(u, m, n) - printed).abs() < 5.1e-4, "{u} of {m} and {n}: {}", at_most(u, m, n));
        }
    }

    #[test]
    fn a_million_numbers_are_no_matter() {
        let first: Vec<f64> = (0..500_000).map(|i| f64::from(i % 1000)).collect();
        let second: Vec<f64> = (0..500_000).map(|i| f64::from(i % 1001)).collect();
        let found = mann_whitney(&first, &second);
        assert!(found.p_value > 0.0 && found.p_value < 1.0 && found.u > 1.2e11, "{found:?}");
    }
}
