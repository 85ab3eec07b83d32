//! The studentised range at infinite degrees of freedom: the range of several standard normal numbers.

use std::f64::consts::TAU;

use crate::distributions::bisection::bisect;
use crate::distributions::normal;

/// The probability that the range of `k` standard normal numbers (`k` at least 2) is more than `q`. The error is about 1e-13.
///
/// The probability is computed from its definition: the largest number is `z`, and all other numbers are at most `q` below `z`. The
/// trapezoidal rule converges exponentially for such an integrand.
pub(crate) fn more_than(q: f64, k: usize) -> f64 {
    /// The number of steps per unit of the integral, which goes from -9 to 9.
    const STEPS_PER_UNIT: i32 = 16;
    if q <= 0.0 {
        return 1.0;
    }
    let others = (k - 1) as f64;
    let integrand = |step: i32| {
        let z = f64::from(step) / f64::from(STEPS_PER_UNIT);
        let density = (-z * z / 2.0).exp() / TAU.sqrt();
        density * (normal::at_most(z) - normal::at_most(z - q)).powf(others)
    };
    let sum: f64 = (-9 * STEPS_PER_UNIT..=9 * STEPS_PER_UNIT).map(integrand).sum();
    (1.0 - k as f64 * sum / f64::from(STEPS_PER_UNIT)).clamp(0.0, 1.0)
}

/// The number that the range of `k` standard normal numbers exceeds with this probability.
pub(crate) fn upper_point(probability: f64, k: usize) -> f64 {
    let (low, high) = bisect(0.0, 40.0, |q| more_than(q, k) > probability);
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_five_percent_points_agree_with_the_published_table() {
        // Demsar, JMLR 7, 2006, table 5a: the points over √2, for 2 to 10.
        let printed = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        for (k, printed) in (2..).zip(printed) {
            let found = upper_point(0.05, k) / 2.0f64.sqrt();
            // The last digit there is cut off or rounded.
            assert!((found - printed).abs() < 1e-3, "{k}: {found}");
        }
    }

    #[test]
    fn of_two_it_is_a_normal_number() {
        for q in [0.1, 1.0, 3.0, 6.0] {
            let exact = 2.0 * normal::at_most(-q / 2.0f64.sqrt());
            assert!((more_than(q, 2) - exact).abs() < 1e-13, "{q}");
        }
    }
}
