//! Charts of success rates, mean gaps and mean objectives with intervals. The figures are drawn along a number: the value of a setting, or
//! a bucket whose name is a number. If no number is varied, means are drawn for each configuration and bucket.

use serde_json::json;

use crate::charts::{
    Axis, ChartError, ChartInput, Content, Division, DivisionPlan, Evidence, Figure, Filling, LegendSymbol,
    MOST_IN_PANEL, MOST_SERIES, MOST_VALUES, NO_MEAN, Panel, Quality, Series, divide, labels, ordered, refused,
    rounded,
};
use crate::metric::Rate;
use crate::samples::{Key, Sample, Samples};
use crate::summary::ALL_BUCKETS;
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
struct Measure<'m> {
    /// The title of the chart, for example `Success rate`.
    title: &'m str,
    /// The plural name of the figures, for example `rates`.
    plural: &'static str,
    /// The label of a value in a tooltip, for example `solved`.
    figure: &'static str,
    /// The vertical axis for these figures.
    axis: &'m dyn Fn(&[&Figure]) -> Axis,
    /// The value of a group; `None` if the group has no value.
    estimate: &'m dyn Fn(&[&Sample]) -> Option<Figure>,
    /// A sentence about the intervals.
    note: &'m str,
    /// A sentence about the values that appears in the drawing.
    caveat: Option<String>,
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
        refused("no varied setting is numeric; expected a setting whose values are two or more different numbers")
    })?;
    along_setting(input, along, &RATES)
}

/// The chart of a figure along a varied number.
fn along_setting(input: &ChartInput<'_>, along: Key, measure: &Measure<'_>) -> Result<Content, ChartError> {
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
fn number_to_show(samples: &Samples, runs: &[&Sample], by: &[Key]) -> Option<Key> {
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

/// The maximum number of series in a panel with legible rows.
const MOST_MEANS_IN_PANEL: usize = 7;

/// The approximate maximum number of means, so that the chart fits a page.
const MOST_MEANS: usize = 72;

/// The height in pixels of a series in the row of a bucket, and the height of the space between two rows.
const LINE: usize = 11;
const SPACE: usize = 8;

/// The means along a varied number. If no number is varied, the means by configuration and bucket.
pub(crate) fn of_means(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let quality = Quality::new(input.samples, input.metric)?;
    let Some(along) = number_to_show(input.samples, &input.runs(), input.by) else {
        return means_by_bucket(input, &quality);
    };
    let words = quality.words();
    let measure = Measure {
        title: &words.heading,
        plural: "means",
        figure: "mean",
        axis: &|figures| quality.axis(figures),
        estimate: &|runs| quality.estimate(runs),
        note: &words.of_means,
        caveat: quality.caveat(),
    };
    let mut content = along_setting(input, along, &measure)?;
    content.remarks.notes.extend(quality.remarks());
    Ok(content)
}

/// The data of the chart: one row for each bucket, with a mean for each series.
fn means_by_bucket(input: &ChartInput<'_>, quality: &Quality<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    let found: Vec<&str> = ordered(samples, &input.runs(), Key::Bucket);
    let most = (MOST_MEANS / found.len().min(MOST_VALUES)).clamp(MOST_MEANS_IN_PANEL, MOST_SERIES);
    let plan = DivisionPlan { besides: vec![Key::Bucket], most_series: most, ..DivisionPlan::by_settings(samples) };
    let division = divide(input, input.runs(), plan).spread(MOST_MEANS_IN_PANEL);
    // If there is one bucket, or if there are very many, all runs are in one row.
    let buckets = if (2..=MOST_VALUES).contains(&found.len()) { found.clone() } else { Vec::new() };
    // The series, row and figure of each mean, for each panel.
    let (mut names, mut evidence, mut means_of) = (labels::values(&buckets), Vec::new(), Vec::new());
    names.push(ALL_BUCKETS.to_owned());
    for panel in &division.panels {
        let mut means: Vec<(usize, usize, Figure)> = Vec::new();
        for series in &panel.series {
            let in_bucket = |bucket: &str| -> Vec<&Sample> {
                series.runs.iter().copied().filter(|run| samples.value(Key::Bucket, run) == bucket).collect()
            };
            let rows = buckets.iter().map(|bucket| in_bucket(bucket)).chain([series.runs.clone()]);
            for (row, runs) in rows.enumerate() {
                if let Some(figure) = quality.estimate(&runs) {
                    evidence.push(Evidence::new(&runs));
                    means.push((series.name, row, figure));
                }
            }
        }
        means_of.push(means);
    }
    let all = || means_of.iter().flatten();
    if all().next().is_none() {
        return Err(refused(NO_MEAN));
    }
    let x = quality.axis(&all().map(|(.., figure)| figure).collect::<Vec<_>>());
    let is_shown = |row: usize| all().any(|(_, own, _)| *own == row);
    let shown: Vec<&String> = (0..names.len()).filter(|&row| is_shown(row)).map(|row| &names[row]).collect();
    let styles = division.styles(LegendSymbol::Marker);
    let drawing = |(panel, means): (&Panel<'_>, &Vec<(usize, usize, Figure)>)| {
        let row = |(series, row, figure): &(usize, usize, Figure)| {
            json!({
                "series": division.names[*series],
                "bucket": names[*row],
                "mean": x.place(figure.value),
                "low": x.place(figure.interval.low),
                "high": x.place(figure.interval.high),
                "figure": figure.text,
            })
        };
        let own: Vec<&String> = panel.series.iter().map(|series| &division.names[series.name]).collect();
        let height = shown.len() * (own.len() * LINE + SPACE);
        let values = [("buckets", json!(shown)), ("has_labels", json!(names.len() > 1)), ("names", json!(own))];
        let filling = Filling { axes: [Some(&x), None], styles: Some(&styles), values: &values };
        filling.drawing("gap", &panel.title, height, means.iter().map(row).collect())
    };
    let drawings = division.panels.iter().zip(&means_of).map(drawing).collect();
    let words = quality.words();
    let mut notes = vec![words.of_means];
    if buckets.is_empty() && found.len() > 1 {
        notes.push(format!(
            "The chart combines all {} buckets. One row per bucket would need too much room.",
            found.len()
        ));
    }
    notes.extend(quality.remarks());
    let title = if buckets.is_empty() { words.heading } else { format!("{} by bucket", words.heading) };
    let mut remarks = division.remarks.clone().after(notes);
    remarks.caveats.extend(quality.caveat());
    remarks.caveats.extend(Evidence::caveat("means", evidence));
    Ok(Content::new(title, drawings, remarks))
}
