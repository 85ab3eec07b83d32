//! What tables, comparisons and charts say of experiments that minimise: by gap, by objective, and by success beside a gap.

use evogrid_analysis::charts::{Chart, ChartError, ChartInput, ChartKind, WorkUnit, draw, survey};
use evogrid_analysis::compare::{self, CompareOptions, compare};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::Samples;
use evogrid_analysis::summary::Summary;
use evogrid_analysis::table::{Format, Layout, render, render_by};
use evogrid_results::runs::Reader;
use serde_json::{Value, json};

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
    let text = render(&summary(csv), Layout::Buckets, Format::Text { width: Some(width) }, None, &[]);
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
        insta::assert_snapshot!(format!("gap_{name}"), render(&summary(&gaps()), Layout::Buckets, format, None, &[]));
    }
}

#[test]
fn a_table_shows_the_metric_that_is_asked_for() {
    let shown = |csv: &str, metric| {
        render_by(&summary(csv), Some(metric), Layout::Buckets, Format::Csv, None, &[])
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
    let below = |text: &str| text.split("stopped.\n").nth(1).unwrap_or_default().replace('\n', " ");
    insta::assert_snapshot!(below(&table(&some, 80)), @"54 runs have no gap, since their instances have no best known value, or it is 0; `--metric gap` shows the gaps of the others.");
    let by_gap =
        render_by(&summary(&some), Some(Metric::Gap), Layout::Buckets, Format::Text { width: None }, None, &[]);
    insta::assert_snapshot!(below(&by_gap), @"54 runs have no gap, and are in none of these: their instances have no best known value, or it is 0.");
    let method = compare(&samples(&some), Metric::Gap, CompareOptions::default())
        .expect("gaps")
        .sentences()
        .pop()
        .expect("the method");
    assert!(
        method.contains(
            "Left out, since their instances have no best known value, or it is 0: 18 of 36 runs of iterated-greedy; "
        ),
        "{method}"
    );
    let chart = chart(ChartKind::Gap, &samples(&some), Some(Metric::Gap)).expect("a chart");
    assert!(chart.notes.iter().any(|note| note.starts_with("54 of 108 runs are left out: ")), "{:?}", chart.notes);
}

#[test]
fn objectives_of_different_families_are_not_averaged() {
    let mixed = csv("objective,fitness", |line| format!("{},makespan", line.objective))
        .replace("shop,50x10", "tour,50x10")
        .replace("makespan", "cost");
    let text = table(&mixed, 80);
    assert!(text.contains("\nall       -   -    -   36   12"), "{text}");
    let below = text.split("stopped.\n").nth(1).unwrap_or_default().replace('\n', " ");
    insta::assert_snapshot!(below, @"Objectives of different families or fitness functions are not averaged: `all` takes 2 families together. Gaps can be averaged, where instances have best known values.");
    let comparison =
        compare(&samples(&mixed), Metric::Objective, CompareOptions::default()).expect("each instance by itself");
    assert!(comparison.groups.iter().all(|group| group.figure == "of several measures"));
    let method = comparison.sentences().pop().expect("the method");
    assert!(method.contains("Objectives are compared on each instance by itself, and never averaged"), "{method}");
}

#[test]
fn what_takes_gaps_of_several_families_or_objectives_together_says_so() {
    let below = |csv: &str, metric| {
        let layout = Layout::Buckets;
        let text = render_by(&summary(csv), Some(metric), layout, Format::Text { width: None }, None, &[]);
        text.split("95 %: its interval").last().unwrap_or_default().replace('\n', " ")
    };
    let families = "algorithm,problem,instance,bucket,gap,objective,fitness\na,tour,x,e,1,5,length\na,shop,y,e,2,6,makespan\na,assignment,z,h,3,7,cost\n";
    let noted = below(families, Metric::Gap);
    assert!(
        noted.ends_with(" `all` takes 3 families together: a mean of their gaps speaks of none of them alone. "),
        "{noted}"
    );
    assert!(below(families, Metric::Solved).contains(" `all` takes 3 families together"));
    let objectives = "algorithm,instance,bucket,gap,fitness\na,x,e,1,makespan\na,y,h,2,flow-time\n";
    assert!(below(objectives, Metric::Gap).contains(" `all` takes 2 objectives together"));
    assert!(!below(&gaps(), Metric::Gap).contains("together"));
}

#[test]
fn two_objectives_on_one_instance_are_never_compared() {
    // The fitness comes with the runs of one algorithm: it is the instances', not the algorithm's.
    let both = "algorithm,problem,instance,repetition,objective,best_known,fitness\n\
                a,shop,x,0,10,9,makespan\na,shop,x,1,50,45,flow-time\nb,shop,x,0,11,9,makespan\nb,shop,x,1,55,45,flow-time\n";
    let error = compare(&samples(both), Metric::Objective, CompareOptions::default()).expect_err("two measures");
    insta::assert_snapshot!(error, @"the objective of these runs cannot be compared: makespan in a, b; flow-time in a, b");
    let compare::CompareError::Mixed(mixed) = error else { panic!("mixed figures") };
    insta::assert_snapshot!(mixed.help, @"compare what all have: `gap`, `cpu_ms` or `wall_ms`; or take only the rows of one of them");
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
    insta::assert_snapshot!(error(&gaps(), Metric::Solved), @"no run of iterated-greedy says whether it was solved");
    insta::assert_snapshot!(error(&gaps(), Metric::Evaluations), @"no run of iterated-greedy says whether it was solved, and what that took");
    let zero = "algorithm,instance,objective,best_known\na,x,1,0\nb,x,2,0\n";
    insta::assert_snapshot!(error(zero, Metric::Gap), @"no run of a has a gap: its instances have no best known value, or it is 0");
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
    assert!(method.ends_with("Failed, and counted as infinitely bad: 1 of 2 runs of a."), "{method}");
}

fn chart(kind: ChartKind, samples: &Samples, metric: Option<Metric>) -> Result<Chart, ChartError> {
    let input = ChartInput {
        samples,
        trace: None,
        published: None,
        by: &[],
        unit: WorkUnit::Evaluations,
        metric: metric.unwrap_or_else(|| samples.default_metric()),
        columns: 1,
        caveats: &[],
        work_caveat: None,
        most_bytes: usize::MAX,
    };
    draw(kind, &input)
}

fn rows(chart: &Chart, fields: &[&str]) -> Vec<Value> {
    let rows = chart.spec["data"]["values"].as_array().expect("rows");
    rows.iter().map(|row| fields.iter().map(|field| row[field].clone()).collect()).collect()
}

#[test]
fn a_chart_of_gaps_has_a_row_for_each_bucket() {
    let chart = chart(ChartKind::Gap, &samples(&gaps()), None).expect("a chart");
    assert_eq!(chart.title, "Mean gap by bucket");
    let rows = rows(&chart, &["series", "bucket", "mean", "low", "high", "figure"]);
    assert_eq!(rows.len(), 9);
    // Gaps of instance i are (i + 3 r) / (1000 + i): numpy.mean, and mean * numpy.exp([-t, t])
    // with t = scipy.stats.t.ppf(0.975, 5) * sem / mean.
    assert_eq!(
        rows[0],
        json!([
            "iterated-greedy",
            "20x5",
            0.54834,
            0.384406,
            0.782186,
            "0.55 (0.38 to 0.79) of 18 runs on 6 instances"
        ])
    );
    assert_eq!(chart.spec["encoding"]["y"]["scale"]["domain"], json!(["20x5", "50x10", "all"]));
}

#[test]
fn without_best_known_values_objectives_stand_beside_the_best_of_the_runs() {
    let chart = chart(ChartKind::Gap, &samples(&objectives()), None).expect("a chart");
    assert_eq!(chart.title, "Mean excess over the best found by bucket");
    let own = rows(&chart, &["series", "bucket", "mean"]);
    // On instance i the best run has 1000 + 2 i, and the mean run 3 more.
    let mean = (0..6).map(|at| 300.0 / (1000.0 + 2.0 * f64::from(at))).sum::<f64>() / 6.0;
    let drawn = own[0][2].as_f64().expect("a number");
    assert!((drawn - mean).abs() < 1e-5, "{drawn} and {mean}");
}

#[test]
fn along_a_varied_number_gaps_are_a_curve() {
    let mut text = "algorithm,destruction,instance,gap\n".to_owned();
    for (size, gap) in [(2, 1.5), (4, 0.5), (8, 2.5)] {
        (0..4).for_each(|at| text += &format!("ig,{size},x{at},{}\n", gap + 0.1 * f64::from(at)));
    }
    let chart = chart(ChartKind::Gap, &samples(&text), None).expect("a chart");
    assert_eq!(chart.title, "Mean gap by destruction");
    // 0.65 * numpy.exp([-t, t]) with t = scipy.stats.t.ppf(0.975, 3) * scipy.stats.sem([0.5, 0.6, 0.7, 0.8]) / 0.65.
    assert_eq!(rows(&chart, &["x", "rate", "low", "high"])[1], json!([4.0, 0.65, 0.47387, 0.891595]));
}

#[test]
fn a_mean_of_nothing_stands_at_the_edge_of_a_logarithmic_axis() {
    let text = "algorithm,instance,gap\ngood,x,0\nfair,x,0.5\nbad,x,2000\n";
    let chart = chart(ChartKind::Gap, &samples(text), None).expect("a chart");
    let x = &chart.spec["layer"][1]["encoding"]["x"];
    assert_eq!(
        (&x["scale"]["type"], &x["axis"]["title"]),
        (&json!("log"), &json!("mean gap (%; 0 and less at the edge)"))
    );
    let drawn = rows(&chart, &["series", "mean"]);
    assert_eq!((&drawn[0][1], &drawn[1][1]), (&x["scale"]["domain"][0], &json!(0.5)));
}

#[test]
fn charts_of_success_need_a_target_and_others_do_not() {
    let made = |csv: &str| -> Vec<&'static str> {
        let samples = samples(csv);
        let input = ChartInput {
            samples: &samples,
            trace: None,
            published: None,
            by: &[],
            unit: WorkUnit::Evaluations,
            metric: samples.default_metric(),
            columns: 1,
            caveats: &[],
            work_caveat: None,
            most_bytes: usize::MAX,
        };
        survey(&input).into_iter().filter_map(|(kind, chart)| chart.is_ok().then(|| kind.text())).collect()
    };
    assert_eq!(made(&gaps()), ["gap", "ranks", "scatter"]);
    assert_eq!(made(&objectives()), ["gap", "ranks", "scatter"]);
    assert_eq!(made(&targets()), ["gap", "ecdf", "cost", "profile", "ranks", "scatter"]);
    let solving = "algorithm,instance,solved,objective,evaluations\na,x,true,0,5\na,y,true,0,5\na,z,true,0,7\nb,x,true,0,5\nb,y,false,3,9\nb,z,true,0,2\n";
    assert_eq!(made(solving), ["ecdf", "cost", "profile", "ranks", "scatter"], "as before there were gaps");
    insta::assert_snapshot!(chart(ChartKind::Cost, &samples(&gaps()), None).expect_err("no target"), @"no run had a \
                                                                                                       target, so \
                                                                                                       solving is not \
                                                                                                       defined; see \
                                                                                                       the chart `gap`");
    insta::assert_snapshot!(chart(ChartKind::Gap, &samples(solving), None).expect_err("no gap"), @"no run has a gap; expected best known values of the instances, or `--metric objective`");
}

#[test]
fn runs_without_a_target_are_left_out_of_charts_of_success() {
    let some = "algorithm,instance,solved,gap,evaluations\na,x,true,0,5\na,y,,1,5\nb,x,false,2,5\nb,y,,3,9\n";
    let chart = chart(ChartKind::Ecdf, &samples(some), None).expect("a chart");
    assert_eq!(chart.caveats[0], "2 of 4 runs had no target, and are left out.");
}

#[test]
fn too_many_settings_are_chosen_by_gap() {
    let mut text = "algorithm,size,instance,gap,evaluations\n".to_owned();
    for size in 0..30 {
        (0..3).for_each(|at| text += &format!("ig,{size},x{at},{},10\n", (size + 17) % 30 + at));
    }
    let (best, caveat) = evogrid_analysis::charts::best_configurations(&samples(&text), Metric::Gap, 20, None)
        .expect("too many of them");
    let sizes: Vec<&str> = best
        .runs
        .iter()
        .step_by(3)
        .map(|run| best.roster.configurations[run.configuration()].varied[0].as_str())
        .collect();
    assert_eq!((sizes[0], sizes.contains(&"13"), sizes.contains(&"12")), ("13", true, false));
    assert!(caveat.contains(" configurations by mean gap, chosen by these same runs"), "{caveat}");
}

#[test]
fn a_rate_stands_beside_figures_of_the_same_runs() {
    let some = "algorithm,instance,bucket,solved,gap,evaluations,generations,stop\n\
                a,x,e,true,0,5,10,target\na,x,e,false,1,5,30,time\na,y,h,,2,5,1000,stagnation\na,y,h,,3,5,1000,stagnation\na,z,h,false,4,5,50,time\n";
    let csv = render_by(&summary(some), Some(Metric::Solved), Layout::Buckets, Format::Csv, None, &[]);
    let fields = |line: usize| csv.lines().nth(line).unwrap_or_default().split(',').collect::<Vec<_>>();
    let at = |name: &str| fields(0).iter().position(|&column| column == name).expect("a column");
    let shown =
        |line| ["solved %", "runs", "mean generations", "unsolved stopped by"].map(|name| fields(line)[at(name)]);
    assert_eq!(shown(2), ["0", "1", "50.00", "time 1"], "of bucket h one run was judged: {csv}");
    assert_eq!(shown(3), ["25", "3", "30.00", "time 2"], "of x one half, of z none, which weigh equally: {csv}");
    let text =
        render_by(&summary(some), Some(Metric::Solved), Layout::Buckets, Format::Text { width: None }, None, &[]);
    let noted = "2 of 5 runs had no target: rows with others that had one leave them out, but for gaps.";
    assert!(text.replace('\n', " ").contains(noted), "{text}");
    let two = some.to_owned() + "b,x,e,true,0,5,10,target\n";
    let comparison = compare(&samples(&two), Metric::Solved, CompareOptions::default()).expect("two settings");
    let head = compare::render(&comparison, Format::Markdown, &[]);
    assert!(head.lines().any(|line| line.starts_with("| a ") && line.ends_with(" 3 |")), "{head}");
}

#[test]
fn runs_that_stopped_at_their_target_are_counted_and_what_that_hides_is_said() {
    let csv = "algorithm,instance,solved,gap,evaluations,stop\na,x,true,0.8,5,target\na,y,true,0,5,target\na,z,false,1.5,9,time\n";
    assert_eq!(summary(csv).stopped_above_best_known, 1);
    let table = render_by(&summary(csv), Some(Metric::Gap), Layout::Buckets, Format::Csv, None, &[]);
    assert!(table.lines().all(|line| line.contains("stopped by") || line.ends_with("\"target 2, time 1\"")), "{table}");
    let chart = chart(ChartKind::Gap, &samples(csv), None).expect("a chart");
    let said = "1 of 3 runs stopped at a target above the best known value: their lower gaps are not visible.";
    assert!(chart.caveats.iter().any(|caveat| caveat == said), "{:?}", chart.caveats);
}

#[test]
fn a_mean_of_a_dash_beside_a_median_is_explained() {
    let csv = "algorithm,instance,objective,best_known\na,x,12,10\na,x,,10\na,x,11,10\nb,x,12,10\n";
    let text = render(&summary(csv), Layout::Buckets, Format::Text { width: None }, None, &[]).replace('\n', " ");
    assert!(text.contains("A mean gap of `-`: a run there found no solution."), "{text}");
    let objective =
        |csv: &str| render_by(&summary(csv), Some(Metric::Objective), Layout::Buckets, Format::Markdown, None, &[]);
    assert!(objective(csv).contains("a run there has no solution, so the mean is undefined"));
    assert!(!objective(&gaps()).contains("no solution"));
}

#[test]
fn intervals_that_run_off_an_axis_are_said_in_the_picture() {
    // On the two instances 0.1 and 0.3: scipy.stats.t.interval(0.95, 1, loc=0.2, scale=scipy.stats.sem([0.1, 0.3])) begins at -1.07.
    let csv = "algorithm,instance,gap\ngood,x,0.1\ngood,y,0.3\nbad,x,2000\nbad,y,2001\n";
    let title = |csv: &str| {
        let chart = chart(ChartKind::Gap, &samples(csv), None).expect("a chart");
        chart.spec["layer"][1]["encoding"]["x"]["axis"]["title"].clone()
    };
    assert_eq!(title(csv), json!(["mean gap (%)", "intervals that reach further down are cut at the edge"]));
    assert_eq!(title(&csv.replace("0.3", "0.1")), json!("mean gap (%)"));
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
