//! Both answers of comparisons, on one data set of each design that docs/STATISTICS.md simulates, agree with what
//! `scripts/comparison_fixtures.py` computes from their formulas by other ways.

use evogrid_statistics::*;

type Number = Option<f64>;

/// The design, the costs of both sides on each instance, the answer for these instances (effect and interval; p-values, exact unless runs are very
/// many, and of the normal distribution), the answer for instances like these (interval, p-value, variance), and the p-value of the log-rank test.
type DataSet = (String, Vec<[Vec<Number>; 2]>, [f64; 3], [Number; 2], [Number; 4], Number);

/// The limit of the runs that count evaluations.
const LIMIT: f64 = 2100.0;

#[track_caller]
fn assert_near(design: &str, what: &str, found: f64, golden: f64, relative: f64) {
    let is_near = (found - golden).abs() <= relative * golden.abs() + 1e-12;
    assert!(is_near, "{design}, {what}: {found} instead of {golden}");
}

#[test]
fn one_data_set_of_each_design_agrees_with_independent_code() {
    let rows: Vec<DataSet> = serde_json::from_str(include_str!("fixtures/comparisons.json")).expect("rows");
    assert_eq!(rows.len(), 110);
    let mut by_normal = Vec::new();
    for (design, costs, these, p_values, like, log_rank_p) in &rows {
        let sample =
            |numbers: &[Number]| -> Vec<f64> { numbers.iter().map(|cost| cost.unwrap_or(f64::INFINITY)).collect() };
        let sides: Vec<[Vec<f64>; 2]> = costs.iter().map(|[one, other]| [sample(one), sample(other)]).collect();
        // What is better is larger in the first sample.
        let strata: Vec<[&[f64]; 2]> = sides.iter().map(|[one, other]| [other.as_slice(), one.as_slice()]).collect();
        let test = stratified_test(&strata, Confidence::PERCENT_95);
        let (effect, interval, by_instances) = if design.ends_with("success") {
            let solved = |costs: &[f64]| (costs.iter().filter(|&&cost| cost < 0.0).count() as u64, costs.len() as u64);
            let found = stratified_rates(
                &sides.iter().map(|[one, other]| [solved(one), solved(other)]).collect::<Vec<_>>(),
                Confidence::PERCENT_95,
            );
            let rate = |costs: &[f64]| solved(costs).0 as f64 / costs.len() as f64;
            let differences: Vec<f64> = sides.iter().map(|[one, other]| rate(one) - rate(other)).collect();
            (
                found.difference,
                found.interval,
                instance_differences(&differences, found.least_variance, 0.0, Confidence::PERCENT_95),
            )
        } else {
            let differences: Vec<f64> =
                strata.iter().map(|[first, second]| 2.0 * vargha_delaney(first, second).a12 - 1.0).collect();
            (
                test.a12,
                test.interval,
                instance_differences(&differences, test.least_variance, test.half_step, Confidence::PERCENT_95),
            )
        };
        let [golden, low, high] = *these;
        assert_near(design, "effect", effect, golden, 1e-9);
        assert_near(design, "low", interval.low, low, 1e-8);
        assert_near(design, "high", interval.high, high, 1e-8);
        let [exact, normal] = p_values.map(|p| p.unwrap_or(f64::INFINITY));
        if exact.is_infinite() || (test.p_value / exact - 1.0).abs() > 1e-9 {
            // So many runs are tested by the normal distribution.
            assert_near(design, "p, normal", test.p_value, normal, 1e-9);
            let is_like_exact = exact.is_infinite() || (test.p_value - exact).abs() < 0.01;
            assert!(is_like_exact, "{design}: {} instead of {exact}", test.p_value);
            by_normal.push(design.as_str());
        }
        assert_eq!(by_instances.is_some(), like[0].is_some(), "{design}");
        if let (Some(found), [Some(low), Some(high), Some(p), Some(variance)]) = (by_instances, *like) {
            // Quantiles of t have six decimals here.
            let is_near = [found.interval.low - low, found.interval.high - high].iter().all(|error| error.abs() < 1e-6);
            assert!(is_near, "{design}, like: {:?} instead of {low} to {high}", found.interval);
            assert_near(design, "p, like", found.p_value, p, 1e-8);
            assert_near(design, "variance, like", found.variance, variance, 1e-9);
        }
        if let Some(golden) = *log_rank_p {
            let observed = |costs: &[f64]| -> Vec<ObservedTime> {
                costs.iter().map(|&cost| (cost.min(LIMIT), cost.is_finite())).collect()
            };
            let times: Vec<[Vec<ObservedTime>; 2]> =
                sides.iter().map(|[one, other]| [observed(one), observed(other)]).collect();
            let strata: Vec<[&[ObservedTime]; 2]> =
                times.iter().map(|[one, other]| [one.as_slice(), other.as_slice()]).collect();
            assert_near(design, "log-rank", log_rank(&strata), golden, 1e-8);
        }
    }
    let is_large = |design: &&str| ["x 50 ", "40 x 10 "].iter().any(|shape| design.contains(shape));
    assert!(by_normal.iter().all(is_large) && by_normal.len() == 8, "beyond the exact test: {by_normal:?}");
}
