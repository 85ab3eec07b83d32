//! Which mean some further runs would show, judged by the runs at hand.

use crate::draws::Draws;

/// The predicted mean of further runs, and how far a given one is from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanPrediction {
    /// Lower end of the central 95 % of such means.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The two-sided p-value of the given mean, in `(0, 1]`: twice the smaller share of the simulated means at or beyond it, itself
    /// counted among them.
    pub p_value: f64,
}

/// Number of means that are simulated.
const SIMULATED_MEANS: usize = 10_000;

/// Up to this number of further runs, each run is drawn.
const MOST_DRAWN_RUNS: u64 = 1000;

/// The distribution of the mean of `further` runs, given the numbers of our runs, and the p-value of the mean `seen`. `None` where
/// there are no numbers or no further runs.
///
/// As in [`predict_count`](crate::predict_count), both experiments vary, so that drawing from our numbers as if they were the whole
/// population would not do. The further runs are drawn from an urn that holds our numbers; each drawn number is put back with a
/// copy of itself. This is the predictive distribution of the Bayesian bootstrap. The variance of such a mean is
/// `s² (1/m + 1/n) n/(n+1)` for `m` further runs, `n` numbers and their variance `s²` (divided by `n`). 10,000 means are
/// simulated; the same seed gives the same ones. For more than 1000 further runs, means over 1000 are simulated and scaled to the
/// right variance.
///
/// The runs of both experiments must come from one distribution. The range is too narrow where our runs are few, since values that
/// we did not observe are not considered; it has no width where all numbers are equal. The numbers must be finite.
///
/// Source: A. Y. Lo, "A Bayesian bootstrap for a finite population", Annals of Statistics 16(4), 1988, pages 1684 to 1695.
///
/// # Panics
/// If there are 2^31 numbers or more.
///
/// # Example
/// ```
/// // 30 of 100 numbers are 1: the mean of 20 further ones, by scipy.stats.betabinom(20, 30, 70), lies between 0.1 and 0.55.
/// let sample: Vec<f64> = (0..100).map(|i| f64::from(i < 30)).collect();
/// let prediction = evogrid_statistics::predict_mean(&sample, 20, 0.8, 3).unwrap();
/// assert!((prediction.low - 0.1).abs() < 1e-12 && (prediction.high - 0.55).abs() < 1e-12);
/// assert!(prediction.p_value < 0.001);
/// ```
#[must_use]
pub fn predict_mean(sample: &[f64], further: u64, seen: f64, seed: u64) -> Option<MeanPrediction> {
    if sample.is_empty() || further == 0 {
        return None;
    }
    let n = sample.len() as f64;
    let middle = sample.iter().map(|number| number / n).sum::<f64>();
    let drawn = further.min(MOST_DRAWN_RUNS);
    let shrink = ((1.0 / further as f64 + 1.0 / n) / (1.0 / drawn as f64 + 1.0 / n)).sqrt();
    let mut random = Draws::from_seed(seed);
    let mut urn = sample.to_vec();
    let mut means: Vec<f64> = (0..SIMULATED_MEANS)
        .map(|_| {
            urn.truncate(sample.len());
            let mut sum = 0.0;
            for _ in 0..drawn {
                let number = urn[random.below(urn.len())];
                sum += number - middle;
                urn.push(number);
            }
            middle + shrink * sum / drawn as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    // A mean that is printed as ours is must not fall short of it by a rounding error.
    let slack = 1e-12 * middle.abs();
    let lower = means.partition_point(|&mean| mean <= seen + slack);
    let upper = SIMULATED_MEANS - means.partition_point(|&mean| mean < seen - slack);
    let p_value = 2.0 * (lower.min(upper) + 1) as f64 / (SIMULATED_MEANS + 1) as f64;
    let tail = SIMULATED_MEANS / 40;
    Some(MeanPrediction { low: means[tail - 1], high: means[SIMULATED_MEANS - tail], p_value: p_value.min(1.0) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn of_two_values_it_is_a_beta_binomial_count() {
        // scipy.stats.betabinom(20, 30, 70).ppf([0.025, 0.975]) and twice its sf(10).
        let sample: Vec<f64> = (0..100).map(|i| f64::from(i < 30)).collect();
        let found = predict_mean(&sample, 20, 0.55, 3).unwrap();
        assert!((found.low - 2.0 / 20.0).abs() < 1e-12 && (found.high - 11.0 / 20.0).abs() < 1e-12, "{found:?}");
        // Five standard errors of twice a share of 10,000.
        assert!((found.p_value - 0.05408063356017889).abs() < 0.015, "{found:?}");
    }

    #[test]
    fn many_further_runs_leave_our_own_error() {
        let sample: Vec<f64> = (0..400).map(f64::from).collect();
        // A standard error of 115.47 √(1/m + 1/400), and a range of 1.96 of them on either side.
        for further in [400, 1001, 1_000_000] {
            let found = predict_mean(&sample, further, 199.5, 1).unwrap();
            let half = 1.96 * 115.47 * (1.0 / further as f64 + 1.0 / 400.0).sqrt();
            assert!(((found.high - found.low) / (2.0 * half) - 1.0).abs() < 0.05, "{further}: {found:?}");
            assert!(found.p_value > 0.9, "{found:?}");
        }
    }

    #[test]
    fn without_runs_there_is_no_mean_and_equal_ones_have_no_width() {
        assert_eq!((predict_mean(&[], 10, 1.0, 1), predict_mean(&[1.0], 0, 1.0, 1)), (None, None));
        assert_eq!(predict_mean(&[0.1; 7], 3, 0.1, 1), Some(MeanPrediction { low: 0.1, high: 0.1, p_value: 1.0 }));
        let far = predict_mean(&[0.1; 7], 3, 0.2, 1).unwrap();
        assert_eq!(far.p_value, 2.0 / 10_001.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn the_range_is_where_the_p_value_is_above_five_percent(
            sample in prop::collection::vec(0.0..1e4f64, 1..30), further in 1u64..40, part in -0.2..1.2f64, seed: u64,
        ) {
            let most = sample.iter().fold(0.0f64, |a, &b| a.max(b));
            let found = predict_mean(&sample, further, part * most, seed).unwrap();
            prop_assert!(-1e-9 <= found.low && found.low <= found.high && found.high <= most + 1e-9);
            prop_assert!(found.p_value > 0.0 && found.p_value <= 1.0);
            prop_assert_eq!(found.low <= part * most && part * most <= found.high, found.p_value > 0.05);
        }
    }
}
