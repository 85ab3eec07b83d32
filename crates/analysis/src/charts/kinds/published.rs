//! The chart of published success rates beside our success rates.

use serde_json::{Value, json};

use crate::charts::{
    Axis, ChartError, ChartInput, Content, Drawing, Evidence, Filling, LegendSymbol, NO_RUNS, Remarks, Styles,
    best_panels, labels, most_panels, ordered, refused, rounded,
};
use crate::metric::{Metric, Rate};
use crate::published::{Match, PublishedRow};
use crate::samples::{Key, Selector};
use evogrid_results::format::percent;
use evogrid_statistics::wilson;

/// The names of the two kinds of rates: published rates and our rates.
const WHOSE: [&str; 2] = ["published", "ours"];

/// The height of a bucket's row in pixels.
const ROW: usize = 24;

/// The rates of a bucket.
struct RatePair<'a> {
    bucket: &'a str,
    published: &'a PublishedRow,
    /// The rate of our runs, with the numbers of solved runs and of all runs.
    ours: Rate,
    evidence: Evidence,
}

/// The chart of published rates beside our rates, for each bucket of each configuration.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    let published = input.published.ok_or_else(|| refused("published values are missing"))?;
    let everything = samples.roster.select(&Selector::default()).map_err(|_| refused(NO_RUNS))?;

    // The algorithm and the values of the varied settings of each panel, with the rates of its buckets.
    let mut panels: Vec<(Vec<&str>, Vec<RatePair<'_>>)> = Vec::new();
    let (mut has_several, mut sources) = (false, Vec::<String>::new());
    for matched in published.matched(samples, &everything) {
        has_several |= matched.published == Match::Several;
        let Match::One(published @ PublishedRow { success_rate: Some(_), .. }) = matched.published else { continue };
        let source = labels::text(&published.source);
        if !sources.contains(&source) {
            sources.push(source);
        }
        let (&bucket, values) = matched.values.split_last().expect("the bucket is a key");
        let (ours, evidence) = (Rate::of_solved(matched.runs.iter().copied()), Evidence::new(&matched.runs));
        let pair = RatePair { bucket, published, ours, evidence };
        match panels.iter_mut().find(|(known, _)| known == values) {
            Some((_, pairs)) => pairs.push(pair),
            None => panels.push((values.to_vec(), vec![pair])),
        }
    }
    if panels.is_empty() {
        return Err(refused("the published rates do not match any of these runs"));
    }

    let runs = input.runs();
    let is_varied: Vec<(Key, bool)> =
        samples.roster.configuration_keys().map(|key| (key, ordered(samples, &runs, key).len() > 1)).collect();
    let title = |values: &[&str]| {
        let varied = is_varied.iter().zip(values).filter(|((_, is_varied), _)| *is_varied);
        let (keys, values): (Vec<Key>, Vec<&str>) = varied.map(|((key, _), value)| (*key, *value)).unzip();
        labels::name(&samples.roster, &keys, &values)
    };
    let mut remarks = Remarks::default();
    let solved = |(_, pairs): &(_, Vec<RatePair<'_>>)| {
        let counts = pairs.iter().map(|pair| (pair.ours.count, pair.ours.runs));
        let (solved, runs) = counts.fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        solved as f64 / runs.max(1) as f64
    };
    let standings: Vec<f64> = panels.iter().map(solved).collect();
    let by_rate = ChartInput { metric: Metric::Solved, ..*input };
    let shown = best_panels(&standings, most_panels(input.columns), &by_rate, &mut remarks.caveats);
    let shown = || panels.iter().enumerate().filter(|(at, _)| shown.contains(at)).map(|(_, panel)| panel);
    let evidence = shown().flat_map(|(_, pairs)| pairs).map(|pair| pair.evidence);
    remarks.caveats.extend(Evidence::caveat("rates of our runs", evidence));
    let x = Axis::rate("success rate");
    let drawings = shown().map(|(values, pairs)| drawing(&title(values), pairs, &x)).collect();

    remarks.notes.push(format!(
        "Published: {}. The 95 % interval of a published rate uses the published number of runs. The intervals of \
         our rates are valid for instances like these: all instances of the same kind.",
        sources.join("; ")
    ));
    if has_several {
        remarks.notes.push("The chart omits published rows if several of them match one of our rows.".to_owned());
    }
    Ok(Content::new("Published success rates compared with ours", drawings, remarks))
}

fn drawing(title: &str, pairs: &[RatePair<'_>], x: &Axis) -> Drawing {
    let buckets = labels::values(&pairs.iter().map(|pair| pair.bucket).collect::<Vec<_>>());
    let mut rows = Vec::new();
    for (bucket, RatePair { published, ours, .. }) in buckets.iter().zip(pairs) {
        rows.extend([theirs(bucket, published), self::ours(bucket, ours)]);
    }
    let names = WHOSE.map(str::to_owned);
    let styles = Styles::of_levels(&names, None, LegendSymbol::Marker, 1);
    let values = [("buckets", json!(buckets)), ("names", json!(names))];
    let filling = Filling { axes: [Some(x), None], styles: Some(&styles), values: &values };
    filling.drawing("published", title, ROW * buckets.len() + 8, rows)
}

/// Our rate.
fn ours(bucket: &str, rate: &Rate) -> Value {
    json!({
        "series": WHOSE[1], "bucket": bucket, "rate": rounded(rate.share), "low": rounded(rate.interval.low),
        "high": rounded(rate.interval.high), "figure": rate.figure(),
    })
}

/// The row of the published rate with Wilson's interval. Without a published number of runs there is no interval.
fn theirs(bucket: &str, published: &PublishedRow) -> Value {
    let printed = published.success_rate;
    let mut row = json!({ "series": WHOSE[0], "bucket": bucket, "rate": printed });
    row["figure"] = json!(printed.map(|printed| format!("{} %", percent(printed))));
    if let Some((solved, runs)) = published.counts() {
        let interval = wilson(solved, runs);
        (row["low"], row["high"]) = (json!(rounded(interval.low)), json!(rounded(interval.high)));
        row["rate"] = json!(printed.map(rounded));
        let [low, high] = [(100.0 * interval.low).floor(), (100.0 * interval.high).ceil()];
        let share = percent(solved as f64 / runs as f64);
        row["figure"] = json!(format!("{share} % ({low} to {high}) of {runs} runs"));
    }
    row
}
