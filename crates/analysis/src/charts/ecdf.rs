//! How many runs are solved within so many evaluations: empirical cumulative distributions.

use serde_json::{Value, json};

use super::axis::Axis;
use super::division::{MOST_IN_PANEL, Series, Wish, divide};
use super::vega::{self, Drawing, HEIGHT, Sign, WIDTH, number};
use super::{Chart, Effort, Material, Name, Refusal};
use crate::samples::Sample;
use evogrid_statistics::{EcdfStep, ecdf};

/// A curve has at most so many steps: one in a panel's every pixel.
const MOST_STEPS: usize = 250;

/// More bands than this hide each other.
const MOST_BANDS: usize = 4;

/// The share of runs solved within so much effort.
pub(super) fn chart(material: &Material<'_>) -> Result<Chart, Refusal> {
    let effort = material.effort;
    if material.samples.missing.contains(&effort.column()) {
        return Err(Refusal::Column { column: effort.column() });
    }
    let runs: Vec<&Sample> = material.samples.runs.iter().collect();
    if !runs.iter().any(|run| run.outcome.solved) {
        return Err(Refusal::NothingSolved);
    }
    let division =
        divide(material.samples, &runs, Wish::of_settings(material.samples), material.by).spread(MOST_IN_PANEL);
    let spent = |run: &Sample| (effort.of(run) as f64 / effort.scale()).max(effort.least());
    let shown = || division.panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.runs);
    let x = Axis::log(effort.title(), shown().map(|run| spent(run)), effort.format());
    let y = Axis::rate("runs solved");
    let has_bands = division.panels.iter().all(|panel| panel.series.len() <= MOST_BANDS);

    let styles = division.styles(Sign::Line);
    let mut layers = Vec::new();
    if has_bands {
        let band = json!({ "y": y.encoding("low"), "y2": vega::end("high") });
        let mark = json!({ "type": "area", "interpolate": "step-after", "opacity": 0.15 });
        layers.push(json!({ "mark": mark, "encoding": band }));
    }
    let mut share = styles.dash(json!({ "y": y.encoding("share") }));
    share["tooltip"] = vega::tooltip(&[
        ("series", "series", None),
        ("x", effort.title(), Some(",.6~g")),
        ("share", "solved", Some(".1%")),
    ]);
    layers.push(json!({ "mark": { "type": "line", "interpolate": "step-after" }, "encoding": share }));

    let drawings = division.panels.iter().map(|panel| Drawing {
        title: panel.title.clone(),
        sign: Sign::Line,
        width: json!(WIDTH),
        height: json!(HEIGHT),
        rows: panel
            .series
            .iter()
            .flat_map(|series| steps(&division.names[series.name], series, effort, &x, has_bands))
            .collect(),
        encoding: styles.color(json!({ "x": x.encoding("x") })),
        layers: layers.clone(),
    });
    let title = format!("Runs solved within so many {}", effort.title());
    let title = if effort == Effort::WallMs { "Runs solved within a time".to_owned() } else { title };
    let spec = vega::description(&title, drawings.collect());
    let mut notes = vec![
        "Unsolved runs count: a curve ends at the share that was solved, and where its longest run ended.".to_owned(),
    ];
    notes.push(if has_bands {
        "The bands hold the whole true curve in 95 of 100 cases (Dvoretzky, Kiefer and Wolfowitz; Massart, 1990)."
            .to_owned()
    } else {
        format!("Bands are drawn for at most {MOST_BANDS} curves.")
    });
    notes.extend(effort.note(shown().copied()));
    notes.extend(division.notes);
    Ok(Chart { name: Name::Ecdf, title, spec, notes })
}

/// The steps of a series, from the first to where its longest run ended; with the band if it is drawn.
fn steps(name: &str, series: &Series<'_>, effort: Effort, x: &Axis, has_band: bool) -> Vec<Value> {
    let runs: Vec<(u64, bool)> = series.runs.iter().map(|run| (effort.of(run), run.outcome.solved)).collect();
    let steps = thinned(ecdf(&runs));
    let row = |at: f64, [share, low, high]: [f64; 3]| {
        let mut row = json!({ "series": name, "x": at, "share": number(share) });
        if has_band {
            row["low"] = json!(number(low));
            row["high"] = json!(number(high));
        }
        row
    };
    let at = |spent: u64| x.place((spent as f64 / effort.scale()).max(effort.least()));
    let longest = runs.iter().map(|&(spent, _)| spent).max().map_or(x.domain[0], at);
    let Some((first, last)) = steps.first().zip(steps.last()) else {
        return vec![row(x.domain[0], [0.0; 3]), row(longest, [0.0; 3])];
    };
    let ends = |step: &EcdfStep| [step.share, step.low, step.high];
    let mut rows = vec![row(at(first.evaluations), [0.0; 3])];
    rows.extend(steps.iter().map(|step| row(at(step.evaluations), ends(step))));
    // Where all are solved nothing more can happen: the curve goes on.
    rows.push(row(if last.share == 1.0 { x.domain[1] } else { longest }, ends(last)));
    rows
}

/// Of many steps those that differ in height by more than a pixel, and the first and last.
fn thinned(steps: Vec<EcdfStep>) -> Vec<EcdfStep> {
    if steps.len() <= MOST_STEPS {
        return steps;
    }
    let n = steps.len() - 1;
    let kept = (0..MOST_STEPS).map(|at| steps[at * n / (MOST_STEPS - 1)]);
    kept.collect()
}
