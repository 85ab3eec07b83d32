//! The sign-flip permutation test of differences, and the interval that belongs to it.

use crate::distributions::draws::Draws;
use crate::interval::{Interval, TAIL};

/// What the differences of pairs tell about their centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignFlipTest {
    /// The mean of the differences; 0 without any.
    pub mean: f64,
    /// The 95 % interval of the centre: all centres that the test does not reject. Infinite at both ends below six differences.
    pub interval: Interval,
    /// The two-sided p-value of a centre of 0.
    pub p_value: f64,
}

/// Up to this number of differences all subsets are enumerated; of more, [`N_SUBSETS`] are drawn.
const MOST_EXACT: usize = 14;

/// How many subsets are drawn: as many as 14 differences have. The p-value is at least 2 in 16,384.
const N_SUBSETS: usize = (1 << MOST_EXACT) - 1;

/// Differences are counted in whole steps of this size: each is at most half a step off.
const STEP: f64 = 1.0 / (1u64 << 40) as f64;

/// The test that the centre of the differences is 0, by exchanging the two sides of each pair in all ways, and the interval of
/// that centre.
///
/// A difference is that of one pair, say of one instance: its value under one algorithm less that under another. Nothing is
/// assumed but that pairs are independent, and a difference as likely above the centre as below by as much. The means of all
/// non-empty subsets of the differences cut the line into intervals that contain the centre with equal probability (Hartigan's
/// typical values), so that test and interval agree: the interval excludes 0 where p < 0.05, and only there. Fewer than six
/// differences cannot give p < 0.05. Of more than 14, 16,383 random subsets stand for all, the same in every call.
///
/// Sources: R. A. Fisher, "The Design of Experiments", 1935, section 21; J. A. Hartigan, "Using subsample values as typical
/// values", JASA 64, 1969, doi:10.1080/01621459.1969.10501057.
///
/// # Panics
/// If a difference is not within ±1000.
///
/// # Example
/// ```
/// use evogrid_statistics::sign_flip;
///
/// let test = sign_flip(&[0.2, 0.1, 0.3, 0.1, 0.2, 0.4, -0.1, 0.3]);
/// // scipy.stats.permutation_test(([..],), numpy.mean, permutation_type="samples")
/// assert!((test.p_value - 0.03125).abs() < 1e-12 && test.interval.low > 0.0);
/// assert_eq!(sign_flip(&[0.5; 5]).p_value, 0.0625);
/// ```
#[must_use]
pub fn sign_flip(differences: &[f64]) -> SignFlipTest {
    assert!(differences.iter().all(|difference| difference.abs() <= 1000.0), "differences lie within 1000");
    let steps: Vec<i64> = differences.iter().map(|difference| (difference / STEP).round() as i64).collect();
    let n = steps.len();
    let mut subsets = if n <= MOST_EXACT { every_subset(&steps) } else { random_subsets(&steps) };
    // Sums that cancel are 0: thirds, the mean of three runs, are not whole steps, and their sums are off by half a step each.
    for (sum, size) in &mut subsets {
        *sum = if 2 * sum.unsigned_abs() <= u64::from(*size) { 0 } else { *sum };
    }
    let mut means: Vec<f64> = subsets.iter().map(|&(sum, size)| sum as f64 * STEP / size as f64).collect();
    let n_intervals = (means.len() + 1) as f64;
    // Where the centre is 0, so many intervals lie beyond it.
    let beyond = |sign: i64| 1 + subsets.iter().filter(|(sum, _)| sum.signum() != sign).count();
    let p_value = (2.0 * beyond(1).min(beyond(-1)) as f64 / n_intervals).min(1.0);
    // The fewest means on the outer side of a centre that is not rejected.
    let fewest = (TAIL * n_intervals).floor() as usize;
    let interval = match fewest.checked_sub(1) {
        Some(last) => {
            let mut at = |place: usize| *means.select_nth_unstable_by(place, f64::total_cmp).1;
            Interval { low: at(last), high: at(subsets.len() - 1 - last) }
        }
        None => Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
    };
    let mean = if n == 0 { 0.0 } else { differences.iter().sum::<f64>() / n as f64 };
    SignFlipTest { mean, interval, p_value }
}

/// Sum and size of every subset but the empty one.
fn every_subset(steps: &[i64]) -> Vec<(i64, u32)> {
    let mut subsets = vec![(0, 0)];
    for &step in steps {
        subsets.extend_from_within(..);
        let half = subsets.len() / 2;
        subsets[half..].iter_mut().for_each(|(sum, size)| (*sum, *size) = (*sum + step, *size + 1));
    }
    subsets.remove(0);
    subsets
}

/// Sum and size of random subsets that are not empty.
fn random_subsets(steps: &[i64]) -> Vec<(i64, u32)> {
    let mut draws = Draws::from_seed(0);
    let mut draw = || {
        let mut subset = (0, 0);
        for chunk in steps.chunks(64) {
            let bits = draws.bits();
            let is_in = |&(at, _): &(usize, &i64)| bits >> at & 1 == 1;
            chunk.iter().enumerate().filter(is_in).for_each(|(_, step)| subset = (subset.0 + step, subset.1 + 1));
        }
        subset
    };
    std::iter::repeat_with(&mut draw).filter(|&(_, size)| size > 0).take(N_SUBSETS).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_differences_cannot_tell() {
        for n in 0..6 {
            let test = sign_flip(&vec![0.5; n]);
            assert!(test.p_value > 0.05 && test.interval.low == f64::NEG_INFINITY, "{n}: {test:?}");
        }
        assert_eq!(
            sign_flip(&[0.5; 6]),
            SignFlipTest { mean: 0.5, interval: Interval { low: 0.5, high: 0.5 }, p_value: 0.03125 }
        );
    }

    #[test]
    fn differences_that_cancel_give_no_evidence() {
        assert_eq!(sign_flip(&[0.1, 0.2, -0.3, 0.3, -0.2, -0.1, 0.0]).p_value, 1.0);
        assert_eq!(sign_flip(&[0.0; 40]).p_value, 1.0);
        let thirds = [1.0, 1.0, -2.0, 2.0, -1.0, -1.0, 4.0, 1.0, 2.0].map(|third: f64| third / 3.0);
        // All 2^9 exchanges, counted in whole numbers.
        let exact = (0..512).filter(|signs: &u32| {
            let flipped = |at: usize, third: i32| if signs >> at & 1 == 1 { -third } else { third };
            [1, 1, -2, 2, -1, -1, 4, 1, 2]
                .into_iter()
                .enumerate()
                .map(|(at, third)| flipped(at, third))
                .sum::<i32>()
                .abs()
                >= 7
        });
        let exact = f64::from(exact.count() as u32) / 512.0;
        let test = sign_flip(&thirds);
        assert!((test.p_value - exact).abs() < 1e-12, "{} instead of {exact}", test.p_value);
    }

    #[test]
    fn random_subsets_come_near_to_all() {
        // All 2^20 exchanges, counted by the distribution of their sums: p = 0.01894.
        let differences: Vec<f64> = (0..20).map(|at| f64::from((at * 7) % 20 - 6) / 20.0).collect();
        let test = sign_flip(&differences);
        assert!((test.p_value - 0.018_943_786_621).abs() < 0.003, "{test:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn test_and_interval_agree_and_mirror(steps in prop::collection::vec(-20i32..=20, 6..24)) {
            let differences: Vec<f64> = steps.iter().map(|&step| f64::from(step) / 20.0).collect();
            let test = sign_flip(&differences);
            prop_assert_eq!(test.interval.contains(0.0), test.p_value >= 0.05);
            let mirror = sign_flip(&differences.iter().map(|difference| -difference).collect::<Vec<_>>());
            prop_assert_eq!(test.p_value, mirror.p_value);
            prop_assert!((test.interval.low + mirror.interval.high).abs() < 1e-9);
        }
    }
}
