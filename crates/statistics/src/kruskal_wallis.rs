//! Several independent samples: are they from one distribution? The test of Kruskal and Wallis.

use super::chi_squared;
use super::ranks::{cubed_less_itself, ranks};

/// What the test of Kruskal and Wallis says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KruskalWallisTest {
    /// `H`, corrected for ties; 0 where all mean ranks are equal.
    pub statistic: f64,
    /// The samples with numbers, less one.
    pub degrees: usize,
    /// The p-value of all being draws from one distribution, in `[0, 1]`.
    pub p_value: f64,
}

/// The test of W. H. Kruskal and W. A. Wallis, "Use of ranks in one-criterion variance analysis", JASA 47(260), 1952,
/// doi:10.1080/01621459.1952.10483441.
///
/// `H` is taken for chi-squared, which is rough below five numbers a sample. Samples without numbers have no part in it.
/// The p-value is 1 where fewer than two are left, or all numbers are equal. An unsolved run may stand as `f64::INFINITY`.
/// All draws are independent. No number is NaN.
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
