//! Times to a target: for each instance how many runs are solved within a number of evaluations, with a fitted exponential distribution.
//!
//! Source: R. M. Aiex, M. G. C. Resende and C. C. Ribeiro, "TTT plots: a perl program to create time-to-target plots", Optimization
//! Letters 1, 2007, doi:10.1007/s11590-006-0031-4.

use serde_json::{Value, json};

use super::ecdf;
use crate::charts::axis::Axis;
use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::{DivisionPlan, divide};
use crate::charts::error::ChartError;
use crate::charts::labels::rounded;
use crate::charts::vega::LegendSymbol;
use crate::samples::{Key, Sample};
use evogrid_statistics::{ShiftedExponential, shifted_exponential};

/// With fewer solved runs of a configuration on an instance, a fit says nothing.
const LEAST_SOLVED: usize = 5;

/// The points of a fitted curve.
const FITTED: usize = 40;

/// The most curves in a panel: there are as many colours.
const MOST_CURVES: usize = 7;

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
        most_series: MOST_CURVES,
        few_series: MOST_CURVES,
        ..DivisionPlan::by_settings(input.samples)
    };
    let division = divide(input, &all, plan);
    let x = ecdf::work_axis(input, &division);
    let time = |run: &&Sample| (unit.cost(unit.spent(run) as f64), run.outcome.is_solved());
    let fitted = division.panels.iter().map(|panel| -> Vec<Value> {
        let fits = panel.series.iter().filter_map(|series| {
            let law = shifted_exponential(&series.runs.iter().map(time).collect::<Vec<_>>())?;
            (law.reached >= LEAST_SOLVED).then(|| points(&division.names[series.name], &law, &x))
        });
        fits.flatten().collect()
    });
    let fitted: Vec<Vec<Value>> = fitted.collect();
    if fitted.iter().all(Vec::is_empty) {
        return Err(ChartError::FewSolved { least: LEAST_SOLVED });
    }
    let what = if unit.is_time() { "a time" } else { "a number of evaluations" };
    let title = format!("Runs solved within {what}, by instance");
    let notes = [
        "Steps: the share of the runs on the instance that are solved within the cost; unsolved runs count too.",
        &format!(
            "Fine dots: an exponential distribution after a shift, fitted by maximum likelihood, with unsolved runs censored \
             at their end; drawn for at least {LEAST_SOLVED} solved runs. If it fits, restarts neither help nor harm after the \
             shift. `--where instance=NAME` chooses instances."
        ),
    ];
    let mut chart = ecdf::of_division(input, (ChartKind::TimeToTarget, &title), &division, &notes);
    let color = division.styles(LegendSymbol::Line).color(json!({ "y": Axis::rate("runs solved").encoding("share") }));
    let layer = |rows: Vec<Value>| {
        let mark = json!({ "type": "line", "strokeWidth": 0.9, "opacity": 0.8, "strokeDash": [2, 2] });
        json!({ "data": { "values": rows }, "mark": mark, "encoding": color })
    };
    for (at, rows) in fitted.into_iter().enumerate() {
        let is_only = division.panels.len() == 1;
        let panel = if is_only { &mut chart.spec } else { &mut chart.spec["concat"][at] };
        panel["layer"].as_array_mut().into_iter().for_each(|layers| layers.push(layer(rows.clone())));
    }
    Ok(chart)
}

/// The fitted distribution, from its shift to the end of the axis.
fn points(name: &str, fit: &ShiftedExponential, x: &Axis) -> Vec<Value> {
    let [low, high] = [fit.shift.max(x.domain[0]), x.domain[1]];
    let at = |part: usize| low * (high / low).powf(part as f64 / (FITTED - 1) as f64);
    let row = |part: usize| json!({ "series": name, "x": rounded(at(part)), "share": rounded(fit.share(at(part))) });
    (0..FITTED).map(row).collect()
}
