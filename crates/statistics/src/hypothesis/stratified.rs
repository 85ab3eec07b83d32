//! Two independent samples in each of several strata: the stratified test of Mann and Whitney, with the mean effect.

use crate::distributions::normal;
use crate::hypothesis::mann_whitney::{mann_whitney, u_variance};
use crate::hypothesis::vargha_delaney::vargha_delaney;
use crate::interval::Interval;

/// What two samples in each of several strata show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StratifiedTest {
    /// The mean over strata of the share of pairs that have the larger number in the first sample (A12), in `[0, 1]`; 1/2 without
    /// any stratum.
    pub a12: f64,
    /// The 95 % interval of the probability that it estimates, for these strata.
    pub interval: Interval,
    /// The two-sided p-value of no tendency in any stratum.
    pub p_value: f64,
}

/// Does the first of two samples tend to larger numbers, over strata that are compared each by itself? A stratum is, say, an instance,
/// on which both algorithms have runs.
///
/// The strata count alike. The sum of their A12 has, where there is no tendency, mean 1/2 and the variance that
/// [`mann_whitney`] takes for each; it is taken as normal. A single stratum is tested as [`mann_whitney`] does. The interval combines
/// those of [`vargha_delaney`] by their distances from the estimates (MOVER).
///
/// Strata in which a sample is empty must be left out.
///
/// Sources: E. L. Lehmann, "Nonparametrics: Statistical Methods Based on Ranks", 1975, section 3.3; G. Y. Zou and A. Donner,
/// "Construction of confidence limits about effect measures", Statistics in Medicine 27(10), 2008, doi:10.1002/sim.3095.
///
/// # Panics
/// If a sample is empty.
///
/// # Example
/// ```
/// use evogrid_statistics::stratified_mann_whitney;
///
/// let first = [[1.0, 2.0, 3.0, 4.0], [11.0, 12.0, 13.0, 14.0]];
/// let second = [[3.0, 5.0, 6.0, 7.0], [13.0, 15.0, 16.0, 17.0]];
/// let strata: Vec<[&[f64]; 2]> = (0..2).map(|at| [&second[at][..], &first[at][..]]).collect();
/// let test = stratified_mann_whitney(&strata);
/// assert!((test.a12 - 14.5 / 16.0).abs() < 1e-12 && test.p_value < 0.02);
/// ```
#[must_use]
pub fn stratified_mann_whitney(strata: &[[&[f64]; 2]]) -> StratifiedTest {
    let n = strata.len() as f64;
    if strata.is_empty() {
        return StratifiedTest { a12: 0.5, interval: Interval::default(), p_value: 1.0 };
    }
    let (mut sum, mut variance, mut below, mut above) = (0.0, 0.0, 0.0, 0.0);
    for &[first, second] in strata {
        assert!(!first.is_empty() && !second.is_empty(), "a stratum has both samples");
        let pairs = (first.len() * second.len()) as f64;
        let effect = vargha_delaney(first, second);
        sum += effect.a12;
        variance += u_variance(first, second) / (pairs * pairs);
        below += (effect.a12 - effect.interval.low).powi(2);
        above += (effect.interval.high - effect.a12).powi(2);
    }
    let a12 = sum / n;
    let p_value = match strata {
        [[first, second]] => mann_whitney(first, second).p_value,
        _ if variance > 0.0 => 2.0 * normal::at_most(-(sum - n / 2.0).abs() / variance.sqrt()),
        _ => 1.0,
    };
    let interval = Interval { low: (a12 - below.sqrt() / n).max(0.0), high: (a12 + above.sqrt() / n).min(1.0) };
    StratifiedTest { a12, interval, p_value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stratum_is_tested_as_by_mann_and_whitney() {
        let (first, second) = ([12.0, 15.0, 18.0, 21.0, 30.0], [14.0, 20.0, 25.0, 28.0, 31.0, 40.0]);
        let (test, single) = (stratified_mann_whitney(&[[&first, &second]]), vargha_delaney(&first, &second));
        assert_eq!((test.a12, test.p_value), (single.a12, mann_whitney(&first, &second).p_value));
        assert!((test.interval.low - single.interval.low).abs() < 1e-12);
    }

    #[test]
    fn single_pairs_are_the_sign_test_in_its_normal_form() {
        // Nine pairs of ten have the larger number first, and one is a tie: z = 4.5 / √(9 / 4) = 3.
        let mut strata: Vec<[&[f64]; 2]> = vec![[&[2.0], &[1.0]]; 9];
        strata.push([&[1.0], &[1.0]]);
        let test = stratified_mann_whitney(&strata);
        assert!((test.a12 - 0.95).abs() < 1e-12 && (test.p_value - 0.002_699_796).abs() < 1e-8, "{test:?}");
    }

    #[test]
    fn nothing_and_equal_numbers_tell_nothing() {
        assert_eq!(stratified_mann_whitney(&[]).p_value, 1.0);
        assert_eq!(stratified_mann_whitney(&[[&[1.0; 5][..], &[1.0; 7][..]]; 4]).p_value, 1.0);
    }
}
