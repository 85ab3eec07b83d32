//! Student's t distribution, as far as intervals need it.

use crate::interval::Z;

/// The 97.5 % point of Student's t distribution with so many degrees of freedom, at least 1: the half width of a 95 % interval of a
/// mean, in standard errors.
///
/// From a table up to 30, and to 1e-6 by the expansion of Cornish and Fisher beyond (Abramowitz and Stegun, "Handbook of Mathematical
/// Functions", 1964, 26.7.5).
///
/// # Panics
/// If there are 0 degrees of freedom.
///
/// # Example
/// ```
/// // scipy.stats.t.ppf(0.975, 9)
/// assert!((evogrid_statistics::student_quantile_975(9) - 2.262157).abs() < 1e-6);
/// ```
#[must_use]
pub fn student_quantile_975(degrees: usize) -> f64 {
    const POINTS_TO_30: [f64; 30] = [
        12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004, 2.262_157, 2.228_139,
        2.200_985, 2.178_813, 2.160_369, 2.144_787, 2.131_450, 2.119_905, 2.109_816, 2.100_922, 2.093_024, 2.085_963,
        2.079_614, 2.073_873, 2.068_658, 2.063_899, 2.059_539, 2.055_529, 2.051_831, 2.048_407, 2.045_230, 2.042_272,
    ];
    assert!(degrees > 0, "there is no t distribution without degrees of freedom");
    if let Some(&point) = POINTS_TO_30.get(degrees - 1) {
        return point;
    }
    let (n, z2) = (degrees as f64, Z * Z);
    let first = (z2 + 1.0) / 4.0;
    let second = (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / 96.0;
    let third = (3.0 * z2 * z2 * z2 + 19.0 * z2 * z2 + 17.0 * z2 - 15.0) / 384.0;
    Z * (1.0 + first / n + second / (n * n) + third / (n * n * n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_points_agree_with_scipy() {
        // scipy.stats.t.ppf(0.975, degrees)
        for (degrees, golden) in [(1, 12.7062047), (9, 2.2621572), (30, 2.0422725), (31, 2.0395134), (100, 1.9839715)] {
            assert!(
                (student_quantile_975(degrees) - golden).abs() < 2e-6,
                "{degrees}: {}",
                student_quantile_975(degrees)
            );
        }
    }
}
