//! Complete grids: each setting and each combination of settings explains a part of the variance between cells.

/// A term in the decomposition of the differences between cells. Each term belongs to a set of factors. The term is the part of the
/// differences that comes from the joint effect of all these factors. If only some of these factors cause a difference, the difference
/// belongs to another term of the decomposition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FactorialTerm {
    /// The set of factors as a bit mask. Bit `i` is 1 if factor `i` belongs to the set. Bits and factors are counted from 0.
    pub factors: u32,
    /// The mean square of the term over all cells, after the noise of the means is subtracted. If the subtraction of the noise gives a
    /// negative number, the variance is 0.
    pub variance: f64,
}

/// The largest number of factors of a grid. The number is limited because all combinations of factors are listed.
pub const MOST_FACTORS: usize = 12;

/// Means that differ by less than this share are equal except for rounding errors.
const ROUNDING: f64 = 1e-12;

/// Divides the variance of the means of all cells into terms. The cells form a complete grid. Each non-empty set of factors has one term.
/// The method is the functional ANOVA, which is exact on a complete grid. `levels` lists the number of levels of each factor. `means` lists
/// the mean of each cell, and the last factor changes fastest. The mean of a cell varies, because runs are random. `noise` is the variance
/// of a cell's mean, or 0 if this variance is unknown. The terms are in ascending order of their field [`factors`](FactorialTerm::factors).
/// If `noise` is 0, the variances of all terms sum to the variance of the means. The variance of the means is computed with the number of
/// means as divisor, not with this number minus one.
///
/// Let `u` be a set of factors. First, average the means of the cells over all factors outside `u`. Then subtract the overall mean of the
/// cells from each average. Let `M(u)` be the mean square of the averages after this subtraction. Each proper subset of `u` has a term. Add
/// the variances of these terms, and subtract the sum from `M(u)`. The result of this subtraction is the variance of the term that belongs
/// to `u`. The subtraction of variances is correct because terms are orthogonal on a complete grid with equal weights. Let `d` be the
/// degrees of freedom of a term, and let `n` be the number of cells. Noise adds `noise · d / n` to the mean square of the term. The
/// function subtracts `noise · d / n` from the mean square of the term.
///
/// Source: F. Hutter, H. Hoos and K. Leyton-Brown, "An efficient approach for assessing hyperparameter importance", ICML 2014, sections 2
/// and 3. On a complete grid, R. A. Fisher's analysis of variance gives the same terms.
///
/// # Panics
/// If there are more than [`MOST_FACTORS`] factors. If the number of means differs from the number of cells.
///
/// # Example
/// ```
/// use evogrid_statistics::{factorial_terms, shapley_shares};
///
/// // Rows differ by 4 and columns by 2, without an interaction.
/// let terms = factorial_terms(&[2, 2], &[0.0, 2.0, 4.0, 6.0], 0.0);
/// let variances: Vec<f64> = terms.iter().map(|term| term.variance).collect();
/// assert_eq!(variances, [4.0, 1.0, 0.0]);
/// assert_eq!(shapley_shares(2, &terms), [0.8, 0.2]);
/// ```
pub fn factorial_terms(levels: &[usize], means: &[f64], noise: f64) -> Vec<FactorialTerm> {
    assert!(levels.len() <= MOST_FACTORS, "at most {MOST_FACTORS} factors");
    assert_eq!(levels.iter().product::<usize>(), means.len(), "each cell of the grid has one mean");
    let n = means.len() as f64;
    let grand = means.iter().sum::<f64>() / n;
    let centred: Vec<f64> = means.iter().map(|mean| mean - grand).collect();
    let sets = 1usize << levels.len();
    let mut variances: Vec<f64> = (0..sets).map(|set| mean_square_of_margin(levels, &centred, set as u32)).collect();
    // From sums over all subsets to the sets themselves (Möbius).
    for factor in 0..levels.len() {
        for set in (0..sets).filter(|set| set >> factor & 1 == 1) {
            variances[set] -= variances[set ^ 1 << factor];
        }
    }
    // What is left of equal means is the rounding of their sums.
    let least = ROUNDING * ROUNDING * means.iter().map(|mean| mean * mean).sum::<f64>() / n;
    let degrees = |set: u32| -> f64 { members(set).map(|factor| levels[factor] as f64 - 1.0).product() };
    let term = |set: u32| FactorialTerm {
        factors: set,
        variance: Some(variances[set as usize])
            .filter(|&own| own > least)
            .map_or(0.0, |own| (own - noise * degrees(set) / n).max(0.0)),
    };
    (1..sets as u32).map(term).collect()
}

/// Computes the share of each factor in the sum of all variances (Shapley value). The variance of a term is divided equally among its
/// factors. The shares sum to 1. If all variances are 0, all shares are 0.
///
/// Source: A. B. Owen, "Sobol' indices and Shapley value", SIAM/ASA Journal on Uncertainty Quantification 2(1), 2014,
/// doi:10.1137/130936233, theorem 1.
pub fn shapley_shares(factors: usize, terms: &[FactorialTerm]) -> Vec<f64> {
    let total: f64 = terms.iter().map(|term| term.variance).sum();
    let share = |factor: usize| {
        let own = terms.iter().filter(|term| term.factors >> factor & 1 == 1);
        let sum: f64 = own.map(|term| term.variance / f64::from(term.factors.count_ones())).sum();
        if total > 0.0 { sum / total } else { 0.0 }
    };
    (0..factors).map(share).collect()
}

/// The factors in a set.
fn members(set: u32) -> impl Iterator<Item = usize> {
    (0..u32::BITS as usize).filter(move |factor| set >> factor & 1 == 1)
}

/// The mean square of the means that remain after averaging over all factors outside a set.
fn mean_square_of_margin(levels: &[usize], centred: &[f64], set: u32) -> f64 {
    let kept: usize = members(set).map(|factor| levels[factor]).product();
    let mut sums = vec![0.0; kept];
    for (cell, value) in centred.iter().enumerate() {
        let (mut rest, mut place, mut step) = (cell, 0, 1);
        for (factor, &n) in levels.iter().enumerate().rev() {
            if set >> factor & 1 == 1 {
                place += rest % n * step;
                step *= n;
            }
            rest /= n;
        }
        sums[place] += value;
    }
    let in_each = (centred.len() / kept) as f64;
    sums.iter().map(|sum| (sum / in_each).powi(2)).sum::<f64>() / kept as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_worked_example_agrees_with_statsmodels() {
        // A 3 x 4 x 2 grid; shares by `anova_lm` of statsmodels 0.14.
        let means = [
            415, 824, 616, 696, 531, 999, 420, 50, 340, 519, 902, 361, 814, 868, 142, 802, 420, 40, 549, 365, 544, 39,
            915, 723,
        ]
        .map(f64::from);
        let terms = factorial_terms(&[3, 4, 2], &means, 0.0);
        let variance: f64 = terms.iter().map(|term| term.variance).sum();
        assert!((variance - 80_206.020_833_333_33).abs() < 1e-7);
        let expected = [
            (0b001, 0.049_398_696_949_444_515),
            (0b010, 0.075_275_330_448_921_18),
            (0b100, 0.002_244_307_130_240_193),
            (0b011, 0.417_393_808_843_146_7),
            (0b101, 0.131_434_482_050_434_9),
            (0b110, 0.038_378_682_259_843_51),
            (0b111, 0.285_874_692_317_969),
        ];
        for (set, share) in expected {
            let term = terms[set - 1];
            assert!(term.factors == set as u32 && (term.variance / variance - share).abs() < 1e-12, "{set}");
        }
        let shapley = [0.419_104_406_502_224_97, 0.398_453_140_106_406, 0.182_442_453_391_369_05];
        for (share, expected) in shapley_shares(3, &terms).into_iter().zip(shapley) {
            assert!((share - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn means_that_differ_by_rounding_have_no_variance() {
        let means = [0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1];
        assert_ne!(means[0], means[1]);
        assert_eq!(factorial_terms(&[2], &means, 0.0), [FactorialTerm { factors: 1, variance: 0.0 }]);
    }

    proptest! {
        #[test]
        fn terms_sum_to_the_variance_and_noise_is_taken_from_each_by_its_degrees_of_freedom(
            levels in prop::collection::vec(1usize..4, 1..5), values in prop::collection::vec(-50i32..50, 81), noise in 0.0..3.0f64,
        ) {
            let n: usize = levels.iter().product();
            let means: Vec<f64> = values[..n].iter().map(|&value| f64::from(value)).collect();
            let grand = means.iter().sum::<f64>() / n as f64;
            let variance = means.iter().map(|mean| (mean - grand).powi(2)).sum::<f64>() / n as f64;
            let terms = factorial_terms(&levels, &means, 0.0);
            prop_assert!((terms.iter().map(|term| term.variance).sum::<f64>() - variance).abs() < 1e-9);
            let shares = shapley_shares(levels.len(), &terms);
            let whole = f64::from(u8::from(variance > 0.0));
            prop_assert!((shares.iter().sum::<f64>() - whole).abs() < 1e-9);
            for (term, less) in terms.iter().zip(factorial_terms(&levels, &means, noise)) {
                let degrees: f64 = members(term.factors).map(|factor| levels[factor] as f64 - 1.0).product();
                prop_assert!((less.variance - (term.variance - noise * degrees / n as f64).max(0.0)).abs() < 1e-9);
            }
        }
    }
}
