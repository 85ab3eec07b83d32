//! What it costs to solve: quartiles and runs, the unsolved in a lane of their own.

use serde_json::{Value, json};

use super::axis::{Axis, Lane, spread};
use super::division::{Series, Wish, divide};
use super::vega::{self, Drawing, Sign, WIDTH, number};
use super::{Chart, Effort, Material, Name, Refusal, labels};
use crate::samples::{Key, Metric, Sample, Samples};
use evogrid_statistics::quantile;

/// A panel has at most so many rows.
const MOST_ROWS: usize = 24;

/// A row shows at most so many runs.
const MOST_RUNS: usize = 60;

/// Height of a row, and of its box, in pixels.
const ROW: usize = 20;
const BOX: usize = 10;

/// The quantiles of a row: ends of the whiskers, ends of the box, and the median.
const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// What it costs to solve, for each algorithm and bucket.
pub(super) fn chart(material: &Material<'_>) -> Result<Chart, Refusal> {
    let (samples, effort) = (material.samples, material.effort);
    if samples.missing.contains(&effort.column()) {
        return Err(Refusal::Column { column: effort.column() });
    }
    let runs: Vec<&Sample> = samples.runs.iter().collect();
    if !runs.iter().any(|run| run.outcome.solved) {
        return Err(Refusal::NothingSolved);
    }
    let wish = Wish { panels: vec![Key::Bucket], most: MOST_ROWS, few: MOST_ROWS, ..Wish::of_settings(samples) };
    let division = divide(samples, &runs, wish, material.by);
    let shown = || division.panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.runs);
    let solved = shown().filter(|run| run.outcome.solved).map(|run| cost(effort, run));
    let title = match effort {
        Effort::WallMs => "wall time to solve (ms)".to_owned(),
        Effort::Evaluations | Effort::Generations => format!("{} to solve", effort.title()),
    };
    let x = Axis::log(&title, solved, effort.format()).with_lane();
    let lane = x.lane.expect("it has one");

    let mut is_thinned = false;
    let drawings = division.panels.iter().enumerate().map(|(at, panel)| {
        let (mut boxes, mut points) = (Vec::new(), Vec::new());
        for series in &panel.series {
            let name = &division.names[series.name];
            boxes.push(summed_up(samples, effort, name, series, &x));
            points.extend(runs_of(samples, effort, name, series, &x));
            is_thinned |= series.runs.iter().filter(|run| run.outcome.solved).count() > MOST_RUNS;
        }
        Drawing {
            title: panel.title.clone(),
            sign: Sign::Marker,
            width: json!(WIDTH),
            height: json!(height(division.names.len())),
            rows: boxes,
            encoding: json!({}),
            layers: layers(&x, lane, &points, &rows(&division.names, division.legend.as_deref(), at % 2 == 0)),
        }
    });
    let drawings: Vec<Drawing> = drawings.collect();
    let title = if effort == Effort::WallMs { "Wall time to solve".to_owned() } else { title_case(&title) };
    let mut notes = vec![
        "Boxes are the quartiles of all runs, whiskers the quantiles of 5 and 95 %; an unsolved run counts as longer than any. \
         In the lane: unsolved runs of all."
            .to_owned(),
    ];
    if is_thinned {
        notes.push(format!("Of a row's solved runs {MOST_RUNS} are drawn, evenly over their order."));
    }
    notes.extend(effort.note(shown().copied()));
    notes.extend(division.notes);
    Ok(Chart { name: Name::Cost, spec: vega::description(&title, drawings), title, notes })
}

fn title_case(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

/// The rows: names stand beside the left panels only, and what they are values of below them: beside few rows it has no room.
fn rows(names: &[String], title: Option<&str>, has_labels: bool) -> Value {
    let mut axis = json!({ "title": null, "labels": has_labels, "domain": false, "ticks": false, "labelLimit": 200 });
    if let Some(title) = title.filter(|_| has_labels) {
        axis["title"] = json!(title);
        axis["titleAngle"] = json!(0);
        axis["titleAlign"] = json!("right");
        axis["titleBaseline"] = json!("top");
        axis["titleX"] = json!(-8);
        axis["titleY"] = json!(height(names.len()) + 5);
    }
    json!({ "field": "series", "type": "nominal", "title": "series", "scale": { "domain": names }, "axis": axis })
}

/// Pixels of so many rows.
fn height(rows: usize) -> usize {
    ROW * rows + 4
}

fn layers(x: &Axis, lane: Lane, points: &[Value], y: &Value) -> Vec<Value> {
    let encoding = |field: &str, other: Option<&str>| {
        let mut encoding = json!({ "x": x.encoding(field), "y": y });
        if let Some(other) = other {
            encoding["x2"] = vega::end(other);
        }
        encoding
    };
    let figures = vega::tooltip(&[
        ("series", "series", None),
        ("middle", "median", None),
        ("quartiles", "quartiles", None),
        ("unsolved", "unsolved", None),
    ]);
    let mut boxed = encoding("q1", Some("q3"));
    boxed["tooltip"] = figures.clone();
    let mut middle = encoding("median", None);
    middle["tooltip"] = figures.clone();
    let mut lost = encoding("lane", None);
    lost["text"] = json!({ "field": "unsolved", "type": "nominal", "title": "unsolved" });
    lost["tooltip"] = figures;
    let mut runs = encoding("x", None);
    runs["yOffset"] = json!({
        "field": "beside", "type": "quantitative", "title": "beside", "scale": { "domain": [-0.25, 1.25] },
    });
    runs["tooltip"] =
        vega::tooltip(&[("series", "series", None), ("run", "run", None), ("cost", "cost", Some(",.6~g"))]);
    vec![
        lane_of(&json!({ "x": x.encoding("from"), "x2": vega::end("to") }), lane.edge, x.domain[1]),
        json!({ "mark": "rule", "encoding": encoding("low", Some("high")) }),
        json!({ "mark": { "type": "bar", "size": BOX, "opacity": 0.45 }, "encoding": boxed }),
        json!({
            "data": { "values": points },
            "mark": { "type": "point", "size": 5, "opacity": 0.7 },
            "encoding": runs,
        }),
        json!({ "mark": { "type": "tick", "size": BOX + 4, "thickness": 2 }, "encoding": middle }),
        json!({ "mark": { "type": "text", "fontSize": 9 }, "encoding": lost }),
    ]
}

/// The ground of a lane.
pub(super) fn lane_of(encoding: &Value, from: f64, to: f64) -> Value {
    json!({
        "data": { "values": [{ "from": from, "to": to }] },
        "mark": { "type": "rect", "color": "gray", "opacity": 0.12, "stroke": null, "tooltip": null },
        "encoding": encoding,
    })
}

/// A run's cost, infinite if it was not solved.
fn cost(effort: Effort, run: &Sample) -> f64 {
    if run.outcome.solved { (effort.of(run) as f64 / effort.scale()).max(effort.least()) } else { f64::INFINITY }
}

/// The row of a series: its quantiles where they are drawn, and in words.
fn summed_up(samples: &Samples, effort: Effort, name: &str, series: &Series<'_>, x: &Axis) -> Value {
    let mut costs: Vec<f64> = series.runs.iter().map(|run| cost(effort, run)).collect();
    costs.sort_by(f64::total_cmp);
    let unsolved = costs.iter().filter(|cost| cost.is_infinite()).count();
    let quantiles = SHARES.map(|share| quantile(&costs, share).unwrap_or(f64::INFINITY));
    let metric = match effort {
        Effort::Evaluations => Metric::Evaluations,
        Effort::Generations => Metric::Generations,
        Effort::WallMs => Metric::WallMs,
    };
    let [q1, q3] = [quantiles[1], quantiles[3]].map(crate::samples::number);
    let mut row = json!({
        "series": name,
        "middle": metric.summed_up(samples, &series.runs),
        "quartiles": format!("{q1} to {q3}"),
    });
    // What reaches into the lane is drawn to its edge; what lies in it altogether has no place.
    let edge = x.lane.map_or(x.domain[1], |lane| lane.edge);
    let place = |value: f64| if value.is_finite() { number(value) } else { edge };
    for (from, to, [low, high]) in [("low", "high", [0, 4]), ("q1", "q3", [1, 3])] {
        if quantiles[low].is_finite() {
            row[from] = json!(place(quantiles[low]));
            row[to] = json!(place(quantiles[high]));
        }
    }
    if quantiles[2].is_finite() {
        row["median"] = json!(number(quantiles[2]));
    }
    if unsolved > 0 {
        row["lane"] = json!(x.place(f64::INFINITY));
        row["unsolved"] = json!(format!("{unsolved}/{}", costs.len()));
    }
    row
}

/// The solved runs of a series, or of many some, each a little beside the others.
fn runs_of(samples: &Samples, effort: Effort, name: &str, series: &Series<'_>, x: &Axis) -> Vec<Value> {
    let mut solved: Vec<&Sample> = series.runs.iter().copied().filter(|run| run.outcome.solved).collect();
    solved.sort_by(|a, b| cost(effort, a).total_cmp(&cost(effort, b)));
    let n = solved.len();
    let kept: Vec<&Sample> =
        if n <= MOST_RUNS { solved } else { (0..MOST_RUNS).map(|at| solved[at * (n - 1) / (MOST_RUNS - 1)]).collect() };
    let row = |(at, run): (usize, &Sample)| {
        let cost = cost(effort, run);
        json!({
            "series": name,
            "x": x.place(cost),
            "cost": number(cost),
            "beside": number(spread(at + 1, 2)),
            "run": format!("{}, repetition {}", labels::text(&samples.roster.instances[run.instance].id), run.repetition),
        })
    };
    kept.into_iter().enumerate().map(row).collect()
}
