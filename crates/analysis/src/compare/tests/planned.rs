//! Comparisons that an experiment plans: some pairs alone, and results that are looked at while runs are added.

use super::super::*;
use super::{INSTANCES, crossed};
use crate::table::Format;

fn pair(names: [&str; 2]) -> [String; 2] {
    names.map(str::to_owned)
}

fn planned(samples: &Samples, pairs: &[[String; 2]], look: Option<Look<'_>>) -> Result<Comparison, SelectionError> {
    compare(samples, Metric::Solved, CompareOptions { pairs, look, ..CompareOptions::default() })
}

#[test]
fn pairs_that_are_named_are_compared_alone_and_corrected_for_no_other() {
    let samples = crossed(&["a", "b", "c", "d"], &INSTANCES, |a, i, r| r < 3 * (a + i) as u32, |_, _, _| 1);
    let pairs = [pair(["d", "a"]), pair(["a", "c"])];
    let comparison = planned(&samples, &pairs, None).expect("three configurations");
    let names: Vec<&str> = comparison.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["a", "c", "d"], "of the others nothing is said");
    let places: Vec<[usize; 2]> = comparison.pairs.iter().map(|pair| [pair.first, pair.second]).collect();
    assert_eq!(places, [[2, 0], [0, 1]]);
    let p_values: Vec<f64> = comparison.pairs.iter().map(|pair| pair.effect.these.p_value).collect();
    let corrected: Vec<f64> = comparison.pairs.iter().map(|pair| pair.effect.these.p_corrected).collect();
    assert_eq!(corrected, evogrid_statistics::holm(&p_values));
    let table = super::render(&comparison, Format::Latex, &[]);
    assert!(table.contains("The planned comparisons of the experiment"), "{table}");
    let unknown = planned(&samples, &[pair(["a", "x"])], None).map(|_| ()).expect_err("no such configuration");
    assert_eq!(unknown.to_string(), "`x` is not one of the configurations that are compared");
}

#[test]
fn an_early_look_takes_more_than_the_last_one() {
    let samples = crossed(&["a", "b", "c"], &INSTANCES, |a, _, r| r < 8 + 4 * a as u32, |_, _, _| 1);
    let at = |repetitions| planned(&samples, &[], Some(Look { planned: &[5, 10, 20], repetitions })).expect("three");
    let (fixed, early, last) = (planned(&samples, &[], None).expect("three"), at(5.0), at(20.0));
    assert_eq!((fixed.look_factor, fixed.look.as_deref()), (1.0, None));
    assert!(early.look_factor > 1000.0 && (1.0..1.2).contains(&last.look_factor), "{last:?}");
    for (pair, other) in fixed.pairs.iter().zip(&last.pairs) {
        let expected = (pair.effect.these.p_corrected * last.look_factor).min(1.0);
        assert_eq!(other.effect.these.p_corrected, expected);
        assert_eq!(other.effect.these.interval, pair.effect.these.interval, "intervals are of this look alone");
    }
    let told = |comparison: &Comparison| comparison.pairs[0].conclusions()[0];
    assert_eq!((told(&last), told(&early)), (Some(Conclusion::Second), Some(Conclusion::Open)));
    let [these, p] = [&early, &fixed].map(|comparison| comparison.omnibus.as_ref().expect("three").friedman.p_value);
    assert_eq!(these, (p * early.look_factor).min(1.0));
    let sentences = early.sentences().join(" ");
    assert!(
        sentences.contains("Planned look 1 of 3, at repetition 5 of 20: p-values are multiplied by "),
        "{sentences}"
    );
}

#[test]
fn a_look_holds_log_rank_tests_and_interactions_too() {
    let mut csv = "algorithm,size,instance,repetition,solved,evaluations\n".to_owned();
    for (at, instance) in INSTANCES.iter().enumerate() {
        for run in 0..10 {
            // `a` is quick where the size is 1, and slow where it is 2; one run of ten is unsolved.
            for (name, size, step) in [("a", 1, 10), ("a", 2, 12), ("b", 1, 11), ("b", 2, 11)] {
                let work = if run < 9 { step * (run + 7) + at } else { 1000 };
                csv += &format!("{name},{size},{instance},{run},{},{work}\n", run < 9);
            }
        }
    }
    let samples = crate::test_runs::samples(&csv);
    let by = ["algorithm".to_owned()];
    let at = |look| {
        let options = CompareOptions { by: &by, look, ..CompareOptions::default() };
        compare(&samples, Metric::Evaluations, options).expect("two configurations")
    };
    let (fixed, held) = (at(None), at(Some(Look { planned: &[5, 10], repetitions: 5.0 })));
    assert!((10.0..20.0).contains(&held.look_factor), "{}", held.look_factor);
    let [alone, times] = [&fixed, &held].map(|comparison| {
        let Pair { effect, averaged_over, .. } = &comparison.pairs[0];
        [effect.log_rank_corrected.expect("some are unsolved"), averaged_over[0].p_interaction]
    });
    assert!(alone[0] > 0.1 && (1e-3..0.05).contains(&alone[1]), "{alone:?}");
    assert_eq!(times, alone.map(|p| (p * held.look_factor).min(1.0)));
    let is_told = |comparison: &Comparison| comparison.sentences()[0].contains("; the difference depends on size (");
    assert!(is_told(&fixed) && !is_told(&held), "{:?}", held.sentences());
}
