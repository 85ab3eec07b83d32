//! Success rates over two varied settings, in colour, with the number in each cell.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::charts::best::standing;
use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::{Division, DivisionPlan, MOST_PANELS, MOST_VALUES, Panel, best_panels, divide, ordered};
use crate::charts::error::ChartError;
use crate::charts::evidence::Evidence;
use crate::charts::labels::{self, rounded};
use crate::charts::vega::{self, Drawing, LETTER, LegendSymbol};
use crate::metric::Rate;
use crate::samples::{Key, Sample, Samples};

/// The largest width of a cell, in pixels: room for `100`, or for a label below it.
const WIDTHS: [usize; 2] = [26, 48];

/// The height of few rows, in pixels: beside them the name of their setting needs room.
const HEIGHTS: [usize; 2] = [20, 34];

/// Pixels of a row of cells, if their width allows it.
const ROW: usize = 240;

/// A setting on an axis: its key, its values, and how they are shown.
struct SettingAxis<'a> {
    key: Key,
    values: Vec<&'a str>,
    labels: Vec<String>,
}

/// The success rate over two varied settings.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let samples = input.samples;
    let mut runs = input.runs();
    let [across, up] = axes(samples, &runs, input.by)?;
    let keys = [across.key, up.key];
    runs.retain(|run| keys.iter().all(|&key| !samples.value(key, run).is_empty()));
    let plan = DivisionPlan {
        series: Vec::new(),
        panels: samples.roster.configuration_keys().filter(|key| !keys.contains(key)).collect(),
        besides: keys.to_vec(),
        most_series: usize::MAX,
        most_panels: usize::MAX,
        is_of_best: false,
        ..DivisionPlan::by_settings(samples)
    };
    let division = series_as_panels(input, divide(input, &runs, plan));
    let mut evidence = Vec::new();
    let drawings = division.panels.iter().map(|panel| drawing(samples, panel, [&across, &up], &mut evidence)).collect();
    let [across, up] = keys.map(|key| labels::text(samples.roster.name(key)));
    let mut remarks = division.remarks.after(["Each cell shows its rate of solved runs in per cent.".to_owned()]);
    remarks.caveats.extend(Evidence::caveat("cells", evidence));
    Ok(Chart::new(input, ChartKind::Heatmap, &format!("Success rate by {across} and {up}"), drawings, remarks))
}

/// A cell shows one rate: series become panels.
fn series_as_panels<'a>(input: &ChartInput<'_>, mut division: Division<'a>) -> Division<'a> {
    if division.names.len() > 1 {
        let parted = division.panels.iter().flat_map(|panel| {
            panel.series.iter().map(|series| {
                let parts = [panel.title.as_str(), division.full[series.name].as_str()];
                let title: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                Panel { title: title.join(", "), series: vec![series.clone()] }
            })
        });
        division.panels = parted.collect();
        let standing = standing(input);
        let standings: Vec<f64> = division.panels.iter().map(|panel| standing(&panel.series[0].runs).0).collect();
        let shown = best_panels(&standings, MOST_PANELS, input.metric, &mut division.remarks.caveats);
        let panels = division.panels.into_iter().enumerate();
        division.panels = panels.filter(|(at, _)| shown.contains(at)).map(|(_, panel)| panel).collect();
    }
    division
}

/// The settings on the axes: those that were asked for, else those with the most values; the first is horizontal.
fn axes<'a>(samples: &'a Samples, runs: &[&'a Sample], by: &[Key]) -> Result<[SettingAxis<'a>; 2], ChartError> {
    let axis = |key: Key| {
        let mut values = ordered(samples, runs, key);
        values.retain(|value| !value.is_empty());
        SettingAxis { key, labels: labels::values(&values), values }
    };
    let mut found: Vec<SettingAxis<'_>> =
        samples.roster.setting_keys().map(axis).filter(|axis| axis.values.len() > 1).collect();
    found.sort_by_key(|axis| {
        (by.iter().position(|key| *key == axis.key).unwrap_or(usize::MAX), Reverse(axis.values.len()))
    });
    found.truncate(2);
    if let Some(axis) = found.iter().find(|axis| axis.values.len() > MOST_VALUES) {
        let setting = labels::text(samples.roster.name(axis.key));
        return Err(ChartError::ManyValues { setting, values: axis.values.len(), most: MOST_VALUES });
    }
    <[SettingAxis<'_>; 2]>::try_from(found).map_err(|_| ChartError::FewSettings)
}

/// A panel, and the evidence behind its cells.
fn drawing(
    samples: &Samples,
    panel: &Panel<'_>,
    [across, up]: [&SettingAxis<'_>; 2],
    evidence: &mut Vec<Evidence>,
) -> Drawing {
    let mut cells: BTreeMap<(usize, usize), Vec<&Sample>> = BTreeMap::new();
    for run in panel.series.iter().flat_map(|series| &series.runs) {
        let place = |side: &SettingAxis<'_>| {
            let value = samples.value(side.key, run);
            side.values.iter().position(|own| *own == value)
        };
        if let Some(cell) = place(across).zip(place(up)) {
            cells.entry(cell).or_default().push(run);
        }
    }
    evidence.extend(cells.values().map(|runs| Evidence::new(runs)));
    let rows = cells.into_iter().map(|((x, y), runs)| {
        let rate = Rate::of_solved(runs);
        json!({
            "x": across.labels[x],
            "y": up.labels[y],
            "rate": rounded(rate.share),
            "percent": format!("{:.0}", 100.0 * rate.share),
            "figure": rate.figure(),
        })
    });
    let mut filled = json!({ "color": {
        "field": "rate", "type": "quantitative", "title": "rate",
        "scale": { "domain": [0, 1] },
        "legend": { "title": "success rate", "format": ".0%", "orient": "bottom" },
    } });
    filled["tooltip"] = vega::tooltip(&[("x", "across", None), ("y", "up", None), ("figure", "solved", None)]);
    // Whatever ramp the theme has, the number is legible on it.
    let test = "luminance(scale('color', datum.rate)) > 0.4";
    let written = json!({
        "text": { "field": "percent", "type": "nominal", "title": "percent" },
        "color": { "condition": { "test": test, "value": "black" }, "value": "white" },
    });
    Drawing {
        title: panel.title.clone(),
        symbol: LegendSymbol::Marker,
        width: json!({ "step": width(across) }),
        height: json!({ "step": height(samples, up) }),
        rows: rows.collect(),
        encoding: json!({ "x": channel(samples, "x", across, false), "y": channel(samples, "y", up, true) }),
        layers: vec![
            json!({ "mark": "rect", "encoding": filled }),
            json!({ "mark": { "type": "text", "fontSize": 9 }, "encoding": written }),
        ],
    }
}

/// The width of a cell.
fn width(across: &SettingAxis<'_>) -> usize {
    (ROW / across.values.len()).clamp(WIDTHS[0], WIDTHS[1])
}

/// The height of a cell.
fn height(samples: &Samples, up: &SettingAxis<'_>) -> usize {
    let title = samples.roster.name(up.key).chars().count();
    (title * (LETTER + 1) / up.values.len()).clamp(HEIGHTS[0], HEIGHTS[1])
}

/// The channel of an axis; numbers increase upwards.
fn channel(samples: &Samples, field: &str, side: &SettingAxis<'_>, is_up: bool) -> Value {
    let are_numbers = side.values.iter().all(|value| value.parse::<f64>().is_ok());
    let mut domain = side.labels.clone();
    if is_up && are_numbers {
        domain.reverse();
    }
    let mut axis = json!({ "title": labels::text(samples.roster.name(side.key)) });
    if !is_up && side.labels.iter().any(|label| LETTER * label.chars().count() > width(side)) {
        axis["labelAngle"] = json!(-45);
    }
    json!({ "field": field, "type": "nominal", "title": field, "scale": { "domain": domain }, "axis": axis })
}
