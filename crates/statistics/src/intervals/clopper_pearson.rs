//! The exact interval of a success rate.

use crate::distributions::binomial;
use crate::distributions::bisection::bisect;
use crate::interval::{Interval, TAIL};

/// The exact 95 % interval of the success rate, given `solved` of `runs`.
///
/// At its lower end the probability of `solved` or more is 2.5 %, at its upper end that of `solved` or fewer. It contains the
/// true rate in at least 95 % of experiments, whatever the rate, and is therefore wider than [`wilson`](crate::wilson), which
/// does so on average. It lies in `[0, 1]`, ends at exactly 0 where no run was solved and at exactly 1 where all were, and is
/// `[0, 1]` for no runs. The runs must be independent and share one rate.
///
/// Source: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika 26(4), 1934, doi:10.1093/biomet/26.4.404.
///
/// # Panics
/// If `solved` is more than `runs`.
///
/// # Example
/// ```
/// // scipy.stats.binomtest(9, 12).proportion_ci(0.95, method="exact")
/// let interval = evogrid_statistics::clopper_pearson(9, 12);
/// assert!((interval.low - 0.4281415).abs() < 1e-7 && (interval.high - 0.9451394).abs() < 1e-7);
/// ```
#[must_use]
pub fn clopper_pearson(solved: u64, runs: u64) -> Interval {
    assert!(solved <= runs, "{solved} of {runs} runs cannot be solved");
    Interval { low: lower_end(solved, runs), high: 1.0 - lower_end(runs - solved, runs) }
}

/// The rate at which the probability of `solved` or more is 2.5 %.
fn lower_end(solved: u64, runs: u64) -> f64 {
    if solved == 0 {
        return 0.0;
    }
    bisect(0.0, solved as f64 / runs as f64, |rate| binomial::at_least(solved, runs, rate) < TAIL).0
}
