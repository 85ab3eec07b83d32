//! Charts of papers: the figures of distributions, effects, pairs, fronts and laws on small samples with known answers.

use super::*;

/// The rows of a layer that has its own.
fn layer_rows(panel: &Value, layer: usize, fields: &[&str]) -> Vec<Value> {
    let rows = panel["layer"][layer]["data"]["values"].as_array().expect("rows");
    rows.iter().map(|row| fields.iter().map(|field| row[field].clone()).collect()).collect()
}

fn refused(kind: ChartKind, csv: &str) -> String {
    draw(kind, &input(&samples(csv))).expect_err("it cannot be made").to_string()
}

#[test]
fn a_distribution_of_gaps_has_quartiles_and_a_lane_for_runs_without_a_solution() {
    let csv =
        "algorithm,instance,objective,best_known\na,x,101,100\na,x,102,100\na,x,103,100\na,x,104,100\na,x,105,100\n";
    let fields = ["low", "q1", "median", "q3", "high", "ended"];
    let chart = drawn(ChartKind::GapDistribution, &samples(csv));
    // numpy.quantile([1, 2, 3, 4, 5], [0.05, 0.25, 0.5, 0.75, 0.95]).
    assert_eq!(rows(&chart.spec, &fields), [json!([1.2, 2.0, 3.0, 4.0, 4.8, "0 of 5"])]);
    let points = layer_rows(&chart.spec, 3, &["cost"]);
    assert_eq!(points, [1.0, 2.0, 3.0, 4.0, 5.0].map(|gap| json!([gap])));
    let chart = drawn(ChartKind::GapDistribution, &samples(&(csv.to_owned() + "a,x,,100\na,x,,100\n")));
    assert_eq!(rows(&chart.spec, &["median", "ended", "unsolved"]), [json!([4.0, "2 of 7", "2/7"])]);
    assert!(chart.spec.to_string().contains("'none'"), "the lane has a name");
}

#[test]
fn a_curve_of_gaps_counts_the_runs_within_each() {
    let csv = "algorithm,instance,objective,best_known\na,1,100,100\na,2,101,100\na,3,101,100\na,4,103,100\na,5,,100\n";
    let chart = drawn(ChartKind::GapEcdf, &samples(csv));
    let end = chart.spec["encoding"]["x"]["scale"]["domain"][1].clone();
    assert_eq!(
        rows(&chart.spec, &["x", "share"]),
        [json!([0.0, 0.0]), json!([0.0, 0.2]), json!([1.0, 0.6]), json!([3.0, 0.8]), json!([end, 0.8])]
    );
}

#[test]
fn a_pair_has_its_effect_on_both_sides() {
    let mut csv = "algorithm,instance,repetition,solved\n".to_owned();
    for repetition in 0..40 {
        csv += &format!("careful,a,{repetition},true\nhasty,a,{repetition},{}\n", repetition % 2 == 0);
    }
    let chart = drawn(ChartKind::Pairs, &samples(&csv));
    assert_eq!(
        rows(&chart.spec, &["x", "y", "size", "p", "counts", "effect"]),
        [json!(["2", "1", "50", "p<0.0001", "1/0/0", 0.5]), json!(["1", "2", "-50", "p<0.0001", "0/0/1", -0.5]),]
    );
    assert_eq!(chart.spec["encoding"]["x"]["axis"]["title"], json!(["1: careful", "2: hasty"]));
    assert!(chart.notes[1].contains("for these instances"), "one instance: {:?}", chart.notes);
}

#[test]
fn a_pair_by_work_says_how_often_either_is_better() {
    // On instance 0 `a` is faster, on 1 slower, on 2 both take as long.
    let csv = "algorithm,instance,solved,evaluations\na,0,1,1\nb,0,1,2\na,1,1,5\nb,1,1,4\na,2,1,3\nb,2,1,3\n";
    let samples = samples(csv);
    let chart = draw(ChartKind::Pairs, &ChartInput { shown: Metric::Evaluations, ..input(&samples) }).expect("a chart");
    assert_eq!(rows(&chart.spec, &["size", "counts", "colour"])[0], json!(["50", "1/1/1", 0.0]));
}

/// The size matters by 10 on each instance, and the colour does not.
fn grid() -> Samples {
    let mut csv = "algorithm,size,colour,instance,repetition,gap\n".to_owned();
    for instance in 0..8 {
        for (size, gap) in [(1, 20), (2, 10)] {
            for colour in ["blue", "red"] {
                csv += &format!("a,{size},{colour},{instance},0,{}\n", gap + instance % 3);
            }
        }
    }
    samples(&csv)
}

#[test]
fn effects_of_settings_are_those_of_the_table() {
    let samples = grid();
    let chart = drawn(ChartKind::MainEffects, &samples);
    let [size, colour] = panels(&chart)[..] else { panic!("two settings") };
    assert_eq!(rows(size, &["x", "mean"]), [json!(["1", 20.875]), json!(["2", 10.875])]);
    assert_eq!(rows(colour, &["x", "mean"]), [json!(["blue", 15.875]), json!(["red", 15.875])]);
    let main = &crate::effects::effects(&samples, Metric::Gap).expect("effects").settings.expect("a grid").main;
    let p = evogrid_results::format::p_value(main[0].p_value);
    assert_eq!(size["title"]["text"], json!([format!("share 100 %, p {p}")]));
    let chart = drawn(ChartKind::Interactions, &samples);
    assert_eq!(
        rows(&chart.spec, &["x", "series", "mean"]),
        [
            json!(["1", "blue", 20.875]),
            json!(["1", "red", 20.875]),
            json!(["2", "blue", 10.875]),
            json!(["2", "red", 10.875])
        ]
    );
    let chart = drawn(ChartKind::Importance, &samples);
    assert_eq!(
        rows(&chart.spec, &["name", "alone", "total"]),
        [json!(["size", 1.0, 1.0]), json!(["colour", 0.0, 0.0])]
    );
    insta::assert_snapshot!(refused(ChartKind::Importance, "algorithm,instance,gap\na,1,1\nb,1,2\n"), @"the configurations do not form a grid; expected two or more settings whose values can be plotted");
}

#[test]
fn an_interaction_shows_lines_that_cross() {
    let mut csv = "algorithm,a,b,instance,gap\n".to_owned();
    for instance in 0..6 {
        for (a, b, gap) in [(1, 1, 0), (1, 2, 4), (2, 1, 4), (2, 2, 0)] {
            csv += &format!("x,{a},{b},{instance},{}\n", gap + instance);
        }
    }
    let chart = drawn(ChartKind::Interactions, &samples(&csv));
    let means = rows(&chart.spec, &["mean"]);
    assert_eq!(means, [2.5, 6.5, 6.5, 2.5].map(|mean| json!([mean])));
    let shares = rows(&drawn(ChartKind::Importance, &samples(&csv)).spec, &["name", "alone", "total"]);
    assert_eq!(shares, [json!(["a", 0.0, 0.5]), json!(["b", 0.0, 0.5]), json!(["a × b", 1.0, 1.0])]);
}

#[test]
fn the_front_is_of_what_none_beats() {
    let csv = "algorithm,instance,gap,cpu_ms\na,x,5,8\na,x,5,12\nb,x,2,20\nc,x,3,30\nd,x,2,25\n";
    let chart = drawn(ChartKind::Front, &samples(csv));
    let fields = ["name", "time", "value"];
    assert_eq!(rows(&chart.spec, &fields), [json!(["a", 10.0, 5.0]), json!(["b", 20.0, 2.0])]);
    assert_eq!(layer_rows(&chart.spec, 0, &fields), [json!(["d", 25.0, 2.0]), json!(["c", 30.0, 3.0])]);
    // A rate is better if it is higher.
    let csv = "algorithm,instance,solved,cpu_ms\na,x,0,10\nb,x,1,20\nc,x,0,30\n";
    let chart = drawn(ChartKind::Front, &samples(csv));
    assert_eq!(rows(&chart.spec, &fields), [json!(["a", 10.0, 0.0]), json!(["b", 20.0, 100.0])]);
    assert!(chart.caveats.iter().all(|caveat| !caveat.contains("Missing points")), "{:?}", chart.caveats);
    // What has no place is counted.
    let csv = "algorithm,instance,gap,cpu_ms,stop\na,x,1,10,time\nb,x,,20,failed\nc,x,3,30,time\n";
    let chart = drawn(ChartKind::Front, &samples(csv));
    let missing = chart.caveats.iter().find(|caveat| caveat.contains("Missing points")).expect("a caveat");
    assert!(
        missing.ends_with("one of its runs has no solution, or if all its runs failed. Missing points: 1."),
        "{missing}"
    );
}

#[test]
fn cost_grows_with_size_by_the_exponent() {
    let mut csv = "algorithm,instance,solved,evaluations\n".to_owned();
    let sizes = [10u64, 20, 40, 80];
    for (at, size) in sizes.iter().enumerate() {
        csv += &format!("a,i{at},1,{}\nb,i{at},{},{}\n", 3 * size * size, u8::from(at < 2), 50 * size);
    }
    let mut samples = samples(&csv);
    insta::assert_snapshot!(draw(ChartKind::Scaling, &input(&samples)).expect_err("no sizes"), @"the sizes of the instances are unknown; expected a results folder with a manifest.json");
    samples.sizes = sizes.iter().map(|&size| Some(size as f64)).collect();
    let chart = drawn(ChartKind::Scaling, &samples);
    let a: Vec<Value> = rows(&chart.spec, &["series", "x", "cost"]).into_iter().filter(|row| row[0] == "a").collect();
    assert_eq!(
        a,
        [
            json!(["a", 10.0, 300.0]),
            json!(["a", 20.0, 1200.0]),
            json!(["a", 40.0, 4800.0]),
            json!(["a", 80.0, 19_200.0])
        ]
    );
    let law = layer_rows(&chart.spec, 0, &["series", "x", "y", "exponent"]);
    assert_eq!(law, [json!(["a", 10.0, 300.0, 2.0]), json!(["a", 80.0, 19_200.0, 2.0])], "`b` solves two sizes");
    assert_eq!(
        chart.spec["encoding"]["x"]["axis"]["title"],
        json!(["instance size", "a: size^2.00 (2.00 to 2.00) of 4"])
    );
    assert!(
        chart.caveats.iter().any(|caveat| caveat.ends_with("exponents may be too small. Missing points: 2.")),
        "{:?}",
        chart.caveats
    );
}

#[test]
fn times_to_a_target_have_their_exponential_distribution() {
    let times = |times: &[u64]| -> String {
        let line = |time: &u64| format!("a,x,1,{time}\n");
        "algorithm,instance,solved,evaluations\n".to_owned() + &times.iter().map(line).collect::<String>()
    };
    let chart = drawn(ChartKind::TimeToTarget, &samples(&times(&[12, 7, 30, 9, 55])));
    assert_eq!(rows(&chart.spec, &["x", "share"])[..3], [json!([7.0, 0.0]), json!([7.0, 0.2]), json!([9.0, 0.4])]);
    // scipy.stats.expon.fit is (7, 15.6).
    let fitted = layer_rows(&chart.spec, 1, &["x", "share"]);
    assert_eq!((fitted.len(), &fitted[0]), (40, &json!([7.0, 0.0])));
    for row in &fitted {
        let [x, share] = [0, 1].map(|at| row[at].as_f64().expect("a number"));
        assert!((share - (1.0 - (-(x - 7.0) / 15.6).exp())).abs() < 1e-5, "{row}");
    }
    insta::assert_snapshot!(refused(ChartKind::TimeToTarget, &times(&[12, 7, 30, 9])), @"a fitted distribution needs 5 solved runs of one configuration on one instance");
}

#[test]
fn a_heat_map_of_configurations_has_any_metric() {
    let csv = "algorithm,instance,bucket,solved,cpu_ms,evaluations\n\
        a,1,e,1,10,5\na,2,e,1,20,5\na,3,h,0,900,5\nb,1,e,1,4000,5\nb,2,e,1,6000,5\nb,3,h,1,12345,5\n";
    let samples = samples(csv);
    let chart =
        draw(ChartKind::BucketHeatmap, &ChartInput { shown: Metric::CpuMs, ..input(&samples) }).expect("a chart");
    assert_eq!(
        rows(&chart.spec, &["x", "y", "text"]),
        [json!(["e", "b", "5000"]), json!(["e", "a", "15"]), json!(["h", "b", "12.3k"]), json!(["h", "a", "-"])],
        "the best by success first"
    );
    assert_eq!(layer_rows(&chart.spec, 1, &["x", "y"]), [json!(["h", "a"])], "unsolved is grey");
    assert_eq!(chart.spec["layer"][0]["encoding"]["color"]["scale"]["type"], "log");
    let by = [crate::samples::Key::Instance];
    let chart = draw(ChartKind::BucketHeatmap, &ChartInput { by: &by, ..input(&samples) }).expect("a chart");
    assert_eq!(rows(&chart.spec, &["x", "text"])[0], json!(["1", "100"]));
}

#[test]
fn a_caption_says_of_how_many_runs() {
    let chart = drawn(ChartKind::GapEcdf, &grid());
    let caption = chart.caption();
    assert!(
        caption.starts_with("Gaps of the runs: share within a limit (32 runs of 4 configurations on 8 instances). ")
    );
    assert!(chart.notes.iter().chain(&chart.caveats).all(|note| caption.contains(note.as_str())), "{caption}");
    let samples = grid();
    let few = ["6 runs are missing.".to_owned()];
    let silent = ChartInput { caveats: &few, has_notes: false, ..input(&samples) };
    let chart = draw(ChartKind::GapEcdf, &silent).expect("a chart");
    assert!(!chart.spec.to_string().contains(&few[0]) && chart.caption().contains(&few[0]));
}

#[test]
fn bars_of_several_series_stand_beside_each_other() {
    let samples = groups(&[("ga", "10", "easy", 5, 10), ("ga", "20", "easy", 5, 10), ("ga", "10", "hard", 1, 10)]);
    let chart = drawn(ChartKind::Success, &samples);
    let found = rows(&chart.spec, &["series", "x", "beside"]);
    let [low, high] = [0, 1].map(|end| chart.spec["encoding"]["x"]["scale"]["domain"][end].as_f64().expect("a number"));
    let beside = |at: usize| found[at][2].as_f64().expect("a number");
    assert_eq!((&found[0][1], &found[2][1]), (&json!(10.0), &json!(10.0)));
    assert!((beside(2) - beside(0) - 0.012 * (high - low)).abs() < 1e-4, "{found:?}");
    assert_eq!(chart.spec["encoding"]["x"]["field"], "beside");
}

#[test]
fn of_several_configurations_each_is_drawn_against_the_best() {
    let line = |at: usize| format!("slow,{at},1,90\nfast,{at},1,10\nmiddle,{at},1,50\n");
    let csv = "algorithm,instance,solved,evaluations\n".to_owned() + &(0..4).map(line).collect::<String>();
    let chart = drawn(ChartKind::Scatter, &samples(&csv));
    assert_eq!(chart.title, "Each configuration against the best, fast, instance by instance");
    let titles: Vec<Value> = panels(&chart).into_iter().map(|panel| panel["title"]["text"].clone()).collect();
    assert_eq!(titles, [json!(["slow"]), json!(["middle"])]);
    assert_eq!(rows(panels(&chart)[0], &["across", "up"])[0], json!(["10", "90"]));
}
