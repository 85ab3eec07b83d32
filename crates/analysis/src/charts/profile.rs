//! Performance profiles: the share of instances that are solved within a multiple of the least cost.
//!
//! E. D. Dolan and J. J. Moré, "Benchmarking optimization software with performance profiles", Mathematical Programming 91,
//! 2002, doi:10.1007/s101070100263.

use serde_json::{Value, json};

use super::axis::Axis;
use super::division::{MOST_IN_PANEL, MOST_SERIES, Panel};
use super::expected::Expected;
use super::vega::{self, Drawing, HEIGHT, Sign, WIDTH, number};
use super::{Chart, Material, Name, Refusal};

/// A curve has at most so many steps.
const MOST_STEPS: usize = 250;

/// The share of instances within a ratio of the least expected cost.
pub(super) fn chart(material: &Material<'_>) -> Result<Chart, Refusal> {
    let mut expected = Expected::of(material, MOST_SERIES, 2)?;
    expected.division = expected.division.spread(MOST_IN_PANEL);
    let least = |costs: &[f64]| costs.iter().copied().fold(f64::INFINITY, f64::min);
    let ratio = |costs: &[f64], series: usize| match least(costs) {
        best if best.is_finite() => costs[series] / best,
        _ => f64::INFINITY,
    };
    let n = expected.division.names.len();
    let ratios: Vec<Vec<f64>> =
        (0..n).map(|series| expected.blocks.iter().map(|block| ratio(&block.costs, series)).collect()).collect();
    if ratios.iter().flatten().all(|ratio| ratio.is_infinite()) {
        return Err(Refusal::NothingSolved);
    }
    let unsolved = expected.blocks.iter().filter(|block| least(&block.costs).is_infinite()).count();

    let mut x = Axis::log("multiple of the least expected cost", ratios.iter().flatten().copied(), "~s");
    x.domain[0] = 1.0;
    let y = Axis::rate("instances solved");
    let styles = expected.division.styles(Sign::Line);
    let mut share = styles.dash(json!({ "y": y.encoding("share") }));
    share["tooltip"] = vega::tooltip(&[
        ("series", "series", None),
        ("x", "multiple", Some(",.3~g")),
        ("share", "instances", Some(".1%")),
    ]);
    let drawing = |panel: &Panel<'_>| Drawing {
        title: panel.title.clone(),
        sign: Sign::Line,
        width: json!(WIDTH),
        height: json!(HEIGHT),
        rows: panel
            .series
            .iter()
            .flat_map(|series| steps(&expected.division.names[series.name], &ratios[series.name], &x))
            .collect(),
        encoding: styles.color(json!({ "x": x.encoding("x") })),
        layers: vec![json!({ "mark": { "type": "line", "interpolate": "step-after" }, "encoding": share })],
    };
    let drawings = expected.division.panels.iter().map(drawing).collect();
    let title = "Performance profile".to_owned();
    let mut notes = vec![format!(
        "{} instances. Cost: {} of all runs over the number of solved ones; where none is solved it is infinite (Dolan and \
             Moré, 2002).",
        expected.blocks.len(),
        material.effort.title()
    )];
    if unsolved > 0 {
        notes.push(format!("Solved by none, and so out of every curve's reach: {unsolved}."));
    }
    notes.extend(expected.notes);
    Ok(Chart { name: Name::Profile, spec: vega::description(&title, drawings), title, notes })
}

/// The steps of a curve, from ratio 1 to the end of the axis.
fn steps(name: &str, ratios: &[f64], x: &Axis) -> Vec<Value> {
    let mut finite: Vec<f64> = ratios.iter().copied().filter(|ratio| ratio.is_finite()).collect();
    finite.sort_by(f64::total_cmp);
    let row = |at: f64, within: usize| json!({ "series": name, "x": number(at), "share": number(within as f64 / ratios.len() as f64) });
    let mut within = 0;
    let mut steps: Vec<(f64, usize)> = vec![(1.0, 0)];
    for equal in finite.chunk_by(|a, b| a == b) {
        within += equal.len();
        if equal[0] == 1.0 {
            steps.clear();
        }
        steps.push((equal[0], within));
    }
    let stride = steps.len().div_ceil(MOST_STEPS).max(1);
    let last = steps.len() - 1;
    let kept = steps.iter().enumerate().filter(|(at, _)| at % stride == 0 || *at == last);
    let mut rows: Vec<Value> = kept.map(|(_, &(at, within))| row(at, within)).collect();
    rows.push(row(x.domain[1], within));
    rows
}
