//! The log-rank test compares two samples of times in several strata. Some of the times may be censored.

use crate::distributions::chi_squared;

/// The time at which a run ended, and whether the run succeeded. The time is censored if the run was stopped before it found a solution.
pub type ObservedTime = (f64, bool);

/// Computes the two-sided p-value of the stratified log-rank test. The hypothesis is that, in each stratum, both samples have the same
/// distribution of times. If the variance is 0 (for example, because no run succeeded), the p-value is 1.
///
/// At the time of each success, the test computes the expected number of successes in the first sample. The expected number is computed
/// from the runs that did not end before the time of the success. The test subtracts the expected number from the observed number of
/// successes. The differences between observed and expected numbers are summed over all times and strata. The test statistic is the sum of
/// the differences, divided by the square root of its hypergeometric variance. The test statistic is compared with the normal distribution.
/// Unlike A12, the test uses the times of unsolved runs, so the runs may have different limits. However, the limit of a run must not depend
/// on what happens in the run.
///
/// Source: N. Mantel, "Evaluation of survival data and two new rank order statistics arising in its consideration", Cancer Chemotherapy Reports
/// 50(3), 1966, pages 163 to 170.
///
/// # Example
/// ```
/// use evogrid_statistics::log_rank;
///
/// // R, survival::survdiff: chi-square 16.793 on the 42 patients of Freireich and others (1963).
/// let times = |text: &str| -> Vec<(f64, bool)> {
///     text.split(' ').map(|time| (time.trim_end_matches('+').parse().unwrap(), !time.ends_with('+'))).collect()
/// };
/// let treated = times("6 6 6 7 10 13 16 22 23 6+ 9+ 10+ 11+ 17+ 19+ 20+ 25+ 32+ 32+ 34+ 35+");
/// let placebo = times("1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23");
/// let p = log_rank(&[[&treated, &placebo]]);
/// assert!((p - 4.169e-5).abs() < 1e-8, "{p}");
/// ```
pub fn log_rank(strata: &[[&[ObservedTime]; 2]]) -> f64 {
    let (mut distance, mut variance) = (0.0, 0.0);
    for samples in strata {
        let mut times: Vec<(ObservedTime, usize)> =
            (0..2).flat_map(|side| samples[side].iter().map(move |&time| (time, side))).collect();
        times.sort_unstable_by(|((one, _), _), ((other, _), _)| one.total_cmp(other));
        let mut at_risk = samples.map(|sample| sample.len() as f64);
        for equal in times.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
            let count =
                |side: usize| equal.iter().filter(|&&((_, is_success), of)| is_success && of == side).count() as f64;
            let (first, all) = (count(0), count(0) + count(1));
            let n = at_risk[0] + at_risk[1];
            let share = at_risk[0] / n;
            distance += first - all * share;
            if n > 1.0 {
                variance += all * share * (1.0 - share) * (n - all) / (n - 1.0);
            }
            equal.iter().for_each(|&(_, side)| at_risk[side] -= 1.0);
        }
    }
    if variance > 0.0 { chi_squared::more_than(distance * distance / variance, 1) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_never_solved_tells_nothing() {
        let censored: &[ObservedTime] = &[(5.0, false); 4];
        assert_eq!((log_rank(&[[censored, censored]]), log_rank(&[])), (1.0, 1.0));
    }

    #[test]
    fn strata_are_compared_each_by_itself() {
        // In either stratum both samples are the same; pooled they would differ.
        let times =
            |from: u32| -> Vec<ObservedTime> { (from..from + 9).map(|time| (f64::from(time), time % 4 > 0)).collect() };
        let (quick, slow) = (times(0), times(100));
        assert!(log_rank(&[[&quick, &quick], [&slow, &slow]]) > 0.999);
        assert!(log_rank(&[[&quick, &slow]]) < 0.001);
    }
}
