//! The chi-squared distribution for whole numbers of degrees of freedom.

use std::f64::consts::PI;

use crate::distributions::normal;

/// The probability that chi-squared is more than `x`; 1 for 0 degrees of freedom.
///
/// Uses the finite sums of Abramowitz and Stegun 1964, 26.4.4 and 26.4.5. All terms of these sums are positive.
pub(crate) fn more_than(x: f64, degrees: usize) -> f64 {
    /// A sum above this number is divided by this number, and the factor is stored separately.
    const LARGEST_SUM: f64 = 1e250;
    if x <= 0.0 || degrees == 0 {
        return 1.0;
    }
    let is_odd = degrees % 2 == 1;
    let (mut term, mut divisor) = if is_odd { ((2.0 * x / PI).sqrt(), 1.5) } else { (1.0, 1.0) };
    let (mut sum, mut factor) = (0.0, -x / 2.0);
    for _ in 0..degrees / 2 {
        sum += term;
        term *= x / 2.0 / divisor;
        divisor += 1.0;
        if sum > LARGEST_SUM {
            (sum, term, factor) = (sum / LARGEST_SUM, term / LARGEST_SUM, factor + LARGEST_SUM.ln());
        }
    }
    let tails = if is_odd { 2.0 * normal::at_most(-x.sqrt()) } else { 0.0 };
    (tails + sum * factor.exp()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_agrees_with_scipy() {
        // scipy.stats.chi2.sf(x, degrees), scipy 1.17.1.
        let golden = [
            (0.001, 1, 0.9747728793699604),
            (0.5, 1, 0.47950012218695337),
            (3.84, 1, 0.05004352124870519),
            (5.99, 2, 0.05003662708658629),
            (7.0, 3, 0.07189777249646509),
            (300.0, 3, 9.948758346327588e-65),
            (12.5, 10, 0.2529853233092983),
            (1000.0, 1001, 0.5029742172681295),
            (1200.0, 1000, 1.2255942330622893e-05),
            (2.0, 25, 0.999999999767829),
            (5000.0, 5000, 0.4973403788923451),
            (1400.0, 2, 9.85967654375939e-305),
        ];
        for (x, degrees, golden) in golden {
            let found = more_than(x, degrees);
            assert!((found / golden - 1.0).abs() < 1e-11, "{x} at {degrees}: {found}");
        }
        assert_eq!((more_than(0.0, 3), more_than(5.0, 0)), (1.0, 1.0));
    }
}
