//! Student's paired t test with a minimum variance. It tests the difference of two configurations on instances like these.

use crate::confidence::Confidence;
use crate::distributions::student::student_p_value;
use crate::interval::Interval;

/// The estimated mean difference between two configurations over all instances of a kind. The mean difference is estimated from the
/// differences on some instances of this kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstanceDifferences {
    /// The mean of the differences.
    pub mean: f64,
    /// The interval of the mean, within `[-1, 1]`.
    pub interval: Interval,
    /// The two-sided p-value of the hypothesis that the mean difference is 0.
    pub p_value: f64,
    /// The variance of the differences. The interval and the p-value use this variance.
    pub variance: f64,
}

/// Tests whether the mean difference between two configurations is 0 over all instances of a kind. For each instance, the test needs one
/// difference between the two configurations, from -1 to 1.
///
/// The test is Student's paired t-test. For `k` instances, there are `k - 1` degrees of freedom. If the variance of the differences is
/// below `least_variance`, `least_variance` is used instead. The differences on a few instances may be equal by chance. Equal differences
/// are likely if there is only one run per instance. Without a minimum variance, the p-value of equal differences would be 0. As a
/// continuity correction, the test moves the mean difference towards 0 by the amount `half_step`. The mean difference can take only some
/// values, and `half_step` is half of the distance between two neighbouring values. For A12, [`stratified_test`](crate::stratified_test)
/// returns `least_variance` and `half_step`. For success rates, [`stratified_rates`](crate::stratified_rates) returns `least_variance`.
/// Returns `None` if there are fewer than two instances.
///
/// Source: Student, "The probable error of a mean", Biometrika 6(1), 1908, doi:10.1093/biomet/6.1.1. The simulations in docs/STATISTICS.md
/// were used to choose the minimum variances.
///
/// # Panics
/// If a difference is outside `[-1, 1]`. If `least_variance` or `half_step` is negative.
///
/// # Example
/// ```
/// use evogrid_statistics::{Confidence, instance_differences};
///
/// let confidence = Confidence::PERCENT_95;
/// // scipy.stats.ttest_1samp([0.1, 0.3, 0.2, 0.4], 0).pvalue is 0.0304662.
/// let test = instance_differences(&[0.1, 0.3, 0.2, 0.4], 0.0001, 0.0, confidence).expect("four instances");
/// assert!((test.p_value - 0.0304662).abs() < 1e-7 && test.interval.low > 0.0);
/// // Equal differences do not give certainty.
/// assert!(instance_differences(&[1.0; 6], 0.05, 0.0, confidence).expect("six instances").p_value > 1e-5);
/// assert_eq!(instance_differences(&[0.5], 0.001, 0.0, confidence), None);
/// ```
pub fn instance_differences(
    differences: &[f64],
    least_variance: f64,
    half_step: f64,
    confidence: Confidence,
) -> Option<InstanceDifferences> {
    assert!(differences.iter().all(|difference| difference.abs() <= 1.0), "differences lie within 1");
    assert!(least_variance >= 0.0 && half_step >= 0.0, "`least_variance` and `half_step` must be at least 0");
    let n = differences.len() as f64;
    let degrees = differences.len().checked_sub(1).filter(|&degrees| degrees > 0)?;
    let mean = differences.iter().sum::<f64>() / n;
    let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
    let variance = (squares / (n - 1.0)).max(least_variance);
    let error = (variance / n).sqrt();
    let reach = confidence.student_reach(degrees) * error + half_step;
    let interval = Interval { low: (mean - reach).max(-1.0), high: (mean + reach).min(1.0) };
    // Sums of fractions that cancel leave a rounding error.
    let distance = mean.abs() - half_step;
    let p_value = if distance < 1e-12 { 1.0 } else { student_p_value(distance / error, degrees) };
    Some(InstanceDifferences { mean, interval, p_value, variance })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_variance_of_the_runs_is_a_least_one() {
        let certain = instance_differences(&[1.0; 6], 1.0 / 18.0, 0.0, Confidence::PERCENT_95).expect("six instances");
        assert_eq!(certain.variance, 1.0 / 18.0);
        // 2 * scipy.stats.t.sf(1 / sqrt(1 / 18 / 6), 5)
        assert!((certain.p_value / 1.421_009_368_4e-4 - 1.0).abs() < 1e-6, "{certain:?}");
        assert_eq!(certain.interval.high, 1.0);
        // scipy.stats.t.interval(0.99, 3, loc=0.25, scale=scipy.stats.sem([0.1, 0.3, 0.2, 0.4]))
        let c99 = Confidence::new(0.99).expect("in range");
        let wide = instance_differences(&[0.1, 0.3, 0.2, 0.4], 0.0, 0.0, c99).expect("four instances").interval;
        assert!((wide.low + 0.127_029_074_72).abs() < 1e-8 && (wide.high - 0.627_029_074_72).abs() < 1e-8, "{wide:?}");
        assert_eq!(
            instance_differences(&[0.0; 4], 0.0, 0.0, Confidence::PERCENT_95).expect("four instances").p_value,
            1.0
        );
    }

    proptest! {
        #[test]
        fn test_and_interval_agree_and_mirror(steps in prop::collection::vec(-20i32..=20, 2..24), least in 0.001..1.0f64, half_step in 0.0..0.1f64, share in 0.5..0.9999f64) {
            let confidence = Confidence::new(share).expect("in range");
            let differences: Vec<f64> = steps.iter().map(|&step| f64::from(step) / 20.0).collect();
            let test = instance_differences(&differences, least, half_step, confidence).expect("two and more");
            prop_assume!((test.p_value - confidence.level()).abs() > 1e-6);
            prop_assert_eq!(test.interval.contains(0.0), test.p_value > confidence.level());
            let mirror = instance_differences(&differences.iter().map(|difference| -difference).collect::<Vec<_>>(), least, half_step, confidence).expect("as many");
            prop_assert!((test.p_value - mirror.p_value).abs() < 1e-12);
            prop_assert!((test.interval.low + mirror.interval.high).abs() < 1e-9);
        }
    }
}
