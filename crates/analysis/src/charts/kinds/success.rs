//! Charts of success rates against a number. The number is the value of a setting, or a bucket whose name is a number.

use serde_json::json;

use crate::charts::{
    Axis, ChartError, ChartInput, Content, Division, DivisionPlan, Evidence, Figure, LegendSymbol, MOST_IN_PANEL,
    NO_MEAN, Series, divide, labels, ordered, refused, rounded,
};
use crate::metric::Rate;
use crate::samples::{Key, Sample, Samples};
use evogrid_results::format::shortest;
use evogrid_statistics::quantile;

/// If there are more numbers than this, neighbouring numbers are grouped.
const MOST_POINTS: usize = 40;

/// The number of groups of neighbouring numbers. All groups have about the same size.
const N_GROUPS: usize = 20;

/// The distance between two series at the same number, as a share of the axis.
const BESIDE: f64 = 0.012;

/// The maximum number of bands in a panel. If there were more bands, they would hide each other.
const MOST_BANDS: usize = 3;

/// A figure of groups of runs that is drawn along a varied number.
pub(crate) struct Measure<'m> {
    /// The title of the chart, for example `Success rate`.
    pub(crate) title: &'m str,
    /// The plural name of the figures, for example `rates`.
    pub(crate) plural: &'static str,
    /// The label of a value in a tooltip, for example `solved`.
    pub(crate) figure: &'static str,
    /// The vertical axis for these figures.
    pub(crate) axis: &'m dyn Fn(&[&Figure]) -> Axis,
    /// The value of a group; `None` if the group has no value.
    pub(crate) estimate: &'m dyn Fn(&[&Sample]) -> Option<Figure>,
    /// A sentence about the intervals.
    pub(crate) note: &'m str,
    /// A sentence about the values that appears in the drawing.
    pub(crate) caveat: Option<String>,
}

/// Success rates.
const RATES: Measure<'_> = Measure {
    title: "Success rate",
    plural: "rates",
    figure: "solved",
    axis: &|_| Axis::rate("success rate"),
    estimate: &|runs| {
        let rate = Rate::of_solved(runs.iter().copied());
        Some(Figure { value: rate.share, interval: rate.interval, text: rate.figure() })
    },
    note: "Intervals (95 %) hold for instances like these.",
    caveat: None,
};

/// The chart of the success rate along a varied number.
pub(crate) fn by_setting(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let along = number_to_show(input.samples, &input.runs(), input.by).ok_or_else(|| {
        refused("no varied setting has numbers as values; expected a column with two or more numbers")
    })?;
    along_setting(input, along, &RATES)
}

/// The chart of a figure along a varied number.
pub(crate) fn along_setting(input: &ChartInput<'_>, along: Key, measure: &Measure<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    let (runs, left_out): (Vec<&Sample>, Vec<&Sample>) =
        samples.runs.iter().partition(|run| at(samples, along, run).is_some());
    let plan = DivisionPlan {
        series: vec![Key::Bucket],
        panels: samples.roster.configuration_keys().filter(|&key| key != along).collect(),
        besides: vec![along],
        is_of_best: false,
        ..DivisionPlan::by_settings(samples)
    };
    let mut division = divide(input, runs, plan).spread(MOST_IN_PANEL);
    let name = labels::text(samples.roster.name(along));
    if !left_out.is_empty() {
        let algorithms = labels::values(&ordered(samples, &left_out, Key::Algorithm)).join(", ");
        division.remarks.caveats.push(format!(
            "{} of {} runs are omitted: they have no `{name}`. The algorithms of the omitted runs are {algorithms}.",
            left_out.len(),
            samples.runs.len()
        ));
    }
    chart(samples, measure, (&name, along), division, true)
}

/// The chart of the success rate along buckets whose names are numbers.
pub(crate) fn by_bucket(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    let runs = input.runs();
    if !is_number(samples, &runs, Key::Bucket) {
        return Err(refused("the chart needs at least two buckets whose names are numbers"));
    }
    let plan = DivisionPlan { besides: vec![Key::Bucket], ..DivisionPlan::by_settings(samples) };
    // The bucket of a generated instance may be its number of givens. Then the name begins with `g` and that number.
    let is_givens = |run: &&Sample| {
        let instance = &samples.roster.instances[run.instance()];
        instance.id.strip_prefix('g').and_then(|id| id.strip_prefix(&instance.bucket)).is_some()
    };
    let along = if runs.iter().all(is_givens) { "number of givens" } else { "bucket" };
    let division = divide(input, runs, plan).spread(MOST_BANDS);
    // Bars at so many numbers would lie over each other, so the intervals are bands.
    chart(samples, &RATES, (along, Key::Bucket), division, false)
}

/// The chart of the figures along a key. The intervals are drawn as bars or as a band.
fn chart(
    samples: &Samples,
    measure: &Measure<'_>,
    (along, key): (&str, Key),
    division: Division<'_>,
    has_bars: bool,
) -> Result<Content, ChartError> {
    let mut numbers: Vec<f64> = division.runs().filter_map(|run| at(samples, key, run)).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let mut notes = vec![measure.note.to_owned()];
    // Each number is a group, unless there are many numbers.
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
        return Err(refused(NO_MEAN));
    }
    let (x, y) = (Axis::parameter(along, &points), (measure.axis)(&drawn));
    let [mark, opacity] = if has_bars { [json!("rule"), json!(0.6)] } else { [json!("area"), json!(0.15)] };
    let interval = json!({ "type": mark, "opacity": opacity });
    let tooltip = json!(["series", "at", format!("figure = {}", measure.figure)]);
    let values = [("interval", interval), ("tooltip", tooltip)];
    let mut found = found.iter();
    let mut drawings = division.drawings("along", LegendSymbol::Marker, [&x, &y], &values, |name, series| {
        let side = if has_bars { series.name as f64 - (division.names.len() - 1) as f64 / 2.0 } else { 0.0 };
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
    // The series stand beside each other, so their bars do not hide each other.
    drawings.iter_mut().for_each(|drawing| drawing.encoding["x"]["field"] = json!("beside"));
    let mut remarks = division.remarks.after(notes);
    remarks.caveats.extend(measure.caveat.clone());
    remarks.caveats.extend(Evidence::caveat(measure.plural, evidence));
    Ok(Content::new(format!("{} by {along}", measure.title), drawings, remarks))
}

/// The figures of a series. There is one figure per group of numbers for which the series has runs. Adds their evidence.
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

/// The text of the number, or of the range of numbers, at a point.
fn range_text(group: &[f64]) -> String {
    let [first, last] = [group.first(), group.last()].map(|end| shortest(end.copied()));
    if group.len() == 1 { first } else { format!("{first} to {last}") }
}

/// The key on the axis: the first key with numbers that the user asks for. If the user asks for none, the key with the most numbers.
pub(crate) fn number_to_show(samples: &Samples, runs: &[&Sample], by: &[Key]) -> Option<Key> {
    let is_asked = |key: &Key| matches!(key, Key::Setting(_)) && is_number(samples, runs, *key);
    let asked = by.iter().copied().find(is_asked);
    // Of several such numbers the first is taken. `max_by_key` takes the last, so the order is reversed.
    let most = || {
        let numbers: Vec<Key> = samples.roster.setting_keys().filter(|&key| is_number(samples, runs, key)).collect();
        numbers.into_iter().rev().max_by_key(|&key| ordered(samples, runs, key).len())
    };
    asked.or_else(most)
}

/// Whether a key has two or more values, all of which are numbers. Absent values are ignored.
fn is_number(samples: &Samples, runs: &[&Sample], key: Key) -> bool {
    let values = ordered(samples, runs, key);
    let there: Vec<&&str> = values.iter().filter(|value| !value.is_empty()).collect();
    there.len() > 1 && there.iter().all(|value| value.parse().is_ok_and(f64::is_finite))
}

/// The value of the key in a run, as a number.
fn at(samples: &Samples, key: Key, run: &Sample) -> Option<f64> {
    samples.value(key, run).parse().ok().filter(|number: &f64| number.is_finite())
}
