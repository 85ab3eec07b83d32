//! Claims about objectives that are maximised: `higher` and `lower` are of values, whatever is better.

use super::*;

/// Objectives of two rates, 30 instances each, times this sign; rate 2 always ends 5 further, and failed once.
fn samples(sign: i32, fitness: &str) -> Samples {
    let mut csv = "algorithm,rate,instance,objective,best_known,fitness,best_fitness,stop\n".to_owned();
    for (rate, further) in [(1, 0), (2, 5)] {
        for instance in 0..30 {
            let value = (sign * (100 + instance % 7 + further)).to_string();
            let (value, stop) = if rate + instance == 2 { (String::new(), "failed") } else { (value, "time") };
            csv += &format!("a,{rate},i{instance},{value},{},{fitness},{value},{stop}\n", sign * 100);
        }
    }
    test_runs::samples(&csv)
}

fn finding(metric: Metric, expect: Expectation, samples: &Samples) -> (Verdict, String, String, String) {
    let found = comparison(metric, "2", &["1"], expect).judge(samples).expect("they pair");
    (found.verdict, found.published, found.ours, found.reasons[0].clone())
}

#[test]
fn a_claim_of_higher_and_lower_is_about_values() {
    let [small, large] = [(1, "length"), (-1, "length (maximised)")].map(|(sign, fitness)| samples(sign, fitness));
    let profit = samples(1, "profit (maximised)");
    for metric in [Metric::Objective, Metric::BestFitness] {
        let verdicts = |samples| {
            [Expectation::Higher, Expectation::Lower, Expectation::Same]
                .map(|expect| finding(metric, expect, samples).0)
        };
        let holds_not = Verdict::DoesNotHold;
        assert_eq!(verdicts(&small), [Verdict::Holds, holds_not, holds_not]);
        assert_eq!(verdicts(&large), [holds_not, Verdict::Holds, holds_not]);
        assert_eq!(verdicts(&profit), [Verdict::Holds, holds_not, holds_not]);
    }
    // The gap is worse where more is less, and the other way round.
    assert_eq!(finding(Metric::Gap, Expectation::Higher, &small), finding(Metric::Gap, Expectation::Higher, &large));
    assert_eq!(finding(Metric::Gap, Expectation::Lower, &profit).0, Verdict::Holds);
}

#[test]
fn a_run_without_a_solution_contradicts_a_claim_of_more() {
    let (_, published, ours, reason) =
        finding(Metric::Objective, Expectation::Higher, &samples(1, "profit (maximised)"));
    insta::assert_snapshot!([published, ours, reason].join("\n"), @r#"
    "median objective" is higher with "rate = 2" than with "rate = 1"
    108 (106 to 109) for the first, 103 (101 to 104) for the second
    Of 30 pairs of runs, 29 support the claim, 1 contradict the claim, and 0 are equal. On the same instance, the probability that a run with "rate = 2" has a higher value than a run with "rate = 1" is 96.7 % (95 % interval 81.7 to 100, p < 0.0001).
    "#);
}
