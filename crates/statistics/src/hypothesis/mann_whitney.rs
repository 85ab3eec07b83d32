//! Two independent samples: the test of Mann and Whitney.

use crate::distributions::normal;
use crate::hypothesis::ranks::{cubed_less_itself, ranks};

/// The outcome of [`mann_whitney`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitneyTest {
    /// The number of pairs, one number from each sample, in which the first sample has the larger number. A pair of equal numbers counts
    /// one half. It lies between 0 and the product of the sample sizes.
    pub u: f64,
    /// The two-sided p-value of the hypothesis that both samples come from the same distribution, in `[0, 1]`.
    pub p_value: f64,
    /// Whether the p-value was computed from the distribution of `u` itself, not from the normal approximation.
    pub is_exact: bool,
}

/// The p-value is exact only if both samples have fewer numbers than this.
const NORMAL_FROM: usize = 50;

/// The two-sided test of Mann and Whitney: does one of two independent samples tend to larger numbers?
///
/// The p-value is exact for samples of fewer than 50 numbers without ties. Otherwise `u` is taken as normal, with a continuity
/// correction of 1/2 and with the variance `m n / 12 · (N³ - N - Σ (t³ - t)) / (N (N - 1))` for samples of `m` and `n`
/// numbers, `N = m + n`, and groups of `t` equal numbers. The p-value is 1 where a sample is empty, and where all numbers are equal.
///
/// An unsolved run may stand as `f64::INFINITY`; all of those are equal to each other. All numbers must be independent. For the size of the difference see [`vargha_delaney`](crate::vargha_delaney).
///
/// Sources: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the other",
/// Annals of Mathematical Statistics 18(1), 1947, doi:10.1214/aoms/1177730491; E. L. Lehmann, "Nonparametrics: Statistical Methods Based on
/// Ranks", 1975, chapter 1.
///
/// # Example
/// ```
/// // scipy.stats.mannwhitneyu([12, 15, 18, 21, 30], [14, 20, 25, 28, 31, 40], method="exact")
/// let test = evogrid_statistics::mann_whitney(&[12.0, 15.0, 18.0, 21.0, 30.0], &[14.0, 20.0, 25.0, 28.0, 31.0, 40.0]);
/// assert_eq!((test.u, test.is_exact), (8.0, true));
/// assert!((test.p_value - 0.2467532).abs() < 1e-7);
/// ```
pub fn mann_whitney(first: &[f64], second: &[f64]) -> MannWhitneyTest {
    let ranks = ranks(&[first, second].concat());
    let (m, n) = (first.len(), second.len());
    let rank_sum: f64 = ranks.ranks[..m].iter().sum();
    let u = rank_sum - m as f64 * (m + 1) as f64 / 2.0;
    let pairs = m as f64 * n as f64;
    if pairs == 0.0 {
        return MannWhitneyTest { u, p_value: 1.0, is_exact: false };
    }
    let smaller = u.min(pairs - u);
    if ranks.ties == 0.0 && m.max(n) < NORMAL_FROM {
        let p_value = (2.0 * at_most(smaller as usize, m.min(n), m.max(n))).min(1.0);
        return MannWhitneyTest { u, p_value, is_exact: true };
    }
    let p_value = normal::two_sided_p_value(pairs / 2.0 - smaller, variance(m, n, ranks.ties));
    MannWhitneyTest { u, p_value, is_exact: false }
}

pub(super) fn variance(m: usize, n: usize, ties: f64) -> f64 {
    let all = m + n;
    ((m * n) as f64 / 12.0 * (cubed_less_itself(all) - ties) / (all as f64 * (all - 1) as f64)).max(0.0)
}

/// The probability that `u` is at most that, for samples of `m` and `n` numbers from one continuous distribution.
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
