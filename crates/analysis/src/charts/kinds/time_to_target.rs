//! Times to a target: for each instance the share of runs solved within a cost, with a fitted exponential distribution.
//!
//! Source: R. M. Aiex, M. G. C. Resende and C. C. Ribeiro, "TTT plots: a perl program to create time-to-target plots", Optimization
//! Letters 1, 2007, doi:10.1007/s11590-006-0031-4.

use serde_json::{Value, json};

use super::ecdf;
use crate::charts::{
    Axis, ChartError, ChartInput, Content, DivisionPlan, Filling, HEIGHT, LegendSymbol, NOTHING_SOLVED, divide,
    refused, rounded,
};
use crate::samples::{Key, Sample};
use evogrid_statistics::{ShiftedExponential, shifted_exponential};

/// The minimum number of solved runs of a configuration on an instance for a fit.
const LEAST_SOLVED: usize = 5;

/// The number of points of a fitted curve.
const FITTED: usize = 40;

/// The maximum number of curves in a panel, which is the number of colours.
const MOST_CURVES: usize = 7;

/// The share of solved runs of each instance by their cost.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let unit = input.unit;
    input.check_work()?;
    if !input.samples.runs.iter().any(|run| run.outcome.is_solved()) {
        return Err(refused(NOTHING_SOLVED));
    }
    let plan = DivisionPlan {
        panels: vec![Key::Instance],
        most_series: MOST_CURVES,
        few_series: MOST_CURVES,
        ..DivisionPlan::by_settings(input.samples)
    };
    let division = divide(input, input.runs(), plan);
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
        return Err(refused(format!(
            "the fit of a distribution needs {LEAST_SOLVED} solved runs of a configuration on an instance"
        )));
    }
    let what = if unit.is_time() { "a time" } else { "a number of evaluations" };
    let title = format!("Runs solved within {what}, by instance");
    let notes = vec![
        "Steps: the share of the runs on the instance that are solved within the cost; unsolved runs count too."
            .to_owned(),
        format!(
            "Fine dots: an exponential distribution after a shift, fitted by maximum likelihood, with unsolved runs censored \
             at their end; drawn for at least {LEAST_SOLVED} solved runs. If it fits, restarts neither help nor harm after the \
             shift. `--where instance=NAME` chooses instances."
        ),
    ];
    let mut content = ecdf::of_division(input, title, &division, notes, true);
    let (y, styles) = (Axis::rate("runs solved"), division.styles(LegendSymbol::Line));
    for (drawing, rows) in content.drawings.iter_mut().zip(fitted) {
        let values = [("points", json!(rows))];
        let filling = Filling { axes: [None, Some(&y)], styles: Some(&styles), values: &values };
        drawing.upper_layers = filling.drawing("fitted", "", HEIGHT, Vec::new()).layers;
    }
    Ok(content)
}

/// The fitted distribution, from its shift to the end of the axis.
fn points(name: &str, fit: &ShiftedExponential, x: &Axis) -> Vec<Value> {
    let [low, high] = [fit.shift.max(x.domain[0]), x.domain[1]];
    let at = |part: usize| low * (high / low).powf(part as f64 / (FITTED - 1) as f64);
    let row = |part: usize| json!({ "series": name, "x": rounded(at(part)), "share": rounded(fit.share(at(part))) });
    (0..FITTED).map(row).collect()
}
