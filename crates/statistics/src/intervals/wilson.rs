//! Wilson's interval of a success rate.

use crate::interval::{Interval, Z};

/// Computes Wilson's 95 % interval of the success rate. `runs` is the number of all runs, and `solved` is the number of solved runs.
///
/// The interval is `(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)`. Here `n = runs`, `p = solved / n` and `z = 1.96`. The interval lies
/// in `[0, 1]`. If no run is solved, the lower end is exactly 0. If all runs are solved, the upper end is exactly 1. If there are no runs,
/// the interval is `[0, 1]`. The runs must be independent and have the same success rate.
///
/// Brown, Cai and DasGupta recommend this interval if there are few runs. If there are few runs, the usual interval `p ± 1.96 s` is
/// misleading. For example, the width of the usual interval is 0 if no run is solved, or if all runs are solved.
///
/// Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927,
/// doi:10.1080/01621459.1927.10502953; L. D. Brown, T. T. Cai and A. DasGupta, "Interval estimation for a binomial proportion",
/// Statistical Science 16(2), 2001, doi:10.1214/ss/1009213286.
///
/// # Panics
/// If `solved` exceeds `runs`.
///
/// # Example
/// ```
/// // statsmodels.stats.proportion.proportion_confint(85, 100, method="wilson")
/// let interval = evogrid_statistics::wilson(85, 100);
/// assert!((interval.low - 0.7671644).abs() < 1e-7 && (interval.high - 0.9069401).abs() < 1e-7);
/// ```
pub fn wilson(solved: u64, runs: u64) -> Interval {
    assert!(solved <= runs, "the number of solved runs, {solved}, exceeds the number of runs, {runs}");
    if runs == 0 {
        return Interval::default();
    }
    wilson_score(solved as f64 / runs as f64, runs as f64, Z)
}

/// Wilson's interval of a rate from `n` runs, where `n` need not be whole and the quantile may differ from 1.96.
pub(crate) fn wilson_score(rate: f64, n: f64, z: f64) -> Interval {
    let middle = rate + z * z / (2.0 * n);
    let half = z * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    Interval {
        low: if rate == 0.0 { 0.0 } else { ((middle - half) / scale).clamp(0.0, rate) },
        high: if rate == 1.0 { 1.0 } else { ((middle + half) / scale).clamp(rate, 1.0) },
    }
}
