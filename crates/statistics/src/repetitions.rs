//! Two numbers for the planning of experiments. The first is the number of instances that are needed to find a difference of two
//! algorithms. The second is the difference that some instances can show.

use crate::distributions::normal;
use crate::distributions::student::student_quantile;

/// Computes how many instances a test needs to find a difference between two algorithms. `mean` and `variance` are the mean and the
/// variance, over instances, of the difference between the two algorithms. Returns `None` if `mean` is 0. The test is two-sided and has the
/// level `alpha` (usually 0.05). The test finds the difference with the probability `power` (usually 0.8).
///
/// The number is `(z(α/2) + z(β))² v / d²`, rounded up. Here `v` is the variance and `d` is the mean. The formula assumes a normal
/// distribution. If the computed number of instances is small, the test needs more instances than this formula says.
///
/// Source: J. L. Fleiss, B. Levin and M. C. Paik, "Statistical Methods for Rates and Proportions", 3rd edition 2003, chapter 4.
///
/// # Panics
/// If the variance is negative. If the power or the level is outside `(0, 1)`.
///
/// # Example
/// ```
/// // statsmodels.stats.power.TTestPower().solve_power(0.5, alpha=0.05, power=0.8) is 33.4: by Student's t it takes two more.
/// assert_eq!(evogrid_statistics::instances_needed(0.1, 0.04, 0.8, 0.05), Some(32));
/// ```
pub fn instances_needed(mean: f64, variance: f64, power: f64, alpha: f64) -> Option<u64> {
    assert!(variance >= 0.0, "the variance is not negative");
    assert!(
        [power, alpha].iter().all(|&share| share > 0.0 && share < 1.0),
        "the power and the level lie between 0 and 1"
    );
    if mean == 0.0 {
        return None;
    }
    // A low power may make this sum negative. Then a single instance suffices.
    let sum = (normal::quantile(power) - normal::quantile(alpha / 2.0)) * variance.sqrt();
    let ratio = sum.max(0.0) / mean;
    Some(((ratio * ratio).ceil() as u64).max(1))
}

/// Computes the smallest mean difference that a test can find. The number of instances, the power and the level of the test are given.
/// `variance` is the variance, over instances, of the difference between the two algorithms. The function is the inverse of
/// [`instances_needed`]. The caller gives degrees of freedom if the variance is estimated. If degrees of freedom are given, the function
/// uses Student's t, not the normal distribution. Returns `None` if there are no instances, or for 0 degrees of freedom.
///
/// # Panics
/// If the variance is negative. If the power or the level is outside `(0, 1)`.
///
/// # Example
/// ```
/// use evogrid_statistics::{detectable_difference, instances_needed};
///
/// let least = detectable_difference(0.05, 20, None, (0.8, 0.05)).expect("20 instances");
/// assert!((least - 0.140079).abs() < 1e-6);
/// assert_eq!(instances_needed(least + 1e-9, 0.05, 0.8, 0.05), Some(20));
/// ```
pub fn detectable_difference(
    variance: f64,
    instances: u64,
    degrees: Option<usize>,
    (power, alpha): (f64, f64),
) -> Option<f64> {
    assert!(variance >= 0.0, "the variance is not negative");
    assert!(
        [power, alpha].iter().all(|&share| share > 0.0 && share < 1.0),
        "the power and the level lie between 0 and 1"
    );
    if instances == 0 || degrees == Some(0) {
        return None;
    }
    // The distance from 0 beyond which this share of both tails lies.
    let reach = |tails: f64| match degrees {
        Some(degrees) => student_quantile(tails, degrees),
        None => -normal::quantile(tails / 2.0),
    };
    Some((reach(alpha) + reach(2.0 * (1.0 - power))) * (variance / instances as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_difference_is_never_found() {
        assert_eq!(instances_needed(0.0, 0.04, 0.8, 0.05), None);
        assert_eq!(instances_needed(1e-15, 0.04, 0.8, 0.05), Some(u64::MAX));
        // Less than even odds of finding it, which no instance would do too.
        assert_eq!(instances_needed(0.1, 0.04, 0.01, 0.05), Some(1));
    }

    proptest! {
        #[test]
        fn more_power_takes_more_and_the_sides_may_be_exchanged(mean in 1e-6..=1.0f64, variance in 0.0..=1.0f64) {
            let instances = |power, alpha| instances_needed(mean, variance, power, alpha).unwrap();
            prop_assert!(instances(0.8, 0.05) <= instances(0.9, 0.05) && instances(0.8, 0.05) <= instances(0.8, 0.01));
            prop_assert_eq!(instances_needed(-mean, variance, 0.8, 0.05), Some(instances(0.8, 0.05)));
        }
    }
}
