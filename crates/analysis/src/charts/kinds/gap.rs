//! Mean gaps or objectives with intervals: along a varied number, or by configuration and bucket.

use serde_json::{Value, json};

use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::{Division, DivisionPlan, MOST_SERIES, MOST_VALUES, Panel, divide, ordered};
use crate::charts::error::ChartError;
use crate::charts::evidence::Evidence;
use crate::charts::figure::Figure;
use crate::charts::kinds::success::{Measure, along_setting, number_to_show};
use crate::charts::labels;
use crate::charts::quality::Quality;
use crate::charts::vega::{self, Drawing, LegendSymbol, WIDTH};
use crate::samples::{Key, Sample};
use crate::summary::ALL_BUCKETS;

/// With more series than this in a panel the rows are unreadable.
const MOST_IN_PANEL: usize = 7;

/// The means of all panels together are at most about this many, so that a chart fits a page.
const MOST_MEANS: usize = 72;

/// Height of a series in the row of a bucket, and of the space between two rows, in pixels.
const LINE: usize = 11;
const SPACE: usize = 8;

/// The means along a varied number if there is one, otherwise by configuration and bucket.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let quality = Quality::new(input)?;
    let Some(along) = number_to_show(input.samples, &input.runs(), input.by) else { return by_bucket(input, &quality) };
    let note = quality.words().of_means();
    let measure = Measure {
        kind: ChartKind::Gap,
        title: quality.words().heading,
        plural: "means",
        figure: "mean",
        axis: &|figures| quality.axis(figures),
        estimate: &|runs| quality.estimate(runs),
        note: &note,
        caveat: quality.caveat(),
    };
    let mut chart = along_setting(input, along, &measure)?;
    chart.notes.extend(quality.remarks());
    Ok(chart)
}

/// A row for each bucket, and in it a mean for each series.
fn by_bucket(input: &ChartInput<'_>, quality: &Quality<'_>) -> Result<Chart, ChartError> {
    let samples = input.samples;
    let runs = input.runs();
    let found: Vec<&str> = ordered(samples, &runs, Key::Bucket);
    let most = (MOST_MEANS / found.len().min(MOST_VALUES)).clamp(MOST_IN_PANEL, MOST_SERIES);
    let plan = DivisionPlan { besides: vec![Key::Bucket], most_series: most, ..DivisionPlan::by_settings(samples) };
    let division = divide(input, &runs, plan).spread(MOST_IN_PANEL);
    // Of one bucket, or of very many, all are in one row.
    let buckets = if (2..=MOST_VALUES).contains(&found.len()) { found.clone() } else { Vec::new() };
    let (mut names, mut evidence, mut drawn) = (labels::values(&buckets), Vec::new(), Vec::new());
    names.push(ALL_BUCKETS.to_owned());
    for (at, panel) in division.panels.iter().enumerate() {
        for series in &panel.series {
            let in_bucket = |bucket: &str| -> Vec<&Sample> {
                series.runs.iter().copied().filter(|run| samples.value(Key::Bucket, run) == bucket).collect()
            };
            let rows = buckets.iter().map(|bucket| in_bucket(bucket)).chain([series.runs.clone()]);
            for (row, runs) in rows.enumerate() {
                if let Some(figure) = quality.estimate(&runs) {
                    evidence.push(Evidence::new(&runs));
                    drawn.push(Mean { panel: at, series: series.name, row, figure });
                }
            }
        }
    }
    if drawn.is_empty() {
        return Err(ChartError::NoMean);
    }
    let drawings =
        division.panels.iter().enumerate().map(|(at, panel)| drawing(&division, at, panel, &names, &drawn, quality));
    let drawings = drawings.collect();
    let mut notes = vec![quality.words().of_means()];
    if buckets.is_empty() && found.len() > 1 {
        notes.push(format!(
            "The chart has no room for one row for each of {} buckets, so it groups them together.",
            found.len()
        ));
    }
    notes.extend(quality.remarks());
    let title = if buckets.is_empty() {
        quality.words().heading.to_owned()
    } else {
        format!("{} by bucket", quality.words().heading)
    };
    let mut remarks = division.remarks.clone().after(notes);
    remarks.caveats.extend(quality.caveat());
    remarks.caveats.extend(Evidence::caveat("means", evidence));
    Ok(Chart::new(input, ChartKind::Gap, &title, drawings, remarks))
}

/// The mean of a series in a row.
struct Mean {
    panel: usize,
    series: usize,
    row: usize,
    figure: Figure,
}

fn drawing(
    division: &Division<'_>,
    at: usize,
    panel: &Panel<'_>,
    names: &[String],
    drawn: &[Mean],
    quality: &Quality<'_>,
) -> Drawing {
    let x = quality.axis(&drawn.iter().map(|mean| &mean.figure).collect::<Vec<_>>());
    let row = |mean: &Mean| {
        json!({
            "series": division.names[mean.series],
            "bucket": names[mean.row],
            "mean": x.place(mean.figure.value),
            "low": x.place(mean.figure.interval.low),
            "high": x.place(mean.figure.interval.high),
            "figure": mean.figure.text,
        })
    };
    let own: Vec<&String> = panel.series.iter().map(|series| &division.names[series.name]).collect();
    let shown: Vec<&String> = names
        .iter()
        .enumerate()
        .filter(|(row, _)| drawn.iter().any(|mean| mean.row == *row))
        .map(|(_, name)| name)
        .collect();
    let axis = json!({ "title": null, "domain": false, "ticks": false, "labels": names.len() > 1, "labelLimit": 200, "labelPadding": 8 });
    let y = json!({ "field": "bucket", "type": "nominal", "title": "bucket", "scale": { "domain": shown, "paddingInner": 0.25 }, "axis": axis });
    let beside = json!({ "field": "series", "type": "nominal", "title": "series", "scale": { "domain": own } });
    let styles = division.styles(LegendSymbol::Marker);
    let mut points = styles.shape(json!({ "x": x.encoding("mean") }));
    points["tooltip"] =
        vega::tooltip(&[("series", "series", None), ("bucket", "bucket", None), ("figure", "mean", None)]);
    let mark: Value = json!({ "type": "rule", "opacity": 0.6 });
    Drawing {
        title: panel.title.clone(),
        symbol: LegendSymbol::Marker,
        width: json!(WIDTH),
        height: json!(shown.len() * (own.len() * LINE + SPACE)),
        rows: drawn.iter().filter(|mean| mean.panel == at).map(row).collect(),
        encoding: styles.color(json!({ "y": y, "yOffset": beside })),
        layers: vec![
            json!({ "mark": mark, "encoding": x.span("x", "low", "high") }),
            json!({ "mark": { "type": "point" }, "encoding": points }),
        ],
    }
}
