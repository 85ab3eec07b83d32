//! The cost of solving: quartiles and single runs, with unsolved runs in a separate lane.

use serde_json::{Value, json};

use crate::charts::axis::{Axis, spread, thinned};
use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::{Division, DivisionPlan, Series, divide};
use crate::charts::error::ChartError;
use crate::charts::labels::{self, rounded};
use crate::charts::vega::{self, Drawing, LegendSymbol, WIDTH};
use crate::charts::work_unit::WorkUnit;
use crate::metric::figure_text;
use crate::samples::{Key, Sample, Samples};
use evogrid_statistics::quantile;

/// A panel has at most this many rows.
const MOST_ROWS: usize = 24;

/// A row shows at most this many runs.
const MOST_RUNS: usize = 60;

/// Height of a row, of one with its name above it, and of its box, in pixels.
const ROW: usize = 20;
const NAMED_ROW: usize = 32;
const BOX: usize = 10;

/// A name longer than this would leave no room for the numbers beside it: it is placed above its row.
const LONGEST_NAME_BESIDE: usize = 16;

/// The quantiles of a row: ends of the whiskers, ends of the box, and the median.
const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// What it costs to solve, for each algorithm and bucket.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let (samples, unit) = (input.samples, input.unit);
    input.check_work()?;
    let runs = input.runs();
    if !runs.iter().any(|run| run.outcome.is_solved()) {
        return Err(ChartError::NothingSolved);
    }
    let by_settings = DivisionPlan::by_settings(samples);
    let plan = DivisionPlan { panels: vec![Key::Bucket], most_series: MOST_ROWS, few_series: MOST_ROWS, ..by_settings };
    let division = divide(input, &runs, plan).with_evidence("rows");
    let solved = division.runs().filter(|run| run.outcome.is_solved()).map(|run| cost(unit, run));
    let work = input.work_title();
    let axis_title = match work.strip_suffix(" (ms)") {
        Some(time) => format!("{time} to solve (ms)"),
        None => format!("{work} to solve"),
    };
    let mut x = Axis::log(&axis_title, solved, unit.format()).with_lane();

    let are_above = division.names.iter().any(|name| name.chars().count() > LONGEST_NAME_BESIDE);
    let row = if are_above { NAMED_ROW } else { ROW };
    x.title.extend(division.legend.iter().filter(|_| are_above).map(|legend| format!("rows: {legend}")));
    let mut is_thinned = false;
    let drawings = division.panels.iter().enumerate().map(|(at, panel)| {
        let (mut boxes, mut points) = (Vec::new(), Vec::new());
        for series in &panel.series {
            let name = &division.names[series.name];
            let mut solved: Vec<&Sample> = series.runs.iter().copied().filter(|run| run.outcome.is_solved()).collect();
            is_thinned |= solved.len() > MOST_RUNS;
            boxes.push(box_row(samples, unit, name, series, &x));
            points.extend(run_rows(samples, unit, name, &mut solved, &x));
        }
        Drawing {
            title: panel.title.clone(),
            symbol: LegendSymbol::Marker,
            width: json!(WIDTH),
            height: json!(row * division.names.len() + 4),
            rows: boxes,
            encoding: json!({}),
            layers: layers(&x, &points, &name_axis(&division, at % input.columns == 0, row), are_above),
        }
    });
    let drawings: Vec<Drawing> = drawings.collect();
    let mut notes = vec![
        "Boxes show the quartiles of all runs, and whiskers the quantiles of 5 and 95 %; an unsolved run counts as \
         longer than all others. The lane at the side shows how many of all runs are unsolved."
            .to_owned(),
    ];
    if is_thinned {
        notes.push(format!("Each row shows {MOST_RUNS} of its solved runs, spread evenly over their ranks."));
    }
    notes.extend(unit.note(division.runs()));
    notes.extend(input.unit_note());
    let title = axis_title[..1].to_uppercase() + &axis_title[1..];
    Ok(Chart::new(input, ChartKind::Cost, &title, drawings, division.remarks.after(notes)))
}

/// The channel of the rows: names stand only beside the left panels, with the name of their key below, since beside few rows it has no
/// room.
fn name_axis(division: &Division<'_>, is_left: bool, row: usize) -> Value {
    let (names, has_labels) = (&division.names, is_left && row == ROW);
    let mut axis = json!({ "title": null, "labels": has_labels, "domain": false, "ticks": false, "labelLimit": 200 });
    if let Some(title) = division.legend.as_ref().filter(|_| has_labels) {
        axis["title"] = json!(title);
        axis["titleAngle"] = json!(0);
        axis["titleAlign"] = json!("right");
        axis["titleBaseline"] = json!("top");
        axis["titleX"] = json!(-16);
        axis["titleY"] = json!(row * names.len() + 9);
    }
    json!({ "field": "series", "type": "nominal", "title": "series", "scale": { "domain": names }, "axis": axis })
}

fn layers(x: &Axis, points: &[Value], y: &Value, are_above: bool) -> Vec<Value> {
    let with_y = |mut encoding: Value| {
        encoding["y"] = y.clone();
        encoding
    };
    let at = |field: &str| with_y(json!({ "x": x.encoding(field) }));
    let between = |from: &str, to: &str| with_y(x.span("x", from, to));
    let figures = vega::tooltip(&[
        ("series", "series", None),
        ("middle", "median", None),
        ("quartiles", "quartiles", None),
        ("ended", "unsolved", None),
    ]);
    let mut boxes = between("q1", "q3");
    boxes["tooltip"] = figures.clone();
    let mut medians = at("median");
    medians["tooltip"] = figures.clone();
    let mut unsolved = at("lane");
    unsolved["text"] = json!({ "field": "unsolved", "type": "nominal", "title": "unsolved" });
    unsolved["tooltip"] = figures.clone();
    let mut failed = at("crossed");
    failed["text"] = json!({ "field": "failed", "type": "nominal", "title": "failed" });
    failed["tooltip"] = figures;
    let mut runs = at("x");
    runs["yOffset"] = json!({
        "field": "beside", "type": "quantitative", "title": "beside", "scale": { "domain": if are_above { [-0.7, 1.7] } else { [-0.25, 1.25] } },
    });
    runs["tooltip"] =
        vega::tooltip(&[("series", "series", None), ("run", "run", None), ("cost", "cost", Some(",.6~g"))]);
    let mut layers = vec![
        x.shaded_lane("x"),
        json!({ "mark": "rule", "encoding": between("low", "high") }),
        json!({ "mark": { "type": "bar", "size": BOX, "opacity": 0.45 }, "encoding": boxes }),
        json!({
            "data": { "values": points },
            "mark": { "type": "point", "size": 5, "opacity": 0.7 },
            "encoding": runs,
        }),
        json!({ "mark": { "type": "tick", "size": BOX + 4, "thickness": 2 }, "encoding": medians }),
        json!({ "mark": { "type": "text", "fontSize": 9 }, "encoding": unsolved }),
        json!({ "mark": { "type": "text", "fontSize": 9, "fontWeight": "bold" }, "encoding": failed }),
    ];
    if are_above {
        let mark = json!({ "type": "text", "align": "left", "baseline": "bottom", "dy": 3 - BOX as i64, "x": 0 });
        let name = json!({ "field": "series", "type": "nominal", "title": "series" });
        layers.push(json!({ "mark": mark, "encoding": with_y(json!({ "text": name })) }));
    }
    layers
}

/// A run's cost, infinite if it was not solved.
fn cost(unit: WorkUnit, run: &Sample) -> f64 {
    if run.outcome.is_solved() { unit.cost(unit.spent(run) as f64) } else { f64::INFINITY }
}

/// The row of a series: its quantiles if they are drawn, and in words.
fn box_row(samples: &Samples, unit: WorkUnit, name: &str, series: &Series<'_>, x: &Axis) -> Value {
    let mut costs: Vec<f64> = series.runs.iter().map(|run| cost(unit, run)).collect();
    costs.sort_by(f64::total_cmp);
    let n_failed = series.runs.iter().filter(|run| run.outcome.has_failed()).count();
    let n_unsolved = costs.iter().filter(|cost| cost.is_infinite()).count() - n_failed;
    let quantiles = SHARES.map(|share| quantile(&costs, share).unwrap_or(f64::INFINITY));
    let [q1, q3] = [quantiles[1], quantiles[3]].map(figure_text);
    let mut row = json!({
        "series": name,
        "middle": unit.metric().group_figure(samples, &series.runs),
        "quartiles": format!("{q1} to {q3}"),
        "ended": match n_failed {
            0 => format!("{n_unsolved} of {}", costs.len()),
            _ => format!("{n_unsolved} of {}, and {n_failed} failed", costs.len()),
        },
    });
    // What reaches into the lane is drawn to its edge; what lies in it altogether has no place.
    let edge = x.lane.map_or(x.domain[1], |lane| lane.edge);
    let place = |value: f64| if value.is_finite() { rounded(value) } else { edge };
    for (from, to, [low, high]) in [("low", "high", [0, 4]), ("q1", "q3", [1, 3])] {
        if quantiles[low].is_finite() {
            row[from] = json!(place(quantiles[low]));
            row[to] = json!(place(quantiles[high]));
        }
    }
    if quantiles[2].is_finite() {
        row["median"] = json!(rounded(quantiles[2]));
    }
    // What failed stands behind what is unsolved, both in the lane.
    let share = |count: usize| match format!("{count}/{}", costs.len()) {
        long if long.len() > if n_failed > 0 { 4 } else { 8 } => {
            match (100.0 * count as f64 / costs.len() as f64).round() {
                0.0 => "<1%".to_owned(),
                100.0 if count < costs.len() => ">99%".to_owned(),
                share => format!("{share}%"),
            }
        }
        text => text,
    };
    let [unsolved_part, failed_part] = if n_failed > 0 { [0.15, 0.85] } else { [0.5; 2] };
    if n_unsolved > 0 {
        row["lane"] = json!(x.place_beside(f64::INFINITY, unsolved_part));
        row["unsolved"] = json!(share(n_unsolved));
    }
    if n_failed > 0 {
        row["crossed"] = json!(x.place_beside(f64::INFINITY, failed_part));
        row["failed"] = json!(format!("×{n_failed}"));
    }
    row
}

/// A point for each solved run of a series, or for a sample if there are many, slightly displaced against each other.
fn run_rows(samples: &Samples, unit: WorkUnit, name: &str, solved: &mut [&Sample], x: &Axis) -> Vec<Value> {
    solved.sort_by(|a, b| cost(unit, a).total_cmp(&cost(unit, b)));
    let row = |(at, run): (usize, &Sample)| {
        let cost = cost(unit, run);
        let instance = labels::text(samples.value(Key::Instance, run));
        json!({
            "series": name,
            "x": x.place(cost),
            "cost": rounded(cost),
            "beside": rounded(spread(at + 1, 2)),
            "run": format!("{instance}, repetition {}", run.repetition),
        })
    };
    thinned(solved, MOST_RUNS).into_iter().enumerate().map(row).collect()
}
