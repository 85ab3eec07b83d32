//! Planned looks: each look has its own level. All looks together have one total level.

use std::f64::consts::TAU;

use crate::distributions::bisection::bisect;
use crate::distributions::normal;

/// The number of steps, on the two sides together, at which the density of tests that have not ended is computed. It is even.
const POINTS: usize = 160;

/// Beyond this number of standard deviations, the density is treated as 0.
const EDGE: f64 = 8.0;

/// Computes the levels of two-sided tests if data are tested several times while they grow. Each test of the growing data is called a look.
/// A look uses a fraction of all data. Suppose that you stop at the first look whose p-value is below its level. If there is no true
/// difference, the total probability that a look finds a difference is `level`. The last fraction may be below 1.
///
/// Consider all looks that use at most the fraction `t` of the data. If there is no true difference, the probability that one of these
/// looks finds a difference is `4 - 4 Φ(z(level / 4) / √t)`. This probability is the part of the total level that these looks use. Early
/// looks use only a tiny part of the total level. So the last look has almost the level of a single test, and loses little power. A
/// difference that is seen early is often too large by chance. So an early look demands strong evidence. If you add an unplanned look, the
/// levels of the earlier looks do not change. The function treats the test statistics of successive looks as points of a Brownian motion.
/// Simpson's rule integrates the density of the Brownian motion from each look to the next look. The relative error of the levels is about
/// 1e-6 if successive fractions differ by 1/20. Suppose that the later data are further runs on the same instances. Then the test
/// statistics of later looks depend on earlier test statistics more strongly than in a Brownian motion. Therefore the levels are too strict
/// (conservative).
///
/// Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70(3), 1983,
/// doi:10.2307/2336502, for the spending; P. Armitage, C. K. McPherson and B. C. Rowe, "Repeated significance tests on accumulating
/// data", Journal of the Royal Statistical Society A 132(2), 1969, for the integration.
///
/// # Panics
/// If the level is outside `(0, 1)`. If the fractions are not ascending numbers within `(0, 1]`.
///
/// # Example
/// ```
/// // The critical values at five equal steps are 4.877, 3.357, 2.680, 2.290 and 2.031.
/// let levels = evogrid_statistics::look_levels(0.05, &[0.2, 0.4, 0.6, 0.8, 1.0]);
/// assert!((levels[4] - 0.0423).abs() < 1e-4 && levels[0] < 2e-6);
/// assert!((evogrid_statistics::look_levels(0.05, &[1.0])[0] - 0.05).abs() < 1e-12);
/// ```
pub fn look_levels(level: f64, fractions: &[f64]) -> Vec<f64> {
    assert!(0.0 < level && level < 1.0, "the level of a test lies between 0 and 1");
    let mut before = 0.0;
    // The places of tests that have not ended, with their probabilities.
    let mut going_on = vec![(0.0, 1.0)];
    let level_at = |&fraction: &f64| {
        assert!(before < fraction && fraction <= 1.0, "the fractions are in ascending order and at most 1");
        let spent = spent(level, fraction) - spent(level, before);
        let (deviation, step) = (f64::sqrt(fraction), f64::sqrt(fraction - before));
        let ends = |bound: f64| -> f64 {
            let beyond = |place: f64| normal::at_most((place - bound * deviation) / step);
            going_on.iter().map(|&(place, mass)| mass * (beyond(place) + beyond(-place))).sum()
        };
        let (bound, _) = bisect(0.0, 40.0, |bound| ends(bound) > spent);
        let edge = bound.min(EDGE) * deviation;
        let width = 2.0 * edge / POINTS as f64;
        let moved = |at: usize| {
            let place = width * at as f64 - edge;
            let density = |&(from, mass): &(f64, f64)| mass * (-((place - from) / step).powi(2) / 2.0).exp();
            let simpson = match at {
                0 | POINTS => 1.0,
                _ if at % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let density: f64 = going_on.iter().map(density).sum();
            (place, density / (step * TAU.sqrt()) * simpson * width / 3.0)
        };
        let moved = (0..=POINTS).map(moved).collect();
        (going_on, before) = (moved, fraction);
        2.0 * normal::at_most(-bound)
    };
    fractions.iter().map(level_at).collect()
}

/// The part of the level that may be spent until a fraction of the data is complete. The function resembles O'Brien and Fleming's limits,
/// and is applied to each side separately.
fn spent(level: f64, fraction: f64) -> f64 {
    if fraction > 0.0 { 4.0 * normal::at_most(normal::quantile(level / 4.0) / fraction.sqrt()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_and_the_critical_values_are_those_of_the_literature() {
        // By erfc of Python.
        for (fraction, golden) in [
            (0.1, 2.7225029784597563e-12),
            (0.2, 1.0777425258117435e-06),
            (0.5, 0.0030506455159778154),
            (0.8, 0.024423580692896123),
            (1.0, 0.05),
        ] {
            assert!((spent(0.05, fraction) / golden - 1.0).abs() < 1e-9, "{fraction}: {}", spent(0.05, fraction));
        }
        // By trapezoids of a thousand points in Python; those that Lan and DeMets' program prints for five equal steps (Reboussin et al.,
        // Controlled Clinical Trials 21(3), 2000: 4.8769, 3.3569, 2.6803, 2.2898, 2.0310) agree up to 2e-4.
        for (fractions, bounds) in [
            (&[0.2, 0.4, 0.6, 0.8, 1.0][..], &[4.876885, 3.357012, 2.680279, 2.289816, 2.031031][..]),
            (&[0.5, 1.0], &[2.962588, 1.968595]),
        ] {
            for (level, bound) in look_levels(0.05, fractions).iter().zip(bounds) {
                let found = -normal::quantile(level / 2.0);
                assert!((found - bound).abs() < 5e-6, "{fractions:?}: {found} instead of {bound}");
            }
        }
    }

    #[test]
    fn early_looks_and_small_levels_leave_numbers() {
        let levels = look_levels(0.05 / 190.0, &[0.001, 0.01, 0.5, 1.0]);
        assert!(levels.iter().all(|level| (0.0..0.05 / 190.0).contains(level)), "{levels:?}");
        assert!(levels.is_sorted() && levels[3] > 0.9 * 0.05 / 190.0, "{levels:?}");
    }
}
