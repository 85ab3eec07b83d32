//! Success rates over two varied settings, in colour, with the number in each cell.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::division::{Division, MOST_VALUES, Panel, Wish, divide, ordered, settings};
use super::vega::{self, Drawing, LETTER, Sign, number};
use super::{Chart, Material, Name, Refusal, labels};
use crate::samples::{Key, Sample, Samples, rate};

/// How wide a cell may be, in pixels: room for `100`, or for a label below it.
const WIDTHS: [usize; 2] = [26, 48];

/// How high: as few rows as there are have room beside them for the name of their setting.
const HEIGHTS: [usize; 2] = [20, 34];

/// Pixels of a row of cells, if their width allows it.
const ROW: usize = 240;

/// A setting on an axis: its key, its values, and how they are shown.
struct Side<'a> {
    key: Key,
    values: Vec<&'a str>,
    labels: Vec<String>,
}

/// The success rate over two varied settings.
pub(super) fn chart(material: &Material<'_>) -> Result<Chart, Refusal> {
    let samples = material.samples;
    let all: Vec<&Sample> = samples.runs.iter().collect();
    let [across, up] = sides(samples, &all, material.by)?;
    let runs: Vec<&Sample> = all
        .into_iter()
        .filter(|run| [&across, &up].iter().all(|side| !samples.roster.value(side.key, run.cell, 0).is_empty()))
        .collect();
    let others = |key: &Key| ![across.key, up.key].contains(key);
    let panels = std::iter::once(Key::Algorithm).chain(settings(samples)).filter(others).collect();
    let wish = Wish {
        series: Vec::new(),
        panels,
        besides: vec![across.key, up.key],
        most: usize::MAX,
        ..Wish::of_settings(samples)
    };
    let division = as_panels(divide(samples, &runs, wish, material.by));
    let drawings = division.panels.iter().map(|panel| drawing(samples, panel, [&across, &up])).collect();
    let names = [&across, &up].map(|side| labels::text(samples.roster.name(side.key)));
    let title = format!("Success rate by {} and {}", names[0], names[1]);
    let mut notes = vec!["A cell is the rate of its solved runs in percent.".to_owned()];
    notes.extend(division.notes);
    Ok(Chart { name: Name::Heatmap, spec: vega::description(&title, drawings), title, notes })
}

/// A cell can show one rate: what would be series are panels.
fn as_panels(mut division: Division<'_>) -> Division<'_> {
    if division.names.len() > 1 {
        let parted = division.panels.iter().flat_map(|panel| {
            panel.series.iter().map(|series| {
                let parts = [panel.title.as_str(), division.full[series.name].as_str()];
                let title: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                Panel { title: title.join(", "), series: vec![series.clone()] }
            })
        });
        let parted: Vec<Panel<'_>> = parted.collect();
        let most = super::division::MOST_PANELS;
        if parted.len() > most {
            let left: Vec<String> = parted[most..].iter().map(|panel| panel.title.clone()).collect();
            let note = format!("{most} of {} panels are shown; left out: {}.", parted.len(), labels::few(&left));
            division.notes.push(note);
        }
        division.panels = parted.into_iter().take(most).collect();
    }
    division
}

/// The settings of the two axes: those that were asked for, else those with the most values, which goes across.
fn sides<'a>(samples: &'a Samples, runs: &[&'a Sample], by: &[Key]) -> Result<[Side<'a>; 2], Refusal> {
    let mut found: Vec<Side<'_>> = settings(samples)
        .map(|key| {
            let mut values = ordered(samples, runs, key);
            values.retain(|value| !value.is_empty());
            Side { key, labels: labels::values(&values), values }
        })
        .filter(|side| side.values.len() > 1)
        .collect();
    found.sort_by_key(|side| {
        let asked = by.iter().position(|key| *key == side.key).unwrap_or(usize::MAX);
        (asked, std::cmp::Reverse(side.values.len()))
    });
    found.truncate(2);
    if let Some(side) = found.iter().find(|side| side.values.len() > MOST_VALUES) {
        let setting = labels::text(samples.roster.name(side.key));
        return Err(Refusal::ManyValues { setting, values: side.values.len(), most: MOST_VALUES });
    }
    <[Side<'_>; 2]>::try_from(found).map_err(|_| Refusal::FewSettings)
}

fn drawing(samples: &Samples, panel: &Panel<'_>, [across, up]: [&Side<'_>; 2]) -> Drawing {
    let mut counts: BTreeMap<(usize, usize), (u64, u64)> = BTreeMap::new();
    for run in panel.series.iter().flat_map(|series| &series.runs) {
        let place = |side: &Side<'_>| {
            let value = samples.roster.value(side.key, run.cell, run.instance);
            side.values.iter().position(|own| *own == value)
        };
        if let Some(cell) = place(across).zip(place(up)) {
            let count = counts.entry(cell).or_default();
            count.0 += u64::from(run.outcome.solved);
            count.1 += 1;
        }
    }
    let rows = counts.into_iter().map(|((x, y), (solved, runs))| {
        let share = solved as f64 / runs as f64;
        json!({
            "x": across.labels[x],
            "y": up.labels[y],
            "rate": number(share),
            "percent": format!("{:.0}", 100.0 * share),
            "figure": format!("{} of {runs} runs", rate(solved, runs)),
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
        sign: Sign::Marker,
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
fn width(across: &Side<'_>) -> usize {
    (ROW / across.values.len()).clamp(WIDTHS[0], WIDTHS[1])
}

/// The height of a cell.
fn height(samples: &Samples, up: &Side<'_>) -> usize {
    let title = samples.roster.name(up.key).chars().count();
    (title * (LETTER + 1) / up.values.len()).clamp(HEIGHTS[0], HEIGHTS[1])
}

/// The channel of a side; numbers grow upwards.
fn channel(samples: &Samples, field: &str, side: &Side<'_>, is_up: bool) -> Value {
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
