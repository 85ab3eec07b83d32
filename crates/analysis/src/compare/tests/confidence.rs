//! Comparisons at a confidence other than 95 %.

use super::super::*;
use super::{INSTANCES, crossed};
use crate::table::Format;

fn at(samples: &Samples, share: f64) -> Comparison {
    let confidence = Confidence::new(share).expect("in range");
    let criteria = Criteria { confidence, ..Criteria::default() };
    compare(samples, Metric::Solved, CompareOptions { criteria, ..CompareOptions::default() }).expect("configurations")
}

#[test]
fn a_difference_is_told_at_the_level_and_named_by_the_confidence() {
    // 76 against 96 of 160 runs.
    let samples =
        crossed(&["a", "b"], &INSTANCES, |a, i, r| (r as usize + 3 * i) % 20 < 9 + 3 * a + i % 2, |_, _, _| 1);
    let (usual, strict) = (at(&samples, 0.95), at(&samples, 0.99));
    let answers = [&usual, &strict].map(|comparison| comparison.pairs[0].effect.these);
    assert_eq!(answers[0].p_value, answers[1].p_value, "the confidence judges, and changes no p-value");
    assert!((0.01..0.05).contains(&answers[0].p_value), "{answers:?}");
    let [narrow, wide] = answers.map(|answer| answer.interval);
    assert!(wide.low < narrow.low && narrow.high < wide.high, "{answers:?}");
    let told = [&usual, &strict].map(|comparison| comparison.pairs[0].conclusions()[0]);
    assert_eq!(told, [Some(Conclusion::Second), Some(Conclusion::Open)]);
    insta::assert_snapshot!(render(&strict, Format::Text { width: None }, &[]));
    let header = render(&strict, Format::Csv, &[]).lines().next().map(str::to_owned).expect("a header");
    assert!(
        header.contains(",these 99 % low,these 99 % high,") && header.contains(",like these 99 % low,"),
        "{header}"
    );
    assert!(!usual.sentences().concat().contains("confidence"), "the usual one needs no words");
}

#[test]
fn all_that_names_a_level_names_this_one() {
    let samples = crossed(&["a", "b", "c"], &INSTANCES[..2], |a, i, r| (r as usize) < 3 * a + i, |_, _, _| 1);
    let strict = at(&samples, 0.999).sentences().join(" ");
    assert!(
        strict.contains("(Nemenyi, 0.1 %)") && strict.contains("A difference counts as found if p < 0.001."),
        "{strict}"
    );
    let [usual, strict] = [0.95, 0.999].map(|share| at(&samples, share).omnibus.expect("three").critical_difference);
    assert!(strict > 1.3 * usual, "{strict} and {usual}");
    // Four runs of each on one instance: 2 of 70 exchanges.
    let mut few = crossed(&["a", "b"], &INSTANCES[..1], |a, _, _| a > 0, |_, _, _| 1);
    few.runs.retain(|run| run.repetition < 4);
    let said = at(&few, 0.99).sentences().remove(0);
    assert!(
        said.contains("with so few runs, no result can reach p < 0.01 (the lowest possible value is p = 0.0286)"),
        "{said}"
    );
}
