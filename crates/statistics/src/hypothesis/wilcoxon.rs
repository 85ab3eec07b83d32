//! Pairs of numbers: Wilcoxon's signed-rank test.

use crate::distributions::normal;
use crate::hypothesis::ranks::ranks;

/// The outcome of [`wilcoxon`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WilcoxonTest {
    /// Number of pairs whose numbers differ.
    pub n: usize,
    /// Sum of the ranks of the pairs with the larger number first.
    pub rank_sum_first: f64,
    /// Sum of the ranks of the pairs with the larger number second.
    pub rank_sum_second: f64,
    /// The two-sided p-value of the hypothesis that the differences are symmetric about zero, in `[0, 1]`.
    pub p_value: f64,
    /// Whether the p-value was computed from the distribution of the rank sum itself, not from the normal approximation.
    pub is_exact: bool,
}

/// The largest number of pairs for which the p-value is exact.
const MOST_EXACT_PAIRS: usize = 50;

/// Wilcoxon's two-sided signed-rank test: does the first number of a pair tend to be the larger?
///
/// The differences are ranked by size. Pairs of equal numbers are left out, as Wilcoxon did. The p-value is exact for up to 50
/// pairs, if none was left out and no two differences have the same size. Otherwise the rank sum of `n` pairs is taken as normal,
/// with a continuity correction of 1/2 and the variance `n (n + 1) (2n + 1) / 24 - Σ (t³ - t) / 48` over the groups of `t` differences
/// of one size. The p-value is 1 where no pair differs.
///
/// An unsolved run may stand as `f64::INFINITY`: two of them are equal, and the difference from any other number is larger than
/// all differences of finite numbers. The pairs must be independent. Differences are ranked as computed: those of numbers that
/// are not integers may differ by a rounding error alone.
///
/// Sources: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1(6), 1945, doi:10.2307/3001968;
/// E. L. Lehmann, "Nonparametrics: Statistical Methods Based on Ranks", 1975, chapter 3.
///
/// # Example
/// ```
/// // scipy.stats.wilcoxon([12, 15, 18, 21, 30, 44], [14, 20, 25, 20, 45, 38], method="exact")
/// let pairs = [(12.0, 14.0), (15.0, 20.0), (18.0, 25.0), (21.0, 20.0), (30.0, 45.0), (44.0, 38.0)];
/// let test = evogrid_statistics::wilcoxon(&pairs);
/// assert_eq!((test.n, test.rank_sum_first, test.rank_sum_second, test.is_exact), (6, 5.0, 16.0, true));
/// assert!((test.p_value - 0.3125).abs() < 1e-12);
/// ```
#[must_use]
pub fn wilcoxon(pairs: &[(f64, f64)]) -> WilcoxonTest {
    // The difference of two infinite numbers would be NaN.
    let differences: Vec<f64> = pairs.iter().filter(|(a, b)| a != b).map(|(a, b)| a - b).collect();
    let n = differences.len();
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let ranks = ranks(&sizes);
    let with_sign = |is_first: bool| {
        let chosen = ranks.ranks.iter().zip(&differences).filter(|&(_, &difference)| (difference > 0.0) == is_first);
        chosen.map(|(rank, _)| rank).sum::<f64>()
    };
    let (rank_sum_first, rank_sum_second) = (with_sign(true), with_sign(false));
    let smaller = rank_sum_first.min(rank_sum_second);
    let is_exact = n > 0 && n == pairs.len() && n <= MOST_EXACT_PAIRS && ranks.ties == 0.0;
    let p_value = if is_exact {
        (2.0 * at_most(smaller as usize, n)).min(1.0)
    } else {
        let all = n as f64;
        let variance = all * (all + 1.0) * (2.0 * all + 1.0) / 24.0 - ranks.ties / 48.0;
        normal::two_sided_p_value(all * (all + 1.0) / 4.0 - smaller, variance)
    };
    WilcoxonTest { n, rank_sum_first, rank_sum_second, p_value, is_exact }
}

/// The probability that a rank sum is at most that, for `n` differences of either sign with equal probability.
fn at_most(sum: usize, n: usize) -> f64 {
    let mut probabilities = vec![0.0; sum + 1];
    probabilities[0] = 1.0;
    for rank in 1..=n {
        for at in (0..=sum).rev() {
            let with = if at >= rank { probabilities[at - rank] } else { 0.0 };
            probabilities[at] = (probabilities[at] + with) / 2.0;
        }
    }
    probabilities.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_do_not_differ_say_nothing() {
        let never = f64::INFINITY;
        for pairs in [&[] as &[_], &[(1.0, 1.0)], &[(never, never), (2.0, 2.0)]] {
            let found = wilcoxon(pairs);
            assert_eq!((found.n, found.p_value, found.is_exact), (0, 1.0, false));
        }
    }

    #[test]
    fn an_unsolved_run_is_farthest_from_all() {
        let found = wilcoxon(&[(f64::INFINITY, 10.0), (3.0, 5.0), (1.0, 9.0), (4.0, 3.0)]);
        assert_eq!((found.rank_sum_first, found.rank_sum_second, found.is_exact), (5.0, 5.0, true));
        assert_eq!(found.p_value, 1.0);
    }

    #[test]
    fn a_million_pairs_are_no_matter() {
        let pairs: Vec<(f64, f64)> = (0..1_000_000).map(|i| (f64::from(i % 1000), f64::from(i % 1001))).collect();
        let found = wilcoxon(&pairs);
        assert!((0.0..=1.0).contains(&found.p_value), "{found:?}");
    }
}
