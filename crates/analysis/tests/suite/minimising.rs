//! What tables, comparisons and charts say of experiments that minimise: by gap, by objective, and by success beside a gap.

use evogrid_analysis::charts::{
    BestChoice, Chart, ChartError, ChartInput, ChartKind, best_configurations, draw, survey,
};
use evogrid_analysis::compare::{self, CompareOptions, compare};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::Samples;
use evogrid_analysis::summary::Summary;
use evogrid_analysis::table::{ColumnSet, Format, Layout, render_by};
use evogrid_results::runs::Reader;
use serde_json::{Value, json};

mod charts;

use charts::chart;

/// What a line of [`csv`] is of.
#[derive(Clone, Copy)]
struct Line {
    bucket: &'static str,
    objective: u32,
    best_known: u32,
}

/// Three algorithms, three runs each on six instances in two buckets; `line` writes what follows the repetition.
fn csv(columns: &str, line: impl Fn(Line) -> String) -> String {
    let mut text = format!("algorithm,problem,bucket,instance,repetition,{columns}\n");
    for (algorithm, worse) in [("iterated-greedy", 0), ("genetic", 30), ("random", 300)] {
        for (bucket, best_known) in [("20x5", 1000), ("50x10", 3000)] {
            for instance in 0..6 {
                for repetition in 0..3 {
                    let objective = best_known + worse * (best_known / 1000) + 2 * instance as u32 + 3 * repetition;
                    let known = best_known + instance as u32;
                    let rest = line(Line { bucket, objective, best_known: known });
                    text += &format!("{algorithm},shop,{bucket},{bucket}-{instance},{repetition},{rest}\n");
                }
            }
        }
    }
    text
}

/// Runs that have a gap.
fn gaps() -> String {
    csv("objective,best_known,fitness,evaluations,stop,cpu_ms,generations", |line| {
        format!("{},{},makespan,5000,evaluations,12.5,100", line.objective, line.best_known)
    })
}

/// The same with a target that some reach.
fn targets() -> String {
    csv("objective,best_known,solved,fitness,evaluations,stop,cpu_ms,wall_ms,generations", |line| {
        let solved = line.objective <= line.best_known + 10;
        let stop = if solved { "target" } else { "evaluations" };
        format!("{},{},{solved},makespan,5000,{stop},12.5,13.0,100", line.objective, line.best_known)
    })
}

/// No best known values.
fn objectives() -> String {
    csv("objective,fitness,evaluations,stop,cpu_ms,generations", |line| {
        format!("{},makespan,5000,evaluations,12.5,100", line.objective)
    })
}

fn summary(csv: &str) -> Summary {
    Summary::from_runs(Reader::new("runs.csv", csv.as_bytes()).expect("columns")).expect("rows")
}

fn samples(csv: &str) -> Samples {
    Samples::read(Reader::new("runs.csv", csv.as_bytes()).expect("columns")).expect("rows")
}

/// The default table in a terminal of so many characters, in which no line is wider.
fn table(csv: &str, width: usize) -> String {
    let text = render_by(
        &summary(csv),
        (None, ColumnSet::All),
        Layout::Buckets,
        Format::Text { width: Some(width) },
        None,
        &[],
    );
    assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
    text
}

#[test]
fn the_default_table_speaks_of_what_the_runs_say() {
    for width in [60, 80, 120] {
        insta::assert_snapshot!(format!("gap_in_{width}"), table(&gaps(), width));
        insta::assert_snapshot!(format!("objective_in_{width}"), table(&objectives(), width));
        insta::assert_snapshot!(format!("target_gap_in_{width}"), table(&targets(), width));
    }
}

#[test]
fn a_table_of_gaps_is_for_papers_and_data_frames_too() {
    for (name, format) in [("csv", Format::Csv), ("markdown", Format::Markdown), ("latex", Format::Latex)] {
        insta::assert_snapshot!(
            format!("gap_{name}"),
            render_by(&summary(&gaps()), (None, ColumnSet::All), Layout::Buckets, format, None, &[])
        );
    }
}

#[test]
fn a_table_shows_the_metric_that_is_asked_for() {
    let shown = |csv: &str, metric| {
        render_by(&summary(csv), (Some(metric), ColumnSet::All), Layout::Buckets, Format::Csv, None, &[])
            .lines()
            .take(2)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(
        shown(&targets(), Metric::Gap)[0].starts_with("algorithm,bucket,mean gap %,95 % low,95 % high,median gap %")
    );
    assert!(shown(&gaps(), Metric::Objective)[1].starts_with("iterated-greedy,20x5,1008"));
    let unknown = &shown(&gaps(), Metric::Solved)[1];
    assert!(unknown.starts_with("iterated-greedy,20x5,,,,18,0."), "no rate over nothing: {unknown}");
}

#[test]
fn instances_without_a_best_known_value_are_said() {
    let some = csv("objective,best_known", |line| {
        let known = if line.bucket == "20x5" { line.best_known.to_string() } else { String::new() };
        format!("{},{known}", line.objective)
    });
    let below = |text: &str| {
        let notes = text.split("stopped.\n").nth(1).unwrap_or_default().replace('\n', " ");
        notes.split(" Best of").next().unwrap_or_default().to_owned()
    };
    insta::assert_snapshot!(below(&table(&some, 80)), @"54 runs have no gap, because the best known value of their instance is missing or 0. `--metric gap` shows the gaps of all other runs.");
    let by_gap = render_by(
        &summary(&some),
        (Some(Metric::Gap), ColumnSet::All),
        Layout::Buckets,
        Format::Text { width: None },
        None,
        &[],
    );
    insta::assert_snapshot!(below(&by_gap), @"54 runs have no gap and are not counted here. A run has no gap if the best known value of the instance is missing or 0.");
    let method = compare(&samples(&some), Metric::Gap, CompareOptions::default())
        .expect("gaps")
        .sentences()
        .pop()
        .expect("the method");
    assert!(
        method.contains(
            "Omitted runs, because the best known value of the instance is missing or 0: 18 of 36 runs of iterated-greedy; "
        ),
        "{method}"
    );
    let chart = chart(ChartKind::Gap, &samples(&some), Some(Metric::Gap)).expect("a chart");
    assert!(chart.notes.iter().any(|note| note.starts_with("54 of 108 runs are omitted: ")), "{:?}", chart.notes);
}

#[test]
fn objectives_of_different_families_are_not_averaged() {
    let mixed = csv("objective,fitness", |line| format!("{},makespan", line.objective))
        .replace("shop,50x10", "tour,50x10")
        .replace("makespan", "cost");
    let text = table(&mixed, 80);
    assert!(text.contains("\nall       -   -    -   36   12"), "{text}");
    let below = text.split("stopped.\n").nth(1).unwrap_or_default().replace('\n', " ");
    insta::assert_snapshot!(below, @"Objectives of different families or fitness functions are not averaged. This concerns `all`. If instances have best known values, gaps can be averaged.");
    let comparison =
        compare(&samples(&mixed), Metric::Objective, CompareOptions::default()).expect("each instance by itself");
    assert!(comparison.groups.iter().all(|group| group.figure == "of several measures"));
    let method = comparison.sentences().pop().expect("the method");
    assert!(method.contains("Objectives are compared on each instance separately, and never averaged"), "{method}");
}

#[test]
fn what_takes_gaps_of_several_families_or_objectives_together_says_so() {
    let below = |csv: &str, metric| {
        let layout = Layout::Buckets;
        let text =
            render_by(&summary(csv), (Some(metric), ColumnSet::All), layout, Format::Text { width: None }, None, &[]);
        text.split("95 %: its interval").last().unwrap_or_default().replace('\n', " ")
    };
    let families = "algorithm,problem,instance,bucket,gap,objective,fitness\na,tour,x,e,1,5,length\na,shop,y,e,2,6,makespan\na,assignment,z,h,3,7,cost\n";
    let noted = below(families, Metric::Gap);
    assert!(
        noted.ends_with("Gaps of different families have different scales and are not averaged. This concerns `all`. "),
        "{noted}"
    );
    assert!(below(families, Metric::Solved).contains(" are not averaged. This concerns `all`."));
    let objectives = "algorithm,instance,bucket,gap,fitness\na,x,e,1,makespan\na,y,h,2,flow-time\n";
    assert!(
        below(objectives, Metric::Gap).contains(
            "In `all`, the mean gap combines several objectives, and does not describe any single objective."
        )
    );
    assert!(!below(&gaps(), Metric::Gap).contains("no single objective"));
}

#[test]
fn gaps_of_different_families_are_not_averaged() {
    let csv = "algorithm,instance,problem,bucket,gap\na,x,tour,,500\na,x,tour,,700\na,y,shop,easy,1\na,z,shop,hard,3\n";
    let found = summary(csv);
    use evogrid_analysis::summary::Figure;
    let gaps = [Figure::MeanGap, Figure::MedianGap, Figure::BestGap, Figure::MeanGapLow, Figure::GapHigh];
    let all = found.rows.last().expect("all");
    assert_eq!((all.bucket.as_str(), gaps.map(|gap| all.figures[gap])), ("all", [None; 5]));
    let of_buckets: Vec<_> = found.rows[..3].iter().map(|row| row.figures[Figure::MeanGap]).collect();
    assert_eq!(of_buckets, [Some(600.0), Some(1.0), Some(3.0)]);
    assert_eq!(found.best_of_many(Metric::Gap, &[]), None);
    // Of one family they are.
    let one = summary(&csv.replace("tour", "shop"));
    assert_eq!(one.rows.last().expect("all").figures[Figure::MeanGap], Some(604.0 / 3.0));
}

#[test]
fn two_objectives_on_one_instance_are_never_compared() {
    // The fitness comes with the runs of one algorithm: it is the instances', not the algorithm's.
    let both = "algorithm,problem,instance,repetition,objective,best_known,fitness\n\
                a,shop,x,0,10,9,makespan\na,shop,x,1,50,45,flow-time\nb,shop,x,0,11,9,makespan\nb,shop,x,1,55,45,flow-time\n";
    let error = compare(&samples(both), Metric::Objective, CompareOptions::default()).expect_err("two measures");
    insta::assert_snapshot!(error, @"cannot compare the objective of these runs: makespan in a, b; flow-time in a, b");
    insta::assert_snapshot!(error.help, @"choose a metric that all runs have: `gap`, `cpu_ms` or `wall_ms`; or select only the rows of one objective");
    // A fitness that two algorithms do not share is a setting of theirs, and the objective is one.
    let setting = both
        .replace("1,50,45,flow-time", "1,50,45,makespan")
        .replace("b,shop,x,0,11,9,makespan", "b,shop,x,0,11,9,flow-time");
    assert!(compare(&samples(&setting), Metric::Objective, CompareOptions::default()).is_ok());
}

#[test]
fn settings_are_compared_by_gap() {
    let comparison = compare(&samples(&gaps()), samples(&gaps()).default_metric(), CompareOptions::default())
        .expect("three settings");
    insta::assert_snapshot!("compared_by_gap", compare::render(&comparison, Format::Text { width: Some(80) }, &[]));
    let error = |csv: &str, metric| {
        compare(&samples(csv), metric, CompareOptions::default()).expect_err("no figure").to_string()
    };
    insta::assert_snapshot!(error(&gaps(), Metric::Solved), @"no run of iterated-greedy records whether it was solved");
    insta::assert_snapshot!(error(&gaps(), Metric::Evaluations), @"no run of iterated-greedy records whether it was solved and how much work it needed");
    let zero = "algorithm,instance,objective,best_known\na,x,1,0\nb,x,2,0\n";
    insta::assert_snapshot!(error(zero, Metric::Gap), @"no run of a has a gap: the best known value of the instance is missing or 0");
}

#[test]
fn a_run_without_a_solution_is_infinitely_bad() {
    let csv = "algorithm,instance,objective,best_known,stop\na,x,12,10,evaluations\na,x,,10,failed\nb,x,11,10,evaluations\nb,x,11,10,evaluations\n";
    let samples = samples(csv);
    let figures: Vec<_> = samples.runs.iter().map(|run| Metric::Gap.figure(&samples, run)).collect();
    assert_eq!(figures, [Some(20.0), Some(f64::INFINITY), Some(10.0), Some(10.0)]);
    let comparison = compare(&samples, Metric::Gap, CompareOptions::default()).expect("two settings");
    assert_eq!(comparison.groups[0].figure, "infinite: 1 without a solution");
    let method = comparison.sentences().pop().expect("the method");
    assert!(method.ends_with("Failed runs, which count as infinitely bad: 1 of 2 runs of a."), "{method}");
}

#[test]
fn a_comparison_that_goes_to_no_terminal_is_as_wide_as_its_sentences() {
    let long = gaps()
        .replace("iterated-greedy", "iterated-greedy-with-a-name-of-many-many-words")
        .replace("genetic", "genetic-with-quite-a-long-name-too");
    let comparison = compare(&samples(&long), Metric::Gap, CompareOptions::default()).expect("settings");
    let text = compare::render(&comparison, Format::Text { width: None }, &[]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
