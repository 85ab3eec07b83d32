//! How many repetitions it takes to see a difference of two rates.

use super::normal;

/// The runs on either side that it takes to tell two rates apart with that power in a two-sided test at level `alpha`;
/// usually 0.8 and 0.05. `None` where the rates are equal.
///
/// Fleiss, Levin and Paik, "Statistical Methods for Rates and Proportions", 3rd edition 2003, chapter 4, without their
/// continuity correction: `(z(α/2) √(2 p̄ q̄) + z(β) √(p₁q₁ + p₂q₂))² / (p₁ - p₂)²`, rounded up. It is normal theory: where
/// it asks for fewer than some twenty runs, take more.
///
/// # Panics
/// If a rate is outside `[0, 1]`, or power or level are not inside it.
#[must_use]
pub fn repetitions_needed(first: f64, second: f64, power: f64, alpha: f64) -> Option<u64> {
    let difference = first - second;
    let mean = (first + second) / 2.0;
    assert!([first, second].iter().all(|rate| (0.0..=1.0).contains(rate)), "rates lie between 0 and 1");
    let equal = 2.0 * mean * (1.0 - mean);
    let apart = first * (1.0 - first) + second * (1.0 - second);
    needed(difference, equal, apart, power, alpha)
}

/// The pairs of runs that it takes, where both sides run with the same seeds on the same instances. It is told what share of
/// the pairs only the first would solve, and what share only the second. `None` where they are equal.
///
/// R. J. Connor, "Sample size for testing differences in proportions for the paired-sample design", Biometrics 43(1), 1987,
/// doi:10.2307/2531961: `(z(α/2) √ψ + z(β) √(ψ - δ²))² / δ²` with `ψ` the sum of the shares and `δ` their difference,
/// rounded up. Where nothing is known of the pairs but two rates, `p₁(1 - p₂)` and `p₂(1 - p₁)` are those of pairs that
/// have nothing to do with each other; the more they have, the fewer it takes. Normal theory, as [`repetitions_needed`].
///
/// # Panics
/// If a share or their sum is outside `[0, 1]`, or power or level are not inside it.
#[must_use]
pub fn repetitions_needed_paired(first_only: f64, second_only: f64, power: f64, alpha: f64) -> Option<u64> {
    let (difference, differing) = (first_only - second_only, first_only + second_only);
    assert!(first_only >= 0.0 && second_only >= 0.0 && differing <= 1.0, "shares of pairs lie between 0 and 1");
    needed(difference, differing, differing - difference * difference, power, alpha)
}

/// So many that the difference stands out, given the variance of one of them without and with it.
fn needed(difference: f64, equal: f64, apart: f64, power: f64, alpha: f64) -> Option<u64> {
    assert!([power, alpha].iter().all(|&share| share > 0.0 && share < 1.0), "power and level lie between 0 and 1");
    if difference == 0.0 {
        return None;
    }
    // A power of less than one half takes none at all, and never a negative number.
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
