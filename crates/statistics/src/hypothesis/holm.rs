//! Several tests at once: Holm's correction.

/// Corrects the p-values of several tests by Holm's method. The corrected p-values are in the order of `p_values`.
///
/// Suppose that every hypothesis with a corrected p-value of at most `α` is rejected. With this rule, the probability that one or more true
/// hypotheses are rejected is at most `α`. The tests need not be independent. Let `p_j` be the `j`-th smallest of `m` p-values. The
/// corrected value of `p_i` is the largest of the numbers `(m - j + 1) p_j` with `j <= i`. A corrected value above 1 is replaced by 1. So
/// the correction keeps the order of p-values, and equal p-values stay equal.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6(2), 1979.
///
/// # Example
/// ```
/// // statsmodels.stats.multitest.multipletests([0.01, 0.04, 0.03], method="holm")
/// let corrected = evogrid_statistics::holm(&[0.01, 0.04, 0.03]);
/// assert!(corrected.iter().zip([0.03, 0.06, 0.06]).all(|(found, expected)| (found - expected).abs() < 1e-15));
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[at]).min(1.0);
        corrected[at] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn order_stays_and_nothing_gets_smaller(p_values in prop::collection::vec(0.0..=1.0f64, 0..40)) {
            let corrected = holm(&p_values);
            for (i, a) in corrected.iter().enumerate() {
                prop_assert!(p_values[i] <= *a && *a <= 1.0);
                for (j, b) in corrected.iter().enumerate() {
                    prop_assert!(p_values[i] > p_values[j] || a <= b);
                }
            }
        }
    }
}
