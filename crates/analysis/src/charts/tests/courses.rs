//! Charts of many targets: their figures are those of iohinspector 0.0.8 and moocore 0.3.2, printed by `scripts/anytime.py --fixture`.

use super::*;

/// Evaluations and distance in per cent at each improvement; all runs use up 400 evaluations.
const ONE: [&[(u64, f64)]; 3] =
    [&[(1, 40.0), (8, 9.0), (50, 0.5), (200, 0.0)], &[(1, 25.0), (30, 2.0)], &[(1, 4.0), (90, 1.0)]];
const TWO: [&[(u64, f64)]; 2] = [&[(1, 120.0), (100, 30.0), (300, 3.0)], &[(1, 60.0), (40, 12.0), (350, 0.02)]];

/// A chart of the runs, where a distance makes this value; `more` follows each line.
fn drawn_of(kind: ChartKind, best_known: &str, fitness: &str, value: impl Fn(f64) -> f64) -> Result<Chart, ChartError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace.csv.gz");
    let file = std::fs::File::create(&path).expect("a file");
    let mut writer = trace::Writer::new(file, Trigger::Improvements).expect("a header");
    let mut lines = "run,algorithm,instance,objective,best_known,fitness,best_fitness,evaluations\n".to_owned();
    let runs = ONE.iter().map(|course| ("one", course)).chain(TWO.iter().map(|course| ("two", course)));
    for ((algorithm, course), run) in runs.zip(0..) {
        let point = |&(evaluations, distance): &(u64, f64)| Point {
            evaluations,
            generation: 0,
            best_fitness: value(distance),
            mean_fitness: None,
            diversity: None,
        };
        let points: Vec<Point> = course.iter().map(point).collect();
        writer.write(run, &points).expect("rows");
        let last = points[points.len() - 1].best_fitness;
        lines += &format!("{run},{algorithm},x,{last},{best_known},{fitness},{last},400\n");
    }
    writer.finish().expect("an end");
    let samples = samples(&lines);
    draw(kind, &ChartInput { trace: Some(&path), ..input(&samples) })
}

fn of_gaps(kind: ChartKind) -> Chart {
    drawn_of(kind, "100", "length", |distance| 100.0 + distance).expect("a chart")
}

/// The fields of a series at the first of its points from each of these on.
fn at(chart: &Chart, series: &str, points: &[f64], fields: &[&str]) -> Vec<Value> {
    let rows = chart.spec["data"]["values"].as_array().expect("rows");
    let of_point = |point: &f64| {
        let mut own = rows.iter().filter(|row| row["series"] == series && row["x"].as_f64() >= Some(*point));
        let row = own.next().expect("a point");
        fields.iter().map(|field| row[field].clone()).collect()
    };
    points.iter().map(of_point).collect()
}

/// Numbers of evaluations between which nothing improves but at their beginning.
const POINTS: [f64; 6] = [1.0, 8.0, 40.0, 100.0, 300.0, 400.0];

#[test]
fn the_share_of_targets_is_that_of_iohinspector() {
    let chart = of_gaps(ChartKind::Targets);
    let one = [0.199828, 0.253813, 0.345222, 0.5, 0.641581, 0.641581];
    let two = [0.0277311, 0.0277311, 0.115102, 0.180462, 0.305462, 0.652731];
    assert_eq!(at(&chart, "one", &POINTS, &["share"]), one.map(|share| json!([share])));
    assert_eq!(at(&chart, "two", &POINTS, &["share"]), two.map(|share| json!([share])));
    // 0.339771 and 0.090173 by `get_aocc`.
    assert!(
        chart.notes[1].ends_with("from 1 to 400 evaluations (the largest possible area is 1): one 0.340; two 0.090."),
        "{:?}",
        chart.notes
    );
}

#[test]
fn the_expected_running_time_of_a_target_is_that_of_iohinspector() {
    let chart = of_gaps(ChartKind::FixedTarget);
    let found = |series: &str, target: f64| {
        let rows = chart.spec["data"]["values"].as_array().expect("rows");
        rows.iter()
            .find(|row| row["series"] == series && row["x"] == target)
            .map(|row| (row["ert"].clone(), row["reached"].clone()))
    };
    let some = |ert: f64, reached: &str| Some((json!(ert), json!(reached)));
    let one = [
        (100.0, 1.0, "3 of 3 runs"),
        (10.0, 13.0, "3 of 3 runs"),
        (1.0, 270.0, "2 of 3 runs"),
        (0.1, 1000.0, "1 of 3 runs"),
        (0.01, 1000.0, "1 of 3 runs"),
    ];
    one.iter().for_each(|&(target, ert, reached)| assert_eq!(found("one", target), some(ert, reached), "{target}"));
    let two = [
        (100.0, 50.5, "2 of 2 runs"),
        (10.0, 325.0, "2 of 2 runs"),
        (1.0, 750.0, "1 of 2 runs"),
        (0.1, 750.0, "1 of 2 runs"),
    ];
    two.iter().for_each(|&(target, ert, reached)| assert_eq!(found("two", target), some(ert, reached), "{target}"));
    assert_eq!(found("two", 0.01), None, "no run reached it");
}

#[test]
fn the_attainment_surfaces_are_those_of_moocore() {
    let chart = of_gaps(ChartKind::Convergence);
    let fields = ["quarter", "half", "most"];
    let one = [[4.0, 25.0, 40.0], [4.0, 9.0, 25.0], [2.0, 4.0, 9.0], [0.5, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]];
    let two = [
        [60.0, 60.0, 120.0],
        [60.0, 60.0, 120.0],
        [12.0, 12.0, 120.0],
        [12.0, 12.0, 30.0],
        [3.0, 3.0, 12.0],
        [0.02, 0.02, 3.0],
    ];
    assert_eq!(at(&chart, "one", &POINTS, &fields), one.map(|row| json!(row)));
    assert_eq!(at(&chart, "two", &POINTS, &fields), two.map(|row| json!(row)));
}

#[test]
fn without_best_known_values_the_scale_is_that_of_the_runs() {
    // The best is at 0.0 and the worst first value at 120.0, whatever the unit and direction.
    let charts = [
        drawn_of(ChartKind::Convergence, "", "length", |distance| distance + 7.0),
        drawn_of(ChartKind::Convergence, "", "profit (maximised)", |distance| 50.0 - 3.0 * distance),
    ];
    for chart in charts {
        let chart = chart.expect("a chart");
        let rows = at(&chart, "two", &[1.0, 400.0], &["quarter", "half", "most"]);
        assert_eq!(rows, [json!([50.0, 50.0, 100.0]), json!([0.0166667, 0.0166667, 2.5])]);
        assert!(
            chart
                .notes
                .iter()
                .any(|note| note
                    .contains("first value of each run: a distance of 100 % means the worst of these values")),
            "{:?}",
            chart.notes
        );
    }
}
