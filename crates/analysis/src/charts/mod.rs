//! Charts: the results of runs as Vega-Lite specifications that contain all their numbers.
//!
//! A chart is a pure function of the runs (and of a trace, or of published figures). Every rate, interval, quantile and step is computed
//! here, by [`statistics`](evogrid_statistics); the specification draws them and computes nothing. Names from data are always text: fields
//! have our own names, and no expression contains a name from data. The theme sets the colours.
//!
//! [`draw`] makes a chart or says in a sentence why it cannot be made of these runs; [`survey`] tries them all.

mod axis;
mod best;
mod chart;
mod division;
mod error;
mod evidence;
mod expected_costs;
mod figure;
mod group_value;
mod key_values;
mod kinds;
mod labels;
mod quality;
#[cfg(test)]
mod tests;
mod value_counts;
mod vega;
mod work_unit;

pub use best::{BestChoice, best_configurations};
pub use chart::{Chart, ChartInput, ChartKind};
pub use error::ChartError;
pub use work_unit::WorkUnit;

use crate::samples::{Sample, Samples};

/// Draws a chart.
///
/// ```
/// use evogrid_analysis::charts::{ChartInput, ChartKind, WorkUnit, draw};
/// use evogrid_analysis::metric::Metric;
/// use evogrid_analysis::samples::Samples;
/// use evogrid_results::runs::Reader;
///
/// let csv = "algorithm,population,instance,solved\nga,10,a,true\nga,10,b,false\nga,20,a,true\nga,20,b,true\n";
/// let samples = Samples::read(Reader::new("runs.csv", csv.as_bytes())?)?;
/// let unit = WorkUnit::Evaluations;
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
/// If it cannot be made from this input.
pub fn draw(kind: ChartKind, input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    if input.samples.runs.is_empty() {
        return Err(ChartError::NoRuns);
    }
    let named = if kind == ChartKind::Published { None } else { named_by_family(input.samples) };
    let input = &ChartInput { samples: named.as_ref().unwrap_or(input.samples), ..*input };
    if kind.is_of_success(input) {
        with_target(input, |input| kinds::chart(kind, input))
    } else {
        kinds::chart(kind, input)
    }
}

/// The samples with buckets that are named by their families, if there are several.
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

/// Makes a chart that needs only runs that say whether they were solved.
fn with_target(
    input: &ChartInput<'_>,
    chart: impl FnOnce(&ChartInput<'_>) -> Result<Chart, ChartError>,
) -> Result<Chart, ChartError> {
    let is_judged = |run: &&Sample| run.outcome.solved.is_some();
    match (input.samples.runs.iter().filter(is_judged).count(), input.samples.runs.len()) {
        (0, _) => Err(ChartError::NoTarget),
        (n, all) if n == all => chart(input),
        (n, all) => {
            let left_out = format!("{} of {all} runs had no target and are omitted.", all - n);
            let caveats: Vec<String> = input.caveats.iter().cloned().chain([left_out]).collect();
            let runs = input.samples.runs.iter().filter(is_judged).copied().collect();
            let samples = input.samples.with_runs(runs);
            chart(&ChartInput { samples: &samples, caveats: &caveats, ..*input })
        }
    }
}

/// Every chart that can be made from this input, and the reasons why the others cannot, in the order of a report.
pub fn survey(input: &ChartInput<'_>) -> Vec<(ChartKind, Result<Chart, ChartError>)> {
    ChartKind::all().map(|kind| (kind, draw(kind, input))).collect()
}
