//! What would mislead: the best setting in no chart, units and fitness functions on one axis, failures and gaps not said, two tests of
//! one question.

use super::*;
use crate::charts::best::N_BEST;
use crate::compare::{CompareOptions, compare};
use crate::metric::Metric;

/// `n` configurations on six instances: the last solves most, and the one before it as many at a higher cost.
fn grid(n: usize) -> String {
    let mut lines = "algorithm,a,b,instance,bucket,solved,evaluations\n".to_owned();
    for setting in 0..n {
        let solved = if setting + 2 >= n { 5 } else { setting % 4 };
        let cost = if setting + 1 == n { 100 } else { 900 + setting };
        for instance in 0..6 {
            let (a, b, bucket) = (setting / 2, setting % 2, ["easy", "hard"][instance % 2]);
            lines += &format!("ga,{a},{b},i{instance},{bucket},{},{cost}\n", instance < solved);
        }
    }
    lines
}

#[test]
fn the_best_of_too_many_settings_are_shown_first_and_the_picture_says_so() {
    let samples = samples(&grid(400));
    let caveat = "The best 7 of 400 configurations by success rate are shown. These runs were also used to choose the configurations. Therefore the results may look too good.";
    for (kind, drawn_of_each, runs) in [
        (ChartKind::Ecdf, "curves", 6),
        (ChartKind::Cost, "rows", 3),
        (ChartKind::Profile, "curves", 6),
        (ChartKind::Ranks, "mean ranks", 6),
        (ChartKind::Scatter, "configurations", 6),
    ] {
        let chart = drawn(kind, &samples);
        let little = format!(
            "All {drawn_of_each} come from fewer than 10 runs or 6 instances. Each of these {drawn_of_each} comes from at least {runs} runs and {runs} instances."
        );
        assert_eq!(chart.caveats, [caveat, &little], "{kind:?}");
        let words = chart.spec["title"]["text"].as_array().expect("lines").iter().filter_map(Value::as_str);
        assert!(words.collect::<Vec<_>>().join(" ").starts_with(caveat), "{kind:?}: {}", chart.spec["title"]);
    }
    let chart = drawn(ChartKind::Ecdf, &samples);
    let names = chart.spec["encoding"]["color"]["scale"]["domain"].as_array().expect("names").clone();
    assert_eq!((names.len(), &names[..2]), (7, &[json!("199, 1"), json!("199, 0")][..]), "the cheaper of equals first");
}

#[test]
fn of_configurations_whose_runs_are_the_same_one_is_shown() {
    // The second setting has no effect.
    let mut lines = "algorithm,a,b,instance,solved,evaluations\n".to_owned();
    for (a, b) in (0..30).flat_map(|a| [(a, 1), (a, 2)]) {
        (0..6).for_each(|instance| lines += &format!("ga,{a},{b},i{instance},1,{}\n", 900 + a));
    }
    let chart = drawn(ChartKind::Ecdf, &samples(&lines));
    let names = &chart.spec["encoding"]["color"]["scale"]["domain"];
    assert_eq!(*names, json!(["0", "1", "2", "3", "4", "5", "6"]), "the setting without effect is not in the names");
    let left_out =
        "6 other configurations are omitted, because each of them had the same results as a shown configuration.";
    assert!(chart.caveats[0].ends_with(left_out), "{:?}", chart.caveats);
}

/// Two families of which one has gaps a hundred times as large; `b` is better where they are small.
const FAMILIES: &str = "algorithm,problem,instance,bucket,gap\n\
    a,tour,t1,10,300\na,tour,t2,10,500\na,shop,s1,10,4\na,shop,s2,,6\n\
    b,tour,t1,10,310\nb,tour,t2,10,510\nb,shop,s1,10,1\nb,shop,s2,,2\n";

#[test]
fn families_are_not_pooled_and_name_their_buckets() {
    let samples = samples(FAMILIES);
    let chart = drawn(ChartKind::Gap, &samples);
    let found = rows(&chart.spec, &["series", "bucket", "mean"]);
    assert_eq!(found[..2], [json!(["a", "tour: 10", 400.0]), json!(["a", "shop: 10", 4.0])]);
    assert!(!chart.spec.to_string().contains("\"all\""), "no mean over both");
    let titles = |kind| -> Vec<Value> {
        let chart = drawn(kind, &samples);
        panels(&chart).into_iter().map(|panel| panel["title"]["text"].clone()).collect()
    };
    assert_eq!(titles(ChartKind::GapEcdf), [json!(["tour"]), json!(["shop"])]);
    assert_eq!(titles(ChartKind::GapDistribution), [json!(["tour: 10"]), json!(["shop: 10"]), json!(["shop"])]);
    let cells = rows(&drawn(ChartKind::BucketHeatmap, &samples).spec, &["x", "text"]);
    assert_eq!([&cells[0], &cells[2]], [&json!(["tour: 10", "400"]), &json!(["shop: 10", "4"])]);
    // By the mean gap `a` would be the best; by rank both are.
    assert_eq!(best::standing_name(&input(&samples)), "mean rank");
    let by_gap = input(&samples);
    let ranked = best::standing(&by_gap);
    let of = |name: &str| {
        let own = samples.runs.iter().filter(|run| samples.value(crate::samples::Key::Algorithm, run) == name);
        ranked(&own.collect::<Vec<_>>()).0
    };
    assert_eq!([of("a"), of("b")], [-50.0, -50.0]);
}

#[test]
fn long_names_stand_where_they_have_room() {
    let named = |name: &str| {
        samples(&format!("algorithm,instance,solved,evaluations\n{name},1,1,10\n{name},2,1,20\nb,1,1,90\nb,2,1,70\n"))
    };
    let labels = |chart: &Chart| chart.spec["layer"][1]["encoding"]["y"]["axis"]["labels"].clone();
    let (short, long) = (named("tabu"), named("an-algorithm-of-a-long-name"));
    let cost = |samples: &Samples| drawn(ChartKind::Cost, samples);
    assert_eq!((labels(&cost(&short)), labels(&cost(&long))), (json!(true), json!(false)));
    let right = |samples: &Samples| rows(&drawn(ChartKind::Ranks, samples).spec["layer"][3], &["series"]).len();
    assert_eq!((right(&short), right(&long)), (1, 0));
}

#[test]
fn few_settings_are_all_shown_in_the_order_of_the_plan() {
    let chart = drawn(ChartKind::Ranks, &samples(&grid(20)));
    assert_eq!(
        chart.caveats,
        [
            "All mean ranks come from fewer than 10 runs or 6 instances. Each of these mean ranks comes from at least 6 runs and 6 instances."
        ]
    );
}

#[test]
fn what_rests_on_little_is_said_in_the_picture_and_only_then() {
    let enough = || [("ga", "10", "5", 5, 10), ("ga", "20", "5", 6, 10)];
    let few = groups(&[&enough()[..], &[("ga", "10", "6", 1, 2), ("ga", "20", "6", 2, 4)]].concat());
    for (kind, drawn_of_each, said) in [
        (ChartKind::Success, "rates", true),
        (ChartKind::Phase, "rates", true),
        (ChartKind::Cost, "rows", true),
        (ChartKind::Ecdf, "curves", false),
    ] {
        let expected = format!(
            "2 of 4 {drawn_of_each} come from fewer than 10 runs or 6 instances. Each of these {drawn_of_each} comes from at least 2 runs and 2 instances."
        );
        assert_eq!(drawn(kind, &few).caveats, [expected].as_slice().get(..usize::from(said)).expect("one"), "{kind:?}");
        let title = drawn(kind, &few).spec["title"].to_string();
        assert_eq!(title.contains("2 of 4"), said, "{kind:?}: {title}");
    }
    let cells = "algorithm,a,b,instance,solved\nga,1,1,x,1\nga,1,2,x,0\nga,2,1,x,1\nga,2,2,x,1\n";
    let said = "All cells come from fewer than 10 runs or 6 instances. Each of these cells comes from at least 1 run and 1 instance.";
    assert_eq!(drawn(ChartKind::Heatmap, &samples(cells)).caveats, [said]);
}

#[test]
fn of_many_published_settings_the_best_are_shown_and_the_picture_says_so() {
    let populations: Vec<String> = (10..22).map(|population| population.to_string()).collect();
    let own: Vec<(&str, &str, &str, usize, usize)> =
        populations.iter().enumerate().map(|(at, population)| ("ga", population.as_str(), "easy", at, 12)).collect();
    let rows: Vec<String> = populations.iter().map(|population| format!("Huke,{population},easy,10,0.5,,,")).collect();
    let published = published("population,", &rows.iter().map(String::as_str).collect::<Vec<_>>());
    let samples = groups(&own);
    let chart =
        draw(ChartKind::Published, &ChartInput { published: Some(&published), ..input(&samples) }).expect("a chart");
    assert_eq!(chart.caveats, ["The chart shows 8 of 12 panels: the panels with the best success rate."]);
    let titles: Vec<String> = panels(&chart).iter().map(|panel| panel["title"]["text"].to_string()).collect();
    assert!(titles.len() == 8 && titles[0].contains("14") && titles[7].contains("21"), "{titles:?}");
}

#[test]
fn of_too_many_panels_the_best_are_shown() {
    let mut lines = "algorithm,a,b,instance,bucket,solved\n".to_owned();
    for setting in 0..20 {
        let rows = [1, 2].map(|a| format!("ga,{a},b{setting},i{a},bucket-{a},{}\n", setting >= 12));
        lines += &rows.concat();
    }
    let chart = drawn(ChartKind::Success, &samples(&lines));
    let rates = panels(&chart).into_iter().flat_map(|panel| rows(panel, &["rate"]));
    assert!(
        rates.clone().count() == 16 && rates.flat_map(|row| row.as_array().cloned()).flatten().all(|rate| rate == 1.0)
    );
    let little = "All rates come from fewer than 10 runs or 6 instances. Each of these rates comes from at least 1 run and 1 instance.";
    assert_eq!(chart.caveats, ["The chart shows 8 of 20 panels: the panels with the best success rate.", little]);
}

#[test]
fn the_settings_to_compare_are_the_best_where_there_are_too_many() {
    let samples = samples(&grid(400));
    let (best, said) = best_configurations(&samples, Metric::Solved, BestChoice::default()).expect("too many");
    assert!(said.starts_with("The best 7 of 400 configurations"), "{said}");
    let names: Vec<String> = compare(&best, Metric::Solved, CompareOptions::default())
        .expect("few")
        .groups
        .into_iter()
        .map(|group| group.name)
        .collect();
    assert!(names.len() == N_BEST && names.contains(&"a = 199, b = 1".to_owned()), "{names:?}");
    let top =
        |top| best_configurations(&samples, Metric::Solved, BestChoice { top: Some(top), ..BestChoice::default() });
    assert!(top(400).is_none() && top(2).expect("two of them").1.starts_with("The best 2 of 400 configurations"));
}

#[test]
fn a_baseline_is_kept_among_the_best_by_every_name_that_a_table_has_for_it() {
    let samples = samples(&(grid(30) + "b,0,0,i0,easy,1,10\n"));
    let kept = |name| {
        let choice = BestChoice { baseline: Some(name), ..BestChoice::default() };
        let (best, said) = best_configurations(&samples, Metric::Solved, choice).expect("too many");
        let compared =
            compare(&best, Metric::Solved, CompareOptions { baseline: Some(name), ..CompareOptions::default() });
        let groups = compared.map(|found| found.groups.len()).map_err(|error| error.to_string());
        (groups, said.contains("by success rate and the baseline are shown. These runs were also used"))
    };
    // Of these 31 the seventh and last of the best is `a = 7`.
    assert_eq!(kept("ga, a = 0, b = 1"), (Ok(8), true));
    assert_eq!(kept("ga, a = 2"), (Err("`ga, a = 2` matches 2 configurations; expected only one".to_owned()), true));
    assert_eq!(kept("ga, a = 14, b = 1"), (Ok(7), false), "it is the best");
    assert_eq!(kept("a = 14, b = 1"), (Ok(7), false));
    assert!(kept("ga").0.is_err_and(|error| error.starts_with("`ga` matches 30 configurations")));
    assert!(kept("ga, b = 1, a = 0").0.is_err_and(|error| error.contains("is not one of the configurations")));
}

#[test]
fn of_settings_that_are_taken_together_the_best_are_chosen_if_asked_for() {
    let samples = samples(&grid(80));
    let by = ["a".to_owned()];
    let of = |top| best_configurations(&samples, Metric::Solved, BestChoice { by: &by, top, ..BestChoice::default() });
    assert!(of(None).is_none() && of(Some(3)).expect("40 of them").1.starts_with("The best 3 of 40 configurations"));
}

/// Two algorithms whose work is counted in different units, of different fitness functions.
const MIXED: &str = "run,algorithm,instance,solved,fitness,unit,evaluations,generations,wall_ms,cpu_ms\n\
    0,ga,1,1,collisions,evaluations,30,3,1,0.5\n1,ga,2,1,collisions,evaluations,40,4,1,0.5\n\
    2,exact,1,1,missing,nodes,3,1,2,1.5\n3,exact,2,1,missing,nodes,4,1,2,1.5\n";

#[test]
fn work_in_different_units_is_refused_and_compared_by_time() {
    let samples = samples(MIXED);
    for kind in [ChartKind::Ecdf, ChartKind::Cost, ChartKind::Profile, ChartKind::Ranks, ChartKind::Scatter] {
        let told = draw(kind, &input(&samples)).expect_err("it would rank nodes against evaluations").to_string();
        assert_eq!(
            told,
            "cannot compare the work of these runs: evaluations in ga; nodes in exact; choose a metric that all runs \
             have: `solved`, `cpu_ms` or `wall_ms`",
            "{kind:?}"
        );
    }
    assert_eq!(samples.work_unit(), Metric::CpuMs);
    let chart = draw(ChartKind::Ecdf, &ChartInput { unit: Metric::CpuMs, ..input(&samples) }).expect("a chart");
    assert_eq!(chart.spec["encoding"]["x"]["axis"]["title"], "CPU time (ms)");
    assert!(chart.notes.iter().any(|note| note.starts_with("Evaluations are not shown: ")), "{:?}", chart.notes);
}

#[test]
fn work_is_called_by_its_unit() {
    let nodes = samples("algorithm,instance,solved,unit,evaluations\na,1,1,nodes,3\nb,1,1,nodes,4\n");
    assert_eq!(drawn(ChartKind::Ecdf, &nodes).spec["encoding"]["x"]["axis"]["title"], "nodes");
}

#[test]
fn each_fitness_has_a_panel_of_its_own() {
    let (_folder, path) = traced(Trigger::Improvements);
    let runs = "run,algorithm,instance,solved,fitness,unit,evaluations\n\
        0,ga,1,1,collisions,evaluations,30\n1,other,2,0,missing,nodes,40\n";
    let samples = samples(runs);
    let chart = draw(ChartKind::Convergence, &ChartInput { trace: Some(&path), ..input(&samples) }).expect("a chart");
    let axes = panels(&chart).into_iter().map(|panel| {
        let title = |channel: &str| {
            let layer = panel["layer"].as_array().and_then(|layers| layers.last()).expect("a layer");
            [&panel["encoding"], &layer["encoding"]].map(|encoding| encoding[channel]["axis"]["title"].clone())
        };
        json!([title("x")[0], title("y")[1], rows(panel, &["series"]).first()])
    });
    assert_eq!(
        axes.collect::<Vec<_>>(),
        [
            json!(["evaluations", "best collisions (minimised)", ["ga"]]),
            json!(["nodes", "best missing (minimised)", ["other"]])
        ]
    );
}

#[test]
fn runs_of_which_only_the_end_is_traced_have_no_curve() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace.csv.gz");
    let mut writer =
        trace::Writer::new(std::fs::File::create(&path).expect("a file"), Trigger::Improvements).expect("a header");
    let point = |evaluations, best_fitness| Point {
        evaluations,
        generation: 1,
        best_fitness,
        mean_fitness: None,
        diversity: None,
    };
    writer.write(0, &[point(10, 3.0), point(900, 0.0)]).expect("rows");
    writer.write(1, &[point(5, 0.0)]).expect("rows");
    writer.finish().expect("an end");
    let lines = "run,algorithm,instance,solved,fitness,unit,evaluations\n\
        0,ga,1,1,missing,evaluations,900\n1,exact,1,1,missing,nodes,5\n";
    let samples = samples(lines);
    let chart = draw(ChartKind::Convergence, &ChartInput { trace: Some(&path), ..input(&samples) }).expect("a chart");
    assert_eq!(panels(&chart).len(), 1, "no line of nodes to the end of the evaluations");
    assert!(
        chart.notes.iter().any(|note| note.starts_with("The trace has too few points for some curves of `exact`")),
        "{:?}",
        chart.notes
    );
}

#[test]
fn failures_and_gaps_are_said_in_every_picture() {
    let lines = "algorithm,population,instance,solved,evaluations,stop\n\
        ga,1,1,1,10,target\nga,1,2,0,90,evaluations\nga,1,3,0,90000000,failed\n\
        ga,2,1,1,20,target\nga,2,2,1,30,target\nga,2,3,1,50,target\n";
    let samples = samples(lines);
    let gap = ["6 of 9 runs are there.".to_owned()];
    let mut drawn = 0;
    for (kind, chart) in survey(&ChartInput { caveats: &gap, ..input(&samples) }) {
        let Ok(chart) = chart else { continue };
        drawn += 1;
        let failed = "1 of 6 runs failed: these runs count as unsolved";
        assert!(chart.caveats[0] == gap[0] && chart.caveats[1].starts_with(failed), "{kind:?}: {:?}", chart.caveats);
        let heading = chart.spec["title"]["text"].to_string();
        assert!(heading.contains(&gap[0]) && heading.contains("1 of 6 runs failed"), "{kind:?}: {heading}");
    }
    assert_eq!(drawn, 9);
    let cost = draw(ChartKind::Cost, &input(&samples)).expect("a chart");
    assert_eq!(
        rows(&cost.spec, &["series", "unsolved", "failed", "ended"]),
        [json!(["1", "1/3", "×1", "1 of 3, and 1 failed"]), json!(["2", null, null, "0 of 3"])]
    );
    let ecdf = draw(ChartKind::Ecdf, &input(&samples)).expect("a chart");
    let end = ecdf.spec["encoding"]["x"]["scale"]["domain"][1].as_f64().expect("an end");
    assert!(end < 200.0, "a failed run does not stretch the axis: {end}");
}

#[test]
fn ranks_are_tested_as_comparisons_are() {
    // Where `b` solves it is slow, where not it costs little: expected costs and medians have different ranks.
    let mut lines = "algorithm,instance,repetition,solved,evaluations\n".to_owned();
    for instance in 0..12 {
        for repetition in 0..5 {
            let b = if repetition < 3 { (1, 50 + instance) } else { (0, 1000) };
            for (name, (solved, evaluations)) in [("a", (1, 60 + instance % 3)), ("b", b), ("c", (1, 90))] {
                lines += &format!("{name},{instance},{repetition},{solved},{evaluations}\n");
            }
        }
    }
    let samples = samples(&lines);
    let omnibus = compare(&samples, Metric::Evaluations, CompareOptions::default())
        .expect("a comparison")
        .omnibus
        .expect("a test");
    let chart = drawn(ChartKind::Ranks, &samples);
    let test = omnibus.friedman;
    assert!(
        chart.notes[1]
            .starts_with(&format!("Friedman test: chi-squared {:.1}, {} degrees", test.statistic, test.degrees)),
        "{:?}",
        chart.notes
    );
    let names = [2, 3].map(|layer| rows(&chart.spec["layer"][layer], &["series", "rank"]));
    let mut ranks: Vec<Value> = names.concat();
    ranks.sort_by_key(|rank| rank[0].to_string());
    let expected = ["a", "b", "c"]
        .iter()
        .zip(&test.mean_ranks)
        .map(|(name, rank)| json!([name, super::super::labels::rounded(*rank)]));
    assert_eq!(ranks, expected.collect::<Vec<_>>());
}

#[test]
fn ranks_begin_at_the_first_and_ties_have_a_line_each() {
    let line = |at: usize| format!("a,{at},1,10\nb,{at},1,10\nc,{at},1,10\nd,{at},1,10\n");
    let lines: String = (0..6).map(line).collect();
    let chart = drawn(ChartKind::Ranks, &samples(&format!("algorithm,instance,solved,evaluations\n{lines}")));
    let x = &chart.spec["layer"][0]["encoding"]["x"];
    assert_eq!((&x["scale"]["domain"], &x["axis"]["values"]), (&json!([1.0, 4.0]), &json!([1, 2, 3, 4])));
    let lines = chart.spec["layer"][0]["data"]["values"].as_array().expect("lines");
    let mut upright: Vec<String> = lines
        .iter()
        .filter(|line| line["x"] == line["x2"] && line["y"] == 0.0)
        .map(|line| line["x"].to_string())
        .collect();
    upright.dedup();
    assert_eq!(upright.len(), 4, "{upright:?}");
}

#[test]
fn instances_weigh_equally_in_the_curve_of_runs_solved_however_many_runs_they_have() {
    // 9 of 10 on one instance, 36 of 90 on the other: of all runs 45 %, a mean of 65 %.
    let runs = |instance: &str, n: usize, solved: usize| -> String {
        (0..n).map(|run| format!("ga,{instance},{},{}\n", run < solved, if run < solved { 10 } else { 50 })).collect()
    };
    let of = |hard: usize| {
        let csv = format!(
            "algorithm,instance,solved,evaluations\n{}{}",
            runs("easy", 10, 9),
            runs("hard", hard, hard * 2 / 5)
        );
        drawn(ChartKind::Ecdf, &samples(&csv))
    };
    let last = |chart: &Chart| rows(&chart.spec, &["share"]).pop().expect("steps")[0].as_f64().expect("a share");
    let note = "Instances have equal weight: a configuration has 10 to 90 runs on each instance.";
    let unequal = of(90);
    assert!(
        (last(&unequal) - 0.65).abs() < 1e-9 && unequal.notes.iter().any(|said| said == note),
        "{:?}",
        unequal.notes
    );
    assert!(!of(10).notes.iter().any(|said| said.contains("weigh equally")), "equal numbers need no word");
}
