//! Critical-difference diagrams: mean ranks over instances, and bars over configurations that do not differ; by the test of comparisons, so
//! that both agree.
//!
//! J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006, section 3.2.2 and figure 1.

use serde_json::{Value, json};

use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::Division;
use crate::charts::error::ChartError;
use crate::charts::expected_costs::settings;
use crate::charts::labels::rounded;
use crate::charts::vega::{self, Drawing, LegendSymbol, WIDTH};
use crate::compare::{Confidence, Group, GroupRun, InstanceBlocks, Omnibus, omnibus};
use crate::metric::Metric;
use crate::samples::Sample;
use evogrid_core::family::Direction;

/// With more configurations than this the diagram is not legible.
const MOST_RANKED: usize = 20;

/// Distances, in rows of names: from the axis to the first bar, from bar to bar, and from the last to the first name.
const BARS: [f64; 3] = [0.35, 0.4, 0.6];

/// Height of a row of names, in pixels.
const ROW: f64 = 14.0;

/// The row of the critical difference, over the axis with its numbers and title.
const ABOVE: f64 = -3.2;

/// If a name is longer than this, all names stand on one side.
const LONGEST_NAME_BESIDE: usize = 16;

/// Pixels for the axis; the names stand beside it.
const AXIS: u32 = WIDTH - 90;

/// Pixels between the lines of configurations with equal ranks.
const BESIDE: f64 = 3.0;

/// The mean ranks of the settings' costs over the instances.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let division = settings(input, MOST_RANKED)?.with_evidence("mean ranks");
    let metric = if input.metric == Metric::Solved { input.unit.metric() } else { input.metric };
    let found = groups(input, metric, &division);
    let ranked = omnibus(metric, &found, found.len(), Confidence::PERCENT_95);
    let Some(Omnibus { friedman: test, instances, critical_difference: difference, .. }) = ranked else {
        let has_all = |&at: &usize| found.iter().all(|group| group.blocks.get(at).is_some());
        let shared = found[0].blocks.instances().filter(has_all);
        return Err(ChartError::few_instances(shared.count(), 2));
    };
    let mut ranked: Vec<(f64, &str)> =
        test.mean_ranks.iter().copied().zip(division.names.iter().map(String::as_str)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let bars = alike(&ranked.iter().map(|&(rank, _)| rank).collect::<Vec<_>>(), difference);
    let drawing = drawing(division.legend.as_deref(), &ranked, &bars, difference);

    let p = if test.p_value < 1e-4 { "< 0.0001".to_owned() } else { format!("{:.4}", test.p_value) };
    let ranked = match metric {
        Metric::Gap => "median gap".to_owned(),
        _ => metric.name(),
    };
    let last = if metric == input.metric { "one without a solution" } else { "an unsolved run" };
    let is_maximised = division.runs().any(|run| metric.direction(input.samples, run) == Direction::Maximise);
    let first = if is_maximised { "highest" } else { "lowest" };
    let notes = [
        format!("Ranks of the {ranked} on {instances} instances: rank 1 is the {first}, and {last} comes last."),
        format!(
            "Friedman: chi-squared {:.1}, {} degrees of freedom, p {p}. A bar joins configurations whose mean ranks \
             differ by less than the critical difference {difference:.2} (Nemenyi, 95 %).",
            test.statistic, test.degrees
        ),
    ];
    let notes = notes.into_iter().chain(input.unit_note().filter(|_| metric != input.metric));
    let remarks = division.remarks.clone().after(notes);
    let title = format!("Critical differences of mean ranks, by {ranked}");
    Ok(Chart::new(input, ChartKind::Ranks, &title, vec![drawing], remarks))
}

/// The runs of the series as a comparison takes them.
fn groups(input: &ChartInput<'_>, metric: Metric, division: &Division<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> =
        division.full.iter().map(|name| Group { name: name.clone(), ..Group::default() }).collect();
    for series in division.series() {
        let run = |(run, at): (&&Sample, u32)| {
            let cost = metric.cost(input.samples, run)?;
            Some(GroupRun { cost, run: at, instance: run.instance() as u32 })
        };
        let mut runs: Vec<GroupRun> = series.runs.iter().zip(0..).filter_map(run).collect();
        runs.sort_by_key(|run| run.instance);
        groups[series.name].blocks = InstanceBlocks(runs);
    }
    groups
}

/// The longest runs of ascending mean ranks whose ends do not differ, each given by its first and last place.
fn alike(ranks: &[f64], difference: f64) -> Vec<[usize; 2]> {
    let mut bars: Vec<[usize; 2]> = Vec::new();
    for first in 0..ranks.len() {
        let last = ranks.partition_point(|rank| rank - ranks[first] < difference) - 1;
        if last > first && bars.last().is_none_or(|bar| last > bar[1]) {
            bars.push([first, last]);
        }
    }
    bars
}

/// The diagram, in a plane of mean ranks and rows: the axis at row 0, the critical difference above it.
fn drawing(legend: Option<&str>, ranked: &[(f64, &str)], bars: &[[usize; 2]], difference: f64) -> Drawing {
    let n = ranked.len();
    // All ranks that there can be.
    let [low, high] = [1.0, n as f64];
    let first_row = BARS[0] + BARS[1] * bars.len() as f64 + BARS[2];
    // Two long names have no room beside each other.
    let longest = ranked.iter().map(|(_, name)| name.chars().count()).max().unwrap_or_default();
    let left = if longest > LONGEST_NAME_BESIDE { n } else { n.div_ceil(2) };
    let mut lines = Vec::new();
    let (mut names_left, mut names_right) = (Vec::new(), Vec::new());
    for (at, &(rank, name)) in ranked.iter().enumerate() {
        let is_left = at < left;
        let row = first_row + (if is_left { at } else { n - 1 - at }) as f64;
        let edge = if is_left { low - 0.04 * (high - low) } else { high + 0.04 * (high - low) };
        // Settings of equal rank have a line each.
        let ties = || ranked.iter().filter(|(other, _)| *other == rank).count();
        let before = ranked[..at].iter().filter(|(other, _)| *other == rank).count();
        let beside = (before as f64 - (ties() - 1) as f64 / 2.0) * BESIDE * (high - low) / f64::from(AXIS);
        lines.push(line([rank + beside, 0.0], [rank + beside, row]));
        lines.push(line([edge, row], [rank + beside, row]));
        // As `compare` rounds it: halves go up.
        let text = format!("{name} ({:.2})", (rank * 100.0).round() / 100.0);
        let entry =
            json!({ "x": rounded(edge), "y": rounded(row), "text": text, "series": name, "rank": rounded(rank) });
        if is_left { names_left.push(entry) } else { names_right.push(entry) }
    }
    let bar = |(at, &[first, last]): (usize, &[usize; 2])| {
        let row = BARS[0] + BARS[1] * at as f64;
        let room = 0.012 * (high - low);
        line([ranked[first].0 - room, row], [ranked[last].0 + room, row])
    };
    let joined: Vec<Value> = bars.iter().enumerate().map(bar).collect();

    // The critical difference as a length, where it is one.
    let has_difference = difference <= high - low;
    let above = if has_difference { ABOVE } else { 0.4 };
    let mut rows = lines;
    let mut told = Vec::new();
    if has_difference {
        rows.push(line([low, above], [low + difference, above]));
        let ends = [low, low + difference].map(|at| line([at, above - 0.2], [at, above + 0.2]));
        rows.extend(ends);
        // Beside it where the names are not.
        let beside = if left == n { low } else { low + difference };
        told.push(json!({ "x": rounded(beside), "y": above, "text": format!("critical difference {difference:.2}") }));
    }
    let top = above - 0.4;
    let deepest = first_row + left as f64;
    let y = json!({
        "field": "y", "type": "quantitative", "title": "y", "axis": null,
        "scale": { "domain": [deepest, top], "nice": false, "zero": false },
    });
    let x = json!({
        "field": "x", "type": "quantitative", "title": "x",
        "scale": { "domain": [low, high], "nice": false, "zero": false },
        "axis": {
            "title": legend.map_or("mean rank".to_owned(), |legend| format!("mean rank ({legend})")),
            "orient": "top",
            "grid": false,
            "offset": (top * ROW).round(),
            "values": ticks(low, high),
            "format": ".6~g",
            "titlePadding": 2,
            "titleAnchor": if left == n { "end" } else { "middle" },
        },
    });
    let segments = |rows: &[Value], mark: Value| {
        json!({
            "data": { "values": rows },
            "mark": mark,
            "encoding": { "x": x, "y": y, "x2": { "field": "x2" }, "y2": { "field": "y2" } },
        })
    };
    let texts = |rows: &[Value], align: &str, dx: i32, tooltip: Value| {
        json!({
            "data": { "values": rows },
            "mark": { "type": "text", "align": align, "dx": dx, "limit": 260 },
            "encoding": {
                "x": x, "y": y,
                "text": { "field": "text", "type": "nominal", "title": "text" },
                "tooltip": tooltip,
            },
        })
    };
    let ranks = || vega::tooltip(&[("series", "series", None), ("rank", "mean rank", Some(".3f"))]);
    Drawing {
        title: String::new(),
        symbol: LegendSymbol::Marker,
        width: json!(AXIS),
        height: json!(((deepest - top) * ROW).round()),
        rows: Vec::new(),
        encoding: json!({}),
        layers: vec![
            segments(&rows, json!({ "type": "rule", "strokeWidth": 0.8 })),
            segments(&joined, json!({ "type": "rule", "strokeWidth": 3.5, "strokeCap": "butt" })),
            texts(&names_left, "right", -3, ranks()),
            texts(&names_right, "left", 3, ranks()),
            if left == n { texts(&told, "right", -5, Value::Null) } else { texts(&told, "left", 5, Value::Null) },
        ],
    }
}

/// Whole ranks, few enough not to touch each other.
fn ticks(low: f64, high: f64) -> Vec<usize> {
    let (low, high) = (low as usize, high as usize);
    (low..=high).step_by((high - low + 1).div_ceil(10).max(1)).collect()
}

fn line(from: [f64; 2], to: [f64; 2]) -> Value {
    json!({ "x": rounded(from[0]), "y": rounded(from[1]), "x2": rounded(to[0]), "y2": rounded(to[1]) })
}
