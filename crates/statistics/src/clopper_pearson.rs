//! The exact interval of a success rate.

use super::binomial;
use super::interval::{Interval, TAIL};

/// The exact 95 % interval for the rate behind `solved` of `runs`, after Clopper and Pearson.
///
/// C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika 26(4), 1934, doi:10.1093/biomet/26.4.404: at the lower end so many solved or more have probability 2.5 %, at
/// the upper end so many or fewer. It holds the true rate in at least 95 % of cases whatever the rate, so it is wider than
/// [`wilson`](super::wilson) needs to be. It ends at exactly 0 where none was solved and at exactly 1 where all were;
/// nothing is known of no runs: `[0, 1]`. The runs are independent, with one rate.
///
/// # Panics
/// If more are solved than there are.
#[must_use]
pub fn clopper_pearson(solved: u64, runs: u64) -> Interval {
    assert!(solved <= runs, "{solved} of {runs} runs cannot be solved");
    Interval { low: lower_end(solved, runs), high: 1.0 - lower_end(runs - solved, runs) }
}

/// The rate at which so many solved or more have probability 2.5 %.
fn lower_end(solved: u64, runs: u64) -> f64 {
    if solved == 0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, solved as f64 / runs as f64);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return low;
        }
        if binomial::at_least(solved, runs, middle) < TAIL {
            low = middle;
        } else {
            high = middle;
        }
    }
}
