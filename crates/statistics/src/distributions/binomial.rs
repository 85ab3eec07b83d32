//! The binomial distribution, with a relative error below 1e-11 for up to 10^12 draws.
//!
//! C. Loader, "Fast and accurate computation of binomial probabilities", 2000: the method computes a deviance, because differences of
//! large logarithms lose digits. A tail is summed from its largest term to its smallest term. Each term is computed from the previous term.

use std::f64::consts::TAU;

/// The probability of at most `k` successes in `n` draws at rate `p`, `0 < p < 1`.
///
/// The sum has the terms within about ten standard deviations, which are five thousand terms for a million draws.
pub(crate) fn at_most(k: u64, n: u64, p: f64) -> f64 {
    if k >= n {
        1.0
    } else if k as f64 <= n as f64 * p {
        lower_sum(k, n, p)
    } else {
        (1.0 - upper_sum(k + 1, n, p)).max(0.0)
    }
}

/// The sum of the probabilities of `k`, `k - 1`, ... 0 successes, up to the terms that are too small to change it.
fn lower_sum(k: u64, n: u64, p: f64) -> f64 {
    let odds = (1.0 - p) / p;
    let factors = (1..=k).rev().map(|i| i as f64 / (n - i + 1) as f64 * odds);
    falling_sum(probability(k, n, p), factors)
}

/// The sum of the probabilities of `k`, `k + 1`, ... `n` successes, up to the terms that are too small to change it.
fn upper_sum(k: u64, n: u64, p: f64) -> f64 {
    let odds = p / (1.0 - p);
    let factors = (k..n).map(|i| (n - i) as f64 / (i + 1) as f64 * odds);
    falling_sum(probability(k, n, p), factors)
}

/// The sum of decreasing terms. Each term is the product of the previous term and a factor.
fn falling_sum(first: f64, factors: impl Iterator<Item = f64>) -> f64 {
    let (mut term, mut sum) = (first, first);
    for factor in factors {
        term *= factor;
        sum += term;
        if term <= sum * 1e-18 {
            break;
        }
    }
    sum.min(1.0)
}

/// The probability of exactly `k` successes in `n` draws at rate `p`, `0 < p < 1`.
pub(crate) fn probability(k: u64, n: u64, p: f64) -> f64 {
    let (solved, unsolved, all) = (k as f64, (n - k) as f64, n as f64);
    if k == 0 {
        return (all * (-p).ln_1p()).exp();
    }
    if k == n {
        return (all * p.ln()).exp();
    }
    let exponent = stirling_error(n)
        - stirling_error(k)
        - stirling_error(n - k)
        - deviance(solved, all * p)
        - deviance(unsolved, all * (1.0 - p));
    exponent.exp() * (all / (TAU * solved * unsolved)).sqrt()
}

/// The difference between `ln n!` and Stirling's formula.
fn stirling_error(n: u64) -> f64 {
    /// The values up to 15, where Stirling's series is not exact.
    const ERRORS_TO_15: [f64; 16] = [
        0.0,
        0.08106146679532726,
        0.0413406959554093,
        0.02767792568499834,
        0.020790672103765093,
        0.016644691189821193,
        0.013876128823070748,
        0.01189670994589177,
        0.010411265261972096,
        0.009255462182712733,
        0.00833056343336287,
        0.007573675487951841,
        0.00694284010720953,
        0.006408994188004207,
        0.0059513701127588475,
        0.005554733551962801,
    ];
    if let Some(&error) = ERRORS_TO_15.get(n as usize) {
        return error;
    }
    let n = n as f64;
    let square = n * n;
    let inner = 1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square;
    (1.0 / 12.0 - (1.0 / 360.0 - inner / square) / square) / n
}

/// `x ln(x/m) + m - x`, without cancellation where `x` is near `m`.
fn deviance(x: f64, m: f64) -> f64 {
    let difference = x - m;
    if difference.abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() - difference;
    }
    let v = difference / (x + m);
    let square = v * v;
    let (mut sum, mut term) = (difference * v, 2.0 * x * v);
    for j in 1..1000 {
        term *= square;
        let next = sum + term / f64::from(2 * j + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_and_tails_agree_with_exact_ones() {
        // k, n, p, and the two by mpmath at 50 digits.
        let golden = [
            (0, 1, 0.5, 0.5, 0.5),
            (0, 10, 0.25, 0.056313514709472656, 0.056313514709472656),
            (3, 10, 0.25, 0.25028228759765625, 0.7758750915527344),
            (9, 10, 0.9, 0.387420489, 0.6513215599),
            (15, 16, 0.5, 0.000244140625, 0.9999847412109375),
            (16, 40, 0.3, 0.05183377510298279, 0.9366871245215944),
            (40, 100, 0.5, 0.010843866711637989, 0.028443966820490395),
            (0, 1000, 0.001, 0.36769542477096406, 0.36769542477096406),
            (700, 1000, 0.5, 5.065988280449261e-38, 1.0),
            (499000, 1000000, 0.5, 0.00010798197801891516, 0.02280414993269104),
            (30, 1000000, 0.0001, 1.399052932737239e-16, 1.9868870563372359e-16),
            (499999000000, 1000000000000, 0.5, 1.079819330264211e-07, 0.022750185939172714),
        ];
        for (k, n, p, exactly, tail) in golden {
            let found = (probability(k, n, p), at_most(k, n, p));
            assert!((found.0 / exactly - 1.0).abs() < 1e-11, "{k} of {n} at {p}: {found:?}");
            assert!((found.1 / tail - 1.0).abs() < 1e-11, "{k} of {n} at {p}: {found:?}");
        }
    }

    #[test]
    fn the_two_tails_make_one() {
        for (k, n, p) in [(3, 10, 0.3), (0, 5, 0.9), (400, 1000, 0.37), (1, 1_000_000, 1e-6)] {
            assert!((at_most(k, n, p) + upper_sum(k + 1, n, p) - 1.0).abs() < 1e-14, "{k} of {n} at {p}");
        }
        assert!((upper_sum(1, 1_000_000, 1e-12) / 9.99999500000333e-07 - 1.0).abs() < 1e-11);
    }
}
