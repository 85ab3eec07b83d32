//! Success rates along a number: a varied setting, or buckets that are numbers.

use serde_json::{Value, json};

use crate::charts::axis::Axis;
use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::{Division, DivisionPlan, MOST_IN_PANEL, Series, divide, ordered};
use crate::charts::error::ChartError;
use crate::charts::evidence::Evidence;
use crate::charts::figure::Figure;
use crate::charts::labels::{self, rounded};
use crate::charts::vega::{self, LegendSymbol};
use crate::metric::Rate;
use crate::samples::{Key, Sample, Samples};
use evogrid_results::format::shortest;
use evogrid_statistics::quantile;

/// With more numbers than this, neighbours are grouped.
const MOST_POINTS: usize = 40;

/// The number of groups, with about equally many numbers in each.
const N_GROUPS: usize = 20;

/// By what part of the axis the series of a point stand beside each other.
const BESIDE: f64 = 0.012;

/// More bands than this in a panel hide each other.
const MOST_BANDS: usize = 3;

/// A measure of groups of runs that is drawn along a varied number.
pub(crate) struct Measure<'m> {
    pub(crate) kind: ChartKind,
    /// The title: `Success rate`.
    pub(crate) title: &'m str,
    /// The name in the plural: `rates`.
    pub(crate) plural: &'static str,
    /// The label of a value in a tooltip: `solved`.
    pub(crate) figure: &'static str,
    /// The vertical axis for these figures.
    pub(crate) axis: &'m dyn Fn(&[&Figure]) -> Axis,
    /// The value of a group; `None` if it has none.
    pub(crate) estimate: &'m dyn Fn(&[&Sample]) -> Option<Figure>,
    /// A sentence about the intervals.
    pub(crate) note: &'m str,
    /// A sentence about the values for the drawing itself.
    pub(crate) caveat: Option<String>,
}

/// Success rates.
const RATES: Measure<'_> = Measure {
    kind: ChartKind::Success,
    title: "Success rate",
    plural: "rates",
    figure: "solved",
    axis: &|_| Axis::rate("success rate"),
    estimate: &|runs| {
        let rate = Rate::of_solved(runs.iter().copied());
        Some(Figure { value: rate.share, interval: rate.interval, text: rate.figure() })
    },
    note: "Intervals (95 %) are for instances like these.",
    caveat: None,
};

/// The success rate along a varied number.
pub(crate) fn by_setting(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let along = number_to_show(input.samples, &input.runs(), input.by).ok_or(ChartError::NoNumbers)?;
    along_setting(input, along, &RATES)
}

/// A measure along a varied number.
pub(crate) fn along_setting(input: &ChartInput<'_>, along: Key, measure: &Measure<'_>) -> Result<Chart, ChartError> {
    let samples = input.samples;
    let all = input.runs();
    let runs: Vec<&Sample> = all.iter().copied().filter(|run| at(samples, along, run).is_some()).collect();
    let plan = DivisionPlan {
        series: vec![Key::Bucket],
        panels: samples.roster.configuration_keys().filter(|&key| key != along).collect(),
        besides: vec![along],
        is_of_best: false,
        ..DivisionPlan::by_settings(samples)
    };
    let mut division = divide(input, &runs, plan).spread(MOST_IN_PANEL);
    let name = labels::text(samples.roster.name(along));
    if runs.len() < all.len() {
        let has_none = |run: &&Sample| at(samples, along, run).is_none();
        let left_out: Vec<&Sample> = all.iter().copied().filter(has_none).collect();
        let algorithms = labels::values(&ordered(samples, &left_out, Key::Algorithm)).join(", ");
        let of_all = format!("{} of {} runs", left_out.len(), all.len());
        division
            .remarks
            .caveats
            .push(format!("{of_all} have no `{name}` and are omitted; their algorithms are {algorithms}."));
    }
    let bars = json!({ "type": "rule", "opacity": 0.6 });
    chart(input, measure, &name, along, division, &bars)
}

/// The success rate along buckets that are numbers.
pub(crate) fn by_bucket(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let samples = input.samples;
    let runs = input.runs();
    if !is_number(samples, &runs, Key::Bucket) {
        return Err(ChartError::NoNumberedBuckets);
    }
    let plan = DivisionPlan { besides: vec![Key::Bucket], ..DivisionPlan::by_settings(samples) };
    let division = divide(input, &runs, plan).spread(MOST_BANDS);
    // Generated instances whose bucket counts their givens are called `g`, that number, and their own.
    let is_givens = |run: &&Sample| {
        let instance = &samples.roster.instances[run.instance()];
        instance.id.strip_prefix('g').and_then(|id| id.strip_prefix(&instance.bucket)).is_some()
    };
    let along = if runs.iter().all(is_givens) { "number of givens" } else { "bucket" };
    // Bars would lie over each other.
    let bands = json!({ "type": "area", "opacity": 0.15 });
    let measure = Measure { kind: ChartKind::Phase, ..RATES };
    chart(input, &measure, along, Key::Bucket, division, &bands)
}

/// The figures along a key with this name, their intervals drawn as this mark.
fn chart(
    input: &ChartInput<'_>,
    measure: &Measure<'_>,
    along: &str,
    key: Key,
    division: Division<'_>,
    interval_mark: &Value,
) -> Result<Chart, ChartError> {
    let samples = input.samples;
    let mut numbers: Vec<f64> = division.runs().filter_map(|run| at(samples, key, run)).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let mut notes = vec![measure.note.to_owned()];
    // Each number alone, or neighbours together where there are many.
    let n_together = if numbers.len() > MOST_POINTS { numbers.len().div_ceil(N_GROUPS) } else { 1 };
    let groups: Vec<&[f64]> = numbers.chunks(n_together).collect();
    if groups.len() < numbers.len() {
        notes.push(format!(
            "The chart combines {} values into {} groups of neighbouring values.",
            numbers.len(),
            groups.len()
        ));
    }

    let points: Vec<f64> = groups.iter().filter_map(|group| quantile(group, 0.5)).map(rounded).collect();
    let mut evidence = Vec::new();
    let found: Vec<Vec<(usize, Figure)>> =
        division.series().map(|series| figures(samples, key, measure, series, &groups, &mut evidence)).collect();
    let drawn: Vec<&Figure> = found.iter().flatten().map(|(_, figure)| figure).collect();
    if drawn.is_empty() {
        return Err(ChartError::NoMean);
    }
    let (x, y) = (Axis::parameter(along, &points), (measure.axis)(&drawn));
    let is_dodged = interval_mark["type"] == "rule";
    let styles = division.styles(LegendSymbol::Marker);
    let rate = || json!({ "y": y.encoding("rate") });
    let mut pointed = styles.shape(rate());
    pointed["tooltip"] =
        vega::tooltip(&[("series", "series", None), ("at", "at", None), ("figure", measure.figure, None)]);
    let layers = [
        json!({ "mark": interval_mark, "encoding": y.span("y", "low", "high") }),
        json!({ "mark": "line", "encoding": styles.dash(rate()) }),
        json!({ "mark": "point", "encoding": pointed }),
    ];
    let mut found = found.iter();
    let mut drawings = division.drawings(LegendSymbol::Marker, &x, &layers, |name, series| {
        let side = if is_dodged { series.name as f64 - (division.names.len() - 1) as f64 / 2.0 } else { 0.0 };
        let row = |(group, figure): &(usize, Figure)| {
            json!({
                "series": name,
                "x": points[*group],
                "beside": x.moved(points[*group], side * BESIDE),
                "rate": y.place(figure.value),
                "low": y.place(figure.interval.low),
                "high": y.place(figure.interval.high),
                "at": range_text(groups[*group]),
                "figure": figure.text,
            })
        };
        found.next().into_iter().flatten().map(row).collect()
    });
    // Bars of several series do not hide each other.
    drawings.iter_mut().for_each(|drawing| drawing.encoding["x"]["field"] = json!("beside"));
    let mut remarks = division.remarks.after(notes);
    remarks.caveats.extend(measure.caveat.clone());
    remarks.caveats.extend(Evidence::caveat(measure.plural, evidence));
    Ok(Chart::new(input, measure.kind, &format!("{} by {along}", measure.title), drawings, remarks))
}

/// The figures of a series, one for each group of numbers at which it has runs, and their evidence.
fn figures(
    samples: &Samples,
    key: Key,
    measure: &Measure<'_>,
    series: &Series<'_>,
    groups: &[&[f64]],
    evidence: &mut Vec<Evidence>,
) -> Vec<(usize, Figure)> {
    let mut runs_at = vec![Vec::new(); groups.len()];
    for run in &series.runs {
        let Some(number) = at(samples, key, run) else { continue };
        let group = groups.partition_point(|group| group.last().is_some_and(|&last| last < number));
        runs_at[group].push(*run);
    }
    let groups = runs_at.into_iter().enumerate().filter(|(_, runs)| !runs.is_empty());
    let figures = groups.filter_map(|(group, runs)| {
        let figure = (measure.estimate)(&runs)?;
        evidence.push(Evidence::new(&runs));
        Some((group, figure))
    });
    figures.collect()
}

/// The numbers of a point, in words.
fn range_text(group: &[f64]) -> String {
    let [first, last] = [group.first(), group.last()].map(|end| shortest(end.copied()));
    if group.len() == 1 { first } else { format!("{first} to {last}") }
}

/// The varied number on the axis: the first one requested, otherwise the one with the most values.
pub(crate) fn number_to_show(samples: &Samples, runs: &[&Sample], by: &[Key]) -> Option<Key> {
    let is_asked = |key: &Key| matches!(key, Key::Setting(_)) && is_number(samples, runs, *key);
    let asked = by.iter().copied().find(is_asked);
    // Of equals the first: `max_by_key` takes the last.
    let most = || {
        let numbers: Vec<Key> = samples.roster.setting_keys().filter(|&key| is_number(samples, runs, key)).collect();
        numbers.into_iter().rev().max_by_key(|&key| ordered(samples, runs, key).len())
    };
    asked.or_else(most)
}

/// Whether a key has two or more values, and every value that is present is a number.
fn is_number(samples: &Samples, runs: &[&Sample], key: Key) -> bool {
    let values = ordered(samples, runs, key);
    let there: Vec<&&str> = values.iter().filter(|value| !value.is_empty()).collect();
    there.len() > 1 && there.iter().all(|value| value.parse().is_ok_and(f64::is_finite))
}

/// A run's number.
fn at(samples: &Samples, key: Key, run: &Sample) -> Option<f64> {
    samples.value(key, run).parse().ok().filter(|number: &f64| number.is_finite())
}
