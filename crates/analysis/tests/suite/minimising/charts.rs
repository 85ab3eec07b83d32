//! What charts say of them.

use super::*;

pub(super) fn chart(kind: ChartKind, samples: &Samples, metric: Option<Metric>) -> Result<Chart, ChartError> {
    let input = ChartInput {
        samples,
        trace: None,
        race: None,
        published: None,
        by: &[],
        unit: Metric::Evaluations,
        metric: metric.unwrap_or_else(|| samples.default_metric()),
        shown: metric.unwrap_or_else(|| samples.default_metric()),
        columns: 1,
        caveats: &[],
        work_caveat: None,
        has_notes: true,
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
    assert_eq!(chart.title, "Mean excess over the best value found by bucket");
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
        (&json!("log"), &json!("mean gap (%; values of 0 or less lie at the edge)"))
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
            race: None,
            published: None,
            by: &[],
            unit: Metric::Evaluations,
            metric: samples.default_metric(),
            shown: samples.default_metric(),
            columns: 1,
            caveats: &[],
            work_caveat: None,
            has_notes: true,
            most_bytes: usize::MAX,
        };
        survey(&input).into_iter().filter_map(|(kind, chart)| chart.is_ok().then(|| kind.text())).collect()
    };
    const OF_GAPS: [&str; 9] =
        ["gap", "gap-distribution", "gap-ecdf", "bucket-heatmap", "front", "pairs", "main-effects", "ranks", "scatter"];
    assert_eq!(made(&gaps()), OF_GAPS);
    assert_eq!(made(&objectives()), OF_GAPS);
    assert_eq!(
        made(&targets()),
        [&OF_GAPS[..4], &["ecdf", "cost"], &OF_GAPS[4..7], &["profile"], &OF_GAPS[7..]].concat()
    );
    let solving = "algorithm,instance,solved,objective,evaluations\na,x,true,0,5\na,y,true,0,5\na,z,true,0,7\nb,x,true,0,5\nb,y,false,3,9\nb,z,true,0,2\n";
    let of_solving = ["bucket-heatmap", "ecdf", "cost", "pairs", "main-effects", "profile", "ranks", "scatter"];
    assert_eq!(made(solving), of_solving, "as before there were gaps");
    insta::assert_snapshot!(chart(ChartKind::Cost, &samples(&gaps()), None).expect_err("no target"), @"no run had a target, so `solved` is undefined; use the chart `gap`");
    insta::assert_snapshot!(chart(ChartKind::Gap, &samples(solving), None).expect_err("no gap"), @"no run has a gap; add best known values, or use `--metric objective`");
}

#[test]
fn runs_without_a_target_are_left_out_of_charts_of_success() {
    let some = "algorithm,instance,solved,gap,evaluations\na,x,true,0,5\na,y,,1,5\nb,x,false,2,5\nb,y,,3,9\n";
    let chart = chart(ChartKind::Ecdf, &samples(some), None).expect("a chart");
    assert_eq!(chart.caveats[0], "2 of 4 runs had no target and are omitted.");
}

#[test]
fn too_many_settings_are_chosen_by_gap() {
    let mut text = "algorithm,size,instance,gap,evaluations\n".to_owned();
    for size in 0..30 {
        (0..3).for_each(|at| text += &format!("ig,{size},x{at},{},10\n", (size + 17) % 30 + at));
    }
    let (best, caveat) =
        best_configurations(&samples(&text), Metric::Gap, BestChoice::default()).expect("too many of them");
    let sizes: Vec<&str> = best
        .runs
        .iter()
        .step_by(3)
        .map(|run| best.roster.configurations[run.configuration()].varied[0].as_str())
        .collect();
    assert_eq!((sizes[0], sizes.contains(&"13"), sizes.contains(&"12")), ("13", true, false));
    assert!(caveat.contains(" configurations by mean gap are shown. These runs were also used"), "{caveat}");
}

#[test]
fn a_rate_stands_beside_figures_of_the_same_runs() {
    let some = "algorithm,instance,bucket,solved,gap,evaluations,generations,stop\n\
                a,x,e,true,0,5,10,target\na,x,e,false,1,5,30,time\na,y,h,,2,5,1000,stagnation\na,y,h,,3,5,1000,stagnation\na,z,h,false,4,5,50,time\n";
    let csv =
        render_by(&summary(some), (Some(Metric::Solved), ColumnSet::All), Layout::Buckets, Format::Csv, None, &[]);
    let fields = |line: usize| csv.lines().nth(line).unwrap_or_default().split(',').collect::<Vec<_>>();
    let at = |name: &str| fields(0).iter().position(|&column| column == name).expect("a column");
    let shown =
        |line| ["solved %", "runs", "mean generations", "unsolved stopped by"].map(|name| fields(line)[at(name)]);
    assert_eq!(shown(2), ["0", "1", "50.00", "time 1"], "of bucket h one run was judged: {csv}");
    assert_eq!(shown(3), ["25", "3", "30.00", "time 2"], "of x one half, of z none, which weigh equally: {csv}");
    let text = render_by(
        &summary(some),
        (Some(Metric::Solved), ColumnSet::All),
        Layout::Buckets,
        Format::Text { width: None },
        None,
        &[],
    );
    let noted =
        "2 of 5 runs had no target. If a row has runs with a target, the row counts only these runs, except for gaps.";
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
    let table = render_by(&summary(csv), (Some(Metric::Gap), ColumnSet::All), Layout::Buckets, Format::Csv, None, &[]);
    assert!(table.lines().all(|line| line.contains("stopped by") || line.ends_with("\"target 2, time 1\"")), "{table}");
    let chart = chart(ChartKind::Gap, &samples(csv), None).expect("a chart");
    let said = "1 of 3 runs stopped at a target worse than the best known value. The gaps of these runs cannot be lower than the target's gap.";
    assert!(chart.caveats.iter().any(|caveat| caveat == said), "{:?}", chart.caveats);
}

#[test]
fn a_mean_of_a_dash_beside_a_median_is_explained() {
    let csv = "algorithm,instance,objective,best_known\na,x,12,10\na,x,,10\na,x,11,10\nb,x,12,10\n";
    let text =
        render_by(&summary(csv), (None, ColumnSet::All), Layout::Buckets, Format::Text { width: None }, None, &[])
            .replace('\n', " ");
    assert!(text.contains("A mean gap of `-` is infinite, because a run found no solution"), "{text}");
    let objective = |csv: &str| {
        render_by(
            &summary(csv),
            (Some(Metric::Objective), ColumnSet::All),
            Layout::Buckets,
            Format::Markdown,
            None,
            &[],
        )
    };
    assert!(objective(csv).contains("is undefined, because a run found no solution"));
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
    assert_eq!(title(csv), json!(["mean gap (%)", "intervals that reach lower values are cut at the edge"]));
    assert_eq!(title(&csv.replace("0.3", "0.1")), json!("mean gap (%)"));
}
