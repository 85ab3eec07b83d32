//! Times to a target: for each instance how many runs are solved within a number of evaluations, with a fitted exponential distribution.
//!
//! Source: R. M. Aiex, M. G. C. Resende and C. C. Ribeiro, "TTT plots: a perl program to create time-to-target plots", Optimization
//! Letters 1, 2007, doi:10.1007/s11590-006-0031-4.

use serde_json::{Value, json};

use crate::charts::axis::{Axis, thinned};
use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::{DivisionPlan, MOST_PANELS, Series, divide};
use crate::charts::error::ChartError;
use crate::charts::labels::rounded;
use crate::charts::vega::{self, LegendSymbol};
use crate::samples::{Key, Sample};
use evogrid_statistics::{ShiftedExponential, ecdf, shifted_exponential};

/// With fewer solved runs of a configuration on an instance, a fit says nothing.
const LEAST_SOLVED: usize = 5;

/// The points of a curve, and of a fitted one.
const MOST_STEPS: usize = 100;
const FITTED: usize = 40;

/// The share of solved runs of each instance by their cost.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let unit = input.unit;
    input.check_work()?;
    let all = input.runs();
    if !all.iter().any(|run| run.outcome.is_solved()) {
        return Err(ChartError::NothingSolved);
    }
    let plan = DivisionPlan {
        panels: vec![Key::Instance],
        most_series: 7,
        few_series: 7,
        ..DivisionPlan::by_settings(input.samples)
    };
    let division = divide(input, &all, plan);
    let fit = |series: &Series<'_>| {
        let time = |run: &&Sample| (unit.cost(unit.spent(run) as f64), run.outcome.is_solved());
        let times: Vec<(f64, bool)> = series.runs.iter().map(time).collect();
        shifted_exponential(&times).filter(|law| law.reached >= LEAST_SOLVED)
    };
    let fits: Vec<Option<ShiftedExponential>> = division.series().map(fit).collect();
    if fits.iter().all(Option::is_none) {
        return Err(ChartError::FewSolved { least: LEAST_SOLVED });
    }
    let x = Axis::log(input.work_title(), division.runs().map(|run| unit.cost(unit.spent(run) as f64)), unit.format());
    let y = Axis::rate("runs solved");
    let styles = division.styles(LegendSymbol::Line);
    let mut curve = vega::step_curve(&styles, &y, (input.work_title(), ",.6~g"), "solved");
    curve["mark"]["strokeWidth"] = json!(1.6);
    let mut of_series = fits.iter();
    let mut fitted: Vec<Vec<Value>> = Vec::new();
    for panel in &division.panels {
        let own = panel.series.iter().zip(of_series.by_ref());
        fitted.push(
            own.flat_map(|(series, fit)| {
                fit.map(|fit| points(&division.names[series.name], &fit, &x)).unwrap_or_default()
            })
            .collect(),
        );
    }
    let mut drawings = division.drawings(LegendSymbol::Line, &x, &[curve], |name, series| {
        let runs: Vec<(u64, bool)> = series.runs.iter().map(|run| (unit.spent(run), run.outcome.is_solved())).collect();
        let row = |at: f64, share: f64| json!({ "series": name, "x": x.place(at), "share": rounded(share) });
        let steps = thinned(&ecdf(&runs), MOST_STEPS);
        let last = steps.last().map_or(0.0, |step| step.share);
        let end = runs.iter().map(|(spent, _)| *spent).max().unwrap_or_default();
        let first = steps.first().map_or(end, |step| step.evaluations);
        let mut rows = vec![row(unit.cost(first as f64), 0.0)];
        rows.extend(steps.iter().map(|step| row(unit.cost(step.evaluations as f64), step.share)));
        rows.push(row(unit.cost(end as f64), last));
        rows
    });
    for (drawing, fitted) in drawings.iter_mut().zip(fitted) {
        drawing.layers.push(json!({
            "data": { "values": fitted },
            "mark": { "type": "line", "strokeWidth": 0.9, "opacity": 0.8, "strokeDash": [2, 2] },
            "encoding": styles.color(json!({ "y": y.encoding("share") })),
        }));
    }
    let notes = [
        "Steps: the share of the runs on the instance that are solved within the cost; unsolved runs count too."
            .to_owned(),
        format!(
            "Fine dots: an exponential distribution after a shift, fitted by maximum likelihood, with unsolved runs censored \
             at their end; drawn for at least {LEAST_SOLVED} solved runs. If it fits, restarts neither help nor harm after the \
             shift."
        ),
    ];
    let title = format!(
        "Runs solved within {}, by instance",
        if unit.is_time() { "a time" } else { "a number of evaluations" }
    );
    let mut notes = notes.to_vec();
    if division.panels.len() == MOST_PANELS {
        notes.push("`--where instance=NAME` chooses other instances.".to_owned());
    }
    Ok(Chart::new(input, ChartKind::TimeToTarget, &title, drawings, division.remarks.after(notes)))
}

/// The fitted distribution, from its shift to the end of the axis.
fn points(name: &str, fit: &ShiftedExponential, x: &Axis) -> Vec<Value> {
    let [low, high] = [fit.shift.max(x.domain[0]), x.domain[1]];
    let at = |part: usize| low * (high / low).powf(part as f64 / (FITTED - 1) as f64);
    let row = |part: usize| json!({ "series": name, "x": rounded(at(part)), "share": rounded(fit.share(at(part))) });
    (0..FITTED).map(row).collect()
}
