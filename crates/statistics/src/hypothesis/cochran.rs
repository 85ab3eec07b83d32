//! Cochran's Q tests whether several estimates estimate the same effect.

use crate::distributions::chi_squared;

/// Tests the hypothesis that the true effect behind several estimates is the same, and returns the p-value. The estimates are independent,
/// each with a known variance. Cochran's Q is a weighted sum of squared distances between the estimates and their weighted mean. The test
/// compares Q with the chi-squared distribution. Estimates with variance 0 are omitted. If fewer than two estimates have a variance above
/// 0, the p-value is 1.
///
/// Source: W. G. Cochran, "The combination of estimates from different experiments", Biometrics 10(1), 1954, doi:10.2307/3001666.
///
/// # Panics
/// If a variance is negative.
///
/// # Example
/// ```
/// // The weighted mean is 0.26 and Q is 5.6, with two degrees of freedom.
/// let p = evogrid_statistics::cochran_q(&[(0.1, 0.01), (0.5, 0.02), (0.3, 0.01)]);
/// assert!((p - (-2.8f64).exp()).abs() < 1e-12);
/// ```
pub fn cochran_q(estimates: &[(f64, f64)]) -> f64 {
    assert!(estimates.iter().all(|&(_, variance)| variance >= 0.0), "a variance is not negative");
    let known = || estimates.iter().filter(|&&(_, variance)| variance > 0.0);
    let weights: f64 = known().map(|(_, variance)| 1.0 / variance).sum();
    let mean = known().map(|(estimate, variance)| estimate / variance).sum::<f64>() / weights;
    let q: f64 = known().map(|(estimate, variance)| (estimate - mean).powi(2) / variance).sum();
    match known().count() {
        0 | 1 => 1.0,
        n => chi_squared::more_than(q, n - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_estimates_and_single_ones_tell_nothing() {
        assert_eq!(cochran_q(&[(0.3, 0.01); 4]), 1.0);
        assert_eq!((cochran_q(&[]), cochran_q(&[(0.3, 0.01), (0.9, 0.0)])), (1.0, 1.0));
    }
}
