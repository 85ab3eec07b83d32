//! The chart of a race: each candidate has a line from its first block to its last block.

use serde_json::{Value, json};

use crate::charts::{Axis, ChartError, ChartInput, Content, Filling, LegendSymbol, Remarks, Styles, labels, refused};
use crate::race::{DROPPED_AT, RecordedCandidate, RecordedFate, RecordedRace, rounded};
use evogrid_results::format::percent;

/// The height of the row of a candidate, and the maximum total height of all rows, in pixels.
const ROW: f64 = 10.0;
const HIGHEST: f64 = 540.0;

/// The maximum number of candidates with labels.
const MOST_LABELS: usize = 54;

/// The chart of a race: the first block, the last block and the fate of each candidate.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let race = input
        .race
        .filter(|race| !race.candidates.is_empty())
        .ok_or_else(|| refused("race.csv is missing; only `runner tune` writes this file"))?;
    input.check_points(race.candidates.len().saturating_mul(1 + race.settings.len()))?;
    let numbers: Vec<String> = race.candidates.iter().map(|candidate| candidate.number.to_string()).collect();
    let row = (HIGHEST / numbers.len() as f64).min(ROW);
    let blocks = race.candidates.iter().flat_map(|candidate| candidate.blocks).map(|block| block as f64);
    let x = Axis::linear("block", blocks, ",d");
    let fates = || RecordedFate::CHOICES.iter().map(|&(_, fate)| fate);
    let words: Vec<String> = fates().map(|fate| fate.words().to_owned()).collect();
    let styles = Styles::new(&words, None, LegendSymbol::Marker, 1);
    let mut axis = json!({ "title": "candidate", "ticks": false, "grid": false });
    if numbers.len() > MOST_LABELS {
        axis = json!({ "title": "candidates", "labels": false, "ticks": false, "grid": false });
    }
    // Each setting has its own field, because the rows of a tooltip are short.
    let settings = (1..=race.settings.len()).map(|at| format!("setting{at} = setting {at}"));
    let first = ["y = candidate", "series = fate"].map(str::to_owned);
    let figures = ["runs", "failed", "evidence", "mean", "parent"].map(str::to_owned);
    let tooltip: Vec<String> = first.into_iter().chain(settings).chain(figures).collect();
    let values = [
        ("candidates", json!(numbers)),
        ("axis", axis),
        ("tooltip", json!(tooltip)),
        ("thickness", json!((row / 3.0).clamp(0.4, 2.0))),
        ("size", json!((row * row / 2.0).clamp(5.0, 32.0))),
    ];
    let rows = race.candidates.iter().map(|candidate| values_of(race, candidate)).collect();
    let filling = Filling { axes: [Some(&x), None], styles: Some(&styles), values: &values };
    let mut drawing = filling.drawing("race", "", (row * numbers.len() as f64).ceil(), rows);
    drawing.layers.iter_mut().for_each(|layer| layer["encoding"]["x"]["axis"]["tickMinStep"] = json!(1));
    let count = |fate: RecordedFate| race.candidates.iter().filter(|candidate| candidate.fate == fate).count();
    let became = fates().map(|fate| format!("{} {}", count(fate), fate.words())).collect::<Vec<_>>().join(", ");
    let sum = |of: fn(&RecordedCandidate) -> u64| race.candidates.iter().map(of).sum::<u64>();
    let (n_runs, n_failed) = (sum(|candidate| candidate.n_runs), sum(|candidate| candidate.n_failed));
    let notes = vec![
        format!(
            "Each of the {} candidates has a line from its first to its last block. The first candidate is at the top. \
             Fates: {became}.",
            numbers.len()
        ),
        format!(
            "If the evidence against a candidate reaches {DROPPED_AT}, this shows that another candidate is better. The evidence against the best candidate can reach {DROPPED_AT} by mistake. The probability of this mistake is at most {} %.",
            percent(1.0 / DROPPED_AT)
        ),
    ];
    let failed = (n_failed > 0).then(|| {
        format!("{n_failed} of {n_runs} runs of the race failed. A failed run counts as worse than all other runs.")
    });
    let remarks = Remarks { caveats: failed.into_iter().collect(), notes };
    Ok(Content::new("Race of configurations", vec![drawing], remarks))
}

/// The row of a candidate.
fn values_of(race: &RecordedRace, candidate: &RecordedCandidate) -> Value {
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
        values[format!("setting{at}")] = json!(format!("{} = {}", labels::text(name), labels::value(value)));
    }
    values
}
