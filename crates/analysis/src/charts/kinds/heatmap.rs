//! Heat maps show a value of each group of runs as a colour and as a number. A group is a combination of the values of two settings, or a
//! configuration on a bucket or on an instance.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::charts::{
    ChartError, ChartInput, Content, DivisionPlan, Drawing, Evidence, Filling, GroupValue, LETTER, MOST_VALUES,
    NO_MEAN, ONE_CONFIGURATION, Remarks, best_first, best_panels, distinct_best, divide, few_instances, labels,
    many_values, most_panels, n_distinct, named, ordered, refused, rounded, standing, standing_name,
};
use crate::metric::Metric;
use crate::samples::{Key, Sample, Samples};
use evogrid_results::format::capital;

/// The smallest and the largest width of a cell in pixels. The smallest width has room for `100`, and the largest width has room for a
/// label below the cell.
const WIDTHS: [usize; 2] = [26, 48];

/// The smallest and the largest height of a cell in pixels. If there are few rows, the rows must be high so that the name of their setting
/// has room.
const HEIGHTS: [usize; 2] = [20, 34];

/// The intended width of a row of cells in pixels. The limits of a cell's width may change it.
const ROW: usize = 240;

/// If the largest value is at least this many times the smallest value, the colours are logarithmic.
const LOG_RATIO: f64 = 30.0;

/// A side of the map: the keys, the values of the keys, and the labels of the values.
struct Side<'a> {
    keys: Vec<Key>,
    values: Vec<Vec<&'a str>>,
    labels: Vec<String>,
    title: String,
}

/// The heat map over two varied settings.
pub(crate) fn of_settings(input: &ChartInput<'_>) -> Result<Content, ChartError> {
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
    let division = divide(input, runs, plan);
    let mut remarks = division.remarks.clone();
    // A cell shows one value, so each series has its own panel.
    let title = |panel: &str, series: usize| match (panel, division.full[series].as_str()) {
        (panel, _) if division.names.len() < 2 => panel.to_owned(),
        ("", name) | (name, "") => name.to_owned(),
        (panel, name) => format!("{panel}, {name}"),
    };
    let series = division.panels.iter().flat_map(|panel| panel.series.iter().map(move |series| (panel, series)));
    let mut panels: Vec<(String, Vec<&Sample>)> =
        series.map(|(panel, series)| (title(&panel.title, series.name), series.runs.clone())).collect();
    if division.names.len() > 1 {
        let standing = standing(input);
        let standings: Vec<f64> = panels.iter().map(|(_, runs)| standing(runs).0).collect();
        let mut shown = best_panels(&standings, most_panels(input.columns), input, &mut remarks.caveats);
        shown.sort_unstable();
        panels = shown.into_iter().map(|at| std::mem::take(&mut panels[at])).collect();
    }
    chart(input, true, &value, panels, [&across, &up], remarks)
}

/// The heat map of configurations by bucket. If there is one bucket, or if the user asks for instances, the map is by instance.
pub(crate) fn of_configurations(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let (samples, runs) = (input.samples, input.runs());
    let value = GroupValue::new(input, input.shown)?;
    let n_values = |key: Key| n_distinct(samples, &runs, &[key]);
    let is_asked = input.by.contains(&Key::Instance);
    let key = if is_asked || n_values(Key::Bucket) < 2 { Key::Instance } else { Key::Bucket };
    match n_values(key) {
        0 | 1 => return Err(few_instances(1, 2)),
        values if values > MOST_VALUES => return Err(many_values(samples.roster.name(key), values, MOST_VALUES)),
        _ => {}
    }
    let mut keys: Vec<Key> = samples.roster.configuration_keys().filter(|&key| n_values(key) > 1).collect();
    let asked: Vec<Key> = keys.iter().copied().filter(|key| input.by.contains(key)).collect();
    keys = if asked.is_empty() { keys } else { asked };
    if keys.is_empty() {
        return Err(refused(ONE_CONFIGURATION));
    }
    let mut remarks = Remarks::default();
    let best = distinct_best(input, &runs, &keys, (MOST_VALUES, MOST_VALUES), &mut remarks.caveats);
    let configurations = best.unwrap_or_else(|| best_first(input, &runs, &keys));
    let (legend, names) = named(samples, &runs, &keys, &configurations);
    let up = Side { values: configurations, labels: names, keys, title: legend.unwrap_or_default() };
    let across = side(samples, &runs, key);
    chart(input, false, &value, vec![(String::new(), runs)], [&across, &up], remarks)
}

/// The content of a heat map. One side is a setting or the configurations; the other side is a setting or a key of instances.
fn chart(
    input: &ChartInput<'_>,
    is_of_settings: bool,
    value: &GroupValue<'_>,
    panels: Vec<(String, Vec<&Sample>)>,
    sides: [&Side<'_>; 2],
    mut remarks: Remarks,
) -> Result<Content, ChartError> {
    let (samples, [across, up]) = (input.samples, sides);
    let mut evidence = Vec::new();
    let found: Vec<(String, Vec<Value>)> =
        panels.into_iter().map(|(title, runs)| (title, cells(samples, value, &runs, sides, &mut evidence))).collect();
    let finite: Vec<f64> = found.iter().flat_map(|(_, rows)| rows).filter_map(|row| row["value"].as_f64()).collect();
    if finite.is_empty() {
        return Err(refused(NO_MEAN));
    }
    let drawings = found.into_iter().map(|(title, rows)| drawing(&title, rows, value, &finite, sides)).collect();
    let title = value.title();
    let what = capital(title.trim_end_matches(" (%)"));
    let of: [&str; 2] = if is_of_settings { [&across.title, &up.title] } else { ["configuration", &across.title] };
    if !is_of_settings {
        remarks.notes.push(format!("Configurations are ordered by {}, the best first.", standing_name(input)));
    }
    remarks.notes.insert(0, format!("Each cell shows the {title} of its runs. A cell without a finite value is grey."));
    remarks.caveats.extend(Evidence::caveat("cells", evidence));
    Ok(Content::new(format!("{what} by {} and {}", of[0], of[1]), drawings, remarks))
}

/// The side of the map for a key.
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

/// The settings on the two axes. Settings that the user asks for are used first, then settings with the most values. The first setting is
/// on the horizontal axis.
fn axes<'a>(samples: &'a Samples, runs: &[&'a Sample], by: &[Key]) -> Result<[Side<'a>; 2], ChartError> {
    let all = samples.roster.setting_keys().map(|key| side(samples, runs, key));
    let mut found: Vec<Side<'_>> = all.filter(|axis| axis.values.len() > 1).collect();
    found.sort_by_key(|axis| {
        (by.iter().position(|key| *key == axis.keys[0]).unwrap_or(usize::MAX), Reverse(axis.values.len()))
    });
    found.truncate(2);
    if let Some(axis) = found.iter().find(|axis| axis.values.len() > MOST_VALUES) {
        return Err(many_values(&axis.title, axis.values.len(), MOST_VALUES));
    }
    <[Side<'_>; 2]>::try_from(found)
        .map_err(|_| refused("fewer than two settings are varied; the axes need two columns of settings"))
}

/// The cells of a panel. The evidence behind the cells is added to `evidence`.
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
    if value.metric == Metric::Solved {
        scale["domain"] = json!([0, 100]);
        legend["values"] = json!([0, 25, 50, 75, 100]);
    } else if ends[0] > 0.0 && ends[1] / ends[0] >= LOG_RATIO {
        scale["type"] = json!("log");
    }
    // The rows with a value have a colour, and the others are grey. The text of a cell is legible on any colour of the theme.
    let (filled, empty): (Vec<Value>, Vec<Value>) = rows.iter().cloned().partition(|row| !row["value"].is_null());
    let values = [
        ("across", channel("x", across, false)),
        ("up", channel("y", up, true)),
        ("filled", json!(filled)),
        ("empty", json!(empty)),
        ("scale", scale),
        ("legend", legend),
    ];
    let filling = Filling { values: &values, ..Filling::default() };
    // A row of cells needs room for the name of its setting.
    let height = (up.title.chars().count() * (LETTER + 1) / up.values.len()).clamp(HEIGHTS[0], HEIGHTS[1]);
    let width = json!({ "step": width(across) });
    Drawing { width, ..filling.drawing("heatmap", title, json!({ "step": height }), rows) }
}

/// The width of a cell.
fn width(across: &Side<'_>) -> usize {
    (ROW / across.values.len()).clamp(WIDTHS[0], WIDTHS[1])
}

/// The Vega-Lite channel of a side of the map.
fn channel(field: &str, side: &Side<'_>, is_up: bool) -> Value {
    let numbers: Option<Vec<f64>> =
        side.values.iter().map(|values| values[0].parse().ok().filter(|_| values.len() == 1)).collect();
    let mut domain = side.labels.clone();
    // Ascending numbers increase upwards. Otherwise the first label is at the top.
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
