//! How many runs are solved within a number of evaluations: empirical cumulative distributions.

use serde_json::{Value, json};

use crate::charts::axis::{Axis, thinned};
use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::{DivisionPlan, MOST_IN_PANEL, Series, divide};
use crate::charts::error::ChartError;
use crate::charts::evidence::runs_of_instances;
use crate::charts::labels::rounded;
use crate::charts::vega::{self, LegendSymbol};
use crate::charts::work_unit::WorkUnit;
use crate::samples::Sample;
use evogrid_statistics::{EcdfStep, weighted_ecdf};

/// A curve has at most this many steps: one for every pixel of a panel.
const MOST_STEPS: usize = 250;

/// More bands than this hide each other.
const MOST_BANDS: usize = 4;

/// The share of runs solved within a given amount of work.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let unit = input.unit;
    input.check_work()?;
    let runs = input.runs();
    if !runs.iter().any(|run| run.outcome.is_solved()) {
        return Err(ChartError::NothingSolved);
    }
    let division =
        divide(input, &runs, DivisionPlan::by_settings(input.samples)).spread(MOST_IN_PANEL).with_evidence("curves");
    let ended = division.runs().filter(|run| !run.outcome.has_failed());
    let x = Axis::log(input.work_title(), ended.map(|run| unit.cost(unit.spent(run) as f64)), unit.format());
    let y = Axis::rate("runs solved");
    let has_bands = division.panels.iter().all(|panel| panel.series.len() <= MOST_BANDS);
    let mut layers = Vec::new();
    if has_bands {
        let mark = json!({ "type": "area", "interpolate": "step-after", "opacity": 0.15 });
        layers.push(json!({ "mark": mark, "encoding": y.span("y", "low", "high") }));
    }
    layers.push(vega::step_curve(&division.styles(LegendSymbol::Line), &y, (input.work_title(), ",.6~g"), "solved"));
    let drawings =
        division.drawings(LegendSymbol::Line, &x, &layers, |name, series| steps(name, series, unit, &x, has_bands));
    let title = if unit.is_time() {
        "Runs solved within a time".to_owned()
    } else {
        format!("Runs solved within a number of {}", input.work_title())
    };
    let mut notes = vec![
        "Unsolved runs count too: a curve ends at its share of solved runs, at the end of its longest run.".to_owned(),
    ];
    notes.push(if has_bands {
        "The bands contain the whole true curve of these instances in 95 of 100 cases (Dvoretzky, Kiefer and \
         Wolfowitz; Massart, 1990); for other instances they are too narrow."
            .to_owned()
    } else {
        format!("Bands are drawn for at most {MOST_BANDS} curves.")
    });
    notes.extend(unit.note(division.runs()));
    notes.extend(input.unit_note());
    Ok(Chart::new(input, ChartKind::Ecdf, &title, drawings, division.remarks.after(notes)))
}

/// The steps of a series, from the first to where its longest run ended; with the band if it is drawn.
fn steps(name: &str, series: &Series<'_>, unit: WorkUnit, x: &Axis, has_band: bool) -> Vec<Value> {
    let counts = runs_of_instances(&series.runs);
    let fewest = counts.values().copied().min().unwrap_or_default();
    // Instances weigh equally; if they have as many runs, each run weighs 1, and shares are exact.
    let weight = |run: &Sample| fewest as f64 / counts[&run.instance()] as f64;
    let runs = series.runs.iter().map(|run| (unit.spent(run), run.outcome.is_solved(), weight(run)));
    let steps = thinned(&weighted_ecdf(&runs.collect::<Vec<_>>()), MOST_STEPS);
    let row = |at: f64, [share, low, high]: [f64; 3]| {
        let mut row = json!({ "series": name, "x": at, "share": rounded(share) });
        if has_band {
            row["low"] = json!(rounded(low));
            row["high"] = json!(rounded(high));
        }
        row
    };
    let at = |spent: u64| x.place(unit.cost(spent as f64));
    let ended = series.runs.iter().filter(|run| !run.outcome.has_failed());
    let longest = ended.map(|run| unit.spent(run)).max().map_or(x.domain[0], at);
    let Some((first, last)) = steps.first().zip(steps.last()) else {
        return vec![row(x.domain[0], [0.0; 3]), row(longest, [0.0; 3])];
    };
    let ends = |step: &EcdfStep| [step.share, step.low, step.high];
    let mut rows = vec![row(at(first.evaluations), [0.0; 3])];
    rows.extend(steps.iter().map(|step| row(at(step.evaluations), ends(step))));
    // Where all are solved nothing more can happen: the curve reaches the end of the axis.
    rows.push(row(
        if series.runs.iter().all(|run| run.outcome.is_solved()) { x.domain[1] } else { longest },
        ends(last),
    ));
    rows
}
