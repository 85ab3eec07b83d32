//! Medians and quantiles of numbers. Some numbers may be infinite.

use crate::distributions::binomial;
use crate::interval::TAIL;

/// A median with its 95 % interval, as [`median`] returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MedianEstimate {
    /// The median. For an even number of values, the median is the mean of the middle two. If a middle value is infinite, the median is
    /// infinite.
    pub median: f64,
    /// The lower end of the interval. With six or more values, the lower end is one of these values. With fewer than six values, the lower
    /// end is `-f64::INFINITY`.
    pub low: f64,
    /// The upper end of the interval. With six or more values, the upper end is one of these values. With fewer than six values, the upper
    /// end is `f64::INFINITY`.
    pub high: f64,
}

/// Computes the median of the numbers and its interval. For any distribution, the interval contains the true median with a probability of
/// at least 95 %. Returns `None` if there are no numbers.
///
/// The function sorts the numbers. The interval goes from the `k`-th smallest to the `k`-th largest of the `n` numbers. Here `k` is the
/// largest number with `P(K < k) <= 2.5 %`. The distribution of `K` is binomial, with `n` draws and the probability 1/2. The numbers must
/// be independent. If some numbers are equal, the interval contains the median even more often. An unsolved run may have the value
/// `f64::INFINITY`.
///
/// Source: W. R. Thompson, "On confidence ranges for the median and other expectation distributions for populations of unknown
/// distribution form", Annals of Mathematical Statistics 7(3), 1936, doi:10.1214/aoms/1177732502.
///
/// # Example
/// ```
/// use evogrid_statistics::{MedianEstimate, median};
///
/// // scipy.stats.quantile_test(range(9), q=0, p=0.5).confidence_interval(0.95)
/// let mut numbers = [8.0, 1.0, 6.0, 3.0, 4.0, 5.0, 2.0, 7.0, 0.0];
/// assert_eq!(median(&mut numbers), Some(MedianEstimate { median: 4.0, low: 1.0, high: 7.0 }));
/// ```
pub fn median(values: &mut [f64]) -> Option<MedianEstimate> {
    values.sort_unstable_by(f64::total_cmp);
    let median = quantile(values, 0.5)?;
    let end = order_statistic(values.len() as u64).checked_sub(1).map(|at| at as usize);
    Some(MedianEstimate {
        median,
        low: end.map_or(f64::NEG_INFINITY, |at| values[at]),
        high: end.map_or(f64::INFINITY, |at| values[values.len() - 1 - at]),
    })
}

/// Returns the quantile of numbers that are in ascending order. `share` is the share of the numbers below the quantile, in `[0, 1]`.
/// Returns `None` if there are no numbers.
///
/// Between two numbers, the quantile is interpolated linearly, as in NumPy and R (type 7). If the quantile lies between a finite number and
/// infinity, the quantile is infinite.
///
/// Source: R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50(4), 1996,
/// doi:10.1080/00031305.1996.10473566.
///
/// # Panics
/// If `share` is outside `[0, 1]`.
///
/// # Example
/// ```
/// use evogrid_statistics::quantile;
///
/// assert_eq!(quantile(&[1.0, 2.0, 4.0, 8.0, 16.0], 0.9), Some(12.8)); // numpy.quantile
/// assert_eq!(quantile(&[1.0, 2.0, f64::INFINITY], 0.6), Some(f64::INFINITY));
/// ```
pub fn quantile(ascending: &[f64], share: f64) -> Option<f64> {
    assert!((0.0..=1.0).contains(&share), "`share` must lie between 0 and 1, but is {share}");
    let last = ascending.len().checked_sub(1)?;
    let place = last as f64 * share;
    let (low, high) = (ascending[place.floor() as usize], ascending[(place.ceil() as usize).min(last)]);
    if low == high || high == f64::INFINITY {
        return Some(high);
    }
    let part = place.fract();
    // A weighted mean, since the difference of the two may overflow.
    Some(low * (1.0 - part) + high * part)
}

/// The largest `k` with `P(K < k) <= 2.5 %` for a binomial count `K` of `n` draws at rate 1/2; 0 if there is no such `k`.
fn order_statistic(n: u64) -> u64 {
    let (mut fits, mut fails) = (0, n / 2 + 1);
    while fails - fits > 1 {
        let middle = fits + (fails - fits) / 2;
        if binomial::at_most(middle - 1, n, 0.5) <= TAIL {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_numbers_have_an_interval_without_ends() {
        assert_eq!(median(&mut []), None);
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(median(&mut [4.0]), Some(MedianEstimate { median: 4.0, low, high }));
        assert_eq!(median(&mut [4.0; 5]), Some(MedianEstimate { median: 4.0, low, high }));
        assert_eq!(median(&mut [4.0; 6]), Some(MedianEstimate { median: 4.0, low: 4.0, high: 4.0 }));
    }

    #[test]
    fn unsolved_runs_are_longer_than_any() {
        let never = f64::INFINITY;
        let found = median(&mut [never, 1.0, never, 2.0, 3.0, 4.0, never]);
        assert_eq!(found, Some(MedianEstimate { median: 4.0, low: 1.0, high: never }));
        assert_eq!(median(&mut [never, 1.0]).unwrap().median, never);
        assert_eq!(median(&mut [never; 8]), Some(MedianEstimate { median: never, low: never, high: never }));
        assert_eq!(quantile(&[1.0, 2.0, never], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0, never], 0.6), Some(never));
        assert_eq!(quantile(&[-never, 2.0, 3.0], 0.2), Some(-never));
        assert_eq!(quantile(&[-never, never], 0.5), Some(never));
        assert_eq!((quantile(&[], 0.5), quantile(&[-f64::MAX, f64::MAX], 0.5)), (None, Some(0.0)));
    }

    #[test]
    fn a_million_numbers_are_no_matter() {
        let mut values: Vec<f64> = (0..1_000_000).map(f64::from).collect();
        assert_eq!(median(&mut values), Some(MedianEstimate { median: 499_999.5, low: 499_019.0, high: 500_980.0 }));
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_median(mut values in prop::collection::vec(-1e9..1e9f64, 1..60)) {
            let found = median(&mut values).unwrap();
            prop_assert!(found.low <= found.median && found.median <= found.high);
            // A monotone change of the numbers changes the ends alike.
            let ends = [found.low, found.high].map(|end| end / 1e9).map(f64::exp);
            let mut changed: Vec<f64> = values.iter().map(|value| (value / 1e9).exp()).collect();
            let after = median(&mut changed).unwrap();
            prop_assert!(values.len() < 6 || ends == [after.low, after.high]);
        }
    }
}
