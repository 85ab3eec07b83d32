//! Several independent samples: the test of Kruskal and Wallis.

use crate::distributions::chi_squared;
use crate::hypothesis::ranks::{cubed_less_itself, ranks};

/// The outcome of [`kruskal_wallis`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KruskalWallisTest {
    /// `H`, corrected for ties; 0 where all mean ranks are equal.
    pub statistic: f64,
    /// Degrees of freedom: the number of samples that are not empty, minus one.
    pub degrees: usize,
    /// The p-value of the hypothesis that all samples come from one distribution, in `[0, 1]`.
    pub p_value: f64,
}

/// The test of Kruskal and Wallis, corrected for ties: do several independent samples come from one distribution?
///
/// With `n` numbers in all, and samples of `n_i` numbers whose mean ranks among all are `R_i`, `H` is
/// `12 / (n (n + 1)) Σ n_i (R_i - (n + 1)/2)²`, divided by `1 - Σ (t³ - t) / (n³ - n)` over the groups of `t` equal numbers. It is
/// compared with the chi-squared distribution, an approximation that is rough for samples of fewer than five numbers.
///
/// Empty samples are left out. The p-value is 1 where fewer than two samples are left, and where all numbers are equal. An
/// unsolved run may stand as `f64::INFINITY`. All numbers must be independent.
///
/// Source: W. H. Kruskal and W. A. Wallis, "Use of ranks in one-criterion variance analysis", JASA 47(260), 1952,
/// doi:10.1080/01621459.1952.10483441.
///
/// # Example
/// ```
/// // scipy.stats.kruskal([12, 15, 18], [14, 20, 25, 28], [31, 40, 33])
/// let test = evogrid_statistics::kruskal_wallis(&[&[12.0, 15.0, 18.0], &[14.0, 20.0, 25.0, 28.0], &[31.0, 40.0, 33.0]]);
/// assert_eq!(test.degrees, 2);
/// assert!((test.statistic - 6.7454545).abs() < 1e-7 && (test.p_value - 0.0342960).abs() < 1e-7);
/// ```
#[must_use]
pub fn kruskal_wallis(samples: &[&[f64]]) -> KruskalWallisTest {
    let samples: Vec<&[f64]> = samples.iter().copied().filter(|sample| !sample.is_empty()).collect();
    let ranks = ranks(&samples.concat());
    let n = ranks.ranks.len();
    let degrees = samples.len().saturating_sub(1);
    let spread = cubed_less_itself(n) - ranks.ties;
    if degrees == 0 || spread == 0.0 {
        return KruskalWallisTest { statistic: 0.0, degrees, p_value: 1.0 };
    }
    let middle = (n + 1) as f64 / 2.0;
    let mut rest = ranks.ranks.as_slice();
    let mut between = 0.0;
    for sample in &samples {
        let (own, others) = rest.split_at(sample.len());
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        between += own.len() as f64 * (mean - middle) * (mean - middle);
        rest = others;
    }
    // 12/(n(n+1)) of it, over 1 - ties/(n³-n).
    let statistic = 12.0 * (n - 1) as f64 * between / spread;
    KruskalWallisTest { statistic, degrees, p_value: chi_squared::more_than(statistic, degrees) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_to_compare_says_nothing() {
        let nothing = |degrees| KruskalWallisTest { statistic: 0.0, degrees, p_value: 1.0 };
        assert_eq!(kruskal_wallis(&[]), nothing(0));
        assert_eq!(kruskal_wallis(&[&[], &[1.0, 2.0], &[]]), nothing(0));
        assert_eq!(kruskal_wallis(&[&[f64::INFINITY; 3], &[f64::INFINITY; 5]]), nothing(1));
        assert_eq!(kruskal_wallis(&[&[1.0], &[1.0]]), nothing(1));
    }
}
