//! The chart of mean gaps or mean objectives with intervals. The means are drawn along a varied number, or for each configuration and
//! bucket.

use serde_json::json;

use super::success::{Measure, along_setting, number_to_show};
use crate::charts::{
    ChartError, ChartInput, Content, DivisionPlan, Evidence, Figure, Filling, LegendSymbol, MOST_SERIES, MOST_VALUES,
    NO_MEAN, Panel, Quality, divide, labels, ordered, refused,
};
use crate::samples::{Key, Sample};
use crate::summary::ALL_BUCKETS;

/// The maximum number of series in a panel with legible rows.
const MOST_IN_PANEL: usize = 7;

/// The approximate maximum number of means, so that the chart fits a page.
const MOST_MEANS: usize = 72;

/// The height in pixels of a series in the row of a bucket, and the height of the space between two rows.
const LINE: usize = 11;
const SPACE: usize = 8;

/// The means along a varied number. If no number is varied, the means by configuration and bucket.
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

/// The data of the chart: one row for each bucket, with a mean for each series.
fn by_bucket(input: &ChartInput<'_>, quality: &Quality<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    let found: Vec<&str> = ordered(samples, &input.runs(), Key::Bucket);
    let most = (MOST_MEANS / found.len().min(MOST_VALUES)).clamp(MOST_IN_PANEL, MOST_SERIES);
    let plan = DivisionPlan { besides: vec![Key::Bucket], most_series: most, ..DivisionPlan::by_settings(samples) };
    let division = divide(input, input.runs(), plan).spread(MOST_IN_PANEL);
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
