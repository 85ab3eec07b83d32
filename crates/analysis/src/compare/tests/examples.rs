//! Examples that an earlier `compare` judged wrongly: each is a sentence that was false, or a difference that was missed.

mod screens;

use super::super::*;
use crate::test_runs;

/// The comparison of runs (configuration, instance, repetition, rest of the row), whose columns are named.
fn of_rows(columns: &str, rows: impl IntoIterator<Item = String>, metric: Metric, by: &[String]) -> Comparison {
    let csv = format!("algorithm,instance,repetition,{columns}\n{}", rows.into_iter().collect::<String>());
    compare(&test_runs::samples(&csv), metric, CompareOptions { by, ..CompareOptions::default() })
        .expect("configurations")
}

/// Runs of which so many are solved on each of so many instances.
fn rates(name: &str, instances: u32, runs: u32, solved: impl Fn(u32) -> u32) -> Vec<String> {
    let row = |at: u32, run: u32| format!("{name},i{at},{run},{}\n", run < solved(at));
    (0..instances).flat_map(|at| (0..runs).map(move |run| (at, run))).map(|(at, run)| row(at, run)).collect()
}

fn answers(comparison: &Comparison, pair: usize) -> [&Answer; 2] {
    let effect = &comparison.pairs[pair].effect;
    [&effect.these, effect.like_these.as_ref().expect("several instances")]
}

#[test]
fn a_tenth_of_the_rate_is_not_alike_though_points_are_few() {
    let solved = |count: u32| move |at: u32| u32::from(at < count);
    let rows = [rates("slow", 10, 100, solved(3)), rates("fast", 10, 100, |_| 3)].concat();
    let comparison = of_rows("solved", rows, Metric::Solved, &[]);
    let effect = &comparison.pairs[0].effect;
    assert!((effect.size + 0.027).abs() < 1e-12, "3 of 1,000 against 30");
    assert_eq!(comparison.pairs[0].conclusions(), [Some(Conclusion::Second); 2], "{effect:?}");
    assert!(
        comparison.sentences()[0].starts_with("fast solves more than slow: 2.7 points"),
        "{:?}",
        comparison.sentences()
    );
}

#[test]
fn rare_successes_are_not_alike_without_a_difference_either() {
    // No difference is found, and all points lie within five: the odds might differ threefold.
    let rows = [rates("a", 10, 50, |at| u32::from(at < 4)), rates("b", 10, 50, |at| u32::from(at < 5))].concat();
    let comparison = of_rows("solved", rows, Metric::Solved, &[]);
    let effect = &comparison.pairs[0].effect;
    assert!(effect.these.interval.low > -0.05 && effect.these.interval.high < 0.05, "{effect:?}");
    assert_eq!(comparison.pairs[0].conclusions(), [Some(Conclusion::Open); 2], "{effect:?}");
}

#[test]
fn all_against_none_is_a_difference_on_six_instances_as_on_five() {
    for instances in [5, 6] {
        let rows = [
            rates("all", instances, 50, |_| 50),
            rates("none", instances, 50, |_| 0),
            rates("half", instances, 50, |_| 25),
        ];
        let comparison = of_rows("solved", rows.concat(), Metric::Solved, &[]);
        for answer in answers(&comparison, 0) {
            assert!(answer.p_corrected > 0.0 && answer.p_corrected < 1e-4, "{instances}: {answer:?}");
            assert!(answer.interval.low > 0.9, "{instances}: {answer:?}");
        }
    }
}

#[test]
fn single_runs_are_tested_exactly_and_six_of_six_are_no_certainty() {
    let row = |name: &str, at: u32, evaluations: u32| format!("{name},i{at},0,true,{evaluations}\n");
    let four = (0..4).flat_map(|at| [row("a", at, 10 + at), row("b", at, 20 + at)]);
    let comparison = of_rows("solved,evaluations", four, Metric::Evaluations, &[]);
    let [these, like_these] = answers(&comparison, 0);
    assert_eq!(these.p_value, 0.125, "two of sixteen exchanges");
    assert!(like_these.p_value >= these.p_value, "{like_these:?}");
    assert!(
        comparison.sentences()[0]
            .contains("with so few runs, no result can reach p < 0.05 (the lowest possible value is p = 0.125)")
    );
    let six = [rates("ones", 6, 1, |_| 1), rates("zeros", 6, 1, |_| 0)].concat();
    let comparison = of_rows("solved", six, Metric::Solved, &[]);
    let [these, like_these] = answers(&comparison, 0);
    assert_eq!(these.p_value, 0.03125);
    assert!(like_these.p_value > 1e-6 && like_these.p_value < 0.05, "{like_these:?}");
}

#[test]
fn longer_tries_are_no_slower_search() {
    // Runs of one law: every second has a lower limit, and what it did not solve by then is unsolved.
    let rows = (0..40).flat_map(|run| {
        let needed = 37 * (run % 20 + 1);
        [("short", 300), ("long", 700)].map(|(name, limit)| {
            format!(
                "{name},i{},{},{},{},{}\n",
                run % 4,
                run / 4,
                needed <= limit,
                needed.min(limit),
                if needed <= limit { "target" } else { "evaluations" }
            )
        })
    });
    let comparison = of_rows("solved,evaluations,stop", rows, Metric::Evaluations, &[]);
    let effect = &comparison.pairs[0].effect;
    assert!(effect.size == 0.5 && effect.these.p_value > 0.999, "{effect:?}");
    assert!(effect.log_rank.expect("some are unsolved") > 0.9);
    let sentences = comparison.sentences();
    assert!(
        sentences[1].contains("Each pair of configurations has such runs on at most 4 instances."),
        "{sentences:?}"
    );
}

#[test]
fn mostly_unsolved_runs_are_never_alike() {
    let rows = (0..400).flat_map(|run| {
        let solved = run % 20 == 0;
        ["a", "b"].map(|name| {
            format!("{name},i{},{},{solved},{}\n", run % 10, run / 10, if solved { 10 + run } else { 1000 })
        })
    });
    let comparison = of_rows("solved,evaluations", rows, Metric::Evaluations, &[]);
    let effect = &comparison.pairs[0].effect;
    assert!(effect.these.interval.low > 0.46 && effect.these.interval.high < 0.54, "ties pin A12: {effect:?}");
    assert_eq!(comparison.pairs[0].conclusions(), [Some(Conclusion::Open); 2], "{effect:?}");
}

#[test]
fn what_would_tell_is_a_range_and_never_without_end() {
    for more in 0..6 {
        let rows = [rates("a", 8, 20, |at| 10 + at % 2), rates("b", 8, 20, |at| 10 + (at + more) % 3)].concat();
        let comparison = of_rows("solved", rows, Metric::Solved, &[]);
        let (effect, sentence) = (&comparison.pairs[0].effect, &comparison.sentences()[0]);
        assert!(!sentence.contains("18446744073709551615"), "{sentence}");
        let p = effect.like_these.expect("eight instances").p_value;
        assert!(p <= 0.5 || !sentence.contains("to decide"), "{sentence}");
    }
    let rows = [rates("a", 8, 20, |at| 10 + 5 * (at % 2)), rates("b", 8, 20, |at| 9 + at % 5)].concat();
    let sentence = of_rows("solved", rows, Metric::Solved, &[]).sentences().remove(0);
    assert!(
        sentence.contains("; if the true difference is the observed difference, about ")
            && sentence.contains(" instances like these are needed to decide"),
        "{sentence}"
    );
}

#[test]
fn configurations_that_lack_instances_are_ranked_by_skillings_and_mack() {
    let rows = [rates("a", 9, 10, |at| 9 - at), rates("b", 9, 10, |_| 2), rates("c", 6, 10, |at| at)].concat();
    let sentences = of_rows("solved", rows, Metric::Solved, &[]).sentences();
    let test =
        "Skillings and Mack's test (on 3 instances, at least one configuration has no runs) over 9 instances: p = ";
    assert!(sentences.iter().any(|sentence| sentence.starts_with(test)), "{sentences:?}");
}

#[test]
fn a_difference_that_turns_is_said_to_depend() {
    // At `other` = 0.1 and 0.3 the rate 0.5 solves eight or nine of ten against four of ten; at 0.2 it is the other way round.
    let settings = [
        ("0.5", "0.1", 9),
        ("0.5", "0.2", 4),
        ("0.5", "0.3", 8),
        ("0.1", "0.1", 4),
        ("0.1", "0.2", 8),
        ("0.1", "0.3", 4),
    ];
    let rows = settings.into_iter().flat_map(|(rate, other, solved)| {
        (0..10).flat_map(move |at| (0..10).map(move |run| format!("ga,i{at},{run},{rate},{other},{}\n", run < solved)))
    });
    let by = ["rate".to_owned()];
    let comparison = of_rows("rate,other,solved", rows.clone(), Metric::Solved, &by);
    let sentences = comparison.sentences();
    assert!(sentences[0].starts_with("rate = 0.5 solves more than rate = 0.1: 16.7 points"), "{sentences:?}");
    for part in [
        "; the difference depends on other (p < 0.0001): from -40 points at 0.2 to 50 points at 0.1",
        "; on these instances, the opposite holds at other = 0.2.",
    ] {
        assert!(sentences[0].contains(part), "{sentences:?}");
    }
    let method = sentences.last().expect("the method");
    assert!(
        method.contains("Runs are averaged over 3 values of other. The difference on these instances is also computed separately for each value of these settings. Cochran's Q test shows whether the difference depends on the values"),
        "{method}"
    );
    assert!(!method.contains("unequal numbers"), "{method}");
    // Without the runs of one side at a value.
    let rows = rows.filter(|row| !row.contains(",0.1,0.2,"));
    let comparison = of_rows("rate,other,solved", rows, Metric::Solved, &by);
    let method = comparison.sentences().pop().expect("the method");
    assert!(method.contains("For some values of other, the configurations have unequal numbers of runs"), "{method}");
}

#[test]
fn tables_and_comparisons_weigh_instances_equally_and_say_so() {
    // Of all runs together 45 % against 75 %: a has most of its runs on the hard instance.
    let counts = [("a", "easy", 10, 9), ("a", "hard", 90, 36), ("b", "easy", 90, 72), ("b", "hard", 10, 3)];
    let rows = counts.into_iter().flat_map(|(name, instance, runs, solved)| {
        (0..runs).map(move |run| format!("{name},{instance},{run},{}\n", run < solved))
    });
    let csv = format!("algorithm,instance,repetition,solved\n{}", rows.clone().collect::<String>());
    let reader = evogrid_results::runs::Reader::new("x.csv", csv.as_bytes()).expect("columns");
    let summary = crate::summary::Summary::from_runs(reader).expect("rows");
    let all = summary.rows.iter().filter(|row| row.bucket == "all");
    let rates: Vec<f64> = all.filter_map(|row| row.figures.success_rate()).collect();
    let comparison = of_rows("solved", rows, Metric::Solved, &[]);
    let size = comparison.pairs[0].effect.size;
    assert!((rates[0] - 0.65).abs() < 1e-12 && (rates[0] - rates[1] - size).abs() < 1e-12, "{rates:?} {size}");
    assert!(comparison.groups[0].figure.starts_with("65 % ("), "{:?}", comparison.groups[0].figure);
    let method = comparison.sentences().pop().expect("the method");
    assert!(method.contains("Instances have equal weight, although they have between 10 and 90 runs."), "{method}");
}

#[test]
fn a_table_counts_the_instances_whose_work_is_in_no_solution() {
    let row = |at: u32, run: u32| {
        let is_solved = at == 0 && run < 8;
        format!("a,i{at},{run},{is_solved},{}\n", if is_solved { 500 } else { 1000 })
    };
    let rows: String = (0..12).flat_map(|at| (0..10).map(move |run| row(at, run))).collect();
    let csv = format!("algorithm,instance,repetition,solved,evaluations\n{rows}");
    let reader = evogrid_results::runs::Reader::new("x.csv", csv.as_bytes()).expect("columns");
    let summary = crate::summary::Summary::from_runs(reader).expect("rows");
    let text = crate::table::render_by(
        &summary,
        (None, crate::table::ColumnSet::All),
        crate::table::Layout::Buckets,
        crate::table::Format::Markdown,
        None,
        &[],
    );
    assert!(
        text.contains("ERT is computed from the runs on all instances together.")
            && text.contains("a: 11 of 12, median unsolved"),
        "{text}"
    );
}

/// Runs of one law, of which one side has a lower limit, in a file that does not say why runs stopped.
fn of_unequal_limits(column: &str, metric: Metric) -> Comparison {
    let rows = (0..80).flat_map(|run| {
        let needed = 37 * (run % 20 + 1);
        [("short", 300), ("long", 700)]
            .map(|(name, limit)| format!("{name},i{},{},{},{}\n", run % 4, run / 4, needed <= limit, needed.min(limit)))
    });
    of_rows(&format!("solved,{column}"), rows, metric, &[])
}

#[test]
fn unequal_limits_of_foreign_rows_are_found() {
    for (column, metric) in [("evaluations", Metric::Evaluations), ("wall_ms", Metric::WallMs)] {
        let comparison = of_unequal_limits(column, metric);
        let effect = &comparison.pairs[0].effect;
        assert!(effect.size == 0.5 && effect.these.p_value > 0.999, "{metric:?}: {effect:?}");
        let method = comparison.sentences().pop().expect("the method");
        for said in [
            "Each pair of configurations has such runs on at most 4 instances.",
            "Unsolved runs, which count as longer than any solved run: 48 of 80 runs of short; 8 of 80 runs of long.",
        ] {
            assert!(method.contains(said), "{method}");
        }
    }
    let method = of_unequal_limits("wall_ms", Metric::Solved).sentences().pop().expect("the method");
    let said = "Unsolved runs stopped after unequal work: on average 300.0 ms in short and 700.0 ms in long.";
    assert!(method.contains(said), "{method}");
}

#[test]
fn buckets_that_disagree_are_named_where_no_difference_is_told() {
    let row = |name: &str, at: u32, run: u32| {
        let (bucket, solved) =
            if at < 5 { ("flat", if name == "a" { 9 } else { 4 }) } else { ("hilly", if name == "a" { 3 } else { 8 }) };
        format!("{name},i{at},{run},{bucket},{}\n", run < solved)
    };
    let rows = (0..10).flat_map(|at| (0..10).flat_map(move |run| [row("a", at, run), row("b", at, run)]));
    let sentence = of_rows("bucket,solved", rows, Metric::Solved, &[]).sentences().remove(0);
    assert!(sentence.starts_with("The comparison of a and b is inconclusive: 0 points"), "{sentence}");
    assert!(sentence.ends_with("; a solves more than b at flat; b solves more than a at hilly."), "{sentence}");
}

#[test]
fn log_rank_tests_are_corrected_as_others_are() {
    let rows = (0..30).flat_map(|run| {
        [("a", 10), ("b", 13), ("c", 17)].map(|(name, step)| {
            format!("{name},i{},{},{},{}\n", run % 3, run / 3, run < 25, if run < 25 { step * (run + 1) } else { 1000 })
        })
    });
    let comparison = of_rows("solved,evaluations", rows, Metric::Evaluations, &[]);
    let p_values: Vec<f64> = comparison.pairs.iter().filter_map(|pair| pair.effect.log_rank).collect();
    let corrected: Vec<f64> = comparison.pairs.iter().filter_map(|pair| pair.effect.log_rank_corrected).collect();
    assert_eq!((p_values.len(), &corrected), (3, &evogrid_statistics::holm(&p_values)));
    assert!(comparison.sentences().iter().any(|sentence| sentence.contains(": a run of a does better in ")));
}

#[test]
fn figures_of_configurations_on_different_instances_are_said_to_be() {
    let said = |instances| {
        let rows = [rates("a", 9, 10, |_| 6), rates("b", instances, 10, |_| 3)].concat();
        of_rows("solved", rows, Metric::Solved, &[]).sentences().pop().expect("the method").contains(
            "Not all configurations have runs on the same instances. The values of a configuration are computed from all instances on which the configuration has runs. A comparison uses only the instances on which both configurations have runs.",
        )
    };
    assert!(said(6) && !said(9));
}

#[test]
fn of_sixty_data_sets_of_equal_rates_none_needs_instances_without_end() {
    let mut state = 27u64;
    let mut solved = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 63 == 1
    };
    let mut n_said = 0;
    for _ in 0..60 {
        let rows =
            (0..160).flat_map(|run| ["a", "b"].map(|name| format!("{name},i{},{},{}\n", run % 8, run / 8, solved())));
        let comparison = of_rows("solved", rows.collect::<Vec<_>>(), Metric::Solved, &[]);
        let p = comparison.pairs[0].effect.like_these.expect("eight instances").p_value;
        let sentence = comparison.sentences().remove(0);
        let Some((_, range)) = sentence.split_once("; if the true difference is the observed difference, ") else {
            continue;
        };
        n_said += 1;
        let numbers: Vec<u64> = range
            .split(' ')
            .map_while(|word| match word {
                "about" | "to" => Some(0),
                word => word.parse().ok(),
            })
            .collect();
        let is_range = matches!(numbers[..], [0, fewest, 0, most] if fewest < most && most <= 101 * fewest);
        assert!(
            p <= 0.5 && (is_range || range.contains(" are needed to decide, perhaps many more (the experiment has 8)")),
            "{p}: {sentence}"
        );
    }
    assert!(n_said > 5, "{n_said} of 60");
}
