//! A race of configurations: a line for each candidate, from its first block to its last.

use serde_json::{Value, json};

use crate::charts::axis::Axis;
use crate::charts::chart::{Chart, ChartInput, ChartKind, Remarks};
use crate::charts::error::ChartError;
use crate::charts::labels;
use crate::charts::vega::{self, Drawing, LegendSymbol, Styles};
use crate::race::{DROPPED_AT, RecordedCandidate, RecordedFate, RecordedRace, rounded};
use evogrid_results::format::percent;

/// Height of a candidate's row, and of all rows together at most, in pixels.
const ROW: f64 = 10.0;
const HIGHEST: f64 = 540.0;

/// Of more candidates, none has a label.
const MOST_LABELS: usize = 54;

/// When each candidate was in the race, and what became of it.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let race = input.race.filter(|race| !race.candidates.is_empty()).ok_or(ChartError::NoRace)?;
    input.check_points(race.candidates.len().saturating_mul(1 + race.settings.len()))?;
    let numbers: Vec<String> = race.candidates.iter().map(|candidate| candidate.number.to_string()).collect();
    let row = (HIGHEST / numbers.len() as f64).min(ROW);
    let blocks = race.candidates.iter().flat_map(|candidate| candidate.blocks).map(|block| block as f64);
    let x = Axis::linear("block", blocks, ",d");
    let styles = Styles::new(&RecordedFate::ALL.map(|fate| fate.words().to_owned()), None, LegendSymbol::Marker, 1);
    let axis = if numbers.len() > MOST_LABELS {
        json!({ "title": "candidates", "labels": false, "ticks": false, "grid": false })
    } else {
        json!({ "title": "candidate", "ticks": false, "grid": false })
    };
    let y = json!({
        "field": "y", "type": "nominal", "title": "y", "scale": { "domain": numbers, "type": "point", "padding": 0.5 }, "axis": axis,
    });
    // A field for each setting: the rows of a tooltip are short.
    let of_settings: Vec<[String; 2]> =
        (1..=race.settings.len()).map(|at| [setting_field(at), format!("setting {at}")]).collect();
    let told = || {
        let fields = ["runs", "failed", "evidence", "mean", "parent"].map(|name| (name, name, None));
        let settings = of_settings.iter().map(|[field, title]| (field.as_str(), title.as_str(), None));
        let first = [("y", "candidate", None), ("series", "fate", None)];
        vega::tooltip(&first.into_iter().chain(settings).chain(fields).collect::<Vec<_>>())
    };
    let mut lines = x.span("x", "first", "last");
    lines["tooltip"] = told();
    let mut ends = styles.shape(json!({ "x": x.encoding("last"), "tooltip": told() }));
    ends["x"]["axis"]["tickMinStep"] = json!(1);
    lines["x"]["axis"]["tickMinStep"] = json!(1);
    let drawing = Drawing {
        rows: race.candidates.iter().map(|candidate| values(race, candidate)).collect(),
        encoding: styles.color(json!({ "y": y })),
        layers: vec![
            json!({ "mark": { "type": "rule", "strokeWidth": (row / 3.0).clamp(0.4, 2.0) }, "encoding": lines }),
            json!({ "mark": { "type": "point", "size": (row * row / 2.0).clamp(5.0, 32.0) }, "encoding": ends }),
        ],
        ..Drawing::new("", (row * numbers.len() as f64).ceil())
    };
    let count = |fate: RecordedFate| race.candidates.iter().filter(|candidate| candidate.fate == fate).count();
    let became = RecordedFate::ALL.map(|fate| format!("{} {}", count(fate), fate.words())).join(", ");
    let sum = |of: fn(&RecordedCandidate) -> u64| race.candidates.iter().map(of).sum::<u64>();
    let (n_runs, n_failed) = (sum(|candidate| candidate.n_runs), sum(|candidate| candidate.n_failed));
    let notes = vec![
        format!(
            "A line for each of {} candidates, from its first block to its last; the first that entered is at the top: {became}.",
            numbers.len()
        ),
        format!(
            "Evidence of {DROPPED_AT} or more shows a candidate to be worse than others; one that is as good as the best ever \
             reaches it with a probability of at most {} %.",
            percent(1.0 / DROPPED_AT)
        ),
    ];
    let failed = (n_failed > 0)
        .then(|| format!("{n_failed} of {n_runs} runs of the race failed: they cost more than all others."));
    let remarks = Remarks { caveats: failed.into_iter().collect(), notes };
    Ok(Chart::new(input, ChartKind::Race, "Race of configurations", vec![drawing], remarks))
}

/// The field of a setting, by its number.
fn setting_field(at: usize) -> String {
    format!("setting{at}")
}

/// What is drawn and told of a candidate.
fn values(race: &RecordedRace, candidate: &RecordedCandidate) -> Value {
    let mut values = json!({
        "y": candidate.number.to_string(),
        "series": candidate.fate.words(),
        "first": candidate.blocks[0],
        "last": candidate.blocks[1],
        "runs": candidate.n_runs,
        "failed": candidate.n_failed,
        "evidence": rounded(candidate.evidence),
        "mean": candidate.mean.map_or_else(|| "-".to_owned(), rounded),
        "parent": candidate.parent.map_or_else(|| "-".to_owned(), |parent| parent.to_string()),
    });
    for (at, (name, value)) in (1..).zip(race.settings.iter().zip(&candidate.values)) {
        values[setting_field(at)] = json!(format!("{} = {}", labels::text(name), labels::value(value)));
    }
    values
}
