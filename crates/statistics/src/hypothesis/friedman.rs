//! Friedman's test and Nemenyi's test: several treatments (such as algorithms) on the same blocks (such as instances).

use crate::confidence::Confidence;
use crate::distributions::chi_squared;
use crate::distributions::studentized_range;
use crate::hypothesis::ranks::{cubed_less_itself, ranks};

/// The outcome of [`friedman`].
#[derive(Clone, Debug, PartialEq)]
pub struct FriedmanTest {
    /// The mean rank of each treatment over the blocks. In a block, the smallest number has rank 1. If there are no blocks, all mean ranks
    /// are 0.
    pub mean_ranks: Vec<f64>,
    /// The test statistic: chi-squared, corrected for ties. The statistic is 0 if all mean ranks are equal.
    pub statistic: f64,
    /// The degrees of freedom: the number of treatments minus one.
    pub degrees: usize,
    /// The p-value, in `[0, 1]`. The hypothesis is that the treatments do not differ.
    pub p_value: f64,
}

/// Performs Friedman's test, with a correction for ties. The test shows whether several treatments differ. Every treatment must have a
/// number in every block.
///
/// A block has one number per treatment, always in the same order. There are `k` treatments and `n` blocks, and `R_j` are the treatments'
/// mean ranks. Chi-squared is `12 n / (k (k + 1)) Σ (R_j - (k + 1)/2)²`. To correct for ties, chi-squared is divided by `1 - Σ (t³ - t) /
/// (n (k³ - k))`. The sum in this divisor is over all groups of equal numbers in a block, and `t` is the size of a group. The p-value comes
/// from the chi-squared distribution. The approximation is rough with fewer than ten blocks or fewer than five treatments.
///
/// The p-value is 1 if there are no blocks or fewer than two treatments. The p-value is also 1 if all numbers in every block are equal. An
/// unsolved run may have the value `f64::INFINITY`. The blocks must be independent.
///
/// Sources: M. Friedman, "The use of ranks to avoid the assumption of normality implicit in the analysis of variance",
/// JASA 32(200), 1937, doi:10.1080/01621459.1937.10503522; for ties W. J. Conover, "Practical Nonparametric Statistics", 3rd
/// edition 1999, section 5.8.
///
/// # Panics
/// If the blocks have different numbers of treatments.
///
/// # Example
/// ```
/// // scipy.stats.friedmanchisquare([10, 20, 7, 31], [12, 21, 9, 35], [15, 30, 8, 40])
/// let test = evogrid_statistics::friedman(&[
///     &[10.0, 12.0, 15.0], &[20.0, 21.0, 30.0], &[7.0, 9.0, 8.0], &[31.0, 35.0, 40.0],
/// ]);
/// assert_eq!((test.mean_ranks, test.degrees), (vec![1.0, 2.25, 2.75], 2));
/// assert!((test.statistic - 6.5).abs() < 1e-12 && (test.p_value - 0.0387742).abs() < 1e-7);
/// ```
pub fn friedman(blocks: &[&[f64]]) -> FriedmanTest {
    let k = blocks.first().map_or(0, |block| block.len());
    assert!(blocks.iter().all(|block| block.len() == k), "every block has one number per treatment");
    let n = blocks.len() as f64;
    let (mut mean_ranks, mut ties) = (vec![0.0; k], 0.0);
    for block in blocks {
        let ranks = ranks(block);
        mean_ranks.iter_mut().zip(ranks.ranks).for_each(|(sum, rank)| *sum += rank / n);
        ties += ranks.ties;
    }
    let degrees = k.saturating_sub(1);
    let spread = n * cubed_less_itself(k) - ties;
    if degrees == 0 || spread <= 0.0 {
        return FriedmanTest { mean_ranks, statistic: 0.0, degrees, p_value: 1.0 };
    }
    let middle = (k + 1) as f64 / 2.0;
    let between: f64 = mean_ranks.iter().map(|rank| (rank - middle) * (rank - middle)).sum();
    // 12 n/(k(k+1)) of it, over 1 - ties/(n(k³-k)).
    let statistic = 12.0 * n * n * (k - 1) as f64 * between / spread;
    let p_value = chi_squared::more_than(statistic, degrees);
    FriedmanTest { mean_ranks, statistic, degrees, p_value }
}

/// Computes Nemenyi's critical difference, with which all pairs of treatments can be compared. Two treatments differ if their mean ranks
/// differ by more than the critical difference.
///
/// For `k` treatments on `n` blocks the critical difference is `q √(k(k+1)/(6n))`. Let `Q` be the studentised range of `k` numbers, with
/// infinite degrees of freedom. The number `q` is chosen so that `Q` exceeds `q √2` with a probability equal to the significance level. The
/// formula ignores ties, so the critical difference is too large if there are ties. The critical difference is infinite if there are fewer
/// than two treatments or no blocks.
///
/// Sources: P. B. Nemenyi, "Distribution-free Multiple Comparisons", dissertation, Princeton 1963; J. Demsar, "Statistical
/// comparisons of classifiers over multiple data sets", JMLR 7, 2006, section 3.2.2.
///
/// # Example
/// ```
/// // Demsar, page 14: four algorithms on fourteen data sets.
/// use evogrid_statistics::{Confidence, nemenyi_critical_difference};
///
/// assert!((nemenyi_critical_difference(4, 14, Confidence::PERCENT_95) - 1.25).abs() < 5e-3);
/// ```
pub fn nemenyi_critical_difference(treatments: usize, blocks: usize, confidence: Confidence) -> f64 {
    if treatments < 2 {
        return f64::INFINITY;
    }
    let k = treatments as f64;
    // The standard deviation of the difference of two mean ranks, divided by `√2`.
    let unit = (k * (k + 1.0) / (12.0 * blocks as f64)).sqrt();
    studentized_range::upper_point(confidence.level(), treatments) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_demsar_comes_out() {
        // JMLR 7, 2006, table 6: four algorithms on fourteen data sets, mean ranks 3.143, 2.000, 2.893 and 1.964.
        let table = [
            [0.763, 0.768, 0.771, 0.798],
            [0.599, 0.591, 0.590, 0.569],
            [0.954, 0.971, 0.968, 0.967],
            [0.628, 0.661, 0.654, 0.657],
            [0.882, 0.888, 0.886, 0.898],
            [0.936, 0.931, 0.916, 0.931],
            [0.661, 0.668, 0.609, 0.685],
            [0.583, 0.583, 0.563, 0.625],
            [0.775, 0.838, 0.866, 0.875],
            [1.000, 1.000, 1.000, 1.000],
            [0.940, 0.962, 0.965, 0.962],
            [0.619, 0.666, 0.614, 0.669],
            [0.972, 0.981, 0.978, 0.975],
            [0.957, 0.978, 0.946, 0.970],
        ];
        // There the largest number is the best and has rank 1.
        let turned = table.map(|row| row.map(|number| -number));
        let found = friedman(&turned.each_ref().map(<[f64; 4]>::as_slice));
        for (rank, printed) in found.mean_ranks.iter().zip([3.143, 2.0, 2.893, 1.964]) {
            assert!((rank - printed).abs() < 5e-4, "{found:?}");
        }
    }

    #[test]
    fn too_little_to_compare_says_nothing() {
        for blocks in [&[] as &[&[f64]], &[&[]], &[&[1.0], &[2.0]], &[&[3.0, 3.0], &[f64::INFINITY, f64::INFINITY]]] {
            let found = friedman(blocks);
            assert_eq!((found.statistic, found.p_value), (0.0, 1.0), "{blocks:?}");
        }
        // scipy.stats.studentized_range.ppf(0.99, 4, inf) / sqrt(2) * sqrt(4 * 5 / (6 * 14))
        let at_99 = nemenyi_critical_difference(4, 14, Confidence::new(0.99).expect("in range"));
        assert!((at_99 - 1.519_110_62).abs() < 1e-6, "{at_99}");
        assert_eq!(
            (
                nemenyi_critical_difference(1, 5, Confidence::PERCENT_95),
                nemenyi_critical_difference(5, 0, Confidence::PERCENT_95)
            ),
            (f64::INFINITY, f64::INFINITY)
        );
    }
}
