//! Mean gaps or objectives with intervals: along a varied number, or by configuration and bucket.

use serde_json::json;

use super::success::{Measure, along_setting, number_to_show};
use crate::charts::{
    ChartError, ChartInput, Content, Division, DivisionPlan, Drawing, Evidence, Figure, Filling, LegendSymbol,
    MOST_SERIES, MOST_VALUES, NO_MEAN, Panel, Quality, divide, labels, ordered, refused,
};
use crate::samples::{Key, Sample};
use crate::summary::ALL_BUCKETS;

/// The maximum number of series in a panel with legible rows.
const MOST_IN_PANEL: usize = 7;

/// The approximate maximum number of means in a chart that fits a page.
const MOST_MEANS: usize = 72;

/// The height of a series in the row of a bucket, and of the space between two rows, in pixels.
const LINE: usize = 11;
const SPACE: usize = 8;

/// The means along a varied number if there is one, otherwise by configuration and bucket.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let quality = Quality::new(input.samples, input.metric)?;
    let Some(along) = number_to_show(input.samples, &input.runs(), input.by) else { return by_bucket(input, &quality) };
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

/// A row for each bucket. A row has a mean for each series.
fn by_bucket(input: &ChartInput<'_>, quality: &Quality<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    let found: Vec<&str> = ordered(samples, &input.runs(), Key::Bucket);
    let most = (MOST_MEANS / found.len().min(MOST_VALUES)).clamp(MOST_IN_PANEL, MOST_SERIES);
    let plan = DivisionPlan { besides: vec![Key::Bucket], most_series: most, ..DivisionPlan::by_settings(samples) };
    let division = divide(input, input.runs(), plan).spread(MOST_IN_PANEL);
    // If there is one bucket, or if there are very many, all runs are in one row.
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
        return Err(refused(NO_MEAN));
    }
    let drawings =
        division.panels.iter().enumerate().map(|(at, panel)| drawing(&division, at, panel, &names, &drawn, quality));
    let drawings = drawings.collect();
    let words = quality.words();
    let mut notes = vec![words.of_means];
    if buckets.is_empty() && found.len() > 1 {
        notes.push(format!(
            "The chart has no room for one row for each of {} buckets, so it groups them together.",
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
    let styles = division.styles(LegendSymbol::Marker);
    let height = shown.len() * (own.len() * LINE + SPACE);
    let values = [("buckets", json!(shown)), ("has_labels", json!(names.len() > 1)), ("names", json!(own))];
    let filling = Filling { axes: [Some(&x), None], styles: Some(&styles), values: &values };
    let rows = drawn.iter().filter(|mean| mean.panel == at).map(row).collect();
    filling.drawing("gap", &panel.title, height, rows)
}
