//! What a solution costs where not every run finds one.

use super::bootstrap::Bootstrap;
use super::interval::Interval;

/// The expected running time in evaluations: those of all runs over the number of solved ones. `None` where none is solved.
///
/// What a solution costs on average if an unsolved run is followed by another. Hansen, Auger, Ros, Finck and Posik, "Comparing
/// results of 31 algorithms from the black-box optimization benchmarking BBOB-2009", GECCO 2010, doi:10.1145/1830761.1830790.
/// A run is its evaluations and whether it was solved.
#[must_use]
pub fn ert(runs: &[(u64, bool)]) -> Option<f64> {
    let solved = runs.iter().filter(|(_, is_solved)| *is_solved).count();
    let evaluations: f64 = runs.iter().map(|&(evaluations, _)| evaluations as f64).sum();
    (solved > 0).then(|| evaluations / solved as f64)
}

/// The 95 % interval of the expected running time: [`Bootstrap::percentile`] with so many resamples and that seed.
///
/// A resample without a solved run counts as infinite, so the upper end is `f64::INFINITY` where that comes in more than
/// 2.5 % of them: with one or two solved of more, or three of nine or more. Where none is solved nothing is known: `[0, ∞]`.
/// With few runs, or few solved, it is too narrow; all runs solved in equal evaluations give one without width.
///
/// # Panics
/// If there are 2^32 runs or more.
#[must_use]
pub fn ert_interval(runs: &[(u64, bool)], resamples: usize, seed: u64) -> Interval {
    let unknown = Interval { low: 0.0, high: f64::INFINITY };
    if ert(runs).is_none() {
        return unknown;
    }
    let statistic = |runs: &[(u64, bool)]| Some(ert(runs).unwrap_or(f64::INFINITY));
    Bootstrap { resamples, seed }.percentile(runs, statistic).unwrap_or(unknown)
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
