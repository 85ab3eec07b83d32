//! How runs developed: best fitness against evaluations, diversity against generations, from a trace.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::axis::Axis;
use super::chart::{Chart, ChartInput, ChartKind};
use super::division::{DivisionPlan, MOST_IN_PANEL, Series, divide};
use super::error::ChartError;
use super::labels::rounded;
use super::tracks::{self, TrackPoint};
use super::vega::{self, LegendSymbol};
use crate::samples::{Key, Sample};
use crate::trace::Quantity;

/// More bands than this hide each other.
const MOST_BANDS: usize = 3;

/// The best fitness against the evaluations, or the diversity of the population against the generations.
pub(super) fn chart(input: &ChartInput<'_>, quantity: Quantity) -> Result<Chart, ChartError> {
    let (column, length): (_, fn(&Sample) -> u64) = match quantity {
        Quantity::BestFitness => ("evaluations", |run| run.outcome.evaluations),
        Quantity::Diversity => ("generations", |run| run.outcome.generations),
    };
    input.need(column)?;
    let trace = input.trace.ok_or(ChartError::NoTrace)?;
    let plan = DivisionPlan { panels: vec![Key::Bucket], ..DivisionPlan::by_settings(input.samples) };
    let division = divide(input, &input.runs(), plan).spread(MOST_IN_PANEL);
    let series: Vec<&Series<'_>> = division.series().collect();
    let group_of: BTreeMap<u64, usize> =
        series.iter().zip(0..).flat_map(|(series, at)| series.runs.iter().map(move |run| (run.run, at))).collect();
    let grid = tracks::grid(division.runs().map(length).max().unwrap_or(1));
    let mut read = tracks::open(trace, quantity, &grid, &group_of, series.len())?;
    let traced: u64 = read.traced.iter().sum();
    if traced == 0 {
        return Err(if quantity == Quantity::Diversity { ChartError::NoDiversity } else { ChartError::OtherTrace });
    }
    for (track, &traced) in read.tracks.iter_mut().zip(&read.traced) {
        // Where all have begun; and, of populations, where at least half are still there.
        track.retain(|point| match quantity {
            Quantity::BestFitness => point.runs == traced,
            Quantity::Diversity => 2 * point.runs >= traced,
        });
    }

    let points = || read.tracks.iter().flatten();
    let at = points().map(|point| point.at as f64);
    let (kind, title, up, x, note) = match quantity {
        Quantity::BestFitness => (
            ChartKind::Convergence,
            "Best fitness along the search",
            "best fitness (minimised)",
            Axis::log("evaluations", at, "~s"),
            "Medians over runs; a run that has ended keeps its last best. A curve begins where all its runs have.",
        ),
        Quantity::Diversity => (
            ChartKind::Diversity,
            "Diversity along the search",
            "gene diversity",
            Axis::parameter("generation", &at.collect::<Vec<_>>()),
            "Medians over the runs that still go on at a generation; a curve ends where these are fewer than half.",
        ),
    };
    let y = Axis::linear(up, points().flat_map(|point| point.quartiles), ".6~g");
    let has_bands = division.panels.iter().all(|panel| panel.series.len() <= MOST_BANDS);
    let layers = layers(&division.styles(LegendSymbol::Line), &y, has_bands);
    let mut tracks = read.tracks.iter();
    let drawings = division.drawings(LegendSymbol::Line, &x, &layers, |name, _| {
        rows(name, tracks.next().map(Vec::as_slice).unwrap_or_default())
    });
    let bands = match has_bands {
        true => "Bands are the quartiles.".to_owned(),
        false => format!("Bands of quartiles are drawn for at most {MOST_BANDS} curves."),
    };
    let mut notes = vec![note.to_owned(), bands];
    let n_runs = group_of.len() as u64;
    if traced < n_runs {
        notes.push(format!("{} of {n_runs} runs have no trace.", n_runs - traced));
    }
    notes.extend(division.notes);
    Ok(Chart::new(kind, title, drawings, notes))
}

fn layers(styles: &vega::Styles, y: &Axis, has_bands: bool) -> Vec<Value> {
    let mut layers = Vec::new();
    if has_bands {
        let mark = json!({ "type": "area", "opacity": 0.18 });
        layers.push(json!({ "mark": mark, "encoding": y.span("y", "low", "high") }));
    }
    let mut median = styles.dash(json!({ "y": y.encoding("median") }));
    median["tooltip"] = vega::tooltip(&[
        ("series", "series", None),
        ("x", "at", Some(",.6~g")),
        ("low", "lower quartile", Some(",.4~g")),
        ("median", "median", Some(",.4~g")),
        ("high", "upper quartile", Some(",.4~g")),
        ("runs", "runs", Some(",.6~g")),
    ]);
    layers.push(json!({ "mark": "line", "encoding": median }));
    layers
}

/// The points of a track; of several with equal quartiles in a row the first and the last.
fn rows(name: &str, track: &[TrackPoint]) -> Vec<Value> {
    let is_kept = |at: usize| {
        let same = |other: Option<&TrackPoint>| other.is_some_and(|other| other.quartiles == track[at].quartiles);
        !(at > 0 && same(track.get(at - 1)) && same(track.get(at + 1)))
    };
    let row = |at: usize| {
        let [low, median, high] = track[at].quartiles.map(rounded);
        json!({ "series": name, "x": track[at].at, "low": low, "median": median, "high": high, "runs": track[at].runs })
    };
    (0..track.len()).filter(|&at| is_kept(at)).map(row).collect()
}
