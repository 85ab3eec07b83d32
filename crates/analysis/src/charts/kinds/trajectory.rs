//! The development of runs from a trace: the best fitness against evaluations, or the diversity against generations.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::tracks::{self, Quantity, TrackPoint};
use crate::charts::{
    Axis, ChartError, ChartInput, Content, Division, DivisionPlan, Filling, HEIGHT, LegendSymbol, MOST_IN_PANEL,
    MOST_PANELS, NO_DIVERSITY, NO_TRACE, OTHER_TRACE, Panel, SHORT_TRACE, Series, divide, labels, n_distinct, refused,
    rounded,
};
use crate::samples::{Key, Sample, Samples};
use evogrid_core::family::Direction;

/// The maximum number of bands. More bands would hide each other.
const MOST_BANDS: usize = 7;

/// If there are more bands, the bands are pale.
const MOST_STRONG_BANDS: usize = 3;

/// The diversity of the population against the generations.
pub(crate) fn of_diversity(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    chart(input, Quantity::Diversity)
}

/// The best fitness against the evaluations.
pub(crate) fn of_fitness(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    chart(input, Quantity::BestFitness)
}

fn chart(input: &ChartInput<'_>, quantity: Quantity) -> Result<Content, ChartError> {
    let samples = input.samples;
    let (column, length): (_, fn(&Sample) -> u64) = match quantity {
        Quantity::BestFitness => ("evaluations", |run| run.outcome.evaluations),
        Quantity::Diversity => ("generations", |run| run.outcome.generations),
    };
    input.need(column)?;
    let trace = input.trace.ok_or_else(|| refused(NO_TRACE))?;
    let runs: Vec<&Sample> = input.runs().into_iter().filter(|run| !run.outcome.has_failed()).collect();
    let scales: BTreeSet<Scale> = runs.iter().map(|run| Scale::new(quantity, run)).collect();
    // Each fitness has its own panels. Buckets have panels, too, only if there is room for both.
    let is_by_bucket = scales.len() * n_distinct(samples, &runs, &[Key::Bucket]) <= MOST_PANELS || scales.len() < 2;
    let panels = if is_by_bucket { vec![Key::Bucket] } else { Vec::new() };
    let plan = DivisionPlan { panels, ..DivisionPlan::by_settings(samples) };
    let mut division = divide(input, runs, plan).with_evidence("curves");
    let scale_of = by_scale(&mut division, quantity, &scales);
    let series: Vec<&Series<'_>> = division.series().collect();
    let group_of: BTreeMap<u64, usize> =
        series.iter().zip(0..).flat_map(|(series, at)| series.runs.iter().map(move |run| (run.run, at))).collect();
    let mut longest_of: BTreeMap<Scale, u64> = BTreeMap::new();
    for run in division.runs() {
        let longest = longest_of.entry(Scale::new(quantity, run)).or_default();
        *longest = length(run).max(*longest);
    }
    let grid = tracks::grid(division.runs().map(length).max().unwrap_or(1));
    let mut read = tracks::read(trace, quantity, &grid, &group_of, series.len())?;
    let traced: u64 = read.traced.iter().sum();
    if traced == 0 {
        return Err(refused(if quantity == Quantity::Diversity { NO_DIVERSITY } else { OTHER_TRACE }));
    }
    for ((track, &traced), series) in read.tracks.iter_mut().zip(&read.traced).zip(&series) {
        // The numbers may continue for runs with other units, although all runs of this series have ended.
        let longest = longest_of[&Scale::new(quantity, series.runs[0])];
        let end = track.partition_point(|point| point.at < longest);
        track.truncate(end + 1);
        // A track of the best fitness begins when all its runs have begun. A track of the diversity ends when half of its runs have ended.
        track.retain(|point| match quantity {
            Quantity::BestFitness => point.runs == traced,
            Quantity::Diversity => 2 * point.runs >= traced,
        });
    }

    let mut rest = read.tracks.as_slice();
    let parts = division.panels.iter().zip(scale_of).map(|(panel, scale)| {
        let (tracks, others) = rest.split_at(panel.series.len());
        rest = others;
        (panel, scale, tracks)
    });
    let shown: Vec<(&Panel<'_>, Scale, &[Vec<TrackPoint>])> =
        parts.filter(|(_, _, tracks)| tracks.iter().any(|track| track.len() > 1)).collect();
    if shown.is_empty() {
        return Err(refused(SHORT_TRACE));
    }
    let n_bands = shown.iter().map(|(panel, ..)| panel.series.len()).max().unwrap_or_default();
    let styles = division.styles(LegendSymbol::Line);
    let drawing = |&(panel, scale, tracks): &(&Panel<'_>, Scale, &[Vec<TrackPoint>])| {
        let alike = || shown.iter().filter(|(_, other, _)| *other == scale).flat_map(|(_, _, tracks)| tracks.iter());
        let (x, y) = scale.axes(samples, quantity, || alike().flatten());
        let opacity = if n_bands <= MOST_STRONG_BANDS { 0.18 } else { 0.08 };
        let values = [("has_bands", json!(n_bands <= MOST_BANDS)), ("opacity", json!(opacity))];
        let filling = Filling { axes: [Some(&x), Some(&y)], styles: Some(&styles), values: &values };
        let named = panel.series.iter().zip(tracks);
        let rows = named.flat_map(|(series, track)| rows(&division.names[series.name], track)).collect();
        filling.drawing("trajectory", &titled(&panel.title, tracks), HEIGHT, rows)
    };
    let drawings = shown.iter().map(drawing).collect();
    let (title, note) = match quantity {
        Quantity::BestFitness => (
            "Best fitness during the search",
            "Curves show medians over runs; a finished run keeps its last best value. A curve begins when all its runs \
             have begun.",
        ),
        Quantity::Diversity => (
            "Diversity during the search",
            "Curves show medians over the runs that reached the generation; a curve ends when fewer than half of its \
             runs remain.",
        ),
    };
    let bands = match n_bands <= MOST_BANDS {
        true => "Bands are the quartiles.".to_owned(),
        false => format!("Bands of quartiles are drawn for at most {MOST_BANDS} curves."),
    };
    let mut notes = vec![note.to_owned(), bands];
    let n_runs = group_of.len() as u64;
    let mut remarks = division.remarks.clone();
    if traced < n_runs {
        let lacks = match quantity {
            Quantity::BestFitness => "no trace",
            Quantity::Diversity => "no recorded diversity: they have no trace, or ended before its first generation",
        };
        remarks.caveats.push(format!("{} of {n_runs} runs have {lacks}.", n_runs - traced));
    }
    let mut uncurved: Vec<String> = Vec::new();
    for (series, track) in series.iter().zip(&read.tracks) {
        let name = &division.full[series.name];
        if track.len() < 2 && !uncurved.contains(name) {
            uncurved.push(name.clone());
        }
    }
    let is_left =
        |track: &Vec<TrackPoint>| track.first().zip(track.last()).is_some_and(|(first, last)| last.runs < first.runs);
    if read.tracks.iter().any(is_left) {
        remarks.caveats.push(
            "A run counts up to its last generation; the title of each panel shows how many runs remain at the ends of \
             its curves."
                .to_owned(),
        );
    }
    if !uncurved.is_empty() {
        remarks.notes.push(format!(
            "The trace has too few points for a curve of {}, or of some of its runs.",
            labels::few(&uncurved)
        ));
    }
    if scales.len() > 1 && quantity == Quantity::BestFitness {
        notes.push("Fitness functions have separate panels: their values cannot be compared.".to_owned());
    }
    Ok(Content::new(title, drawings, remarks.after(notes)))
}

/// The units of the axes of a panel: the places of its fitness and its unit of work in the lists of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Scale {
    fitness: Option<usize>,
    unit: usize,
}

impl Scale {
    fn new(quantity: Quantity, run: &Sample) -> Self {
        Self { fitness: (quantity == Quantity::BestFitness).then_some(run.fitness()), unit: run.unit() }
    }

    /// The axes of the panels with this scale, over all their points.
    fn axes<'a, I>(self, samples: &Samples, quantity: Quantity, points: impl Fn() -> I) -> (Axis, Axis)
    where
        I: Iterator<Item = &'a TrackPoint> + Clone,
    {
        let at = points().map(|point| point.at as f64);
        let x = match quantity {
            Quantity::BestFitness => {
                let unit = samples.units[self.unit].as_str();
                Axis::log(if unit.is_empty() { "evaluations" } else { unit }, at, "~s")
            }
            Quantity::Diversity => Axis::parameter("generation", &at.collect::<Vec<_>>()),
        };
        let up = match self.fitness.map(|fitness| samples.fitnesses[fitness].as_str()) {
            None => "gene diversity".to_owned(),
            Some(marked) => {
                let (direction, name) = Direction::of_marked(marked);
                let name = if name.is_empty() { "fitness" } else { name };
                format!("best {} ({})", labels::text(name), direction.participle())
            }
        };
        (x, Axis::course(&up, points().flat_map(|point| point.quartiles)))
    }
}

/// Divides each panel so that its runs share a scale, and returns the scale of each part.
fn by_scale(division: &mut Division<'_>, quantity: Quantity, scales: &BTreeSet<Scale>) -> Vec<Scale> {
    let mut parted: Vec<(Scale, Panel<'_>)> = Vec::new();
    for &scale in scales {
        for panel in &division.panels {
            let series = panel.series.iter().filter_map(|series| {
                let is_own = |run: &&&Sample| Scale::new(quantity, run) == scale;
                let runs: Vec<&Sample> = series.runs.iter().filter(is_own).copied().collect();
                (!runs.is_empty()).then_some(Series { name: series.name, runs })
            });
            let series: Vec<Series<'_>> = series.collect();
            let few = series.len().div_ceil(series.len().div_ceil(MOST_IN_PANEL).max(1)).max(1);
            let parts = series.chunks(few);
            parted.extend(parts.map(|part| (scale, Panel { title: panel.title.clone(), series: part.to_vec() })));
        }
    }
    let (scale_of, panels) = parted.into_iter().unzip();
    division.panels = panels;
    scale_of
}

/// The points of a track. If successive points have equal quartiles, only the first and the last of them are kept.
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

/// The title of a panel, with the share of its runs that remain at the ends of its curves, if some runs have ended.
fn titled(title: &str, tracks: &[Vec<TrackPoint>]) -> String {
    let left = |track: &Vec<TrackPoint>| Some(track.last()?.runs as f64 / track.first()?.runs as f64);
    let mut shares: Vec<f64> = tracks.iter().filter_map(left).collect();
    shares.sort_by(f64::total_cmp);
    let (Some(&least), Some(&most)) = (shares.first(), shares.last()) else { return title.to_owned() };
    let [low, high] = [least, most].map(|share| format!("{:.0}", 100.0 * share));
    let range = if low == high { low } else { format!("{low} to {high}") };
    match title {
        _ if least == 1.0 => title.to_owned(),
        "" => format!("{range} % of runs at the ends"),
        _ => format!("{title}, {range} % of runs at the ends"),
    }
}
