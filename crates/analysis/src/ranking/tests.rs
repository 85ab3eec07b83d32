//! The answers of made-up experiments.

use super::Ranking;
use crate::compare::{CompareOptions, compare};
use crate::metric::Metric;
use crate::test_runs::samples;

/// The answer of a CSV by a metric, as a report has it.
fn answer(csv: &str, metric: Metric) -> String {
    let samples = samples(csv);
    let comparison = compare(&samples, metric, CompareOptions::default()).ok();
    Ranking::new(&samples, metric, comparison.as_ref()).expect("a ranking").answer()
}

/// Gaps on twelve instances, of algorithms that are this much worse than the first.
fn gaps(worse: &[(&str, [i32; 3])]) -> String {
    let mut csv = "algorithm,instance,gap\n".to_owned();
    for instance in 0..12 {
        for (name, by) in worse {
            csv += &format!("{name},i{instance},{}\n", 10 + instance % 3 + by[instance as usize % 3]);
        }
    }
    csv
}

#[test]
fn one_configuration_is_told_with_its_interval() {
    insta::assert_snapshot!(answer(&gaps(&[("ils", [0, 0, 0])]), Metric::Gap), @"ils: mean gap 11.00 % (10.47 to 11.56).");
    let csv = "algorithm,instance,solved\nga,a,true\nga,b,false\n";
    insta::assert_snapshot!(answer(csv, Metric::Solved), @"ga: 50 % (0 to 100) of runs solved.");
}

#[test]
fn of_two_the_comparison_decides() {
    insta::assert_snapshot!(answer(&gaps(&[("a", [5, 6, 4]), ("b", [0, 0, 0])]), Metric::Gap), @"b is better than a on instances like these: mean gap 11.00 % (10.47 to 11.56), against 16.00 % (15.46 to 16.56). On the same instance, a run of b beats a run of a in 100 % of cases (95 % interval 73 to 100, p = 0.0009). If the best configuration is chosen on one half of the instances and measured on the other half, the result is: mean gap 11.00 %.");
    insta::assert_snapshot!(answer(&gaps(&[("a", [1, 0, -1]), ("b", [0, 0, 0])]), Metric::Gap), @"The runs do not show whether a or b is better on instances like these: mean gap 11.00 %, against 11.00 % (10.47 to 11.56). On the same instance, a run of a beats a run of b in 50 % of cases (95 % interval 20 to 80, p = 1). If the best configuration is chosen on one half of the instances and measured on the other half, the result is: mean gap 11.10 %.");
    let mut csv = "algorithm,instance,repetition,solved\n".to_owned();
    for repetition in 0..40 {
        csv += &format!("careful,a,{repetition},true\nhasty,a,{repetition},{}\n", repetition % 2 == 0);
    }
    insta::assert_snapshot!(answer(&csv, Metric::Solved), @"careful is better than hasty on this instance: 100 % (91 to 100) of runs solved, against 50 % (35 to 65). The difference is 50 points (95 % interval 32 to 65, p < 0.0001). If the best configuration is chosen on one half of the repetitions and measured on the other half, the result is: solved 99.8 %.");
}

#[test]
fn of_many_those_that_may_be_the_best_are_counted() {
    let clear = gaps(&[("c", [9, 9, 9]), ("a", [5, 6, 4]), ("b", [0, 0, 0])]);
    insta::assert_snapshot!(answer(&clear, Metric::Gap), @"b is the best of 3 configurations on instances like these (95 % confidence): mean gap 11.00 % (10.47 to 11.56); next is a, 5.00 points behind: mean gap 16.00 % (15.46 to 16.56). If the best configuration is chosen on one half of the instances and measured on the other half, the result is: mean gap 11.00 %.");
    let unclear = gaps(&[("c", [9, 9, 9]), ("a", [1, 0, -1]), ("b", [0, 0, 0])]);
    insta::assert_snapshot!(answer(&unclear, Metric::Gap), @"a is first in these runs: mean gap 11.00 %; next is b, equal: mean gap 11.00 % (10.47 to 11.56). But 2 of the 3 configurations may be the best on instances like these (95 % confidence). If the best configuration is chosen on one half of the instances and measured on the other half, the result is: mean gap 11.10 %.");
    let undecided = gaps(&[("c", [0, 1, -1]), ("a", [1, 0, -1]), ("b", [0, 0, 0])]);
    insta::assert_snapshot!(answer(&undecided, Metric::Gap), @"c is first in these runs: mean gap 11.00 % (10.47 to 11.56); next is a, equal: mean gap 11.00 %. But any of the 3 configurations may be the best on instances like these (95 % confidence). If the best configuration is chosen on one half of the instances and measured on the other half, the result is: mean gap 11.13 %.");
}

#[test]
fn a_difference_below_the_last_digit_is_no_zero() {
    let csv = "algorithm,instance,gap\na,x,1\nb,x,1.001\nc,x,3\n";
    insta::assert_snapshot!(answer(csv, Metric::Gap), @"a is first in these runs: mean gap 1.00 %; next is b, less than 0.01 points behind: mean gap 1.00 %. But any of the 3 configurations may be the best on this instance (95 % confidence).");
}

#[test]
fn without_shared_instances_nothing_is_decided() {
    let csv = "algorithm,instance,gap\na,x,1\nb,y,2\nc,z,3\n";
    let ranking = Ranking::new(&samples(csv), Metric::Gap, None).expect("a ranking");
    assert_eq!(ranking.n_may_be_best(), None);
    assert!(ranking.rows.iter().all(|row| row.may_be_best.is_none() && row.mean.is_none()));
    insta::assert_snapshot!(ranking.answer(), @"The best of 3 configurations is unknown: no instance has values of all configurations. If each configuration is averaged over its own instances, the best configuration is a: mean gap 1.00 %; the second best configuration is b: mean gap 2.00 %.");
}

#[test]
fn failures_are_counted_and_rank_last() {
    let csv = "algorithm,instance,repetition,gap,stop\na,x,0,1,time\na,x,1,1,time\nb,x,0,0,time\nb,x,1,,failed\nc,x,0,2,time\nc,x,1,2,time\n";
    let ranking = Ranking::new(&samples(csv), Metric::Gap, None).expect("a ranking");
    let rows: Vec<_> = ranking.rows.iter().map(|row| (row.name.as_str(), row.runs, row.failed)).collect();
    assert_eq!(rows, [("a", 2, 0), ("b", 2, 1), ("c", 2, 0)], "a failed run ranks last");
}

#[test]
fn a_subset_of_the_runs_is_ranked_without_the_others() {
    let mut samples = samples("algorithm,instance,bucket,gap\na,x,easy,1\nb,x,easy,2\nc,y,hard,3\n");
    samples.runs.truncate(2);
    let ranking = Ranking::new(&samples, Metric::Gap, None).expect("a ranking");
    assert_eq!(ranking.rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn of_two_the_one_that_does_better_stands_first_whatever_the_means() {
    // One bad instance outweighs eleven good ones in the mean, and in no comparison of runs.
    let mut csv = "algorithm,instance,gap\n".to_owned();
    for instance in 0..12 {
        csv += &format!("a,i{instance},{}\nb,i{instance},2\n", if instance == 0 { 40 } else { 1 });
    }
    insta::assert_snapshot!(answer(&csv, Metric::Gap), @"a is better than b on instances like these: mean gap 4.25 % (0.78 to 22.88), against 2.00 %. On the same instance, a run of a beats a run of b in 91.7 % of cases (95 % interval 65 to 100, p = 0.0063). If only the means are compared, b is first.");
}
