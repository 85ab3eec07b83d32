//! How many repetitions are needed to tell two success rates apart.

use crate::distributions::normal;
use crate::distributions::student::student_quantile;

/// The number of independent runs of either side that a two-sided test at level `alpha` needs to tell the rates `first` and `second`
/// apart with probability `power`; usual are `alpha = 0.05` and `power = 0.8`. `None` where the rates are equal.
///
/// With `d = p₁ - p₂`, `p̄` the mean of both and `q = 1 - p`: `(z(α/2) √(2 p̄ q̄) + z(β) √(p₁q₁ + p₂q₂))² / d²`, rounded up. This is
/// normal theory without continuity correction; where it gives fewer than some twenty runs, do more.
///
/// Source: J. L. Fleiss, B. Levin and M. C. Paik, "Statistical Methods for Rates and Proportions", 3rd edition 2003, chapter 4.
///
/// # Panics
/// If a rate is outside `[0, 1]`, or power or level are outside `(0, 1)`.
///
/// # Example
/// ```
/// // statsmodels.stats.proportion.samplesize_proportions_2indep_onetail(0.2, 0.6, 0.8) is 81.2.
/// assert_eq!(evogrid_statistics::repetitions_needed(0.8, 0.6, 0.8, 0.05), Some(82));
/// ```
#[must_use]
pub fn repetitions_needed(first: f64, second: f64, power: f64, alpha: f64) -> Option<u64> {
    let difference = first - second;
    let mean = (first + second) / 2.0;
    assert!([first, second].iter().all(|rate| (0.0..=1.0).contains(rate)), "rates lie between 0 and 1");
    let equal = 2.0 * mean * (1.0 - mean);
    let apart = first * (1.0 - first) + second * (1.0 - second);
    normal_sample_size(difference, equal, apart, power, alpha)
}

/// The number of pairs of runs (same instance and seed) that are needed, where `first_only` is the share of pairs that only the
/// first side would solve, and `second_only` the share that only the second would. `None` where the shares are equal.
///
/// With `ψ` the sum of the shares and `δ` their difference: `(z(α/2) √ψ + z(β) √(ψ - δ²))² / δ²`, rounded up; `power` and `alpha` are
/// those of [`repetitions_needed`]. Where only the two rates are known, `p₁(1 - p₂)` and `p₂(1 - p₁)` are the shares of
/// independent pairs; the more alike the runs of a pair are, the fewer pairs are needed.
///
/// Source: R. J. Connor, "Sample size for testing differences in proportions for the paired-sample design", Biometrics 43(1), 1987,
/// doi:10.2307/2531961.
///
/// # Panics
/// If a share or their sum is outside `[0, 1]`, or power or level are outside `(0, 1)`.
///
/// # Example
/// ```
/// use evogrid_statistics::repetitions_needed_paired;
///
/// // Rates of 0.8 and 0.6: independent pairs, and pairs in which the second never solves what the first does not.
/// assert_eq!(repetitions_needed_paired(0.32, 0.12, 0.8, 0.05), Some(84));
/// assert_eq!(repetitions_needed_paired(0.2, 0.0, 0.8, 0.05), Some(37));
/// ```
#[must_use]
pub fn repetitions_needed_paired(first_only: f64, second_only: f64, power: f64, alpha: f64) -> Option<u64> {
    let (difference, differing) = (first_only - second_only, first_only + second_only);
    assert!(first_only >= 0.0 && second_only >= 0.0 && differing <= 1.0, "shares of pairs lie between 0 and 1");
    normal_sample_size(difference, differing, differing - difference * difference, power, alpha)
}

/// The number of instances that are needed for a test of the instances' differences, which have that mean and that variance. `None` where the
/// mean is 0; `power` and `alpha` are those of [`repetitions_needed`].
///
/// `(z(α/2) + z(β))² v / d²`, rounded up: normal theory, a lower bound for few instances.
///
/// Source: J. L. Fleiss, B. Levin and M. C. Paik, "Statistical Methods for Rates and Proportions", 3rd edition 2003, chapter 4.
///
/// # Panics
/// If the variance is negative, or power or level are outside `(0, 1)`.
///
/// # Example
/// ```
/// // statsmodels.stats.power.TTestPower().solve_power(0.5, alpha=0.05, power=0.8) is 33.4: by Student's t it takes two more.
/// assert_eq!(evogrid_statistics::instances_needed(0.1, 0.04, 0.8, 0.05), Some(32));
/// ```
#[must_use]
pub fn instances_needed(mean: f64, variance: f64, power: f64, alpha: f64) -> Option<u64> {
    assert!(variance >= 0.0, "a variance is not negative");
    normal_sample_size(mean, variance, variance, power, alpha)
}

/// The difference of means that so many instances show with a power at a level, if an instance's difference has this variance: the other way
/// round of [`instances_needed`]. With degrees of freedom Student's t stands for the normal distribution, since the variance is then
/// estimated, too. `None` without instances, or with 0 degrees of freedom.
///
/// # Panics
/// If the variance is negative, or power or level are outside `(0, 1)`.
///
/// # Example
/// ```
/// use evogrid_statistics::{detectable_difference, instances_needed};
///
/// let least = detectable_difference(0.05, 20, None, (0.8, 0.05)).expect("20 instances");
/// assert!((least - 0.140079).abs() < 1e-6);
/// assert_eq!(instances_needed(least + 1e-9, 0.05, 0.8, 0.05), Some(20));
/// ```
#[must_use]
pub fn detectable_difference(
    variance: f64,
    instances: u64,
    degrees: Option<usize>,
    (power, alpha): (f64, f64),
) -> Option<f64> {
    assert!(variance >= 0.0, "a variance is not negative");
    assert!([power, alpha].iter().all(|&share| share > 0.0 && share < 1.0), "power and level lie between 0 and 1");
    if instances == 0 || degrees == Some(0) {
        return None;
    }
    // The distance beyond which a share of both tails lies.
    let reach = |tails: f64| match degrees {
        Some(degrees) => student_quantile(tails, degrees),
        None => -normal::quantile(tails / 2.0),
    };
    Some((reach(alpha) + reach(2.0 * (1.0 - power))) * (variance / instances as f64).sqrt())
}

/// The sample size, given the variance of one observation where there is no difference (`equal`) and where there is (`apart`).
fn normal_sample_size(difference: f64, equal: f64, apart: f64, power: f64, alpha: f64) -> Option<u64> {
    assert!([power, alpha].iter().all(|&share| share > 0.0 && share < 1.0), "power and level lie between 0 and 1");
    if difference == 0.0 {
        return None;
    }
    // A power of less than one half needs none at all, and never a negative number.
    let sum = -normal::quantile(alpha / 2.0) * equal.sqrt() + normal::quantile(power) * apart.max(0.0).sqrt();
    let ratio = sum.max(0.0) / difference;
    Some(((ratio * ratio).ceil() as u64).max(1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_rates_are_never_told_apart() {
        assert_eq!(
            (repetitions_needed(0.3, 0.3, 0.8, 0.05), repetitions_needed_paired(0.1, 0.1, 0.8, 0.05)),
            (None, None)
        );
        assert_eq!(repetitions_needed(0.5, 0.5 + 1e-15, 0.8, 0.05), Some(u64::MAX));
    }

    proptest! {
        #[test]
        fn more_power_takes_more_and_the_sides_may_be_exchanged(first in 0.0..=1.0f64, second in 0.0..=1.0f64) {
            prop_assume!((first - second).abs() > 1e-6);
            let runs = |power, alpha| repetitions_needed(first, second, power, alpha).unwrap();
            prop_assert!(runs(0.8, 0.05) <= runs(0.9, 0.05) && runs(0.8, 0.05) <= runs(0.8, 0.01));
            prop_assert_eq!(repetitions_needed(second, first, 0.8, 0.05), Some(runs(0.8, 0.05)));
            // Pairs that have nothing to do with each other take about as many as runs without pairs.
            let pairs = repetitions_needed_paired(first * (1.0 - second), second * (1.0 - first), 0.8, 0.05).unwrap();
            prop_assert!(pairs >= 1);
        }
    }
}
