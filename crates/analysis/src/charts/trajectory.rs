//! How runs went along: best fitness against evaluations, diversity against generations, from a trace.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::axis::Axis;
use super::division::{MOST_IN_PANEL, Wish, divide};
use super::tracks::{self, Quantity};
use super::vega::{self, Drawing, HEIGHT, Sign, WIDTH, number};
use super::{Chart, Material, Name, Refusal};
use crate::samples::{Key, Sample};

/// More bands than this hide each other.
const MOST_BANDS: usize = 3;

/// The best fitness against the evaluations.
pub(super) fn convergence(material: &Material<'_>) -> Result<Chart, Refusal> {
    if material.samples.missing.contains(&"evaluations") {
        return Err(Refusal::Column { column: "evaluations" });
    }
    chart(material, Quantity::BestFitness)
}

/// The diversity of the population against the generations.
pub(super) fn diversity(material: &Material<'_>) -> Result<Chart, Refusal> {
    if material.samples.missing.contains(&"generations") {
        return Err(Refusal::Column { column: "generations" });
    }
    chart(material, Quantity::Diversity)
}

fn chart(material: &Material<'_>, quantity: Quantity) -> Result<Chart, Refusal> {
    let samples = material.samples;
    let trace = material.trace.ok_or(Refusal::NoTrace)?;
    let runs: Vec<&Sample> = samples.runs.iter().collect();
    let wish = Wish { panels: vec![Key::Bucket], ..Wish::of_settings(samples) };
    let division = divide(samples, &runs, wish, material.by).spread(MOST_IN_PANEL);
    let series: Vec<_> = division.panels.iter().flat_map(|panel| &panel.series).collect();
    let group_of: BTreeMap<u64, usize> =
        series.iter().enumerate().flat_map(|(at, series)| series.runs.iter().map(move |run| (run.run, at))).collect();
    let longest = |run: &&Sample| match quantity {
        Quantity::BestFitness => run.outcome.evaluations,
        Quantity::Diversity => run.outcome.generations,
    };
    let grid = tracks::grid(series.iter().flat_map(|series| &series.runs).map(longest).max().unwrap_or(1));
    let mut read = tracks::open(trace, quantity, &grid, &group_of, series.len())?;
    let traced: u64 = read.traced.iter().sum();
    if traced == 0 {
        return Err(if quantity == Quantity::Diversity { Refusal::NoDiversity } else { Refusal::OtherTrace });
    }
    for (track, &traced) in read.tracks.iter_mut().zip(&read.traced) {
        // Where all have begun; and, of populations, where at least half are still there.
        track.retain(|point| match quantity {
            Quantity::BestFitness => point.runs == traced,
            Quantity::Diversity => 2 * point.runs >= traced,
        });
    }

    let points = || read.tracks.iter().flatten();
    let (name, title, along, up) = match quantity {
        Quantity::BestFitness => {
            (Name::Convergence, "Best fitness along the search", "evaluations", "best fitness (minimised)")
        }
        Quantity::Diversity => (Name::Diversity, "Diversity along the search", "generation", "gene diversity"),
    };
    let at = points().map(|point| point.at as f64);
    let x = match quantity {
        Quantity::BestFitness => Axis::log(along, at, "~s"),
        Quantity::Diversity => Axis::of_parameter(along, &at.collect::<Vec<_>>()),
    };
    let y = Axis::linear(up, points().flat_map(|point| point.quartiles), ".6~g");
    let has_bands = division.panels.iter().all(|panel| panel.series.len() <= MOST_BANDS);
    let mut tracks = read.tracks.iter();
    let drawings = division.panels.iter().map(|panel| {
        let rows = panel.series.iter().flat_map(|series| {
            rows(&division.names[series.name], tracks.next().map(Vec::as_slice).unwrap_or_default())
        });
        Drawing {
            title: panel.title.clone(),
            sign: Sign::Line,
            width: json!(WIDTH),
            height: json!(HEIGHT),
            rows: rows.collect(),
            encoding: division.styles(Sign::Line).color(json!({ "x": x.encoding("x") })),
            layers: layers(&division.styles(Sign::Line), &y, has_bands),
        }
    });
    let spec = vega::description(title, drawings.collect());
    let mut notes = vec![
        match quantity {
            Quantity::BestFitness => {
                "Medians over runs; a run that has ended keeps its last best. A curve begins where all its runs have."
            }
            Quantity::Diversity => {
                "Medians over the runs that still go on at a generation; a curve ends where these are fewer than half."
            }
        }
        .to_owned(),
    ];
    notes.push(match has_bands {
        true => "Bands are the quartiles.".to_owned(),
        false => format!("Bands of quartiles are drawn for at most {MOST_BANDS} curves."),
    });
    let n_runs = group_of.len() as u64;
    if traced < n_runs {
        notes.push(format!("{} of {n_runs} runs have no trace.", n_runs - traced));
    }
    notes.extend(division.notes);
    Ok(Chart { name, title: title.to_owned(), spec, notes })
}

fn layers(styles: &vega::Styles, y: &Axis, has_bands: bool) -> Vec<Value> {
    let mut layers = Vec::new();
    if has_bands {
        let band = json!({ "y": y.encoding("low"), "y2": vega::end("high") });
        layers.push(json!({ "mark": { "type": "area", "opacity": 0.18 }, "encoding": band }));
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
fn rows(name: &str, track: &[tracks::Point]) -> Vec<Value> {
    let is_kept = |at: usize| {
        let same = |other: Option<&tracks::Point>| other.is_some_and(|other| other.quartiles == track[at].quartiles);
        !(at > 0 && same(track.get(at - 1)) && same(track.get(at + 1)))
    };
    let row = |at: usize| {
        let [low, median, high] = track[at].quartiles.map(number);
        json!({ "series": name, "x": track[at].at, "low": low, "median": median, "high": high, "runs": track[at].runs })
    };
    (0..track.len()).filter(|&at| is_kept(at)).map(row).collect()
}
