//! Performance profiles: the share of instances that are solved within a multiple of the lowest cost.
//!
//! E. D. Dolan and J. J. Moré, "Benchmarking optimization software with performance profiles", Mathematical Programming 91,
//! 2002, doi:10.1007/s101070100263.

use serde_json::{Value, json};

use crate::charts::{
    Axis, ChartError, ChartInput, Content, ExpectedCosts, LegendSymbol, MOST_IN_PANEL, MOST_SERIES, NOTHING_SOLVED,
    refused, rounded,
};

/// The maximum number of steps of a curve.
const MOST_STEPS: usize = 250;

/// The share of instances solved within a ratio of the lowest expected cost.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let ExpectedCosts { division, blocks } = ExpectedCosts::new(input, MOST_SERIES, 2)?;
    let division = division.spread(MOST_IN_PANEL).with_evidence("curves");
    let least = |costs: &[f64]| costs.iter().copied().fold(f64::INFINITY, f64::min);
    let ratio = |costs: &[f64], series: usize| match least(costs) {
        best if best.is_finite() => costs[series] / best,
        _ => f64::INFINITY,
    };
    let ratios: Vec<Vec<f64>> = (0..division.names.len())
        .map(|series| blocks.iter().map(|block| ratio(&block.costs, series)).collect())
        .collect();
    if ratios.iter().flatten().all(|ratio| ratio.is_infinite()) {
        return Err(refused(NOTHING_SOLVED));
    }
    let unsolved = blocks.iter().filter(|block| least(&block.costs).is_infinite()).count();

    let mut x = Axis::log("multiple of the lowest expected cost", ratios.iter().flatten().copied(), "~s");
    x.domain[0] = 1.0;
    let y = Axis::rate("instances solved");
    let tooltip = json!(["series", "x = multiple | ,.3~g", "share = instances | .1%"]);
    let values = [("has_bands", json!(false)), ("tooltip", tooltip)];
    let drawings = division
        .drawings("steps", LegendSymbol::Line, [&x, &y], &values, |name, series| steps(name, &ratios[series.name], &x));
    let mut notes = vec![format!(
        "{} instances. Cost: {} of all runs divided by the number of solved ones; infinite if none is solved (Dolan \
         and Moré, 2002).",
        blocks.len(),
        input.work_title()
    )];
    if unsolved > 0 {
        notes.push(format!("No configuration solved these instances, so the curves cannot reach 100 %: {unsolved}."));
    }
    Ok(Content::new("Performance profile", drawings, division.remarks.after(notes)))
}

/// The steps of a curve, from ratio 1 to the end of the axis.
fn steps(name: &str, ratios: &[f64], x: &Axis) -> Vec<Value> {
    let mut finite: Vec<f64> = ratios.iter().copied().filter(|ratio| ratio.is_finite()).collect();
    finite.sort_by(f64::total_cmp);
    let row = |at: f64, within: usize| json!({ "series": name, "x": rounded(at), "share": rounded(within as f64 / ratios.len() as f64) });
    let mut within = 0;
    let mut steps: Vec<(f64, usize)> = vec![(1.0, 0)];
    for equal in finite.chunk_by(|a, b| a == b) {
        within += equal.len();
        if equal[0] == 1.0 {
            steps.clear();
        }
        steps.push((equal[0], within));
    }
    let stride = steps.len().div_ceil(MOST_STEPS);
    let last = steps.len() - 1;
    let kept = steps.iter().enumerate().filter(|(at, _)| at % stride == 0 || *at == last);
    let mut rows: Vec<Value> = kept.map(|(_, &(at, within))| row(at, within)).collect();
    rows.push(row(x.domain[1], within));
    rows
}
