//! Bootstrap intervals: how far a figure would vary over other samples of the same kind.

use crate::distributions::draws::Draws;
use crate::distributions::normal;
use crate::interval::{Interval, TAIL};

/// Bootstrap intervals of any statistic. The same seed and sample give the same interval.
///
/// The members of the sample must be independent. With few of them (say, fewer than ten) either interval is too narrow: a value
/// that no run showed is in no resample.
///
/// Source: B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman and Hall 1993: chapter 13 for the percentile
/// interval, section 14.3 for BCa.
///
/// # Example
/// ```
/// use evogrid_statistics::Bootstrap;
///
/// let sample = [12.0, 15.0, 18.0, 21.0, 30.0, 44.0, 13.0, 17.0, 19.0, 25.0];
/// let mean = |sample: &[f64]| Some(sample.iter().sum::<f64>() / sample.len() as f64);
/// let bootstrap = Bootstrap { resamples: 20_000, seed: 1 };
/// // scipy.stats.bootstrap with 200,000 resamples: 16.4 to 27.6, and by BCa 17.1 to 29.4.
/// let percentile = bootstrap.percentile(&sample, mean).unwrap();
/// assert!((percentile.low - 16.4).abs() < 0.3 && (percentile.high - 27.6).abs() < 0.3);
/// let bca = bootstrap.bca(&sample, mean).unwrap();
/// assert!((bca.low - 17.1).abs() < 0.3 && (bca.high - 29.4).abs() < 0.3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// Number of resamples, at least 1; 2000 by default.
    pub resamples: usize,
    /// Seed of the random draws; 0 by default.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 2000, seed: 0 }
    }
}

/// From this sample size on, the jackknife leaves out that number of groups instead of single members.
const JACKKNIFE_GROUPS: usize = 1000;

impl Bootstrap {
    /// The 95 % percentile interval of a statistic: from the 2.5 % to the 97.5 % point of its values in the resamples.
    ///
    /// The ends are values of resamples, never interpolated, so that infinite values do no harm. A resample for which the statistic
    /// is `None` is left out. The statistic must not return NaN. The interval has no width where all members are equal.
    ///
    /// `None` where the statistic has no value for the sample, or for any resample.
    ///
    /// # Panics
    /// If the sample has 2^32 members or more.
    pub fn percentile<T: Copy>(&self, sample: &[T], statistic: impl Fn(&[T]) -> Option<f64>) -> Option<Interval> {
        statistic(sample)?;
        let values = self.resampled_values(sample, &statistic);
        Some(Interval { low: percentile_point(&values, TAIL)?, high: percentile_point(&values, 1.0 - TAIL)? })
    }

    /// The 95 % BCa interval of a statistic: percentiles, corrected for bias and for a variance that depends on the value.
    ///
    /// It is better than [`percentile`](Self::percentile) where the distribution of the values is skewed, and takes the same
    /// statistics. The acceleration is computed with one member left out at a time, or one of 1000 random groups in larger samples; it
    /// is 0 where such a value is missing or infinite, and where all are equal. Where all values of the resamples lie on
    /// one side of the sample's value, half a resample is counted on the other.
    ///
    /// `None` where the statistic has no value for the sample, or for any resample.
    ///
    /// # Panics
    /// If the sample has 2^32 members or more.
    pub fn bca<T: Copy>(&self, sample: &[T], statistic: impl Fn(&[T]) -> Option<f64>) -> Option<Interval> {
        let observed = statistic(sample)?;
        let values = self.resampled_values(sample, &statistic);
        let [low, high] = bca_shares(&values, observed, acceleration(&self.jackknife_values(sample, &statistic)));
        Some(Interval { low: percentile_point(&values, low)?, high: percentile_point(&values, high)? })
    }

    /// The statistic's values in the resamples, ascending.
    fn resampled_values<T: Copy>(&self, sample: &[T], statistic: impl Fn(&[T]) -> Option<f64>) -> Vec<f64> {
        let mut random = Draws::from_seed(self.seed);
        let mut resample = sample.to_vec();
        let mut values: Vec<f64> = (0..self.resamples)
            .filter_map(|_| {
                resample.iter_mut().for_each(|member| *member = sample[random.below(sample.len())]);
                statistic(&resample)
            })
            .collect();
        values.sort_by(f64::total_cmp);
        values
    }

    /// The statistic's values with one member, or one group, left out.
    fn jackknife_values<T: Copy>(&self, sample: &[T], statistic: impl Fn(&[T]) -> Option<f64>) -> Vec<Option<f64>> {
        let mut members = sample.to_vec();
        // Groups of neighbours would be alike where the sample is in some order.
        Draws::from_seed(self.seed).shuffle(&mut members);
        let n_groups = members.len().min(JACKKNIFE_GROUPS);
        let starts: Vec<usize> = (0..=n_groups).map(|group| group * members.len() / n_groups.max(1)).collect();
        let rests = starts.windows(2).map(|ends| [&members[..ends[0]], &members[ends[1]..]].concat());
        rests.map(|rest| statistic(&rest)).collect()
    }
}

/// The value below which a share of the ascending values lies, as Efron and Tibshirani count: the `⌊(B+1) share⌋`-th, and
/// counted from the other end for shares above one half.
fn percentile_point(values: &[f64], share: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let rank = |share: f64| (((values.len() + 1) as f64 * share + 1e-9) as usize).saturating_sub(1).min(last);
    Some(if share <= 0.5 { values[rank(share)] } else { values[last - rank(1.0 - share)] })
}

/// The two shares between which a BCa interval lies (Efron and Tibshirani 1993, equations 14.10 and 14.14).
///
/// Of the values that equal the observed one, half count as below it.
fn bca_shares(values: &[f64], observed: f64, acceleration: f64) -> [f64; 2] {
    let n = values.len().max(1) as f64;
    let below = values.iter().filter(|&&value| value < observed).count() as f64;
    let equal = values.iter().filter(|&&value| value == observed).count() as f64;
    let bias = normal::quantile(((below + equal / 2.0) / n).clamp(0.5 / n, 1.0 - 0.5 / n));
    [TAIL, 1.0 - TAIL].map(|share| {
        let shifted = bias + normal::quantile(share);
        // Positive for all but absurd numbers of resamples: an acceleration is at most 1/6.
        normal::at_most(bias + shifted / (1.0 - acceleration * shifted).max(f64::MIN_POSITIVE))
    })
}

/// The acceleration of BCa from the jackknife values (Efron and Tibshirani 1993, equation 14.15).
fn acceleration(jackknife_values: &[Option<f64>]) -> f64 {
    let values: Vec<f64> = jackknife_values.iter().flatten().copied().filter(|value| value.is_finite()).collect();
    if values.len() < jackknife_values.len() || values.is_empty() {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let sum = |power| values.iter().map(|value| (mean - value).powi(power)).sum::<f64>();
    let acceleration = sum(3) / (6.0 * sum(2).powf(1.5));
    if acceleration.is_finite() { acceleration } else { 0.0 }
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
        let jackknife = bootstrap.jackknife_values(&SPATIAL, variance);
        // Page 186: an acceleration of 0.061.
        assert!((acceleration(&jackknife) - 0.061).abs() < 0.0005, "{}", acceleration(&jackknife));
        // scipy.stats.bootstrap with 400,000 resamples, scipy 1.17.1, and five of our standard errors.
        let (percentile, bca) =
            (bootstrap.percentile(&SPATIAL, variance).unwrap(), bootstrap.bca(&SPATIAL, variance).unwrap());
        assert!((percentile.low - 86.47).abs() < 1.3 && (percentile.high - 249.61).abs() < 1.6, "{percentile:?}");
        assert!((bca.low - 105.56).abs() < 1.4 && (bca.high - 278.86).abs() < 4.0, "{bca:?}");
    }

    #[test]
    fn the_corrected_shares_are_what_their_formula_says() {
        // scipy.stats: norm.cdf(z0 + (z0 + z) / (1 - a (z0 + z))).
        let golden = [
            (50.0, 0.0, 0.026501465416803392, 0.97642948444387),
            (30.0, 0.05, 0.003378489240217746, 0.8538619517605381),
            (62.0, -0.08, 0.05811724094230763, 0.9876454896191998),
            (99.5, 0.0, 0.9992927960709764, 0.9999999999994266),
            (-1.0, 0.1, 6.1232104933566095e-09, 0.0007998374921451435),
            (40.5, 0.16666666666666666, 0.03357989348866344, 0.9863829965409998),
        ];
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        for (observed, acceleration, low, high) in golden {
            let found = bca_shares(&values, observed, acceleration);
            assert!((found[0] - low).abs() < 1e-12 && (found[1] - high).abs() < 1e-12, "{observed}: {found:?}");
        }
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
        assert_eq!((bootstrap.percentile(&[], mean), bootstrap.bca(&[], mean)), (None, None));
        let equal = Some(Interval { low: 7.0, high: 7.0 });
        assert_eq!((bootstrap.percentile(&[7.0; 5], mean), bootstrap.bca(&[7.0; 5], mean)), (equal, equal));
        assert_eq!((bootstrap.percentile(&[7.0], mean), bootstrap.bca(&[7.0], mean)), (equal, equal));
    }

    #[test]
    fn groups_left_out_give_the_acceleration_of_single_members() {
        // Of a mean it is the skewness over 6 √n: here of squares of uniform numbers, 0.6389.
        let squares: Vec<f64> = (0..50_000).map(|i| (f64::from(i) / 50_000.0).powi(2)).collect();
        let jackknife = Bootstrap::default().jackknife_values(&squares, mean);
        assert_eq!(jackknife.len(), JACKKNIFE_GROUPS);
        let single = 0.6389 / (6.0 * 50_000f64.sqrt());
        // A skewness of 1000 groups has a standard error of about 0.08, so this one of 0.00042.
        assert!((acceleration(&jackknife) - single).abs() < 0.0013, "{} is not {single}", acceleration(&jackknife));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn intervals_stay_within_the_values_and_repeat(sample in prop::collection::vec(-1e3..1e3f64, 1..30), seed: u64) {
            let bootstrap = Bootstrap { resamples: 200, seed };
            let least = sample.iter().copied().fold(f64::MAX, f64::min);
            let most = sample.iter().copied().fold(f64::MIN, f64::max);
            for interval in [bootstrap.percentile(&sample, mean), bootstrap.bca(&sample, mean)] {
                let interval = interval.unwrap();
                prop_assert!(least - 1e-9 <= interval.low && interval.low <= interval.high && interval.high <= most + 1e-9);
            }
            prop_assert_eq!(bootstrap.bca(&sample, mean), bootstrap.bca(&sample, mean));
        }
    }
}
