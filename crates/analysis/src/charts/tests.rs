//! Charts of small samples, number by number.

mod courses;
mod laws;
mod misleading;
mod papers;
mod race;

use serde_json::{Value, json};

use super::*;
use crate::metric::Metric;
use crate::samples::Samples;
use crate::test_runs::{published, recorded_race, samples};
use evogrid_results::trace::{self, Point, Trigger};

fn input(samples: &Samples) -> ChartInput<'_> {
    let unit = Metric::Evaluations;
    ChartInput {
        samples,
        trace: None,
        race: None,
        published: None,
        by: &[],
        unit,
        metric: samples.default_metric(),
        shown: samples.default_metric(),
        columns: 2,
        caveats: &[],
        work_caveat: None,
        has_notes: true,
        most_bytes: usize::MAX,
    }
}

fn drawn(kind: ChartKind, samples: &Samples) -> Chart {
    draw(kind, &input(samples)).unwrap_or_else(|error| panic!("{kind:?}: {error}"))
}

/// The panels of a chart.
fn panels(chart: &Chart) -> Vec<&Value> {
    chart.spec.get("concat").map_or(vec![&chart.spec], |panels| panels.as_array().expect("panels").iter().collect())
}

/// The rows of a panel, each as the values of these fields.
fn rows(panel: &Value, fields: &[&str]) -> Vec<Value> {
    let rows = panel["data"]["values"].as_array().expect("rows");
    rows.iter().map(|row| fields.iter().map(|field| row[field].clone()).collect()).collect()
}

/// `n` runs of an algorithm on instances of a bucket, of which some are solved; the columns are those of [`HEADER`].
fn runs(algorithm: &str, population: &str, bucket: &str, solved: usize, n: usize) -> String {
    let line = |at: usize| {
        let is_solved = at < solved;
        let evaluations = if is_solved { 10 * (at + 1) } else { 500 };
        format!("{algorithm},{population},{bucket}-{at},{bucket},{is_solved},{evaluations}\n")
    };
    (0..n).map(line).collect()
}

const HEADER: &str = "algorithm,population,instance,bucket,solved,evaluations\n";

/// The runs of groups that [`runs`] describes.
fn groups(groups: &[(&str, &str, &str, usize, usize)]) -> Samples {
    let lines =
        groups.iter().map(|&(algorithm, population, bucket, solved, n)| runs(algorithm, population, bucket, solved, n));
    samples(&std::iter::once(HEADER.to_owned()).chain(lines).collect::<String>())
}

#[test]
fn success_rates_have_the_interval_for_instances_like_these() {
    let samples = groups(&[
        ("ga", "1000", "easy", 10, 10),
        ("ga", "100", "easy", 5, 10),
        ("ga", "100", "hard", 0, 10),
        ("ga", "10", "easy", 1, 10),
    ]);
    let chart = drawn(ChartKind::Success, &samples);
    assert_eq!(chart.title, "Success rate by population");
    let [panel] = panels(&chart)[..] else { panic!("one panel") };
    // Wilson's formula with scipy.stats.t.ppf(0.975, 9) for ten instances of one run each.
    assert_eq!(
        rows(panel, &["series", "x", "rate", "low", "high", "figure"]),
        [
            json!(["easy", 10.0, 0.1, 0.0144965, 0.45631, "10 % (1 to 46) of 10 runs"]),
            json!(["easy", 100.0, 0.5, 0.209093, 0.790907, "50 % (20 to 80) of 10 runs"]),
            json!(["easy", 1000.0, 1.0, 0.661491, 1.0, "100 % (66 to 100) of 10 runs"]),
            json!(["hard", 100.0, 0.0, 0.0, 0.338509, "0 % (0 to 34) of 10 runs"]),
        ]
    );
    let x = &panel["encoding"]["x"];
    assert_eq!((&x["scale"]["type"], &x["axis"]["title"]), (&json!("log"), &json!("population")), "two decades");
    assert_eq!(panel["encoding"]["color"]["scale"]["domain"], json!(["easy", "hard"]));
}

#[test]
fn other_settings_make_panels_and_what_has_no_number_is_told() {
    let samples = groups(&[
        ("ga", "100", "easy", 5, 10),
        ("ga", "200", "easy", 5, 10),
        ("es", "100", "easy", 5, 10),
        ("sat", "", "easy", 10, 10),
    ]);
    let chart = drawn(ChartKind::Success, &samples);
    // There is one bucket, so algorithms are the series.
    assert_eq!(chart.spec["encoding"]["color"]["scale"]["domain"], json!(["ga", "es"]));
    assert!(
        chart.caveats.iter().any(|caveat| caveat.starts_with(
            "10 of 40 runs are omitted: they have no `population`. The algorithms of the omitted runs are "
        )),
        "{:?}",
        chart.caveats
    );
    let bucket = samples.roster.key("bucket").expect("a key");
    let chart = draw(ChartKind::Success, &ChartInput { by: &[bucket], ..input(&samples) }).expect("a chart");
    assert_eq!(rows(&chart.spec, &["series", "x", "rate"]).len(), 2, "all algorithms together");
}

#[test]
fn many_numbers_are_taken_together_in_groups_of_neighbours() {
    let lines: String = (0..100).map(|at| format!("ga,{at},i{at},easy,{},5\n", at % 2 == 0)).collect();
    let chart = drawn(ChartKind::Success, &samples(&(HEADER.to_owned() + &lines)));
    let rows = rows(&chart.spec, &["x", "rate", "at"]);
    assert_eq!((rows.len(), &rows[0]), (20, &json!([2.0, 0.6, "0 to 4"])));
    assert!(chart.notes.iter().any(|note| note.starts_with("The chart combines 100 values into 20 groups")));
}

#[test]
fn a_heatmap_has_the_rate_of_each_cell_in_percent() {
    let header = "algorithm,a,b,instance,solved\n";
    let chart = drawn(
        ChartKind::Heatmap,
        &samples(&format!("{header}x,1,on,i,1\nx,1,on,j,0\nx,1,off,i,0\nx,2,on,i,1\nx,3,on,i,0\nx,1,on,k,1\n")),
    );
    assert_eq!(
        rows(&chart.spec, &["x", "y", "text", "figure"]),
        [
            json!(["1", "on", "67", "66.7 % of 3 runs"]),
            json!(["1", "off", "0", "0 % of 1 runs"]),
            json!(["2", "on", "100", "100 % of 1 runs"]),
            json!(["3", "on", "0", "0 % of 1 runs"]),
        ]
    );
    let colours = chart.spec["layer"][0]["data"]["values"].as_array().expect("rows");
    assert_eq!(colours.iter().map(|row| row["value"].clone()).collect::<Vec<_>>(), [66.6667, 0.0, 100.0, 0.0]);
    assert_eq!(chart.title, "Success rate by a and b");
}

#[test]
fn buckets_that_are_numbers_are_an_axis() {
    let lines = "algorithm,instance,bucket,solved\na,g30-1,30,1\na,g28-1,28,0\na,g28-2,28,1\nb,g28-1,28,0\n";
    let chart = drawn(ChartKind::Phase, &samples(lines));
    assert_eq!(
        rows(&chart.spec, &["series", "x", "rate"]),
        [json!(["a", 28.0, 0.5]), json!(["a", 30.0, 1.0]), json!(["b", 28.0, 0.0])]
    );
    assert_eq!(chart.title, "Success rate by number of givens");
    assert_eq!(drawn(ChartKind::Phase, &samples(&lines.replace("g2", "n2"))).title, "Success rate by bucket");
}

#[test]
fn curves_of_many_algorithms_are_spread_so_that_their_bands_are_seen() {
    let lines: String = (0..7).flat_map(|a| [20, 30].map(|b| format!("a{a},i{b},{b},1\n"))).collect();
    let chart = drawn(ChartKind::Phase, &samples(&format!("algorithm,instance,bucket,solved\n{lines}")));
    assert_eq!(panels(&chart).iter().map(|panel| rows(panel, &["x"]).len()).collect::<Vec<_>>(), [6, 6, 2]);
}

#[test]
fn a_cumulative_curve_ends_below_one_where_runs_are_unsolved() {
    let lines = "algorithm,instance,solved,evaluations\n\
        ga,1,1,30\nga,2,1,10\nga,3,0,80\nga,4,1,10\nga,5,1,50\nes,1,1,20\nes,2,1,20\n";
    let chart = drawn(ChartKind::Ecdf, &samples(lines));
    // √(ln 40 / 2n) is the half width of the band.
    assert_eq!(
        rows(&chart.spec, &["series", "x", "share", "low", "high"]),
        [
            json!(["ga", 10.0, 0.0, 0.0, 0.0]),
            json!(["ga", 10.0, 0.4, 0.0, 1.0]),
            json!(["ga", 30.0, 0.6, 0.0, 1.0]),
            json!(["ga", 50.0, 0.8, 0.192639, 1.0]),
            json!(["ga", 80.0, 0.8, 0.192639, 1.0]),
            json!(["es", 20.0, 0.0, 0.0, 0.0]),
            json!(["es", 20.0, 1.0, 0.0396772, 1.0]),
            json!(["es", chart.spec["encoding"]["x"]["scale"]["domain"][1], 1.0, 0.0396772, 1.0]),
        ]
    );
}

#[test]
fn an_unsolved_run_costs_more_than_any_and_has_a_lane() {
    let lines = "algorithm,instance,solved,evaluations\n\
        ga,1,1,100\nga,2,1,300\nga,3,0,900\nga,4,1,200\nes,1,0,900\nes,2,0,900\nga,5,1,400\n";
    let chart = drawn(ChartKind::Cost, &samples(lines));
    let fields = ["series", "low", "q1", "median", "q3", "high", "unsolved"];
    let edge = rows(&chart.spec, &["high"])[0][0].clone();
    assert_eq!(
        rows(&chart.spec, &fields),
        [json!(["ga", 120.0, 200.0, 300.0, 400.0, edge, "1/5"]), json!(["es", null, null, null, null, null, "2/2"]),]
    );
    assert!(edge.as_f64() > Some(400.0), "the whisker ends at the lane: {edge}");
    let points = &chart.spec["layer"][3]["data"]["values"];
    let costs: Vec<_> = points.as_array().expect("points").iter().map(|point| point["cost"].clone()).collect();
    assert_eq!(costs, [100.0, 200.0, 300.0, 400.0]);
}

#[test]
fn times_are_counted_in_microseconds() {
    let lines =
        "algorithm,instance,solved,wall_ms\nga,1,1,0.25\nga,2,1,1.125\nga,3,1,2\nes,1,1,0.5\nes,2,1,0\nes,3,1,4\n";
    let samples = samples(lines);
    let chart = draw(ChartKind::Scatter, &ChartInput { unit: Metric::WallMs, ..input(&samples) }).expect("a chart");
    assert_eq!(rows(&chart.spec, &["x", "y"]), [json!([0.25, 0.5]), json!([1.125, 0.001]), json!([2.0, 4.0])]);
    assert!(chart.notes.contains(&"The chart draws a cost of 0 as 0.001.".to_owned()), "{:?}", chart.notes);
    assert_eq!(chart.spec["layer"][3]["encoding"]["x"]["axis"]["title"], json!(["ga", "expected wall time (ms)"]));
}

#[test]
fn what_is_to_be_known_of_work_stands_in_the_drawings_of_it() {
    let lines: String = (0..3).map(|id| format!("ga,10,{id},1,{id}.5\nga,20,{id},1,{id}.25\n")).collect();
    let samples = samples(&format!("algorithm,population,instance,solved,wall_ms\n{lines}"));
    let input = ChartInput { unit: Metric::WallMs, work_caveat: Some("loaded"), ..input(&samples) };
    let has_it = |kind| draw(kind, &input).expect("a chart").caveats.contains(&"loaded".to_owned());
    assert!([ChartKind::Ecdf, ChartKind::Cost, ChartKind::Profile, ChartKind::Scatter].into_iter().all(has_it));
    assert!(!has_it(ChartKind::Success), "it shows no work");
    let by_gap = ChartInput { metric: Metric::Gap, ..input };
    assert!(draw(ChartKind::Cost, &by_gap).expect("a chart").caveats.contains(&"loaded".to_owned()));
}

/// Costs of two algorithms on four instances: `a` 100, 400, unsolved, unsolved; `b` 200, 100, 50, unsolved.
const TWO: &str = "algorithm,instance,solved,evaluations\n\
    a,1,1,100\na,2,1,300\na,2,0,100\na,3,0,900\na,4,0,900\nb,1,1,200\nb,2,1,100\nb,3,1,50\nb,4,0,900\n";

#[test]
fn a_profile_counts_what_none_solves() {
    let chart = drawn(ChartKind::Profile, &samples(TWO));
    let end = chart.spec["encoding"]["x"]["scale"]["domain"][1].clone();
    assert_eq!(
        rows(&chart.spec, &["series", "x", "share"]),
        [
            json!(["a", 1.0, 0.25]),
            json!(["a", 4.0, 0.5]),
            json!(["a", end, 0.5]),
            json!(["b", 1.0, 0.5]),
            json!(["b", 2.0, 0.75]),
            json!(["b", end, 0.75]),
        ]
    );
    assert!(
        chart.notes.iter().any(|note| note.ends_with("Therefore the curves cannot reach 100 %.")
            && note.starts_with("Instances that no configuration solved: 1. ")),
        "{:?}",
        chart.notes
    );
}

#[test]
fn a_scatter_has_unsolved_instances_in_its_lanes() {
    let chart = drawn(ChartKind::Scatter, &samples(TWO));
    let points = rows(&chart.spec, &["instance", "across", "up", "x", "y"]);
    let texts: Vec<_> = points.iter().map(|point| point.as_array().expect("a row")[..3].to_vec()).collect();
    assert_eq!(
        texts,
        [["1", "100", "200"], ["2", "400", "100"], ["3", "unsolved", "50"], ["4", "unsolved", "unsolved"]]
            .map(|row| row.map(Value::from).to_vec())
    );
    let lane = &chart.spec["layer"][0]["data"]["values"][0];
    let place = |point: usize, axis: usize| points[point][3 + axis].as_f64().expect("a number");
    assert_eq!([place(0, 0), place(0, 1), place(1, 0), place(1, 1), place(2, 1)], [100.0, 200.0, 400.0, 100.0, 50.0]);
    for (point, axis) in [(2, 0), (3, 0), (3, 1)] {
        let [from, to] = ["from", "to"].map(|end| lane[end].as_f64().expect("a number"));
        assert!((from..to).contains(&place(point, axis)), "{points:?}");
    }
    assert_ne!(place(2, 0), place(3, 0), "they do not hide each other");
}

#[test]
fn ranks_say_what_differs() {
    // On every instance a before b before c; d and e share the last ranks, unsolved.
    let line = |at: usize| format!("a,{at},1,10\nb,{at},1,20\nc,{at},1,30\nd,{at},0,90\ne,{at},0,90\n");
    let lines: String = (0..30).map(line).collect();
    let chart = drawn(ChartKind::Ranks, &samples(&format!("algorithm,instance,solved,evaluations\n{lines}")));
    let texts = |layer: usize| -> Vec<Value> {
        let rows = chart.spec["layer"][layer]["data"]["values"].as_array().expect("rows");
        rows.iter().map(|row| row["text"].clone()).collect()
    };
    assert_eq!(
        (texts(2), texts(3)),
        (vec!["a (1.00)".into(), "b (2.00)".into(), "c (3.00)".into()], vec!["d (4.50)".into(), "e (4.50)".into()])
    );
    // 2.728 √(5·6/(6·30)).
    assert_eq!(texts(4), [json!("critical difference 1.11")]);
    let bars = chart.spec["layer"][1]["data"]["values"].as_array().expect("bars");
    let ends: Vec<[f64; 2]> =
        bars.iter().map(|bar| ["x", "x2"].map(|end| bar[end].as_f64().unwrap().round())).collect();
    assert_eq!(ends, [[1.0, 2.0], [2.0, 3.0], [4.0, 5.0]]);
    assert!(chart.notes[1].contains("p < 0.0001"), "{:?}", chart.notes);
}

#[test]
fn published_rates_stand_beside_ours_with_both_intervals() {
    let figures = ["Huke,100,easy,10,1,,,", "Huke,100,hard,,0.25,,,", "Huke,500,easy,10,0.5,,,"];
    let published = published("population,", &figures);
    let samples = groups(&[("ga", "100", "easy", 5, 10), ("ga", "100", "hard", 0, 10)]);
    let chart =
        draw(ChartKind::Published, &ChartInput { published: Some(&published), ..input(&samples) }).expect("a chart");
    assert_eq!(
        rows(&chart.spec, &["bucket", "series", "rate", "low", "high", "figure"]),
        [
            json!(["easy", "published", 1.0, 0.722467, 1.0, "100 % (72 to 100) of 10 runs"]),
            json!(["easy", "ours", 0.5, 0.209093, 0.790907, "50 % (20 to 80) of 10 runs"]),
            json!(["hard", "published", 0.25, null, null, "25 %"]),
            json!(["hard", "ours", 0.0, 0.0, 0.338509, "0 % (0 to 34) of 10 runs"]),
        ]
    );
}

/// A trace of two runs in a temporary folder.
fn traced(trigger: Trigger) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace.csv.gz");
    let mut writer = trace::Writer::new(std::fs::File::create(&path).expect("a file"), trigger).expect("a header");
    let point = |evaluations: u64, generation: u64, best_fitness: f64, diversity: f64| {
        let looked = matches!(trigger, Trigger::Every(_));
        let (mean_fitness, diversity) = (looked.then_some(50.0), looked.then_some(diversity));
        Point { evaluations, generation, best_fitness, mean_fitness, diversity }
    };
    writer.write(0, &[point(10, 1, 30.0, 0.75), point(20, 2, 10.0, 0.5), point(30, 3, 0.0, 0.25)]).expect("rows");
    writer.write(1, &[point(10, 1, 40.0, 0.8), point(20, 2, 20.0, 0.6)]).expect("rows");
    writer.finish().expect("an end");
    (folder, path)
}

const TRACED: &str =
    "run,algorithm,instance,solved,evaluations,generations\n0,ga,1,1,30,3\n1,ga,2,0,40,4\n2,ga,3,0,40,4\n";

const LITTLE: &str = "All curves come from fewer than 10 runs or 6 instances. Each of these curves comes from at least 3 runs and 3 instances.";

#[test]
fn a_convergence_carries_the_best_forward_to_the_end() {
    let (_folder, path) = traced(Trigger::Improvements);
    let samples = samples(TRACED);
    let chart = draw(ChartKind::Convergence, &ChartInput { trace: Some(&path), ..input(&samples) }).expect("a chart");
    // Equal quartiles in a row are drawn by the first and the last of them.
    assert_eq!(
        rows(&chart.spec, &["x", "low", "median", "high", "runs"]),
        [
            json!([10, 32.5, 35.0, 37.5, 2]),
            json!([19, 32.5, 35.0, 37.5, 2]),
            json!([20, 12.5, 15.0, 17.5, 2]),
            json!([29, 12.5, 15.0, 17.5, 2]),
            json!([30, 5.0, 10.0, 15.0, 2]),
            json!([40, 5.0, 10.0, 15.0, 2]),
        ]
    );
    assert_eq!(chart.caveats, [LITTLE, "1 of 3 runs have no trace."]);
    let marks: Vec<&Value> =
        chart.spec["layer"].as_array().expect("layers").iter().map(|layer| &layer["mark"]).collect();
    assert!(
        marks.iter().all(|mark| mark["interpolate"] == "step-after"),
        "a value that holds until it changes is a step"
    );
}

#[test]
fn a_diversity_is_of_the_runs_that_still_go_on() {
    let (_folder, path) = traced(Trigger::Every(1));
    let samples = samples(TRACED);
    let chart = draw(ChartKind::Diversity, &ChartInput { trace: Some(&path), ..input(&samples) }).expect("a chart");
    assert_eq!(
        rows(&chart.spec, &["x", "median", "runs"]),
        [json!([1, 0.775, 2]), json!([2, 0.55, 2]), json!([3, 0.25, 1])]
    );
    let left = "A curve includes each run until the last generation of the run. If some runs of a panel ended before the end of their curve, the panel title shows the percentage of runs that reach the curve's end. If the curves of a panel have different percentages, the title shows the lowest and the highest percentage.";
    let traced = "1 of 3 runs have no recorded diversity, because the trace is missing or contains no generation.";
    assert_eq!(chart.caveats, [LITTLE, traced, left]);
    let words = chart.spec["title"]["text"].as_array().expect("lines").last().cloned();
    assert_eq!(words, Some(json!("50 % of runs reach the curve's end")));
}
