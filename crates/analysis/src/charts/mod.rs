//! Charts of the results of runs. A chart is a Vega-Lite specification that contains all drawn numbers.
//!
//! Every chart is computed from the runs. Some charts also use the trace or the published values. This module uses the crate
//! [`statistics`](evogrid_statistics) to compute every rate, interval and quantile, and every step of a curve. The Vega-Lite specification
//! draws the computed numbers. The specification itself computes nothing. Names from the results appear in a specification only as text.
//! Names from the results are never used as names of fields or as parts of an expression. The theme of the drawing sets the colours.
//!
//! [`draw`] makes a chart. If the chart is impossible, [`draw`] returns the reason. [`survey`] tries to make every chart.

mod axis;
mod best;
mod division;
mod error;
mod evidence;
mod expected_costs;
mod input;
mod kinds;
mod labels;
mod quality;
#[cfg(test)]
mod tests;
mod value_counts;
mod vega;
mod work_unit;

pub use best::{BestChoice, best_configurations};
pub use error::ChartError;
pub use input::ChartInput;
pub use kinds::ChartKind;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::metric::reported_objectives;
use crate::samples::{Sample, Samples};

// The parts of which the kinds of charts are made.
use axis::{Axis, spread, thinned};
use best::{N_BEST, best_first, distinct_best, has_several_families, standing, standing_name};
use division::{
    Division, DivisionPlan, MOST_IN_PANEL, MOST_PANELS, MOST_SERIES, MOST_VALUES, Panel, Series, best_panels, divide,
    most_panels,
};
use error::{
    NO_DIVERSITY, NO_GRID, NO_MEAN, NO_RUNS, NO_TRACE, NOTHING_SOLVED, ONE_CONFIGURATION, OTHER_TRACE, SHORT_TRACE,
    few_instances, many_values, refused,
};
use evidence::{Evidence, runs_of_instances};
use expected_costs::{ExpectedCosts, only_one, settings};
use input::{Content, Remarks};
use labels::{n_distinct, named, ordered, rounded};
use quality::{Figure, GroupValue, Quality};
use value_counts::ValueCounts;
use vega::{Drawing, Filling, HEIGHT, LETTER, LegendSymbol, MOST_COLORS, Styles, WIDTH};

/// A chart.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chart {
    /// The kind of the chart.
    pub kind: ChartKind,
    /// The title in a few words. The drawing has no title, because papers have captions and pages have headings.
    pub title: String,
    /// The Vega-Lite specification without a theme. The theme is added when the chart is drawn.
    pub spec: Value,
    /// Caveats that prevent wrong conclusions, for example about failed runs. The drawing shows the caveats.
    pub caveats: Vec<String>,
    /// Sentences that explain how to read the chart.
    pub notes: Vec<String>,
    /// The numbers of runs, configurations and instances: `420 runs of 3 configurations on 40 instances`.
    pub data: String,
}

impl Chart {
    /// A caption with the title, the number of runs, and the caveats. The caption also explains bands, bars and p-values.
    pub fn caption(&self) -> String {
        let title = format!("{} ({}).", self.title, self.data);
        std::iter::once(&title)
            .chain(&self.notes)
            .chain(&self.caveats)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Draws a chart.
///
/// ```
/// use evogrid_analysis::charts::{ChartInput, ChartKind, draw};
/// use evogrid_analysis::metric::Metric;
/// use evogrid_analysis::samples::Samples;
/// use evogrid_results::runs::Reader;
///
/// let csv = "algorithm,population,instance,solved\nga,10,a,true\nga,10,b,false\nga,20,a,true\nga,20,b,true\n";
/// let samples = Samples::read(Reader::new("runs.csv", csv.as_bytes())?)?;
/// let unit = Metric::Evaluations;
/// let (trace, published, work_caveat, most_bytes) = (None, None, None, usize::MAX);
/// let metric = Metric::Solved;
/// let input = ChartInput { samples: &samples, trace, race: None, published, by: &[], unit, metric, shown: metric, columns: 1, caveats: &[], work_caveat, has_notes: true, most_bytes };
///
/// let chart = draw(ChartKind::Success, &input)?;
/// assert_eq!(chart.title, "Success rate by population");
/// assert_eq!(chart.spec["data"]["values"][0]["rate"], 0.5);
/// assert_eq!(draw(ChartKind::Ecdf, &input).unwrap_err().to_string(), "the runs have no column `evaluations`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the chart cannot be made from this input.
pub fn draw(kind: ChartKind, input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    if input.samples.runs.is_empty() {
        return Err(refused(NO_RUNS));
    }
    let named = if kind == ChartKind::Published { None } else { named_by_family(input.samples) };
    let input = &ChartInput { samples: named.as_ref().unwrap_or(input.samples), ..*input };
    if !kind.is_of_success(input) {
        return chart(kind, input);
    }
    // Only runs with a target say whether they were solved.
    let judged = || input.samples.runs.iter().filter(|run| run.outcome.solved.is_some());
    let (n, all) = (judged().count(), input.samples.runs.len());
    if n == 0 {
        return Err(refused("no run had a target, so `solved` is undefined; use the chart `gap`"));
    }
    let left_out = (n < all).then(|| format!("{} of {all} runs had no target and are omitted.", all - n));
    let caveats: Vec<String> = input.caveats.iter().cloned().chain(left_out).collect();
    let samples = (n < all).then(|| input.samples.with_runs(judged().copied().collect()));
    chart(kind, &ChartInput { samples: samples.as_ref().unwrap_or(input.samples), caveats: &caveats, ..*input })
}

/// Makes the chart from its content, and adds the general caveats.
fn chart(kind: ChartKind, input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let samples = input.samples;
    let content = kind.content(input)?;
    let mut caveats = input.caveats.to_vec();
    caveats.extend(input.work_caveat.filter(|_| kind.is_of_work(input)).map(str::to_owned));
    caveats.extend(failures(samples, kind));
    caveats.extend(reported_objectives(&samples.fitnesses));
    caveats.extend(content.remarks.caveats);
    let mut notes = content.remarks.notes;
    notes.extend(unequal_runs(samples, kind));
    let shown = if input.has_notes { caveats.as_slice() } else { &[] };
    let spec = vega::description(&content.title, content.drawings, input.columns, shown);
    Ok(Chart { kind, title: content.title, spec, caveats, notes, data: data(samples) })
}

/// A text with the numbers of runs, configurations and instances.
fn data(samples: &Samples) -> String {
    let count = |key: fn(&Sample) -> usize| samples.runs.iter().map(key).collect::<BTreeSet<_>>().len();
    let configurations = labels::counted(count(Sample::configuration), "configuration");
    let instances = labels::counted(count(Sample::instance), "instance");
    format!("{} runs of {configurations} on {instances}", samples.runs.len())
}

/// A sentence about the weight of instances, if a configuration has unequal numbers of runs on the instances.
fn unequal_runs(samples: &Samples, kind: ChartKind) -> Option<String> {
    let how = match kind {
        ChartKind::Cost | ChartKind::GapDistribution | ChartKind::FixedTarget | ChartKind::Convergence => {
            "Instances with more runs have more weight"
        }
        ChartKind::Ecdf | ChartKind::GapEcdf | ChartKind::Gap | ChartKind::Targets => "Instances have equal weight",
        _ if kind.is_of_rates() => "Instances have equal weight",
        _ => return None,
    };
    let [fewest, most] = samples.runs_of_instances()?;
    Some(format!("{how}: a configuration has {fewest} to {most} runs on each instance."))
}

/// A sentence about failed runs: their number, and how the chart counts them.
fn failures(samples: &Samples, kind: ChartKind) -> Option<String> {
    let failed = samples.runs.iter().filter(|run| run.outcome.has_failed()).count();
    let place = match kind {
        ChartKind::Cost => {
            "these runs count as unsolved and are shown as × in a separate lane at the side of the chart"
        }
        ChartKind::GapDistribution => {
            "these runs have no solution and are shown as × in a separate lane at the side of the chart"
        }
        ChartKind::GapEcdf => "these runs have no solution",
        ChartKind::Gap => "these runs have no solution, and every mean that includes one of these runs is undefined",
        ChartKind::Convergence | ChartKind::Diversity => "these runs are omitted",
        // The file of the race counts the failed runs of the race.
        ChartKind::Race => return None,
        _ => "these runs count as unsolved",
    };
    (failed > 0).then(|| format!("{failed} of {} runs failed: {place}.", samples.runs.len()))
}

/// If there are several families, returns samples in which the name of each bucket includes the name of the family.
fn named_by_family(samples: &Samples) -> Option<Samples> {
    if !best::has_several_families(samples) {
        return None;
    }
    let mut named = samples.clone();
    for instance in &mut named.roster.instances {
        let (problem, bucket) = (&instance.problem, &instance.bucket);
        instance.bucket = match bucket.strip_prefix(problem) {
            Some(rest) if rest.is_empty() || rest.starts_with(": ") => continue,
            _ if bucket.is_empty() => problem.clone(),
            _ => format!("{problem}: {bucket}"),
        };
    }
    Some(named)
}

/// Tries to draw every kind of chart, in the order of a report. For each kind, the result is a chart, or the reason why the chart is
/// impossible.
pub fn survey(input: &ChartInput<'_>) -> Vec<(ChartKind, Result<Chart, ChartError>)> {
    ChartKind::all().map(|kind| (kind, draw(kind, input))).collect()
}
