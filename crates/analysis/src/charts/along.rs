//! Success rates along a number: a varied parameter, or buckets that are numbers.

use serde_json::{Value, json};

use super::axis::Axis;
use super::division::{Division, MOST_IN_PANEL, Series, Wish, divide, ordered, settings};
use super::vega::{self, Drawing, HEIGHT, Sign, WIDTH, number};
use super::{Chart, Material, Name, Refusal, labels};
use crate::samples::{Key, Sample, Samples, rate};
use evogrid_statistics::{quantile, wilson};

/// With more numbers than this, neighbours are taken together.
const MOST_POINTS: usize = 40;

/// Into so many groups, of about equally many numbers.
const GROUPS: usize = 20;

/// More bands than this in a panel hide each other.
const MOST_BANDS: usize = 3;

/// Intervals are bars, or bands where they would lie over each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Intervals {
    Bars,
    Bands,
}

/// The success rate along a varied number.
pub(super) fn success(material: &Material<'_>) -> Result<Chart, Refusal> {
    let samples = material.samples;
    let all: Vec<&Sample> = samples.runs.iter().collect();
    let along = number_to_show(samples, &all, material.by).ok_or(Refusal::NoNumbers)?;
    let runs: Vec<&Sample> = all.iter().copied().filter(|run| at(samples, along, run).is_some()).collect();
    let others: Vec<Key> =
        std::iter::once(Key::Algorithm).chain(settings(samples)).filter(|&key| key != along).collect();
    let wish = Wish { series: vec![Key::Bucket], panels: others, besides: vec![along], ..Wish::of_settings(samples) };
    let mut division = divide(samples, &runs, wish, material.by).spread(MOST_IN_PANEL);
    let name = labels::text(samples.roster.name(along));
    if runs.len() < all.len() {
        division.notes.push(format!("{} of {} runs have no `{name}`.", all.len() - runs.len(), all.len()));
    }
    let title = format!("Success rate by {name}");
    Ok(chart(Name::Success, title, &name, samples, along, &division, Intervals::Bars))
}

/// The success rate along buckets that are numbers.
pub(super) fn phase(material: &Material<'_>) -> Result<Chart, Refusal> {
    let samples = material.samples;
    let runs: Vec<&Sample> = samples.runs.iter().collect();
    if !is_number(samples, &runs, Key::Bucket) {
        return Err(Refusal::NoNumberedBuckets);
    }
    let wish = Wish { besides: vec![Key::Bucket], ..Wish::of_settings(samples) };
    let division = divide(samples, &runs, wish, material.by).spread(MOST_BANDS);
    // `generate --each` numbers the boards of each number of givens so.
    let is_givens = |run: &&Sample| {
        let instance = &samples.roster.instances[run.instance];
        instance.id.strip_prefix('g').and_then(|id| id.strip_prefix(&instance.bucket)).is_some()
    };
    let along = if runs.iter().all(is_givens) { "number of givens" } else { "bucket" };
    let title = format!("Success rate by {along}");
    Ok(chart(Name::Phase, title, along, samples, Key::Bucket, &division, Intervals::Bands))
}

fn chart(
    name: Name,
    title: String,
    along: &str,
    samples: &Samples,
    key: Key,
    division: &Division<'_>,
    intervals: Intervals,
) -> Chart {
    let series = || division.panels.iter().flat_map(|panel| &panel.series);
    let mut numbers: Vec<f64> =
        series().flat_map(|series| &series.runs).filter_map(|run| at(samples, key, run)).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let mut notes = vec!["Intervals are Wilson's, 95 %.".to_owned()];
    let groups = grouped(&numbers);
    if groups.len() < numbers.len() {
        notes.push(format!("{} values are taken together in {} groups of neighbours.", numbers.len(), groups.len()));
    }
    notes.extend(division.notes.iter().cloned());

    let points: Vec<f64> = groups.iter().filter_map(|group| quantile(group, 0.5)).map(number).collect();
    let (x, y) = (Axis::of_parameter(along, &points), Axis::rate("success rate"));
    let drawings = division.panels.iter().map(|panel| {
        let rows = panel.series.iter().flat_map(|series| rates(samples, key, division, series, &groups, &points));
        Drawing {
            title: panel.title.clone(),
            sign: Sign::Marker,
            width: json!(WIDTH),
            height: json!(HEIGHT),
            rows: rows.collect(),
            encoding: division.styles(Sign::Marker).color(json!({ "x": x.encoding("x") })),
            layers: layers(division, &y, intervals),
        }
    });
    Chart { name, spec: vega::description(&title, drawings.collect()), title, notes }
}

fn layers(division: &Division<'_>, y: &Axis, intervals: Intervals) -> Vec<Value> {
    let styles = division.styles(Sign::Marker);
    let interval = json!({ "y": y.encoding("low"), "y2": vega::end("high") });
    let rate = || json!({ "y": y.encoding("rate") });
    let tooltip = vega::tooltip(&[("series", "series", None), ("at", "at", None), ("figure", "solved", None)]);
    let mut pointed = styles.shape(rate());
    pointed["tooltip"] = tooltip;
    let mark = match intervals {
        Intervals::Bars => json!({ "type": "rule", "opacity": 0.6 }),
        Intervals::Bands => json!({ "type": "area", "opacity": 0.15 }),
    };
    vec![
        json!({ "mark": mark, "encoding": interval }),
        json!({ "mark": "line", "encoding": styles.dash(rate()) }),
        json!({ "mark": "point", "encoding": pointed }),
    ]
}

/// The rates of a series, a row for each group of numbers at which it has runs.
fn rates(
    samples: &Samples,
    key: Key,
    division: &Division<'_>,
    series: &Series<'_>,
    groups: &[Vec<f64>],
    points: &[f64],
) -> Vec<Value> {
    let mut counts = vec![(0, 0); groups.len()];
    for run in &series.runs {
        let Some(number) = at(samples, key, run) else { continue };
        let group = groups.partition_point(|group| group.last().is_some_and(|&last| last < number));
        counts[group].0 += u64::from(run.outcome.solved);
        counts[group].1 += 1;
    }
    let rows = counts.into_iter().enumerate().filter(|&(_, (_, runs))| runs > 0);
    rows.map(|(group, (solved, runs))| {
        let interval = wilson(solved, runs);
        json!({
            "series": division.names[series.name],
            "x": points[group],
            "rate": number(solved as f64 / runs as f64),
            "low": number(interval.low),
            "high": number(interval.high),
            "at": span(&groups[group]),
            "figure": format!("{} of {runs} runs", rate(solved, runs)),
        })
    })
    .collect()
}

/// The numbers of a point, in words.
fn span(group: &[f64]) -> String {
    let ends = [group.first(), group.last()].map(|end| evogrid_results::format::shortest(end.copied()));
    if group.len() == 1 { ends[0].clone() } else { format!("{} to {}", ends[0], ends[1]) }
}

/// Each number alone, or neighbours together where there are many.
fn grouped(numbers: &[f64]) -> Vec<Vec<f64>> {
    let n = if numbers.len() > MOST_POINTS { numbers.len().div_ceil(GROUPS) } else { 1 };
    numbers.chunks(n).map(<[f64]>::to_vec).collect()
}

/// The varied number to put on the axis: the first that was asked for, else the one with the most values.
fn number_to_show(samples: &Samples, runs: &[&Sample], by: &[Key]) -> Option<Key> {
    let is_asked = |key: &Key| matches!(key, Key::Setting(_)) && is_number(samples, runs, *key);
    let asked = by.iter().copied().find(is_asked);
    // Of equals the first: `max_by_key` takes the last.
    let most = || {
        let numbers: Vec<Key> = settings(samples).filter(|&key| is_number(samples, runs, key)).collect();
        numbers.into_iter().rev().max_by_key(|&key| ordered(samples, runs, key).len())
    };
    asked.or_else(most)
}

/// Whether a key has two values or more, all of them numbers where they are there at all.
fn is_number(samples: &Samples, runs: &[&Sample], key: Key) -> bool {
    let values = ordered(samples, runs, key);
    let there: Vec<&&str> = values.iter().filter(|value| !value.is_empty()).collect();
    there.len() > 1 && there.iter().all(|value| value.parse().is_ok_and(f64::is_finite))
}

/// A run's number.
fn at(samples: &Samples, key: Key, run: &Sample) -> Option<f64> {
    samples.roster.value(key, run.cell, run.instance).parse().ok().filter(|number: &f64| number.is_finite())
}
