use proptest::prelude::*;

use super::*;
use crate::judge::test_runs;
use evogrid_analysis::compare::{Confidence, Margin};
use evogrid_analysis::samples::Selector;

mod costs;
mod directions;
mod pages;

/// How a run ended: solved in so many evaluations, or at a fitness.
#[derive(Clone, Copy)]
enum RunEnd {
    Solved(u64),
    Stuck(f64),
}

use RunEnd::{Solved, Stuck};

/// Samples with one varied setting `rate`; for each configuration (algorithm, rate) its runs, one an instance; even instances are
/// easy, odd ones hard.
fn samples(configurations: &[(&str, &str, &[RunEnd])]) -> Samples {
    let line = |algorithm: &str, rate: &str, at: usize, end: RunEnd| {
        let bucket = if at.is_multiple_of(2) { "easy" } else { "hard" };
        let (solved, fitness, evaluations) = match end {
            Solved(evaluations) => (true, 0.0, evaluations),
            Stuck(fitness) => (false, fitness, 1000),
        };
        let generations = evaluations / 10;
        format!("{algorithm},{rate},i{at},{bucket},{solved},{fitness},{evaluations},{generations},1\n")
    };
    let lines: String = configurations
        .iter()
        .flat_map(|(algorithm, rate, ends)| (0..).zip(*ends).map(move |(at, &end)| line(algorithm, rate, at, end)))
        .collect();
    let columns = "algorithm,rate,instance,bucket,solved,best_fitness,evaluations,generations,wall_ms";
    test_runs::samples(&format!("{columns}\n{lines}"))
}

fn selector(conditions: &[(&str, &str)]) -> Selector {
    Selector(conditions.iter().map(|&(key, value)| (key.to_owned(), vec![value.to_owned()])).collect())
}

fn comparison(metric: Metric, of: &str, against: &[&str], expect: Expectation) -> ClaimKind {
    let sides = against.iter().map(|rate| selector(&[("rate", rate)])).collect();
    let rule = Rule::Comparison(ComparisonClaim {
        metric,
        against: Alternatives::These(sides),
        within: Selector::default(),
        expect,
        tests: 1,
        criteria: Criteria::default(),
    });
    ClaimKind { of: selector(&[("rate", of)]), rule }
}

/// The verdict on "rate 1 compares so with rate 2".
fn verdict(metric: Metric, one: &[RunEnd], two: &[RunEnd], expect: Expectation) -> Verdict {
    let samples = samples(&[("a", "1", one), ("a", "2", two)]);
    comparison(metric, "1", &["2"], expect).judge(&samples).expect("they pair").verdict
}

const GOOD: [RunEnd; 40] = [Solved(10); 40];
const BAD: [RunEnd; 40] = [Stuck(3.0); 40];

#[test]
fn a_clear_difference_holds_one_way_and_not_the_other() {
    assert_eq!(verdict(Metric::Solved, &GOOD, &BAD, Expectation::Higher), Verdict::Holds);
    assert_eq!(verdict(Metric::Solved, &BAD, &GOOD, Expectation::Higher), Verdict::DoesNotHold);
    assert_eq!(verdict(Metric::Solved, &BAD, &GOOD, Expectation::Lower), Verdict::Holds);
    assert_eq!(verdict(Metric::Solved, &GOOD, &BAD, Expectation::Same), Verdict::DoesNotHold);
    assert_eq!(verdict(Metric::BestFitness, &GOOD, &BAD, Expectation::Lower), Verdict::Holds);
}

#[test]
fn few_runs_cannot_tell_and_many_equal_ones_tell_that_there_is_no_difference() {
    let half = |at: usize| if at.is_multiple_of(2) { Solved(10) } else { Stuck(3.0) };
    let (few, many): ([RunEnd; 5], [RunEnd; 200]) = ([Solved(10); 5], std::array::from_fn(half));
    for expect in [Expectation::Higher, Expectation::Same] {
        assert_eq!(verdict(Metric::Solved, &few, &few, expect), Verdict::CannotBeTold);
    }
    assert_eq!(verdict(Metric::Solved, &many, &many, Expectation::Same), Verdict::Holds);
    assert_eq!(verdict(Metric::Solved, &many, &many, Expectation::Higher), Verdict::DoesNotHold);
    // Where all are solved, the odds of failing may still differ by any factor.
    assert_eq!(
        verdict(Metric::Solved, &[Solved(10); 200], &[Solved(10); 200], Expectation::Same),
        Verdict::CannotBeTold
    );
}

#[test]
fn an_unsolved_run_takes_longer_than_any() {
    let mut slow = [Solved(u64::MAX / 2); 40];
    assert_eq!(verdict(Metric::Evaluations, &slow, &BAD, Expectation::Lower), Verdict::Holds);
    // Neither is solved: a tie, and no proof of anything.
    slow[0] = Stuck(1.0);
    let samples = samples(&[("a", "1", &slow), ("a", "2", &BAD)]);
    let finding = comparison(Metric::Evaluations, "1", &["2"], Expectation::Lower).judge(&samples).expect("they pair");
    assert!(
        finding.reasons[0]
            .starts_with("Of 40 pairs of runs, 39 support the claim, 0 contradict the claim, and 1 are equal."),
        "{finding:?}"
    );
}

#[test]
fn a_claim_is_judged_by_the_margin_and_the_confidence_of_its_experiment() {
    let one: [RunEnd; 40] = std::array::from_fn(|run| if run < 22 { Solved(10) } else { Stuck(1.0) });
    let two: [RunEnd; 40] = std::array::from_fn(|run| if run < 14 { Solved(10) } else { Stuck(1.0) });
    let samples = samples(&[("a", "1", &one), ("a", "2", &two)]);
    let judged = |expect, criteria| {
        let claim = comparison(Metric::Solved, "1", &["2"], expect).judged_by(criteria, false);
        claim.judge(&samples).expect("they pair")
    };
    let strict = Criteria { confidence: Confidence::new(0.999).expect("in range"), ..Criteria::default() };
    let usual = judged(Expectation::Higher, Criteria::default());
    let found = judged(Expectation::Higher, strict);
    assert_eq!((usual.verdict, found.verdict), (Verdict::Holds, Verdict::CannotBeTold));
    assert!(usual.reasons[0].contains(" points (95 % ") && !usual.reasons[1].contains("confidence"), "{usual:?}");
    assert!(found.reasons[0].contains(" points (99.9 % "), "{found:?}");
    assert!(found.reasons[1].ends_with(". The experiment's confidence is 99.9 %."), "{found:?}");

    let wide = Criteria { margin: Margin { points: 0.49, ratio: 1e9, is_declared: true }, ..strict };
    let found = judged(Expectation::Same, wide);
    assert_eq!((judged(Expectation::Same, strict).verdict, found.verdict), (Verdict::CannotBeTold, Verdict::Holds));
    let said = ". A difference within this margin is not relevant: 49 points for rates and a factor of 1000000000 for the odds (the experiment's margin). The";
    assert!(found.reasons[1].contains(said), "{found:?}");
}

#[test]
fn one_run_that_differs_is_not_identical() {
    let mut other = GOOD;
    assert_eq!(verdict(Metric::Evaluations, &GOOD, &other, Expectation::Identical), Verdict::Holds);
    other[7] = Solved(11);
    assert_eq!(verdict(Metric::Evaluations, &GOOD, &other, Expectation::Identical), Verdict::DoesNotHold);
}

#[test]
fn the_best_of_all_beats_every_other_value() {
    let cells = [("a", "1", &GOOD[..]), ("a", "2", &BAD), ("a", "3", &BAD)];
    let best = |of| {
        let mut claim = comparison(Metric::Solved, of, &[], Expectation::Higher);
        let Rule::Comparison(rule) = &mut claim.rule else { panic!("it is a comparison") };
        rule.against = Alternatives::Others;
        claim
    };
    let finding = best("1").judge(&samples(&cells)).expect("they pair");
    assert_eq!((finding.verdict, finding.grids[0].rows.len()), (Verdict::Holds, 2));
    assert_eq!(finding.ours, "100 % (90 to 100); better than 2 of 2 alternatives");
    assert_eq!(best("2").judge(&samples(&cells)).expect("they pair").verdict, Verdict::DoesNotHold);
}

#[test]
fn a_claim_about_what_is_not_there_says_what_there_is() {
    let samples = samples(&[("huke", "0.1", &GOOD), ("huke", "0.2", &BAD)]);
    let error = |of: &[(&str, &str)]| {
        let error = samples.roster.select(&selector(of)).expect_err("it is not there");
        format!("{error}\n  {}", error.help())
    };
    insta::assert_snapshot!(error(&[("rat", "0.1")]), @"
    the runs do not differ in `rat`
      expected `algorithm`, `bucket`, `instance` or `rate`; did you mean `rate`?
    ");
    insta::assert_snapshot!(error(&[("algorithm", "hukke")]), @"
    no run has `algorithm = hukke`
      did you mean `huke`?
    ");
    assert!(samples.roster.select(&selector(&[("rate", "0.10")])).is_ok(), "numbers agree as numbers");
    let unpaired = comparison(Metric::Solved, "0.1", &["0.1"], Expectation::Higher);
    assert!(unpaired.judge(&samples).is_ok());
    let ambiguous = ClaimKind { of: Selector::default(), ..unpaired };
    let error = ambiguous.judge(&samples).expect_err("several runs on a side");
    assert!(
        error.message.contains("several of them have the same instance and the same repetition, and differ only in"),
        "{error}"
    );
}

fn link(path: &str, sets: &[&str]) -> ExperimentLink {
    ExperimentLink { path: path.to_owned(), sets: sets.iter().map(|&set| set.to_owned()).collect() }
}

fn rate(event: Event, expected: ClaimedRate, runs: &[RunEnd]) -> Finding {
    let claim =
        ClaimKind { of: selector(&[("rate", "1")]), rule: Rule::Rate(RateClaim { event, expected, closest: true }) };
    claim.judge(&samples(&[("a", "1", runs), ("a", "2", &GOOD)])).expect("it is there")
}

#[test]
fn a_printed_rate_is_held_against_what_our_runs_allow() {
    let half: Vec<RunEnd> = GOOD[..20].iter().chain(&BAD[..20]).copied().collect();
    let verdict =
        |published, runs, ours: &[RunEnd]| rate(Event::Solved, ClaimedRate::Is(published, runs), ours).verdict;
    assert_eq!(verdict(1.0, Some(10), &GOOD), Verdict::Holds);
    assert_eq!(verdict(0.5, Some(10), &GOOD), Verdict::DoesNotHold);
    assert_eq!(verdict(0.5, Some(10), &half), Verdict::CannotBeTold, "nearly any figure would have passed");
    assert_eq!(verdict(0.5, None, &half), Verdict::CannotBeTold, "between 35 and 65 % agrees with too much");
    assert_eq!(verdict(0.5, None, &half.repeat(4)), Verdict::Holds);
    assert_eq!(verdict(0.5, None, &BAD), Verdict::DoesNotHold);
}

#[test]
fn where_a_printed_rate_does_not_hold_the_closest_setting_is_named() {
    let finding = rate(Event::Solved, ClaimedRate::Is(0.9, None), &BAD);
    insta::assert_snapshot!(finding.reasons.join("\n"), @r#"
    The published rate lies outside the 95 % interval of our rate. The paper does not give the number of its runs. If the published rate comes from 10 or more runs, chance alone hardly explains the difference (p < 0.05).
    The configuration that comes closest to the claim is "a, rate = 2". The rate of this configuration is 100 % (90 to 100) of 40 runs.
    "#);
}

#[test]
fn stuck_runs_are_counted_among_the_unsolved_alone() {
    let runs = [Solved(1), Stuck(2.0), Stuck(2.0), Stuck(4.0)];
    let finding = rate(Event::StuckAt(2.0, 2.0), ClaimedRate::AtLeast(0.5), &runs);
    assert_eq!((finding.runs, finding.verdict), (3, Verdict::CannotBeTold));
    assert!(finding.ours.starts_with("66.7 %"), "{}", finding.ours);
    assert_eq!(rate(Event::BestFitness(0.0, 2.0), ClaimedRate::AtMost(0.0), &runs).runs, 4);
}

#[test]
fn a_curve_says_where_a_rate_passes_one_half() {
    let rule = Rule::Curve(CurveClaim {
        along: "rate".into(),
        called: None,
        series: vec!["algorithm".into()],
        metric: Metric::Solved,
        lost: None,
    });
    let curve = ClaimKind { of: Selector::default(), rule };
    // 10 comes after 2: numbers are sorted as numbers.
    let finding = curve.judge(&samples(&[("a", "10", &GOOD), ("a", "2", &BAD)])).expect("it is there");
    assert_eq!(
        finding.reasons,
        ["a: we vary `rate`. The rate of solved runs crosses 50 % between these values: 2 and 10."]
    );
    assert_eq!(finding.grids[0].rows, [["2", "0 % (0 to 10)"], ["10", "100 % (90 to 100)"]]);
    assert_eq!(finding.verdict, Verdict::OursAlone);
}

#[test]
fn a_cost_counts_runs_that_found_nothing() {
    let cost = ClaimKind { of: Selector::default(), rule: Rule::Cost(CostClaim { groups: vec!["rate".into()] }) };
    let finding =
        cost.judge(&samples(&[("a", "1", &[Solved(100), Stuck(1.0)]), ("a", "2", &BAD)])).expect("it is there");
    assert_eq!(finding.grids[0].rows[0][..4], ["1", "50 % (0 to 100)", "2", "1100 (100 to infinite)"]);
    assert_eq!(finding.grids[0].rows[1][..5], ["2", "0 % (0 to 10)", "40", "none solved", "unsolved"]);
}

#[test]
fn a_printed_run_is_held_against_the_middle_of_ours() {
    let runs: Vec<RunEnd> = (1..=100).map(|at| Solved(10 * at)).collect();
    let judge = |metric, published| {
        let claim = ClaimKind {
            of: selector(&[("rate", "1")]),
            rule: Rule::Observation(ObservationClaim { metric, published }),
        };
        claim.judge(&samples(&[("a", "1", &runs)])).expect("it is there").verdict
    };
    assert_eq!(judge(Metric::Generations, 3.0), Verdict::CannotBeTold, "from 3 to 98 nearly anything would do");
    assert_eq!(judge(Metric::Generations, 97.0), Verdict::Holds);
    assert_eq!(judge(Metric::Generations, 2.0), Verdict::DoesNotHold);
    assert_eq!(judge(Metric::WallMs, 8000.0), Verdict::Shown);
}

#[test]
fn a_published_table_is_judged_cell_by_cell_and_as_a_whole() {
    let published = |easy: f64, hard: f64| {
        test_runs::published("rate,", &[&format!("x,1,easy,10,{easy},,1,"), &format!("x,1,hard,10,{hard},,50,")])
    };
    let runs: Vec<RunEnd> = (0..40).map(|at| if at % 2 == 0 { Solved(10) } else { Stuck(3.0) }).collect();
    let judge = |published, column| {
        let claim = ClaimKind { of: Selector::default(), rule: Rule::PublishedTable(TableClaim { published, column }) };
        claim.judge(&samples(&[("a", "1", &runs)])).expect("they match")
    };
    let finding = judge(published(1.0, 0.0), PublishedFigure::SuccessRate);
    assert_eq!((finding.verdict, finding.published_runs, finding.runs), (Verdict::Holds, Some(20), 40));
    assert_eq!(finding.grids[0].rows[0][..5], ["1", "easy", "100 % of 10", "100 % (82 to 100)", "20"]);
    assert_eq!(judge(published(0.5, 0.0), PublishedFigure::SuccessRate).verdict, Verdict::DoesNotHold);
    assert_eq!(
        judge(published(1.0, 0.0), PublishedFigure::MeanGenerations).verdict,
        Verdict::DoesNotHold,
        "100 generations, not 50"
    );
    let times = judge(published(1.0, 0.0), PublishedFigure::MeanMsSolved);
    assert_eq!(
        (times.verdict, times.reasons[0].as_str()),
        (Verdict::CannotBeTold, "The published table has no values for these runs.")
    );
}

/// Runs of rate 1 and 2 on ten instances: their milliseconds, run by run.
fn timed(ms: impl Fn(usize, usize) -> f64) -> Samples {
    let lines = (1..=2).flat_map(|rate| (0..40).map(move |run| (rate, run)));
    let line = |(rate, run): (usize, usize)| {
        let ms = ms(rate, run);
        format!("a,{rate},i{},all,true,0,100,10,{ms},{ms}\n", run % 10)
    };
    let lines: String = lines.map(line).collect();
    test_runs::samples(&format!(
        "algorithm,rate,instance,bucket,solved,best_fitness,evaluations,generations,wall_ms,cpu_ms\n{lines}"
    ))
}

#[test]
fn printed_times_are_judged_by_their_ratios() {
    let samples = timed(|rate, run| rate as f64 * (1.0 + run as f64 / 40.0));
    let judge = |first: f64, second: f64| {
        let rows = [format!("x,1,all,10,1,{first},,"), format!("x,2,all,10,1,{second},,")];
        let published = test_runs::published("rate,", &rows.each_ref().map(String::as_str));
        let claim = ClaimKind {
            of: Selector::default(),
            rule: Rule::PublishedTable(TableClaim { published, column: PublishedFigure::MeanMsSolved }),
        };
        claim.judge(&samples).expect("they match")
    };
    assert_eq!(judge(1000.0, 2000.0).verdict, Verdict::Holds, "as ours, on a slower machine");
    assert_eq!(judge(1000.0, 1000.0).verdict, Verdict::DoesNotHold);
    assert_eq!(judge(1000.0, 2000.0).ours, "2 of 2 cells agree up to a common factor");
}

#[test]
fn few_runs_agree_with_nearly_any_printed_rate_and_it_is_said_how_many_would_tell() {
    let some = |solved: usize, all: usize| -> Vec<RunEnd> {
        (0..all).map(|at| if at < solved { Solved(10) } else { Stuck(3.0) }).collect()
    };
    let judge = |solved, all| rate(Event::Solved, ClaimedRate::Is(0.4, None), &some(solved, all));
    let few = judge(8, 20);
    assert_eq!(few.verdict, Verdict::CannotBeTold);
    assert!(
        few.reasons[0].ends_with("If the true rate is the observed rate, about 89 runs are needed to decide."),
        "{few:?}"
    );
    assert_eq!(judge(80, 200).verdict, Verdict::Holds);
    let least = rate(Event::Solved, ClaimedRate::AtLeast(0.3), &some(8, 20));
    assert_eq!(least.verdict, Verdict::CannotBeTold);
    let needed: u64 = least.reasons[0].split(' ').rev().find_map(|word| word.parse().ok()).expect("a number");
    for (runs, verdict) in [(needed, Verdict::Holds), (needed - 10, Verdict::CannotBeTold)] {
        let solved = (0.4 * runs as f64).round() as usize;
        let found = rate(Event::Solved, ClaimedRate::AtLeast(0.3), &some(solved, runs as usize)).verdict;
        assert_eq!(found, verdict, "{needed} {runs}");
    }
}

#[test]
fn shares_that_were_printed_together_are_judged_as_one() {
    let judge = |solved: usize, almost: usize, runs: usize, published_runs| {
        let end = |at: usize| match at {
            _ if at < solved => Solved(10),
            _ if at < solved + almost => Stuck(2.0),
            _ => Stuck(9.0),
        };
        let runs: Vec<RunEnd> = (0..runs).map(end).collect();
        let outcomes = vec![(Event::Solved, 0.5), (Event::BestFitness(1.0, 4.0), 0.4)];
        let claim = ClaimKind {
            of: selector(&[("rate", "1")]),
            rule: Rule::Distribution(DistributionClaim { outcomes, published_runs }),
        };
        claim.judge(&samples(&[("a", "1", &runs)])).expect("it is there")
    };
    let finding = judge(100, 80, 200, None);
    assert_eq!((finding.verdict, finding.ours.as_str()), (Verdict::Holds, "50 %, 40 %, 10 %"));
    assert_eq!(finding.grids[0].rows[1][..2], ["best fitness 1 to 4", "40 %"]);
    assert_eq!(judge(4, 60, 200, None).verdict, Verdict::DoesNotHold);
    assert_eq!(judge(3, 2, 6, None).verdict, Verdict::CannotBeTold, "too few of ours");
    assert_eq!(judge(100, 80, 200, Some(10)).verdict, Verdict::Holds);
    assert_eq!(judge(4, 60, 200, Some(10)).verdict, Verdict::DoesNotHold);
}

#[test]
fn a_finding_holds_where_its_confirmation_does() {
    use Verdict::{CannotBeTold, DoesNotHold, Holds, OursAlone};
    for (found, again, both) in [
        (Holds, Holds, Holds),
        (Holds, DoesNotHold, DoesNotHold),
        (Holds, CannotBeTold, CannotBeTold),
        (CannotBeTold, Holds, CannotBeTold),
        (DoesNotHold, Holds, CannotBeTold),
        (DoesNotHold, DoesNotHold, DoesNotHold),
        (OursAlone, OursAlone, OursAlone),
    ] {
        assert_eq!(found.confirmed_by(again), both, "{found:?} {again:?}");
    }
}

proptest! {
    #[test]
    fn a_claim_and_its_opposite_never_both_hold(wins in 0usize..60, losses in 0usize..60, ties in 0usize..200) {
        prop_assume!(wins + losses + ties > 0);
        let side = |won: bool| if won { Solved(1) } else { Stuck(1.0) };
        let pairs = [(true, false, wins), (false, true, losses), (true, true, ties)];
        let (one, two): (Vec<RunEnd>, Vec<RunEnd>) =
            pairs.iter().flat_map(|&(one, two, n)| std::iter::repeat_n((side(one), side(two)), n)).unzip();
        let verdicts = [Expectation::Higher, Expectation::Lower, Expectation::Same]
            .map(|expect| verdict(Metric::Solved, &one, &two, expect));
        let n_held = verdicts.iter().filter(|&&verdict| verdict == Verdict::Holds).count();
        prop_assert!(n_held <= 1, "{verdicts:?}");
    }
}
