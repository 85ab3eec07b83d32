//! Bootstrap intervals: the variation of a statistic over other samples of the same kind.

use crate::distributions::draws::Draws;
use crate::interval::{Interval, TAIL};

/// Computes bootstrap intervals of any statistic. The same sample and seed always give the same interval.
///
/// The members of the sample must be independent. A resample contains only values of the sample. So the interval is too narrow for a small
/// sample (for example, fewer than ten members).
///
/// Source: B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman and Hall 1993, chapter 13.
///
/// # Example
/// ```
/// use evogrid_statistics::Bootstrap;
///
/// let sample = [12.0, 15.0, 18.0, 21.0, 30.0, 44.0, 13.0, 17.0, 19.0, 25.0];
/// let mean = |sample: &[f64]| Some(sample.iter().sum::<f64>() / sample.len() as f64);
/// let bootstrap = Bootstrap { resamples: 20_000, seed: 1 };
/// // scipy.stats.bootstrap with 200,000 resamples: 16.4 to 27.6.
/// let percentile = bootstrap.percentile(&sample, mean).unwrap();
/// assert!((percentile.low - 16.4).abs() < 0.3 && (percentile.high - 27.6).abs() < 0.3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// The number of resamples, at least 1.
    pub resamples: usize,
    /// The seed of the random draws.
    pub seed: u64,
}

impl Bootstrap {
    /// Computes the 95 % percentile interval of a statistic. The function computes the statistic for each resample. The ends of the
    /// interval are the 2.5 % and 97.5 % points of the resamples' statistics.
    ///
    /// Each end of the interval is the statistic of one resample. The function does not interpolate between two resamples, so the statistic
    /// may be infinite. If the statistic is `None` for a resample, the resample is omitted. The statistic must not return NaN. If all
    /// members of the sample are equal, the width of the interval is 0.
    ///
    /// Returns `None` if the statistic has no value for the sample. Also returns `None` if the statistic is `None` for all resamples.
    ///
    /// # Panics
    /// If the sample has 2^32 members or more.
    pub fn percentile<T: Copy>(&self, sample: &[T], statistic: impl Fn(&[T]) -> Option<f64>) -> Option<Interval> {
        statistic(sample)?;
        let mut random = Draws::from_seed(self.seed);
        let mut resample = sample.to_vec();
        let mut values: Vec<f64> = (0..self.resamples)
            .filter_map(|_| {
                resample.iter_mut().for_each(|member| *member = sample[random.below(sample.len())]);
                statistic(&resample)
            })
            .collect();
        values.sort_by(f64::total_cmp);
        Some(Interval { low: percentile_point(&values, TAIL)?, high: percentile_point(&values, 1.0 - TAIL)? })
    }
}

/// The value below which a share of the ascending values lies. Efron and Tibshirani take the `⌊(B+1) share⌋`-th value; for shares above one
/// half, they count from the other end.
fn percentile_point(values: &[f64], share: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let rank = |share: f64| (((values.len() + 1) as f64 * share + 1e-9) as usize).saturating_sub(1).min(last);
    Some(if share <= 0.5 { values[rank(share)] } else { values[last - rank(1.0 - share)] })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The spatial test data A of Efron and Tibshirani 1993, table 14.1.
    const SPATIAL: [f64; 26] = [
        48.0, 36.0, 20.0, 29.0, 42.0, 42.0, 20.0, 42.0, 22.0, 41.0, 45.0, 14.0, 6.0, 0.0, 33.0, 28.0, 34.0, 4.0, 32.0,
        24.0, 47.0, 41.0, 24.0, 26.0, 30.0, 41.0,
    ];

    fn mean(sample: &[f64]) -> Option<f64> {
        (!sample.is_empty()).then(|| sample.iter().sum::<f64>() / sample.len() as f64)
    }

    fn variance(sample: &[f64]) -> Option<f64> {
        let mean = mean(sample)?;
        Some(sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / sample.len() as f64)
    }

    #[test]
    fn the_worked_example_of_efron_and_tibshirani_comes_out() {
        let bootstrap = Bootstrap { resamples: 100_000, seed: 1 };
        // scipy.stats.bootstrap with 400,000 resamples, scipy 1.17.1, and five of our standard errors.
        let percentile = bootstrap.percentile(&SPATIAL, variance).unwrap();
        assert!((percentile.low - 86.47).abs() < 1.3 && (percentile.high - 249.61).abs() < 1.6, "{percentile:?}");
    }

    #[test]
    fn the_ends_are_the_fiftieth_of_two_thousand() {
        let values: Vec<f64> = (1..=2000).map(f64::from).collect();
        assert_eq!(
            (percentile_point(&values, TAIL), percentile_point(&values, 1.0 - TAIL)),
            (Some(50.0), Some(1951.0))
        );
        assert_eq!((percentile_point(&values, 0.0), percentile_point(&values, 1.0)), (Some(1.0), Some(2000.0)));
        assert_eq!((percentile_point(&[], 0.5), percentile_point(&[3.0], TAIL)), (None, Some(3.0)));
    }

    #[test]
    fn a_statistic_without_values_has_no_interval() {
        let bootstrap = Bootstrap { resamples: 50, seed: 0 };
        assert_eq!(bootstrap.percentile(&[], mean), None);
        let equal = Some(Interval { low: 7.0, high: 7.0 });
        assert_eq!(bootstrap.percentile(&[7.0; 5], mean), equal);
        assert_eq!(bootstrap.percentile(&[7.0], mean), equal);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn intervals_stay_within_the_values_and_repeat(sample in prop::collection::vec(-1e3..1e3f64, 1..30), seed: u64) {
            let bootstrap = Bootstrap { resamples: 200, seed };
            let least = sample.iter().copied().fold(f64::MAX, f64::min);
            let most = sample.iter().copied().fold(f64::MIN, f64::max);
            let interval = bootstrap.percentile(&sample, mean).unwrap();
            prop_assert!(least - 1e-9 <= interval.low && interval.low <= interval.high && interval.high <= most + 1e-9);
            prop_assert_eq!(bootstrap.percentile(&sample, mean), Some(interval));
        }
    }
}
