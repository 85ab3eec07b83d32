//! Charts of the course of runs, from a trace.
//!
//! For each number of evaluations, the convergence chart shows the median and the quartiles of the distances of the runs (empirical
//! attainment). If runs have a target but no best known value, the chart shows the best fitness against the evaluations. Another
//! chart shows the diversity against the generations.
//!
//! Source: V. Grunert da Fonseca, C. Fonseca and A. Hall, "Inferential performance assessment of stochastic optimisers and the attainment
//! function", EMO 2001, doi:10.1007/3-540-44719-9_15.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::courses::{Courses, Quantity, TrackPoint, grid_to, read_tracks};
use crate::charts::{
    Axis, ChartError, ChartInput, Content, Division, DivisionPlan, Filling, HEIGHT, LegendSymbol, MOST_IN_PANEL,
    MOST_PANELS, NO_DIVERSITY, NO_TRACE, OTHER_TRACE, Panel, SHORT_TRACE, Series, ValueCounts, divide, labels,
    n_distinct, refused, rounded,
};
use crate::metric::Metric;
use crate::samples::{Key, Sample, Samples};
use evogrid_core::family::Direction;

/// The shares of runs, each with the field that has the distance for this share.
const SHARES: [(f64, &str); 3] = [(0.25, "quarter"), (0.5, "half"), (0.75, "most")];

/// The maximum number of bands. If there were more bands, they would hide each other.
const MOST_TRACK_BANDS: usize = 7;

/// If there are more bands than this, the bands are pale.
const MOST_STRONG_BANDS: usize = 3;

/// The convergence chart: the distances that the shares of runs attain, or the best fitness of the runs.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let mut finished = input.samples.runs.iter().filter(|run| !run.outcome.has_failed());
    // If runs have a target but no best known value, their fitness counts down to the target.
    let has_distance = |run: &Sample| {
        run.outcome.best_fitness.is_some_and(|best| best != 0.0) && (run.gap.is_some() || run.outcome.solved.is_none())
    };
    let has_units = Metric::Evaluations.check_work(input.samples).is_ok();
    if has_units && finished.all(has_distance) { by_distance(input) } else { by_track(input, Quantity::BestFitness) }
}

fn by_distance(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let courses = Courses::open(input, vec![Key::Bucket])?;
    let division = &courses.division;
    let grid = grid_to(courses.longest);
    let mut surfaces = vec![(0u64, vec![ValueCounts::default(); grid.len()]); division.series().count()];
    let remarks = courses.visit(|series, _, steps| {
        let (runs, counts) = &mut surfaces[series];
        *runs += 1;
        for (&at, counts) in grid.iter().zip(counts) {
            let attained = steps[..steps.partition_point(|step| step.0 <= at)].last();
            attained.iter().for_each(|(_, distance)| counts.add(*distance));
        }
    })?;
    let rows = |name: &str, (runs, counts): &(u64, Vec<ValueCounts>)| -> Vec<Value> {
        let row = |(&at, counts): (&u64, &ValueCounts)| {
            let mut row = json!({ "series": name, "x": at });
            for (share, field) in SHARES {
                row[field] = json!(counts.least_of((*runs as f64 * share).ceil() as u64).map(rounded)?);
            }
            Some(row)
        };
        grid.iter().zip(counts).filter_map(row).collect()
    };
    let (mut drawn, mut values) = (Vec::new(), Vec::new());
    for (series, surface) in division.series().zip(&surfaces) {
        let rows = rows(&division.names[series.name], surface);
        values.extend(rows.iter().flat_map(|row| SHARES.iter().filter_map(|(_, field)| row[field].as_f64())));
        drawn.push(rows);
    }
    if values.is_empty() {
        return Err(refused(SHORT_TRACE));
    }
    let x = Axis::log(input.work_title(), grid.iter().map(|&at| at as f64), "~s");
    let y = Axis::distances(courses.title, &values);
    let (has_bands, bands) = division.bands("A band shows the lower and upper quartiles of the distances.");
    let values = [("has_bands", json!(has_bands))];
    let mut drawn = drawn.into_iter();
    let drawings = division
        .drawings("convergence", LegendSymbol::Line, [&x, &y], &values, |_, _| drawn.next().unwrap_or_default());
    let notes = [
        "Each curve is a median: half of the runs are on or below the curve.".to_owned(),
        bands,
        "To compare configurations at a fixed budget, read the distances at this budget.".to_owned(),
    ];
    let title = if courses.title.starts_with("gap") { "Gap during the search" } else { "Distance during the search" };
    Ok(Content::new(title, drawings, remarks.after(notes)))
}

/// The diversity of the population against the generations.
pub(crate) fn of_diversity(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    by_track(input, Quantity::Diversity)
}

/// The best fitness against the evaluations, or the diversity against the generations.
fn by_track(input: &ChartInput<'_>, quantity: Quantity) -> Result<Content, ChartError> {
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
    let grid = grid_to(division.runs().map(length).max().unwrap_or(1));
    let (mut tracks, traced_of) = read_tracks(trace, quantity, &grid, &group_of, series.len())?;
    let traced: u64 = traced_of.iter().sum();
    if traced == 0 {
        return Err(refused(if quantity == Quantity::Diversity { NO_DIVERSITY } else { OTHER_TRACE }));
    }
    for ((track, &traced), series) in tracks.iter_mut().zip(&traced_of).zip(&series) {
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

    let mut rest = tracks.as_slice();
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
        let alike = shown.iter().filter(|(_, other, _)| *other == scale).flat_map(|(_, _, tracks)| tracks.concat());
        let (x, y) = scale.axes(samples, quantity, &alike.collect::<Vec<_>>());
        let opacity = if n_bands <= MOST_STRONG_BANDS { 0.18 } else { 0.08 };
        let values = [("has_bands", json!(n_bands <= MOST_TRACK_BANDS)), ("opacity", json!(opacity))];
        let filling = Filling { axes: [Some(&x), Some(&y)], styles: Some(&styles), values: &values };
        let named = panel.series.iter().zip(tracks);
        let rows = named.flat_map(|(series, track)| track_rows(&division.names[series.name], track)).collect();
        filling.drawing("trajectory", &titled(&panel.title, tracks), HEIGHT, rows)
    };
    let drawings = shown.iter().map(drawing).collect();
    let (title, note) = match quantity {
        Quantity::BestFitness => (
            "Best fitness during the search",
            "A curve shows the median over runs. A run that has ended keeps its best fitness. A curve begins where all its runs have a value.",
        ),
        Quantity::Diversity => (
            "Diversity during the search",
            "At each generation, a curve shows the median of the runs that reached this generation. A curve ends where fewer than half of its runs continue.",
        ),
    };
    let bands = match n_bands <= MOST_TRACK_BANDS {
        true => "A band shows the lower and upper quartiles of the runs.".to_owned(),
        false => format!("Quartiles are drawn only if each panel has at most {MOST_TRACK_BANDS} curves."),
    };
    let mut notes = vec![note.to_owned(), bands];
    let n_runs = group_of.len() as u64;
    let mut remarks = division.remarks.clone();
    if traced < n_runs {
        let lacks = match quantity {
            Quantity::BestFitness => "no trace",
            Quantity::Diversity => "no recorded diversity, because the trace is missing or contains no generation",
        };
        remarks.caveats.push(format!("{} of {n_runs} runs have {lacks}.", n_runs - traced));
    }
    let short = series.iter().zip(&tracks).filter(|(_, track)| track.len() < 2);
    let uncurved: BTreeSet<usize> = short.map(|(series, _)| series.name).collect();
    let uncurved: Vec<String> = uncurved.into_iter().map(|name| division.full[name].clone()).collect();
    let is_left =
        |track: &Vec<TrackPoint>| track.first().zip(track.last()).is_some_and(|(first, last)| last.runs < first.runs);
    if tracks.iter().any(is_left) {
        remarks.caveats.push(
            "A curve includes each run until the last generation of the run. If some runs of a panel ended before the end of their curve, the panel title shows the percentage of runs that reach the curve's end. If the curves of a panel have different percentages, the title shows the lowest and the highest percentage."
                .to_owned(),
        );
    }
    if !uncurved.is_empty() {
        remarks.notes.push(format!("The trace has too few points for some curves of {}.", labels::few(&uncurved)));
    }
    if scales.len() > 1 && quantity == Quantity::BestFitness {
        notes.push(
            "Each fitness function has its own panels. Values of different fitness functions cannot be compared."
                .to_owned(),
        );
    }
    Ok(Content::new(title, drawings, remarks.after(notes)))
}

/// The units of the axes of a panel: the index of the fitness function and the index of the unit of work in the lists of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Scale {
    fitness: Option<usize>,
    unit: usize,
}

impl Scale {
    fn new(quantity: Quantity, run: &Sample) -> Self {
        Self { fitness: (quantity == Quantity::BestFitness).then_some(run.fitness()), unit: run.unit() }
    }

    /// The axes of the panels with this scale. The axes include the points of all these panels.
    fn axes(self, samples: &Samples, quantity: Quantity, points: &[TrackPoint]) -> (Axis, Axis) {
        let at = points.iter().map(|point| point.at as f64);
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
        (x, Axis::course(&up, points.iter().flat_map(|point| point.quartiles)))
    }
}

/// Divides each panel into parts whose runs have one scale. Returns the scale of each part.
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

/// The points of a track as data of the chart. If successive points have equal quartiles, only the first point and the last point are kept.
fn track_rows(name: &str, track: &[TrackPoint]) -> Vec<Value> {
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

/// The title of a panel. If some runs ended before the end of their curve, the title includes the percentage of runs that reach the
/// curve's end.
fn titled(title: &str, tracks: &[Vec<TrackPoint>]) -> String {
    let left = |track: &Vec<TrackPoint>| Some(track.last()?.runs as f64 / track.first()?.runs as f64);
    let mut shares: Vec<f64> = tracks.iter().filter_map(left).collect();
    shares.sort_by(f64::total_cmp);
    let (Some(&least), Some(&most)) = (shares.first(), shares.last()) else { return title.to_owned() };
    let [low, high] = [least, most].map(|share| format!("{:.0}", 100.0 * share));
    let range = if low == high { low } else { format!("{low} to {high}") };
    match title {
        _ if least == 1.0 => title.to_owned(),
        "" => format!("{range} % of runs reach the curve's end"),
        _ => format!("{title}, {range} % of runs reach the curve's end"),
    }
}
