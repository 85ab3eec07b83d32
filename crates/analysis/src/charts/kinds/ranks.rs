//! Critical-difference diagrams show mean ranks over instances. Bars join configurations that do not differ. Comparisons use the same test,
//! so a diagram and a comparison agree.
//!
//! J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006, section 3.2.2 and figure 1.

use serde_json::{Value, json};

use crate::charts::{
    ChartError, ChartInput, Content, Division, Drawing, Filling, WIDTH, few_instances, rounded, settings,
};
use crate::compare::{Confidence, Group, GroupRun, InstanceBlocks, Omnibus, omnibus};
use crate::metric::Metric;
use crate::samples::Sample;
use evogrid_core::family::Direction;

/// The maximum number of configurations in a legible diagram.
const MOST_RANKED: usize = 20;

/// The distances from the axis to the first bar, from one bar to the next, and from the last bar to the first name. The unit is the height
/// of a row of names.
const BARS: [f64; 3] = [0.35, 0.4, 0.6];

/// The height of a row of names in pixels.
const ROW: f64 = 14.0;

/// The row of the critical difference, which is above the numbers and the title of the axis.
const ABOVE: f64 = -3.2;

/// The maximum length of a name in a diagram that has names on two sides. If a name is longer, all names are on one side.
const LONGEST_NAME_BESIDE: usize = 16;

/// The width of the axis in pixels. The names are beside the axis.
const AXIS: u32 = WIDTH - 90;

/// The distance between the lines of configurations with equal ranks, in pixels.
const BESIDE: f64 = 3.0;

/// The critical-difference diagram of the configurations' mean ranks over instances.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let division = settings(input, MOST_RANKED)?.with_evidence("mean ranks");
    let metric = if input.metric == Metric::Solved { input.unit } else { input.metric };
    let found = groups(input, metric, &division);
    let ranked = omnibus(metric, &found, found.len(), Confidence::PERCENT_95);
    let Some(Omnibus { friedman: test, instances, critical_difference: difference, .. }) = ranked else {
        let has_all = |&at: &usize| found.iter().all(|group| group.blocks.get(at).is_some());
        let shared = found[0].blocks.instances().filter(has_all);
        return Err(few_instances(shared.count(), 2));
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
    let last = if metric == input.metric { "a run without a solution" } else { "an unsolved run" };
    let is_maximised = division.runs().any(|run| metric.direction(input.samples, run) == Direction::Maximise);
    let first = if is_maximised { "highest" } else { "lowest" };
    let notes = [
        format!(
            "Configurations are ranked by the {ranked} on {instances} instances. The {first} value has rank 1. The last rank belongs to {last}."
        ),
        format!(
            "Friedman test: chi-squared {:.1}, {} degrees of freedom, p {p}. A bar joins mean ranks that differ by \
             less than the critical difference {difference:.2} (Nemenyi, 95 %).",
            test.statistic, test.degrees
        ),
    ];
    let notes = notes.into_iter().chain(input.unit_note().filter(|_| metric != input.metric));
    let remarks = division.remarks.clone().after(notes);
    let title = format!("Critical differences of mean ranks, by {ranked}");
    Ok(Content::new(title, vec![drawing], remarks))
}

/// Converts the runs of each series to a group of a comparison.
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

/// The bars: the longest sequences of ascending mean ranks in which the first and the last rank do not differ. Each bar is the index of the
/// first rank and the index of the last rank.
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

/// Draws the diagram. Horizontal positions are mean ranks, and vertical positions are rows. The axis is at row 0, and the critical
/// difference is above the axis.
fn drawing(legend: Option<&str>, ranked: &[(f64, &str)], bars: &[[usize; 2]], difference: f64) -> Drawing {
    let n = ranked.len();
    // The axis shows all possible ranks.
    let [low, high] = [1.0, n as f64];
    let first_row = BARS[0] + BARS[1] * bars.len() as f64 + BARS[2];
    // There is no room for two long names beside each other.
    let longest = ranked.iter().map(|(_, name)| name.chars().count()).max().unwrap_or_default();
    let left = if longest > LONGEST_NAME_BESIDE { n } else { n.div_ceil(2) };
    let mut lines = Vec::new();
    let (mut names_left, mut names_right) = (Vec::new(), Vec::new());
    for (at, &(rank, name)) in ranked.iter().enumerate() {
        let is_left = at < left;
        let row = first_row + (if is_left { at } else { n - 1 - at }) as f64;
        let edge = if is_left { low - 0.04 * (high - low) } else { high + 0.04 * (high - low) };
        // Configurations of equal rank have separate lines.
        let ties = ranked.iter().filter(|(other, _)| *other == rank).count();
        let before = ranked[..at].iter().filter(|(other, _)| *other == rank).count();
        let beside = (before as f64 - (ties - 1) as f64 / 2.0) * BESIDE * (high - low) / f64::from(AXIS);
        lines.push(line([rank + beside, 0.0], [rank + beside, row]));
        lines.push(line([edge, row], [rank + beside, row]));
        // `compare` rounds halves up, too.
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

    // The critical difference is drawn as a length, if the axis is long enough.
    let has_difference = difference <= high - low;
    let above = if has_difference { ABOVE } else { 0.4 };
    let mut rows = lines;
    let mut told = Vec::new();
    if has_difference {
        rows.push(line([low, above], [low + difference, above]));
        let ends = [low, low + difference].map(|at| line([at, above - 0.2], [at, above + 0.2]));
        rows.extend(ends);
        // The text is on the side without names.
        let beside = if left == n { low } else { low + difference };
        told.push(json!({ "x": rounded(beside), "y": above, "text": format!("critical difference {difference:.2}") }));
    }
    let top = above - 0.4;
    let deepest = first_row + left as f64;
    let values = [
        ("domain", json!([low, high])),
        ("title", json!(legend.map_or("mean rank".to_owned(), |legend| format!("mean rank ({legend})")))),
        ("offset", json!((top * ROW).round())),
        ("ticks", json!(ticks(low, high))),
        ("anchor", json!(if left == n { "end" } else { "middle" })),
        ("rows", json!([deepest, top])),
        ("lines", json!(rows)),
        ("bars", json!(joined)),
        ("left", json!(names_left)),
        ("right", json!(names_right)),
        ("difference", json!(told)),
        ("align", json!(if left == n { "right" } else { "left" })),
        ("dx", json!(if left == n { -5 } else { 5 })),
    ];
    let filling = Filling { values: &values, ..Filling::default() };
    let drawing = filling.drawing("ranks", "", ((deepest - top) * ROW).round(), Vec::new());
    Drawing { width: json!(AXIS), ..drawing }
}

/// The whole ranks that are labelled, so that the labels have room on the axis.
fn ticks(low: f64, high: f64) -> Vec<usize> {
    let (low, high) = (low as usize, high as usize);
    (low..=high).step_by((high - low + 1).div_ceil(10).max(1)).collect()
}

fn line(from: [f64; 2], to: [f64; 2]) -> Value {
    json!({ "x": rounded(from[0]), "y": rounded(from[1]), "x2": rounded(to[0]), "y2": rounded(to[1]) })
}
