//! Many tests at once: Holm's correction.

/// The p-values with Holm's correction, in the order given: reject those at most 0.05, and the chance of any false rejection
/// is at most 5 %, whatever the tests have to do with each other.
///
/// S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6(2), 1979. The
/// `i`-th smallest of `m` becomes the largest of `(m - j + 1) p_j` for `j <= i`, at most 1. So a smaller p-value never
/// gets a larger one than another has, and equal ones stay equal. None give none. A p-value is no NaN.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[at]).min(1.0);
        adjusted[at] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_values_agree_with_statsmodels() {
        // statsmodels.stats.multitest.multipletests(..., method="holm"), statsmodels 0.15.0.
        let golden: [(&[f64], &[f64]); 5] = [
            (&[], &[]),
            (&[0.2], &[0.2]),
            (&[0.01, 0.04, 0.03], &[0.03, 0.06, 0.06]),
            (&[0.5, 0.6, 0.9], &[1.0, 1.0, 1.0]),
            (&[0.02, 0.02, 0.001, 1.0], &[0.06, 0.06, 0.004, 1.0]),
        ];
        for (p_values, golden) in golden {
            let adjusted = holm(p_values);
            assert_eq!(adjusted.len(), golden.len());
            assert!(adjusted.iter().zip(golden).all(|(a, b)| (a - b).abs() < 1e-15), "{adjusted:?}");
        }
    }

    proptest! {
        #[test]
        fn order_stays_and_nothing_gets_smaller(p_values in prop::collection::vec(0.0..=1.0f64, 0..40)) {
            let adjusted = holm(&p_values);
            for (i, a) in adjusted.iter().enumerate() {
                prop_assert!(p_values[i] <= *a && *a <= 1.0);
                for (j, b) in adjusted.iter().enumerate() {
                    prop_assert!(p_values[i] > p_values[j] || a <= b);
                }
            }
        }
    }
}
