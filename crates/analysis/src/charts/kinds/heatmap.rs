//! Heat maps: a value of groups of runs in colour and as a number, over two varied settings, or of configurations by bucket or instance.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::charts::best::{self, best_first, standing};
use crate::charts::chart::{Chart, ChartInput, ChartKind, Remarks};
use crate::charts::division::{
    Division, DivisionPlan, MOST_VALUES, Panel, best_panels, divide, most_panels, n_distinct, named, ordered,
};
use crate::charts::error::ChartError;
use crate::charts::evidence::Evidence;
use crate::charts::group_value::GroupValue;
use crate::charts::labels::{self, rounded};
use crate::charts::vega::{self, Drawing, LETTER};
use crate::metric::Metric;
use crate::samples::{Key, Sample, Samples};
use evogrid_results::format::capital;

/// The largest width of a cell, in pixels: room for `100`, or for a label below it.
const WIDTHS: [usize; 2] = [26, 48];

/// The height of few rows, in pixels: beside them the name of their setting needs room.
const HEIGHTS: [usize; 2] = [20, 34];

/// Pixels of a row of cells, if their width allows it.
const ROW: usize = 240;

/// The colours are logarithmic from this ratio of the largest value to the smallest on.
const LOG_RATIO: f64 = 30.0;

/// A side of the map: its keys, their values, and how they are shown.
struct Side<'a> {
    keys: Vec<Key>,
    values: Vec<Vec<&'a str>>,
    labels: Vec<String>,
    title: String,
}

/// The value over two varied settings.
pub(crate) fn of_settings(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let samples = input.samples;
    let mut runs = input.runs();
    let value = GroupValue::new(input, input.shown)?;
    let [across, up] = axes(samples, &runs, input.by)?;
    let keys = [across.keys[0], up.keys[0]];
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
    let panels = division.panels.iter().map(|panel| (panel.title.clone(), panel.series[0].runs.clone()));
    chart(input, ChartKind::Heatmap, &value, panels.collect(), [&across, &up], division.remarks.clone())
}

/// The value of configurations by bucket, or by instance if there is one bucket or instances are asked for.
pub(crate) fn of_configurations(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let (samples, runs) = (input.samples, input.runs());
    let value = GroupValue::new(input, input.shown)?;
    let n_values = |key: Key| n_distinct(samples, &runs, &[key]);
    let is_asked = input.by.contains(&Key::Instance);
    let key = if is_asked || n_values(Key::Bucket) < 2 { Key::Instance } else { Key::Bucket };
    match n_values(key) {
        0 | 1 => return Err(ChartError::few_instances(1, 2)),
        values if values > MOST_VALUES => {
            let setting = samples.roster.name(key).to_owned();
            return Err(ChartError::ManyValues { setting, values, most: MOST_VALUES });
        }
        _ => {}
    }
    let mut keys: Vec<Key> = samples.roster.configuration_keys().filter(|&key| n_values(key) > 1).collect();
    let asked: Vec<Key> = keys.iter().copied().filter(|key| input.by.contains(key)).collect();
    keys = if asked.is_empty() { keys } else { asked };
    if keys.is_empty() {
        return Err(ChartError::OneSetting);
    }
    let mut remarks = Remarks::default();
    let most = (MOST_VALUES, MOST_VALUES);
    let best = best::distinct_best(input, &runs, &keys, most).map(|(best, caveat)| {
        remarks.caveats.push(caveat);
        best
    });
    let configurations = best.unwrap_or_else(|| best_first(input, &runs, &keys));
    let (legend, names) = named(samples, &runs, &keys, &configurations);
    let up = Side { values: configurations, labels: names, keys, title: legend.unwrap_or_default() };
    chart(
        input,
        ChartKind::BucketHeatmap,
        &value,
        vec![(String::new(), runs.clone())],
        [&side(samples, &runs, key), &up],
        remarks,
    )
}

fn chart(
    input: &ChartInput<'_>,
    kind: ChartKind,
    value: &GroupValue<'_>,
    panels: Vec<(String, Vec<&Sample>)>,
    sides: [&Side<'_>; 2],
    mut remarks: Remarks,
) -> Result<Chart, ChartError> {
    let (samples, [across, up]) = (input.samples, sides);
    let mut evidence = Vec::new();
    let found: Vec<(String, Vec<Value>)> =
        panels.into_iter().map(|(title, runs)| (title, cells(samples, value, &runs, sides, &mut evidence))).collect();
    let finite: Vec<f64> = found.iter().flat_map(|(_, rows)| rows).filter_map(|row| row["value"].as_f64()).collect();
    if finite.is_empty() {
        return Err(ChartError::NoMean);
    }
    let drawings = found.into_iter().map(|(title, rows)| drawing(&title, rows, value, &finite, sides)).collect();
    let title = value.title();
    let what = capital(title.trim_end_matches(" (%)"));
    let of = match kind {
        ChartKind::Heatmap => format!("{} and {}", across.title, up.title),
        _ => format!("configuration and {}", across.title),
    };
    if kind == ChartKind::BucketHeatmap {
        remarks.notes.push(format!("Configurations are ordered, the best by {} first.", best::standing_name(input)));
    }
    remarks.notes.insert(0, format!("Each cell shows its {title}; a cell without a finite value is grey."));
    remarks.caveats.extend(Evidence::caveat("cells", evidence));
    Ok(Chart::new(input, kind, &format!("{what} by {of}"), drawings, remarks))
}

/// A cell shows one value: series become panels.
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
        let shown = best_panels(&standings, most_panels(input.columns), input, &mut division.remarks.caveats);
        let panels = division.panels.into_iter().enumerate();
        division.panels = panels.filter(|(at, _)| shown.contains(at)).map(|(_, panel)| panel).collect();
    }
    division
}

/// The values of a key as a side.
fn side<'a>(samples: &'a Samples, runs: &[&'a Sample], key: Key) -> Side<'a> {
    let mut values = ordered(samples, runs, key);
    values.retain(|value| !value.is_empty());
    Side {
        keys: vec![key],
        labels: labels::values(&values),
        values: values.into_iter().map(|value| vec![value]).collect(),
        title: labels::text(samples.roster.name(key)),
    }
}

/// The settings on the axes: those that were asked for, else those with the most values; the first is horizontal.
fn axes<'a>(samples: &'a Samples, runs: &[&'a Sample], by: &[Key]) -> Result<[Side<'a>; 2], ChartError> {
    let all = samples.roster.setting_keys().map(|key| side(samples, runs, key));
    let mut found: Vec<Side<'_>> = all.filter(|axis| axis.values.len() > 1).collect();
    found.sort_by_key(|axis| {
        (by.iter().position(|key| *key == axis.keys[0]).unwrap_or(usize::MAX), Reverse(axis.values.len()))
    });
    found.truncate(2);
    if let Some(axis) = found.iter().find(|axis| axis.values.len() > MOST_VALUES) {
        return Err(ChartError::ManyValues {
            setting: axis.title.clone(),
            values: axis.values.len(),
            most: MOST_VALUES,
        });
    }
    <[Side<'_>; 2]>::try_from(found).map_err(|_| ChartError::FewSettings)
}

/// The cells of a panel, and the evidence behind them.
fn cells(
    samples: &Samples,
    value: &GroupValue<'_>,
    runs: &[&Sample],
    [across, up]: [&Side<'_>; 2],
    evidence: &mut Vec<Evidence>,
) -> Vec<Value> {
    let mut cells: BTreeMap<(usize, usize), Vec<&Sample>> = BTreeMap::new();
    for &run in runs {
        let place = |side: &Side<'_>| {
            let is_own = |values: &Vec<&str>| {
                side.keys.iter().zip(values).all(|(&key, value)| samples.value(key, run) == *value)
            };
            side.values.iter().position(is_own)
        };
        if let Some(cell) = place(across).zip(place(up)) {
            cells.entry(cell).or_default().push(run);
        }
    }
    let row = |((x, y), runs): ((usize, usize), Vec<&Sample>)| {
        let found = value.of(&runs)?;
        evidence.push(Evidence::new(&runs));
        let mut row = json!({ "x": across.labels[x], "y": up.labels[y], "text": value.cell_text(found) });
        row["figure"] = json!(format!("{} of {} runs", value.text(found), runs.len()));
        if found.is_finite() {
            row["value"] = json!(rounded(found));
        }
        Some(row)
    };
    cells.into_iter().filter_map(row).collect()
}

fn drawing(
    title: &str,
    rows: Vec<Value>,
    value: &GroupValue<'_>,
    finite: &[f64],
    [across, up]: [&Side<'_>; 2],
) -> Drawing {
    let ends = finite.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &at| [low.min(at), high.max(at)]);
    let mut scale = json!({ "domain": ends });
    let mut legend = json!({ "title": value.title(), "orient": "bottom" });
    legend["format"] = json!(if ends[1] >= 1e4 { ".3~s" } else { ",.3~g" });
    if value.metric() == Metric::Solved {
        scale["domain"] = json!([0, 100]);
        legend["values"] = json!([0, 25, 50, 75, 100]);
    } else if ends[0] > 0.0 && ends[1] / ends[0] >= LOG_RATIO {
        scale["type"] = json!("log");
    }
    let tooltip = vega::tooltip(&[("x", "across", None), ("y", "up", None), ("figure", "figure", None)]);
    let filled = json!({
        "color": { "field": "value", "type": "quantitative", "title": "value", "scale": scale, "legend": legend },
        "tooltip": tooltip,
    });
    // Whatever ramp the theme has, the number is legible on it.
    let test = "isValid(datum.value) && luminance(scale('color', datum.value)) < 0.4";
    let written = json!({
        "text": { "field": "text", "type": "nominal", "title": "text" },
        "color": { "condition": { "test": test, "value": "white" }, "value": "black" },
    });
    let (filled_rows, grey): (Vec<Value>, Vec<Value>) = rows.iter().cloned().partition(|row| !row["value"].is_null());
    Drawing {
        width: json!({ "step": width(across) }),
        rows,
        encoding: json!({ "x": channel("x", across, false), "y": channel("y", up, true) }),
        layers: vec![
            json!({ "data": { "values": filled_rows }, "mark": "rect", "encoding": filled }),
            json!({ "data": { "values": grey }, "mark": { "type": "rect", "color": "#CCCCCC" }, "encoding": { "tooltip": tooltip } }),
            json!({ "mark": { "type": "text", "fontSize": 9 }, "encoding": written }),
        ],
        ..Drawing::new(title, json!({ "step": height(up) }))
    }
}

/// The width of a cell.
fn width(across: &Side<'_>) -> usize {
    (ROW / across.values.len()).clamp(WIDTHS[0], WIDTHS[1])
}

/// The height of a cell.
fn height(up: &Side<'_>) -> usize {
    (up.title.chars().count() * (LETTER + 1) / up.values.len()).clamp(HEIGHTS[0], HEIGHTS[1])
}

/// The channel of an axis; numbers increase upwards.
fn channel(field: &str, side: &Side<'_>, is_up: bool) -> Value {
    let numbers: Option<Vec<f64>> =
        side.values.iter().map(|values| values[0].parse().ok().filter(|_| values.len() == 1)).collect();
    let mut domain = side.labels.clone();
    // Numbers grow upwards, unless the best stand above.
    if is_up && numbers.is_some_and(|numbers| numbers.is_sorted()) {
        domain.reverse();
    }
    let title = Some(&side.title).filter(|title| !title.is_empty());
    let mut axis = json!({ "title": title });
    if !is_up && side.labels.iter().any(|label| LETTER * label.chars().count() > width(side)) {
        axis["labelAngle"] = json!(-45);
    }
    json!({ "field": field, "type": "nominal", "title": field, "scale": { "domain": domain }, "axis": axis })
}
