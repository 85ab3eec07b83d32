//! Expected costs: the cost of a solution, or the quality of the solutions, for each series on each instance.

use super::division::{Division, DivisionPlan, divide};
use super::error::{ChartError, ONE_CONFIGURATION, few_instances, refused};
use super::input::ChartInput;
use super::labels::{self, n_distinct};
use super::quality::Quality;
use crate::metric::Metric;
use crate::samples::{Key, Sample};
use evogrid_statistics::ert;

/// The expected cost of a solution for each series on each instance. If the metric of the input measures quality, the mean quality replaces
/// the cost.
pub(super) struct ExpectedCosts<'a> {
    /// The division, with one panel.
    pub(super) division: Division<'a>,
    /// The measure of quality; `None` if the chart shows the cost of solving.
    pub(super) quality: Option<Quality<'a>>,
    /// The costs on each instance on which every series has runs.
    pub(super) blocks: Vec<InstanceCosts>,
}

/// The costs of all series on one instance.
pub(super) struct InstanceCosts {
    /// The index of the instance in the roster.
    pub(super) instance: usize,
    /// The cost of each series. The cost is `f64::INFINITY` if no run of the series is solved. The mean quality is `f64::INFINITY` if a run
    /// found no solution.
    pub(super) costs: Vec<f64>,
}

/// The configurations in one panel. There are at least two, and at most `most_series`.
pub(super) fn settings<'a>(input: &ChartInput<'a>, most_series: usize) -> Result<Division<'a>, ChartError> {
    if input.metric == Metric::Solved {
        input.check_work()?;
    } else {
        input.samples.check_comparable(input.metric, &input.samples.runs)?;
    }
    // Costs are compared on each instance, so families need no panels.
    let besides = vec![Key::Problem];
    let plan =
        DivisionPlan { most_series, few_series: usize::MAX, besides, ..DivisionPlan::by_settings(input.samples) };
    let division = divide(input, input.runs(), plan);
    if division.names.len() >= 2 {
        return Ok(division);
    }
    Err(only_one(input))
}

/// The error if there is only one configuration. It gives the reason.
pub(super) fn only_one(input: &ChartInput<'_>) -> ChartError {
    let keys: Vec<Key> = input.samples.roster.configuration_keys().collect();
    match n_distinct(input.samples, &input.runs(), &keys) {
        0 | 1 => refused(ONE_CONFIGURATION),
        configurations => {
            let keys = input.by.iter().map(|&key| format!("--by {}", labels::text(input.samples.roster.name(key))));
            let by = keys.collect::<Vec<_>>().join(" ");
            refused(format!(
                "the chart compares configurations, but `{by}` combines all {configurations} configurations into one; use another key, or omit `--by`"
            ))
        }
    }
}

impl<'a> ExpectedCosts<'a> {
    /// The costs of at most `most_series` series.
    pub(super) fn new(input: &ChartInput<'a>, most_series: usize, least_instances: usize) -> Result<Self, ChartError> {
        let unit = input.unit;
        let mut division = settings(input, most_series)?;
        let n = division.names.len();
        // One list of all runs needs the least memory: there may be a million instances with one or two runs each.
        let mut runs: Vec<(u32, u32, &Sample)> = division
            .series()
            .flat_map(|series| series.runs.iter().map(|&run| (run.instance() as u32, series.name as u32, run)))
            .collect();
        runs.sort_by_key(|&(instance, series, _)| (instance, series));
        let quality =
            if input.metric == Metric::Solved { None } else { Some(Quality::new(input.samples, input.metric)?) };
        if let Some(quality) = &quality {
            runs.retain(|(.., run)| quality.figure(run).is_some());
        }
        let cost = |runs: &[(u32, u32, &Sample)]| {
            if let Some(quality) = &quality {
                let runs: Vec<&Sample> = runs.iter().map(|&(.., run)| run).collect();
                return quality.cost(&runs);
            }
            let spent: Vec<(u64, bool)> =
                runs.iter().map(|(.., run)| (unit.spent(run), run.outcome.is_solved())).collect();
            ert(&spent).map_or(f64::INFINITY, |spent| unit.work_cost(spent))
        };
        let (mut blocks, mut n_instances) = (Vec::new(), 0);
        for runs in runs.chunk_by(|one, other| one.0 == other.0) {
            n_instances += 1;
            let costs: Vec<f64> = runs.chunk_by(|one, other| one.1 == other.1).map(cost).collect();
            if costs.len() == n {
                blocks.push(InstanceCosts { instance: runs[0].0 as usize, costs });
            }
        }
        drop(runs);
        if blocks.len() < least_instances {
            return Err(few_instances(blocks.len(), least_instances));
        }
        match &quality {
            Some(quality) => division.remarks.notes.extend(quality.remarks()),
            None => {
                division.remarks.notes.extend(input.unit_note());
                division.remarks.notes.extend(unit.work_note(division.runs()));
            }
        }
        let n_missing = n_instances - blocks.len();
        if n_missing > 0 {
            division.remarks.caveats.push(format!(
                "{n_missing} of {n_instances} instances are omitted. Some compared configurations have no runs on the omitted instances."
            ));
        }
        Ok(Self { division, quality, blocks })
    }
}
