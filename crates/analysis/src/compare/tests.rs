use proptest::prelude::*;

use super::*;
use crate::table::Format;
use crate::test_runs;

mod confidence;
mod examples;
mod planned;
mod work;

/// The samples of rows (algorithm, instance, repetition, solved, evaluations).
fn samples(rows: &[(&str, &str, u32, bool, u64)]) -> Samples {
    let line = |(algorithm, instance, repetition, solved, evaluations): &(&str, &str, u32, bool, u64)| {
        let bucket = if instance.starts_with('h') { "hard" } else { "easy" };
        format!("{algorithm},{instance},{bucket},{repetition},{solved},{evaluations}\n")
    };
    let lines: String = rows.iter().map(line).collect();
    test_runs::samples(&format!("algorithm,instance,bucket,repetition,solved,evaluations\n{lines}"))
}

/// 20 runs on each of the instances for each algorithm; `solved` and `evaluations` by (algorithm, instance, repetition).
fn crossed(
    algorithms: &[&'static str],
    instances: &[&'static str],
    solved: impl Fn(usize, usize, u32) -> bool,
    evaluations: impl Fn(usize, usize, u32) -> u64,
) -> Samples {
    let mut rows = Vec::new();
    for (a, &algorithm) in algorithms.iter().enumerate() {
        for (i, &instance) in instances.iter().enumerate() {
            for r in 0..20 {
                rows.push((algorithm, instance, r, solved(a, i, r), evaluations(a, i, r)));
            }
        }
    }
    samples(&rows)
}

const INSTANCES: [&str; 8] = ["e1", "e2", "e3", "e4", "h1", "h2", "h3", "h4"];

#[test]
fn rates_are_compared_pair_by_pair_with_a_sentence() {
    // `a` solves the easy ones always and three in four of the hard ones, `b` one in two of the easy ones.
    let samples = crossed(
        &["a", "b"],
        &INSTANCES,
        |a, i, r| if a == 0 { i < 4 || r % 4 != 0 } else { i < 4 && r % 2 == 0 },
        |_, _, _| 100,
    );
    let comparison = compare(&samples, Metric::Solved, CompareOptions::default()).expect("two configurations");
    assert_eq!(comparison.matching, Matching::Repetitions, "the file has no seeds");
    insta::assert_snapshot!(render(&comparison, Format::Text { width: None }, &[]));
}

#[test]
fn figures_are_compared_in_blocks_and_the_unsolved_count() {
    let samples = crossed(
        &["quick", "slow", "never"],
        &INSTANCES,
        |a, _, _| a < 2,
        |a, i, r| 1000 * (i as u64 + 1) + 10 * u64::from(r) + if a == 0 { 0 } else { 95 },
    );
    let comparison = compare(
        &samples,
        Metric::Evaluations,
        CompareOptions { by: &["algorithm".into()], ..CompareOptions::default() },
    )
    .expect("three configurations");
    insta::assert_snapshot!(render(&comparison, Format::Text { width: None }, &[]));
}

#[test]
fn a_difference_that_cannot_be_told_says_how_many_runs_would_tell_it() {
    let samples = crossed(&["a", "b"], &["e1"], |a, _, r| r % 4 > u32::from(a == 1 && r < 4), |_, _, _| 1);
    let comparison = compare(&samples, Metric::Solved, CompareOptions::default()).expect("two configurations");
    assert_eq!(
        comparison.sentences()[0],
        "On this instance the comparison of a and b is inconclusive: 5 points (95 % -21.8 to 30.9, p = 1)."
    );
}

#[test]
fn what_cannot_be_compared_says_why() {
    let one = samples(&[("a", "e1", 0, true, 1)]);
    let error = |samples: &Samples, metric, by: &[String]| {
        let options = CompareOptions { by, ..CompareOptions::default() };
        compare(samples, metric, options).expect_err("no comparison").to_string()
    };
    assert_eq!(
        error(&one, Metric::Solved, &[]),
        "there is only one configuration, a; a comparison needs two configurations"
    );
    let apart = samples(&[("a", "e1", 0, true, 1), ("b", "e2", 0, true, 1)]);
    assert_eq!(error(&apart, Metric::Solved, &[]), "a and b have no instance in common");
    assert_eq!(error(&apart, Metric::WallMs, &[]), "the file has no column `wall_ms`");
    assert_eq!(error(&apart, Metric::Solved, &["alg".into()]), "the runs do not differ in `alg`");
}

#[test]
fn runs_that_do_not_match_are_compared_by_their_instances() {
    let mut rows = Vec::new();
    for instance in INSTANCES {
        rows.extend((0..20).map(|r| ("a", instance, r, true, 1)));
        rows.extend((0..15).map(|r| ("b", instance, r, r % 3 == 0, 1)));
    }
    let comparison = compare(&samples(&rows), Metric::Solved, CompareOptions::default()).expect("two configurations");
    assert_eq!(comparison.matching, Matching::Instances);
    let effect = &comparison.pairs[0].effect;
    assert!((effect.size - 2.0 / 3.0).abs() < 1e-12 && effect.these.interval.low > 0.5, "{effect:?}");
    assert_eq!((effect.runs, effect.conclusion(Question::TheseInstances)), ([160, 120], Conclusion::First));
}

#[test]
fn a_data_frame_has_a_column_for_each_key_and_p_as_a_number() {
    let mut csv = "algorithm,population,mutation,instance,repetition,solved\n".to_owned();
    for (at, instance) in INSTANCES.iter().enumerate() {
        for repetition in 0..20 {
            csv += &format!("a,10,0.5,{instance},{repetition},true\n");
            csv += &format!("b,20,,{instance},{repetition},{}\n", repetition < at);
        }
    }
    let comparison =
        compare(&test_runs::samples(&csv), Metric::Solved, CompareOptions::default()).expect("two configurations");
    let text = render(&comparison, Format::Csv, &["a note".to_owned()]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let header = "first algorithm,first population,first mutation,second algorithm,second population,second mutation,points,\
                  these 95 % low,these 95 % high,these p (Holm),these better,like these 95 % low,like these 95 % high,\
                  like these p (Holm),like these better,instances,runs of first,runs of second";
    assert_eq!(rows[0], header.split(',').collect::<Vec<_>>());
    assert_eq!(rows[1][..6], ["a", "10", "0.5", "b", "20", ""]);
    assert_eq!(rows[1][9].parse(), Ok(comparison.pairs[0].effect.these.p_corrected), "{text}");
    assert_eq!((rows[1][10], &rows[1][14..]), ("first", &["first", "8", "160", "160"][..]), "{text}");
    assert_eq!(rows.len(), 2);
}

#[test]
fn every_setting_is_compared_with_the_baseline_alone_and_corrected_for_no_other() {
    let mut csv = "algorithm,population,instance,repetition,solved\n".to_owned();
    for (at, instance) in INSTANCES.iter().enumerate() {
        for repetition in 0..10 {
            csv += &format!("a,10,{instance},{repetition},true\nb,,{instance},{repetition},{}\n", repetition < at);
            csv += &format!("c,10,{instance},{repetition},{}\n", repetition < 2);
            csv += &format!("c,20,{instance},{repetition},{}\n", repetition < 3);
        }
    }
    let samples = test_runs::samples(&csv);
    let against = |baseline| {
        compare(&samples, Metric::Solved, CompareOptions { baseline: Some(baseline), ..CompareOptions::default() })
    };
    let comparison = against("b").expect("one configuration");
    let pairs: Vec<[usize; 2]> = comparison.pairs.iter().map(|pair| [pair.first, pair.second]).collect();
    assert_eq!(pairs, [[0, 1], [2, 1], [3, 1]]);
    let every_two = compare(&samples, Metric::Solved, CompareOptions::default()).expect("four configurations");
    assert_eq!((every_two.pairs.len(), every_two.pairs[0].effect.size), (6, comparison.pairs[0].effect.size));
    for question in [Question::TheseInstances, Question::InstancesLikeThese] {
        let answers = || comparison.pairs.iter().filter_map(|pair| pair.effect.answer(question));
        let p_values: Vec<f64> = answers().map(|answer| answer.p_value).collect();
        assert!(
            answers().map(|answer| answer.p_corrected).eq(evogrid_statistics::holm(&p_values)),
            "over three comparisons"
        );
    }
    let by_name = against("c, population = 20").expect("a configuration by its name");
    assert!(by_name.pairs.iter().all(|pair| pair.second == 3));
    let refused = |baseline| against(baseline).map(|_| ()).expect_err("no configuration of its own");
    assert_eq!(refused("c").to_string(), "`c` matches 2 configurations; expected only one");
    let unknown = refused("bb");
    assert_eq!(unknown.to_string(), "`bb` is not one of the configurations that are compared");
    assert!(unknown.help().starts_with("expected `a, population = 10`, `b`, "), "{}", unknown.help());
}

#[test]
fn penalised_times_say_by_what_an_unsolved_run_counts() {
    let mut csv = "algorithm,instance,repetition,solved,stop,wall_ms\n".to_owned();
    for instance in INSTANCES {
        for repetition in 0..4 {
            csv += &format!("patient,{instance},{repetition},{},time,40\n", repetition > 0);
            csv +=
                &format!("hasty,{instance},{repetition},false,{},3\n", if repetition == 0 { "failed" } else { "time" });
        }
    }
    let comparison =
        compare(&test_runs::samples(&csv), Metric::Par10Ms, CompareOptions::default()).expect("two configurations");
    let figures: Vec<&str> = comparison.groups.iter().map(|group| group.figure.as_str()).collect();
    assert_eq!(figures, ["130.00", "30.00"], "(400 + 3 x 40) / 4, and ten times 3 of those that did not fail");
    let sentences = comparison.sentences();
    assert!(sentences[0].starts_with("hasty has a lower PAR10 than patient: "), "{sentences:?}");
    let method = sentences.last().expect("how it was made");
    for part in [
        "not of a common time limit. Therefore a search that gives up early has a smaller penalty.",
        "Failed runs, which are omitted: 8 of 32 runs of hasty.",
    ] {
        assert!(method.contains(part), "{method}");
    }
}

#[test]
fn a_name_from_a_file_reaches_no_terminal_raw() {
    let samples = samples(&[("a\u{1b}[2J", "e1", 0, true, 1), ("b", "e1", 0, true, 1)]);
    let comparison = compare(&samples, Metric::Solved, CompareOptions::default()).expect("two configurations");
    for format in [Format::Text { width: None }, Format::Csv, Format::Markdown, Format::Latex] {
        assert!(!render(&comparison, format, &[]).contains('\u{1b}'));
    }
}

proptest! {
    #[test]
    fn the_other_order_of_settings_says_the_same(outcomes in proptest::collection::vec((any::<bool>(), any::<bool>(), 0u64..50, 0u64..50), 4..40)) {
        let row = |name, at: usize, solved, evaluations| (name, INSTANCES[at % 8], (at / 8) as u32, solved, evaluations);
        let one: Vec<_> = outcomes.iter().enumerate().map(|(at, o)| row("one", at, o.0, o.2)).collect();
        let two: Vec<_> = outcomes.iter().enumerate().map(|(at, o)| row("two", at, o.1, o.3)).collect();
        for metric in [Metric::Solved, Metric::Evaluations] {
            let here = compare(&samples(&[&one[..], &two].concat()), metric, CompareOptions::default()).expect("two configurations");
            let there = compare(&samples(&[&two[..], &one].concat()), metric, CompareOptions::default()).expect("two configurations");
            let (here, there) = (&here.pairs[0], &there.pairs[0]);
            let none = if metric == Metric::Solved { 0.0 } else { 1.0 };
            prop_assert!((here.effect.size + there.effect.size - none).abs() < 1e-9);
            for question in [Question::TheseInstances, Question::InstancesLikeThese] {
                let answers = [&here.effect, &there.effect].map(|effect| effect.answer(question));
                let [Some(one), Some(other)] = answers else { prop_assert!(answers == [None; 2]); continue };
                prop_assert!((one.p_corrected - other.p_corrected).abs() < 1e-9);
                prop_assert!((0.0..=1.0).contains(&one.p_corrected) && one.p_corrected >= one.smallest_p - 1e-12);
                prop_assert!(one.interval.low <= here.effect.size + 1e-12 && here.effect.size <= one.interval.high + 1e-12);
            }
        }
    }
}

#[test]
fn a_setting_that_changes_nothing_is_said_to() {
    let rows = |algorithm: &str, more: u64| -> String {
        (0..12).map(|at| format!("{algorithm},{},{},{at},true,{}\n", at % 6, at / 6, 100 + at + more)).collect()
    };
    let samples = |more| {
        test_runs::samples(&format!(
            "algorithm,instance,repetition,seed,solved,evaluations\n{}{}",
            rows("a", 0),
            rows("b", more)
        ))
    };
    let said = |more| {
        let comparison =
            compare(&samples(more), Metric::Solved, CompareOptions::default()).expect("two configurations");
        comparison
            .sentences()
            .iter()
            .any(|sentence| sentence.starts_with("a and b had the same result in every pair of runs"))
    };
    assert!(said(0) && !said(1), "the same rates, but not the same runs");
}

#[test]
fn figures_of_different_units_and_fitness_functions_are_refused() {
    let samples = test_runs::samples(
        "algorithm,instance,solved,fitness,best_fitness,unit,evaluations\n\
         ga,a,true,missing,0,evaluations,10\nes,a,true,collisions,0,evaluations,20\nsat,a,true,missing,0,decisions,3\n",
    );
    let refused =
        |metric| compare(&samples, metric, CompareOptions::default()).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(
        refused(Metric::Evaluations),
        Err("cannot compare the work of these runs: evaluations in es, ga; decisions in sat".to_owned())
    );
    assert_eq!(
        refused(Metric::BestFitness),
        Err("cannot compare the best fitness of these runs: missing in ga, sat; collisions in es".to_owned())
    );
    assert_eq!(refused(Metric::Solved), Ok(()));
}

#[test]
fn the_objective_compares_runs_of_different_fitness_functions() {
    let runs: String = (0..8)
        .flat_map(|at| {
            [format!("ga,i{at},{at},false,missing,2,4\n"), format!("es,i{at},{at},false,collisions,50,{}\n", 6 + at)]
        })
        .collect();
    let samples = test_runs::samples(&format!("algorithm,instance,seed,solved,fitness,best_fitness,objective\n{runs}"));
    let refusal =
        compare(&samples, Metric::BestFitness, CompareOptions::default()).map(|_| ()).expect_err("different functions");
    let text = format!("{refusal:?}");
    assert!(text.contains("`objective`, `solved`"), "the refusal names what can be compared: {text}");
    let comparison = compare(&samples, Metric::Objective, CompareOptions::default()).expect("one objective");
    assert!(comparison.sentences()[0].contains("ga ends at a lower objective than es"), "{:?}", comparison.sentences());
}

#[test]
fn few_instances_speak_for_themselves_and_failures_are_said() {
    let csv = "algorithm,instance,repetition,solved,stop\na,x,0,true,target\na,x,1,false,failed\nb,x,0,true,target\nb,x,1,true,target\n";
    let comparison =
        compare(&test_runs::samples(csv), Metric::Solved, CompareOptions::default()).expect("two configurations");
    assert_eq!(comparison.pairs[0].effect.like_these, None);
    let method = comparison.sentences().pop().expect("the method");
    assert!(
        method.contains("for this instance only. The intervals and p-values come from a permutation test of the runs"),
        "{method}"
    );
    assert!(method.ends_with("Failed runs, which count as unsolved: 1 of 2 runs of a."), "{method}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// A verdict never stands beside an interval that holds the opposite, or nothing.
    #[test]
    fn a_verdict_agrees_with_its_interval(
        costs in proptest::collection::vec((proptest::collection::vec(0..20u8, 1..6), 0..8u8), 1..12),
        is_of_rates: bool,
        share in 0.5..0.9999f64,
    ) {
        let confidence = Confidence::new(share).expect("in range");
        let criteria = Criteria { confidence, ..Criteria::default() };
        let cost = |value: u8| if is_of_rates { -f64::from(value % 2) } else { f64::from(value) };
        let instances: Vec<InstanceOutcomes> = costs
            .iter()
            .map(|(values, shift)| {
                let costs = [values.iter().map(|&v| cost(v)).collect(), values.iter().rev().map(|&v| cost(v + shift)).collect()];
                InstanceOutcomes { costs, ..InstanceOutcomes::default() }
            })
            .collect();
        let effect = Effect::new(is_of_rates, criteria, &instances);
        let none = if is_of_rates { 0.0 } else { 0.5 };
        let mirrored: Vec<InstanceOutcomes> = instances
            .into_iter()
            .map(|outcomes| { let [one, two] = outcomes.costs; InstanceOutcomes { costs: [two, one], ..InstanceOutcomes::default() } })
            .collect();
        let mirrored = Effect::new(is_of_rates, criteria, &mirrored);
        prop_assert!((effect.size + mirrored.size - 2.0 * none).abs() < 1e-9);
        for question in [Question::TheseInstances, Question::InstancesLikeThese] {
            let [Some(answer), Some(other)] = [&effect, &mirrored].map(|effect| effect.answer(question)) else { continue };
            prop_assert!(answer.interval.low <= effect.size + 1e-12 && effect.size <= answer.interval.high + 1e-12, "{:?}", effect);
            match effect.conclusion(question) {
                Conclusion::First => prop_assert!(answer.interval.low > none && answer.p_value < confidence.level()),
                Conclusion::Second => prop_assert!(answer.interval.high < none && answer.p_value < confidence.level()),
                Conclusion::Alike => prop_assert!(answer.p_value >= confidence.level() && answer.interval.contains(none)),
                Conclusion::Open => {}
            }
            prop_assert!((answer.p_value - other.p_value).abs() < 1e-9);
        }
    }
}
