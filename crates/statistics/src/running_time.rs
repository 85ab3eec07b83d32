//! The cost of one solution if some runs find no solution.

use crate::confidence::Confidence;
use crate::hypothesis::log_rank::ObservedTime;
use crate::hypothesis::stratified::LEAST_SHARE_OF_RATES as LEAST_SHARE;
use crate::interval::Interval;
use crate::intervals::bootstrap::Bootstrap;

/// Computes the expected running time (ERT) in evaluations. The evaluations of all runs are divided by the number of solved runs. Returns
/// `None` if no run is solved.
///
/// If runs are repeated until one is solved, the ERT is the expected sum of the evaluations of these runs. Each run is given by its number
/// of evaluations, and whether it was solved.
///
/// Source: N. Hansen, A. Auger, R. Ros, S. Finck and P. Posik, "Comparing results of 31 algorithms from the black-box optimization
/// benchmarking BBOB-2009", GECCO 2010, doi:10.1145/1830761.1830790.
///
/// # Example
/// ```
/// assert_eq!(evogrid_statistics::ert(&[(100, true), (500, false), (200, true)]), Some(400.0));
/// assert_eq!(evogrid_statistics::ert(&[(500, false)]), None);
/// ```
pub fn ert(runs: &[(u64, bool)]) -> Option<f64> {
    let solved = runs.iter().filter(|(_, is_solved)| *is_solved).count();
    ert_of_sums(runs.iter().map(|&(evaluations, _)| evaluations as f64).sum(), solved as u64)
}

/// Computes the expected running time from the sum of all evaluations and the number of solved runs.
pub fn ert_of_sums(evaluations: f64, solved: u64) -> Option<f64> {
    (solved > 0).then(|| evaluations / solved as f64)
}

/// Computes the 95 % interval of [`ert`], in evaluations, by [`Bootstrap::percentile`].
///
/// If a resample contains no solved run, its ERT is infinite. So the upper end is `f64::INFINITY` if more than 2.5 % of the resamples have
/// no solved run. The upper end is infinite if only one or two runs are solved. The upper end is also infinite if there are at least nine
/// runs and only three of them are solved. If no run is solved, the interval is `[0, ∞]`. With few runs or few solved runs, the interval is
/// too narrow. If all runs are solved after equally many evaluations, the width of the interval is 0.
///
/// # Panics
/// If there are 2^32 runs or more.
///
/// # Example
/// ```
/// use evogrid_statistics::{ert, ert_interval};
///
/// let runs: Vec<(u64, bool)> = (0..40).map(|run| (100 + run, run % 4 == 0)).collect();
/// let interval = ert_interval(&runs, 2000, 0);
/// assert!(interval.contains(ert(&runs).unwrap()) && interval.low > 250.0 && interval.high < 1000.0);
/// assert_eq!(ert_interval(&runs[1..3], 2000, 0).high, f64::INFINITY);
/// ```
pub fn ert_interval(runs: &[(u64, bool)], resamples: usize, seed: u64) -> Interval {
    let unknown = Interval { low: 0.0, high: f64::INFINITY };
    if ert(runs).is_none() {
        return unknown;
    }
    let statistic = |runs: &[(u64, bool)]| Some(ert(runs).unwrap_or(f64::INFINITY));
    Bootstrap { resamples, seed }.percentile(runs, statistic).unwrap_or(unknown)
}

/// Computes the interval of the mean logarithm of the ratio between two expected running times. Each instance has one ratio: the expected
/// running time of the first sample divided by the expected running time of the second sample. Returns `None` if there are no instances, or
/// if a sample has no solved run on an instance.
///
/// If there are several instances, the interval is Student's interval of the mean logarithm. Student's interval holds for all instances of
/// the kind, not only for the given instances. Because runs are random, the logarithm of an instance's ratio varies. The variance that
/// comes from the randomness of the runs is called the implied variance. If the observed variance of the logarithms is below an eighth of
/// the implied variance, the function uses an eighth of the implied variance. If there is only one instance, the interval holds only for
/// this instance. For one instance, the interval is computed from the normal distribution. For each instance, the delta method computes the
/// implied variance of the logarithm of the ratio. The delta method uses the influence of each run on the logarithm of the expected running
/// time. The influence of a run is `w / Σw - s / Σs`. Here `w` is the time of the run. For a solved run, `s` is 1; for an unsolved run, it
/// is 0.
///
/// # Example
/// ```
/// let quick: Vec<(f64, bool)> = (0..50).map(|run| (100.0 + f64::from(run), true)).collect();
/// let slow: Vec<(f64, bool)> = quick.iter().map(|&(time, is_solved)| (2.0 * time, is_solved)).collect();
/// let instances = [[&slow[..], &quick]].into_iter();
/// let interval = evogrid_statistics::instance_log_ratios(instances, evogrid_statistics::Confidence::PERCENT_95).unwrap();
/// assert!(interval.low < 2.0_f64.ln() && 2.0_f64.ln() < interval.high && interval.low > 1.8_f64.ln());
/// ```
pub fn instance_log_ratios<'a>(
    instances: impl Iterator<Item = [&'a [ObservedTime]; 2]>,
    confidence: Confidence,
) -> Option<Interval> {
    let logs: Vec<(f64, f64)> = instances
        .map(|[first, second]| {
            let ((one, its), (other, others)) = (log_ert(first)?, log_ert(second)?);
            Some((one - other, its + others))
        })
        .collect::<Option<_>>()?;
    let n = logs.len() as f64;
    let mean = logs.iter().map(|(log, _)| log).sum::<f64>() / n;
    let by_runs = logs.iter().map(|(_, variance)| variance).sum::<f64>() / n;
    let reach = match logs.len() {
        0 => return None,
        1 => confidence.normal_reach() * by_runs.sqrt(),
        _ => {
            let squares: f64 = logs.iter().map(|(log, _)| (log - mean).powi(2)).sum();
            confidence.student_reach(logs.len() - 1) * ((squares / (n - 1.0)).max(LEAST_SHARE * by_runs) / n).sqrt()
        }
    };
    Some(Interval { low: mean - reach, high: mean + reach })
}

/// The logarithm of the expected running time of some runs, and the variance of this logarithm.
fn log_ert(runs: &[ObservedTime]) -> Option<(f64, f64)> {
    let work: f64 = runs.iter().map(|(time, _)| time).sum();
    let solved = runs.iter().filter(|(_, is_solved)| *is_solved).count() as f64;
    let influence = |&(time, is_solved): &ObservedTime| time / work - if is_solved { 1.0 / solved } else { 0.0 };
    (solved > 0.0 && work > 0.0).then(|| ((work / solved).ln(), runs.iter().map(|run| influence(run).powi(2)).sum()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_upper_end_is_infinite_where_too_few_runs_are_solved() {
        let runs = |solved: usize| -> Vec<(u64, bool)> { (0..40).map(|run| (100, run < solved)).collect() };
        let unknown = Interval { low: 0.0, high: f64::INFINITY };
        assert_eq!((ert(&runs(0)), ert_interval(&runs(0), 2000, 1)), (None, unknown));
        assert_eq!((ert(&[]), ert_interval(&[], 2000, 1)), (None, unknown));
        assert_eq!(ert(&runs(10)), Some(400.0));
        for solved in 1..=3 {
            let interval = ert_interval(&runs(solved), 2000, 1);
            assert!(interval.low.is_finite() && interval.high == f64::INFINITY, "{solved} solved: {interval:?}");
        }
        assert!(ert_interval(&runs(5), 2000, 1).high.is_finite());
        assert_eq!(ert_interval(&runs(40), 2000, 1), Interval { low: 100.0, high: 100.0 });
    }

    #[test]
    fn the_largest_counts_do_not_overflow() {
        assert_eq!(ert(&[(u64::MAX, true), (u64::MAX, false)]), Some(2.0 * u64::MAX as f64));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_running_time_lies_in_its_interval(seed: u64, solved in 10usize..200) {
            let runs: Vec<(u64, bool)> = (0..200).map(|run| (1000 + 7 * run, run < solved as u64)).collect();
            let interval = ert_interval(&runs, 500, seed);
            prop_assert!(interval.contains(ert(&runs).unwrap()), "{:?}", interval);
        }
    }
}
