//! Our figures agree with those of SciPy and statsmodels, which `scripts/statistics_fixtures.py` computed.

use evogrid_statistics::*;
use serde::de::DeserializeOwned;

/// The largest relative difference of two figures that agree.
const RELATIVE: f64 = 1e-9;

/// A number, `None` standing for an infinite one.
type Number = Option<f64>;

/// The rows of a fixture, of which there must be enough.
fn rows<T: DeserializeOwned>(text: &str, at_least: usize) -> Vec<T> {
    let rows: Vec<T> = serde_json::from_str(text).expect("a fixture is an array of rows");
    assert!(rows.len() >= at_least, "only {} rows", rows.len());
    rows
}

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("fixtures/", $name, ".json"))
    };
}

/// Whether two figures agree, up to [`RELATIVE`] and an absolute difference of `floor`.
fn is_near(found: f64, golden: f64, floor: f64) -> bool {
    found == golden || (found - golden).abs() <= RELATIVE * golden.abs() + floor
}

#[track_caller]
fn assert_near(name: &str, row: &impl std::fmt::Debug, pairs: &[(f64, f64)]) {
    for &(found, golden) in pairs {
        assert!(is_near(found, golden, 0.0), "{name} of {row:?}: {found} instead of {golden}");
    }
}

/// A sample in which an unsolved run is infinite.
fn sample(numbers: &[Number]) -> Vec<f64> {
    numbers.iter().map(|number| number.unwrap_or(f64::INFINITY)).collect()
}

#[test]
fn intervals_of_a_rate_agree_with_statsmodels() {
    for row in rows::<(u64, u64, f64, f64)>(fixture!("rates"), 200) {
        let (solved, runs, wilson_low, wilson_high) = row;
        let ours = wilson(solved, runs);
        // Where none is solved statsmodels has a rounding for its lower end.
        assert!(is_near(ours.low, wilson_low, 1e-16) && is_near(ours.high, wilson_high, 0.0), "{row:?}: {ours:?}");
    }
}

#[test]
fn intervals_of_a_difference_agree_with_statsmodels_and_their_formula() {
    // A difference near zero has lost the digits that its rates have in common.
    let floor = 1e-13;
    for row in rows::<(u64, u64, u64, u64, f64, f64)>(fixture!("differences"), 200) {
        let found = stratified_rates(&[[(row.0, row.1), (row.2, row.3)]], Confidence::PERCENT_95).interval;
        assert!(is_near(found.low, row.4, floor) && is_near(found.high, row.5, floor), "{row:?}: {found:?}");
    }
}

#[test]
fn pairs_agree_with_their_formula() {
    for row in rows::<(u64, u64, u64, f64, f64)>(fixture!("pairs"), 200) {
        let (wins, losses, ties, low, high) = row;
        let found = PairCounts { wins, losses, ties }.interval();
        assert!(is_near(found.low, low, 1e-13) && is_near(found.high, high, 1e-13), "{row:?}: {found:?}");
    }
}

#[test]
fn predictions_agree_with_scipy() {
    for row in rows::<(u64, u64, u64, u64, f64, u64, u64)>(fixture!("predictions"), 200) {
        let (solved, runs, further, seen, p_value, low, high) = row;
        assert_near("count_p_value", &row, &[(count_p_value(solved, runs, further, seen), p_value)]);
        assert_eq!(predict_count(solved, runs, further), low..=high, "{row:?}");
    }
}

#[test]
fn corrected_p_values_agree_with_statsmodels() {
    for row in rows::<(Vec<f64>, Vec<f64>)>(fixture!("holm"), 200) {
        let pairs: Vec<(f64, f64)> = holm(&row.0).into_iter().zip(row.1.clone()).collect();
        assert_near("holm", &row, &pairs);
    }
}

#[test]
fn mann_whitney_agrees_with_scipy_and_its_effect_with_its_formula() {
    type Row = (Vec<Number>, Vec<Number>, f64, f64, bool, f64, f64, f64);
    for row in rows::<Row>(fixture!("mann_whitney"), 200) {
        let (first, second) = (sample(&row.0), sample(&row.1));
        let effect = vargha_delaney(&first, &second);
        // SciPy and the permutation test are both exact for small samples without ties.
        if row.4 && first.len().max(second.len()) <= 20 {
            let found = stratified_test(&[[&first, &second]], Confidence::PERCENT_95);
            assert!(is_near(found.p_value, row.3, 1e-12), "{row:?}: {found:?}");
        }
        let interval = effect.interval;
        assert_near("a12", &row, &[(effect.a12, row.5), (interval.low, row.6), (interval.high, row.7)]);
    }
}

#[test]
fn friedman_agrees_with_scipy() {
    for row in rows::<(Vec<Vec<Number>>, Vec<f64>, f64, f64)>(fixture!("friedman"), 200) {
        let blocks: Vec<Vec<f64>> = row.0.iter().map(|numbers| sample(numbers)).collect();
        let found = friedman(&blocks.iter().map(Vec::as_slice).collect::<Vec<_>>());
        assert!(is_near(found.statistic, row.2, 1e-12) && is_near(found.p_value, row.3, 0.0), "{row:?}: {found:?}");
        assert_near("mean_ranks", &row, &found.mean_ranks.iter().copied().zip(row.1.clone()).collect::<Vec<_>>());
    }
}

#[test]
fn critical_differences_agree_with_scipy() {
    for row in rows::<(usize, usize, f64)>(fixture!("critical_differences"), 50) {
        assert_near(
            "critical difference",
            &row,
            &[(nemenyi_critical_difference(row.0, row.1, Confidence::PERCENT_95), row.2)],
        );
    }
}

#[test]
fn medians_and_quantiles_agree_with_scipy_and_numpy() {
    for row in rows::<(Vec<Number>, Number, Number, Number, f64, Number)>(fixture!("medians"), 200) {
        let mut values = sample(&row.0);
        values.reverse();
        let found = median(&mut values).unwrap();
        // Of fewer than six the interval has no lower end.
        let never = if values.len() < 6 { f64::NEG_INFINITY } else { f64::INFINITY };
        let ends = (row.2.unwrap_or(never), row.3.unwrap_or(f64::INFINITY));
        assert_eq!((found.low, found.high), ends, "{row:?}");
        let pairs = [(found.median, row.1), (quantile(&values, row.4).unwrap(), row.5)];
        assert_near("median", &row, &pairs.map(|(found, golden)| (found, golden.unwrap_or(f64::INFINITY))));
    }
}
