//! Published success rates beside ours.

use serde_json::{Value, json};

use super::axis::Axis;
use super::division::{MOST_PANELS, ordered};
use super::vega::{self, Drawing, Sign, Styles, WIDTH, number};
use super::{Chart, Material, Name, Refusal, labels};
use crate::published::{Match, PublishedRow};
use crate::samples::{Key, Sample, rate};
use evogrid_results::format::percent;
use evogrid_results::summary::{Figures, SummaryRow};
use evogrid_statistics::wilson;

/// Whose a rate is.
const WHOSE: [&str; 2] = ["published", "ours"];

/// Height of a bucket's row, in pixels.
const ROW: usize = 24;

/// The rates of a cell.
struct Panel<'a> {
    /// Its algorithm and its values of the varied settings.
    cell: Vec<&'a str>,
    pairs: Vec<Pair<'a>>,
}

/// The rates of a bucket.
struct Pair<'a> {
    bucket: &'a str,
    published: &'a PublishedRow,
    /// Solved runs of ours, and all of them.
    ours: (u64, u64),
}

/// Published rates beside ours, for each bucket of each cell.
pub(super) fn chart(material: &Material<'_>) -> Result<Chart, Refusal> {
    let samples = material.samples;
    let published = material.published.ok_or(Refusal::NoPublished)?;
    let roster = &samples.roster;
    let keys: Vec<Key> =
        std::iter::once(Key::Algorithm).chain(super::division::settings(samples)).chain([Key::Bucket]).collect();
    let everything = roster.select(&crate::samples::Selector::default()).map_err(|_| Refusal::NoRuns)?;

    let mut panels: Vec<Panel<'_>> = Vec::new();
    let (mut several, mut sources) = (0, Vec::<String>::new());
    for (values, runs) in samples.grouped(&keys, &everything) {
        let (&bucket, cell) = values.split_last().expect("the bucket is a key");
        let row = SummaryRow {
            algorithm: cell[0].to_owned(),
            varied: cell[1..].iter().map(|&value| value.to_owned()).collect(),
            bucket: bucket.to_owned(),
            figures: Figures::default(),
        };
        let published = match published.find(&roster.varied, &row) {
            Match::One(found) if found.success_rate.is_some() => found,
            Match::Several => {
                several += 1;
                continue;
            }
            Match::One(_) | Match::None => continue,
        };
        let source = labels::text(&published.source);
        if !sources.contains(&source) {
            sources.push(source);
        }
        let solved = runs.iter().filter(|run| run.outcome.solved).count() as u64;
        let pair = Pair { bucket, published, ours: (solved, runs.len() as u64) };
        match panels.iter_mut().find(|panel| panel.cell == cell) {
            Some(panel) => panel.pairs.push(pair),
            None => panels.push(Panel { cell: cell.to_vec(), pairs: vec![pair] }),
        }
    }
    if panels.is_empty() {
        return Err(Refusal::NoPublishedRate);
    }

    let all: Vec<&Sample> = samples.runs.iter().collect();
    let varying: Vec<usize> = (0..keys.len() - 1).filter(|&at| ordered(samples, &all, keys[at]).len() > 1).collect();
    let title_of = |values: &[&str]| {
        let (keys, values): (Vec<Key>, Vec<&str>) = varying.iter().map(|&at| (keys[at], values[at])).unzip();
        labels::name(roster, &keys, &values)
    };
    let titles: Vec<String> = panels.iter().map(|panel| title_of(&panel.cell)).collect();
    let x = Axis::rate("success rate");
    let drawings: Vec<Drawing> =
        panels.iter().zip(&titles).take(MOST_PANELS).map(|(panel, title)| drawing(title, &panel.pairs, &x)).collect();

    let title = "Published success rates and ours".to_owned();
    let mut notes = vec![format!("Published: {}. Intervals are Wilson's, 95 %.", sources.join("; "))];
    if panels.len() > MOST_PANELS {
        let left = labels::few(&titles[MOST_PANELS..]);
        notes.push(format!("{MOST_PANELS} of {} panels are shown; left out: {left}.", panels.len()));
    }
    if several > 0 {
        notes.push("Where several published rows fit one of ours, none of them is shown.".to_owned());
    }
    Ok(Chart { name: Name::Published, spec: vega::description(&title, drawings), title, notes })
}

fn drawing(title: &str, pairs: &[Pair<'_>], x: &Axis) -> Drawing {
    let buckets = labels::values(&pairs.iter().map(|pair| pair.bucket).collect::<Vec<_>>());
    let mut values = Vec::new();
    for (bucket, Pair { published, ours, .. }) in buckets.iter().zip(pairs) {
        values.push(rated(WHOSE[0], bucket, published.solved().zip(published.runs), published.success_rate));
        values.push(rated(WHOSE[1], bucket, Some(*ours), None));
    }
    let names = WHOSE.map(str::to_owned);
    let styles = Styles::new(&names, None, Sign::Marker, false);
    let mut points = styles.shape(json!({ "x": x.encoding("rate") }));
    points["tooltip"] =
        vega::tooltip(&[("bucket", "bucket", None), ("series", "whose", None), ("figure", "solved", None)]);
    let y = json!({
        "field": "bucket", "type": "nominal", "title": "bucket", "scale": { "domain": buckets },
        "axis": { "title": null, "ticks": false, "domain": false, "labelPadding": 8 },
    });
    let beside = json!({ "field": "series", "type": "nominal", "title": "series", "scale": { "domain": names } });
    Drawing {
        title: title.to_owned(),
        sign: Sign::Marker,
        width: json!(WIDTH),
        height: json!(ROW * buckets.len() + 8),
        rows: values,
        encoding: styles.color(json!({ "y": y, "yOffset": beside })),
        layers: vec![
            json!({ "mark": { "type": "rule", "strokeWidth": 1.4 }, "encoding": { "x": x.encoding("low"), "x2": vega::end("high") } }),
            json!({ "mark": "point", "encoding": points }),
        ],
    }
}

/// A rate with its interval; where it does not say of how many runs, alone.
fn rated(whose: &str, bucket: &str, counts: Option<(u64, u64)>, printed: Option<f64>) -> Value {
    let mut row = json!({ "series": whose, "bucket": bucket });
    match counts {
        Some((solved, runs)) => {
            let interval = wilson(solved, runs);
            row["rate"] = json!(number(printed.unwrap_or(solved as f64 / runs as f64)));
            row["low"] = json!(number(interval.low));
            row["high"] = json!(number(interval.high));
            row["figure"] = json!(format!("{} of {runs} runs", rate(solved, runs)));
        }
        None => {
            row["rate"] = json!(printed);
            row["figure"] = json!(printed.map(|printed| format!("{} %", percent(printed))));
        }
    }
    row
}
