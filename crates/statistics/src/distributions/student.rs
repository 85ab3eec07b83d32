//! Student's t distribution.

use crate::interval::Z;

/// Computes the 97.5 % point of Student's t distribution. The half width of the 95 % interval of a mean is the 97.5 % point times the
/// standard error of the mean.
///
/// For 1 to 30 degrees of freedom, the function reads the 97.5 % point from a table. For more degrees of freedom, the expansion of Cornish
/// and Fisher is used. The error of the Cornish-Fisher expansion is 1e-6 (Abramowitz and Stegun, "Handbook of Mathematical Functions",
/// 1964, 26.7.5).
///
/// # Panics
/// If `degrees` is 0.
///
/// # Example
/// ```
/// // scipy.stats.t.ppf(0.975, 9)
/// assert!((evogrid_statistics::student_quantile_975(9) - 2.262157).abs() < 1e-6);
/// ```
pub fn student_quantile_975(degrees: usize) -> f64 {
    const POINTS_TO_30: [f64; 30] = [
        12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004, 2.262_157, 2.228_139,
        2.200_985, 2.178_813, 2.160_369, 2.144_787, 2.131_450, 2.119_905, 2.109_816, 2.100_922, 2.093_024, 2.085_963,
        2.079_614, 2.073_873, 2.068_658, 2.063_899, 2.059_539, 2.055_529, 2.051_831, 2.048_407, 2.045_230, 2.042_272,
    ];
    assert!(degrees > 0, "the t distribution needs more than 0 degrees of freedom");
    if let Some(&point) = POINTS_TO_30.get(degrees - 1) {
        return point;
    }
    let (n, z2) = (degrees as f64, Z * Z);
    let first = (z2 + 1.0) / 4.0;
    let second = (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / 96.0;
    let third = (3.0 * z2 * z2 * z2 + 19.0 * z2 * z2 + 17.0 * z2 - 15.0) / 384.0;
    Z * (1.0 + first / n + second / (n * n) + third / (n * n * n))
}

/// The two-sided p-value of Student's t distribution with at least one degree of freedom: the probability of a value at least as far from
/// 0 as `t`.
///
/// The p-value is the regularised incomplete beta function `I(ν / (ν + t²); ν/2, 1/2)`, computed by its continued fraction with a relative
/// error below 1e-12 (Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 26.7.1 and 26.5.8).
pub(crate) fn student_p_value(t: f64, degrees: usize) -> f64 {
    if t == 0.0 || t.is_infinite() {
        return if t == 0.0 { 1.0 } else { 0.0 };
    }
    let (nu, square) = (degrees as f64, t * t);
    let (x, rest) = (nu / (nu + square), square / (nu + square));
    let (a, b) = (nu / 2.0, 0.5);
    // B(ν/2, 1/2), from B(1/2, 1/2) or B(1, 1/2).
    let (mut beta, mut at) = if degrees.is_multiple_of(2) { (2.0, 1.0) } else { (std::f64::consts::PI, 0.5) };
    while at < a {
        beta *= at / (at + b);
        at += 1.0;
    }
    let front = (a * x.ln() + b * rest.ln()).exp() / beta;
    // The fraction converges quickly on this side of the mean only.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(rest, b, a) / b
    }
}

/// The distance from 0 that Student's t exceeds in absolute value with this probability; the relative error is below 1e-9.
pub(crate) fn student_quantile(tails: f64, degrees: usize) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while student_p_value(high, degrees) > tails {
        (low, high) = (high, 2.0 * high);
    }
    while high - low > 1e-9 * high {
        let middle = (low + high) / 2.0;
        if student_p_value(middle, degrees) > tails { low = middle } else { high = middle }
    }
    high
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let not_zero = |number: f64| if number.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { number };
    let (mut c, mut d) = (1.0, 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut factor = 1.0;
        for term in [even, odd] {
            (c, d) = (not_zero(1.0 + term / c), 1.0 / not_zero(1.0 + term * d));
            factor = c * d;
            fraction *= factor;
        }
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
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

    #[test]
    fn p_values_agree_with_scipy() {
        // 2 * scipy.stats.t.sf(abs(t), degrees)
        for (t, degrees, golden) in [
            (0.3, 1, 0.8144528418445154),
            (12.7062047, 1, 0.05000000014176587),
            (2.0, 2, 0.18350341907227397),
            (4.3, 5, 0.007715449104580595),
            (40.0, 5, 1.8411962171772954e-07),
            (1.0, 39, 0.32347494517138353),
            (-9.5, 39, 1.071547296082699e-11),
            (3.0, 1000, 0.0027667090442381925),
            (1e-06, 7, 0.9999992300170983),
        ] {
            let found = student_p_value(t, degrees);
            assert!((found / golden - 1.0).abs() < 1e-10, "{t}, {degrees}: {found} and {golden}");
        }
        // scipy.stats.t.ppf(1 - 0.01 / 2, 4), and with 1,000,000 degrees of freedom
        assert!((student_quantile(0.01, 4) - 4.604_094_871_35).abs() < 1e-7);
        assert!((student_quantile(0.01, 1_000_000) - 2.575_834_22).abs() < 1e-6);
        assert_eq!((student_p_value(0.0, 3), student_p_value(f64::INFINITY, 3)), (1.0, 0.0));
    }
}
