//! Means with their intervals by Student's t.

use crate::distributions::student::student_quantile_975;
use crate::interval::Interval;

/// A mean and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanEstimate {
    /// The mean.
    pub mean: f64,
    /// The 95 % interval of the mean. `None` if the variance cannot be estimated: for one value only, or for equal values.
    pub interval: Option<Interval>,
}

/// Computes the mean of independent values, with the interval `mean ± t s / √n`. Here `t` is Student's t with `n - 1` degrees of freedom,
/// and `s` is the standard deviation. Returns `None` if there are no values, or if a value is not finite.
///
/// Source: Student, "The probable error of a mean", Biometrika 6(1), 1908, doi:10.1093/biomet/6.1.1.
///
/// ```
/// let estimate = evogrid_statistics::mean_estimate(&[1.0, 2.0, 4.0]).expect("three values");
/// let interval = estimate.interval.expect("more than one");
/// assert!((estimate.mean - 7.0 / 3.0).abs() < 1e-12);
/// // SciPy: stats.t.interval(0.95, 2, loc=mean, scale=stats.sem([1, 2, 4])).
/// assert!((interval.low - -1.461_25).abs() < 1e-4 && (interval.high - 6.127_91).abs() < 1e-4);
/// assert_eq!(evogrid_statistics::mean_estimate(&[5.0]).expect("one value").interval, None);
/// ```
pub fn mean_estimate(values: &[f64]) -> Option<MeanEstimate> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    if !mean.is_finite() {
        return None;
    }
    let differ = values.iter().any(|&value| value != values[0]);
    let interval = differ.then(|| {
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let reach = student_quantile_975(values.len() - 1) * (squares / (n - 1.0) / n).sqrt();
        Interval { low: mean - reach, high: mean + reach }
    });
    Some(MeanEstimate { mean, interval })
}

/// Computes the mean of independent nonnegative values, such as gaps to optima or times. The interval is computed for the logarithm of the
/// mean (delta method): `mean · exp(± t s / (√n mean))`. So the interval contains no negative numbers. Returns `None` if there are no
/// values, or if a value is not finite.
///
/// If large values are rare, many samples contain no large value. If a sample contains no large value, the mean of the sample is smaller
/// than the true mean. The upper end of the interval by the delta method is higher than the upper end of the interval of [`mean_estimate`].
/// So the interval by the delta method contains the true mean more often than the interval of [`mean_estimate`] (see docs/STATISTICS.md).
/// For two values, the interval is Student's interval, cut off at 0.
///
/// Source: W. Q. Meeker and L. A. Escobar, "Statistical Methods for Reliability Data", Wiley 1998, chapter 7.
///
/// # Panics
/// If a value is negative.
///
/// ```
/// let interval = evogrid_statistics::nonnegative_mean_estimate(&[1.0, 2.0, 4.0]).and_then(|found| found.interval).expect("three values");
/// // SciPy: mean * exp(-t) and mean * exp(t) with t = stats.t.ppf(0.975, 2) * stats.sem([1, 2, 4]) / mean.
/// assert!((interval.low - 0.458_89).abs() < 1e-4 && (interval.high - 11.864_46).abs() < 1e-4);
/// ```
pub fn nonnegative_mean_estimate(values: &[f64]) -> Option<MeanEstimate> {
    assert!(values.iter().all(|&value| value >= 0.0), "a value is negative");
    let estimate = mean_estimate(values)?;
    let mean = estimate.mean;
    let interval = estimate.interval.map(|Interval { low, high }| {
        if values.len() == 2 {
            return Interval { low: low.max(0.0), high };
        }
        let factor = ((high - mean) / mean).exp();
        Interval { low: mean / factor, high: mean * factor }
    });
    Some(MeanEstimate { mean, interval })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.mean` and `scipy.stats.t.interval(0.95, n - 1, loc=mean, scale=scipy.stats.sem(values))` of SciPy 1.17.1.
    #[test]
    fn means_agree_with_scipy() {
        for (values, [mean, low, high]) in [
            (vec![3.1, 2.4, 0.0, 5.7, -0.3], GOLDEN[0]),
            ((0..40).map(|at| f64::from(at * at % 17)).collect(), GOLDEN[1]),
        ] {
            let estimate = mean_estimate(&values).expect("values");
            let Interval { low: own_low, high: own_high } = estimate.interval.expect("several");
            for (own, golden) in [(estimate.mean, mean), (own_low, low), (own_high, high)] {
                assert!((own - golden).abs() < 1e-5, "{own} and {golden}");
            }
        }
    }

    const GOLDEN: [[f64; 3]; 2] = [[2.18, -0.8733323, 5.2333323], [7.75, 5.9181607, 9.5818393]];

    /// `mean * numpy.exp([-t, t])` with `t = scipy.stats.t.ppf(0.975, n - 1) * scipy.stats.sem(values) / mean` of SciPy 1.17.1.
    #[test]
    fn intervals_of_what_is_never_negative_agree_with_scipy_and_stay_above_zero() {
        for (values, [low, high]) in [
            (vec![3.1, 2.4, 0.0, 5.7, 0.3], NEVER_NEGATIVE[0]),
            ((0..40).map(|at| f64::from(at * at % 17)).collect(), NEVER_NEGATIVE[1]),
            (vec![0.0, 0.0, 0.0, 6.0], NEVER_NEGATIVE[2]),
            (vec![1.0, 3.0], [0.0, 2.0 + 12.706_205]),
        ] {
            let found = nonnegative_mean_estimate(&values).expect("values").interval.expect("several");
            assert!(
                (found.low - low).abs() < 1e-5 && (found.high / high - 1.0).abs() < 1e-6,
                "{found:?} and {low}, {high}"
            );
        }
        assert_eq!(nonnegative_mean_estimate(&[0.0; 9]).expect("values").interval, None, "equal values tell nothing");
    }

    const NEVER_NEGATIVE: [[f64; 2]; 3] =
        [[0.657_907_7, 8.040_642], [6.118_558_2, 9.816_446_6], [0.062_226_07, 36.158_477]];

    #[test]
    fn what_has_no_mean_has_none() {
        assert_eq!(mean_estimate(&[]), None);
        assert_eq!(mean_estimate(&[1.0, f64::INFINITY]), None);
        assert_eq!(mean_estimate(&[0.1; 3]).expect("three values").interval, None, "equal values tell nothing");
    }
}
