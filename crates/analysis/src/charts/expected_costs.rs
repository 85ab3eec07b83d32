//! Expected costs: what a solution costs each series on each instance.

use std::collections::BTreeMap;

use super::chart::ChartInput;
use super::division::{Division, DivisionPlan, divide};
use super::error::ChartError;
use evogrid_statistics::ert;

/// The expected cost of a solution, for each series on each instance.
pub(super) struct ExpectedCosts<'a> {
    /// The one panel.
    pub(super) division: Division<'a>,
    /// Instances with runs of every series.
    pub(super) blocks: Vec<InstanceCosts>,
    pub(super) notes: Vec<String>,
}

/// The costs on an instance.
pub(super) struct InstanceCosts {
    /// Its place in the roster.
    pub(super) instance: usize,
    /// The expected cost of a solution by each series: `f64::INFINITY` where none of its runs is solved.
    pub(super) costs: Vec<f64>,
}

impl<'a> ExpectedCosts<'a> {
    /// The costs of at most so many series.
    pub(super) fn new(input: &ChartInput<'a>, most_series: usize, least_instances: usize) -> Result<Self, ChartError> {
        let unit = input.unit;
        input.need(unit.column())?;
        let plan = DivisionPlan { most_series, few_series: usize::MAX, ..DivisionPlan::by_settings(input.samples) };
        let runs = input.runs();
        let division = divide(input, &runs, plan);
        let n = division.names.len();
        if n < 2 {
            return Err(ChartError::OneSeries);
        }
        let mut spent: BTreeMap<usize, Vec<Vec<(u64, bool)>>> = BTreeMap::new();
        for series in division.series() {
            for run in &series.runs {
                let on_instance = spent.entry(run.instance).or_insert_with(|| vec![Vec::new(); n]);
                on_instance[series.name].push((unit.spent(run), run.outcome.solved));
            }
        }
        let n_instances = spent.len();
        let cost = |runs: &Vec<(u64, bool)>| ert(runs).map_or(f64::INFINITY, |spent| unit.cost(spent));
        spent.retain(|_, runs| runs.iter().all(|runs| !runs.is_empty()));
        let blocks: Vec<InstanceCosts> = spent
            .into_iter()
            .map(|(instance, runs)| InstanceCosts { instance, costs: runs.iter().map(cost).collect() })
            .collect();
        if blocks.len() < least_instances {
            let instances =
                if blocks.len() == 1 { "1 instance".to_owned() } else { format!("{} instances", blocks.len()) };
            return Err(ChartError::FewInstances { instances, least: least_instances });
        }
        let mut notes: Vec<String> = unit.note(runs).into_iter().collect();
        notes.extend(division.notes.iter().cloned());
        let n_missing = n_instances - blocks.len();
        if n_missing > 0 {
            notes.push(format!(
                "{n_missing} of {n_instances} instances are left out: not all that is compared was run on them."
            ));
        }
        Ok(Self { division, blocks, notes })
    }
}
