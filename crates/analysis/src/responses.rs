//! Responses: the costs of the runs of each configuration. The costs are in a unit that can be averaged over instances.

use std::collections::{BTreeMap, BTreeSet};

use evogrid_results::format::fixed;
use evogrid_statistics::{PartCosts, SPLIT_PARTS, holdout_values};

use crate::compare::FEW_INSTANCES;
use crate::metric::{Metric, add};
use crate::samples::Samples;

evogrid_core::choices! {
    /// The unit of the costs of configurations. Costs in this unit can be averaged over instances. The name of a unit is also the name of
    /// the table column with the means, for example `mean gap %`.
    pub enum Unit {
        /// The share of solved runs, in per cent.
        Solved = "solved %",
        /// The gap, in per cent.
        Gap = "mean gap %",
        /// The distance from the best objective of all runs on the instance, in per cent.
        Deviation = "mean % above best found",
        /// A run's rank among all runs on the instance, in per cent. The best run has rank 0. The worst run has rank 100. If several runs
        /// have equal values, each of them gets the mean of their ranks.
        Rank = "mean rank %",
    }
}

/// The costs of configurations in independent blocks. A lower cost is better. If the metric is a rate, the cost is the rate times -1.
#[derive(Clone, Debug, PartialEq)]
pub struct Responses {
    /// The unit of the costs.
    pub unit: Unit,
    /// The mean cost of each configuration in each block.
    pub costs: Vec<Vec<f64>>,
    /// Whether each block is an instance. If the blocks are not instances, each block is a repetition on an instance, and intervals and
    /// tests hold only for the instances of the experiment.
    pub is_by_instance: bool,
    /// The number of instances.
    pub instances: usize,
    /// The number of instances that were left out. If a configuration has no value on an instance, this instance is left out.
    pub omitted_instances: usize,
    /// For each block, the index of its instance. If there is only one instance, this is the index of the repetition. The blocks are
    /// divided into parts to compute the holdout values. The index decides to which part a block belongs.
    pub places: Vec<usize>,
}

impl Unit {
    /// Converts a cost to the value that is shown.
    pub fn shown(self, cost: f64) -> f64 {
        if self == Self::Solved { -cost } else { cost }
    }

    /// A mean as text.
    pub(crate) fn text(self, value: f64) -> String {
        let decimals = if matches!(self, Self::Solved | Self::Rank) { 1 } else { 2 };
        fixed(Some(value), decimals)
    }
}

/// The runs of a configuration on an instance. Each run has a repetition and a cost.
type Runs = Vec<(u64, f64)>;

impl Responses {
    /// The responses of `n` groups of runs. Each pair has the index of a run and the number of its group.
    pub(crate) fn of_groups(
        samples: &Samples,
        costs: &RunCosts,
        n: usize,
        members: impl IntoIterator<Item = (usize, usize)>,
    ) -> Option<Self> {
        // Instance by instance, since there may be as many of them as runs.
        let mut order: Vec<(u32, u32)> = members.into_iter().map(|(at, group)| (at as u32, group as u32)).collect();
        let instance = |at: u32| samples.runs[at as usize].instance();
        order.sort_by_key(|&(at, _)| instance(at));
        let of_instances = || order.chunk_by(|one, other| instance(one.0) == instance(other.0));
        let runs = |members: &[(u32, u32)]| {
            let mut of_groups: Vec<Runs> = vec![Vec::new(); n];
            for &(at, group) in members {
                if let Some(cost) = costs.of_runs[at as usize] {
                    of_groups[group as usize].push((samples.runs[at as usize].repetition, cost));
                }
            }
            of_groups.iter().all(|runs| !runs.is_empty()).then_some(of_groups)
        };
        let instances = of_instances().filter_map(runs).count();
        if instances == 0 {
            return None;
        }
        let mut responses = Self {
            unit: costs.unit,
            costs: vec![Vec::new(); n],
            is_by_instance: instances >= FEW_INSTANCES,
            instances,
            omitted_instances: of_instances().count() - instances,
            places: Vec::new(),
        };
        for (place, of_instance) in of_instances().filter_map(runs).enumerate() {
            let repetitions = repetitions(&of_instance).filter(|_| !responses.is_by_instance);
            match repetitions {
                Some(repetitions) => {
                    for (number, &repetition) in repetitions.iter().enumerate() {
                        responses.push(&of_instance, |run| run.0 == repetition);
                        responses.places.push(if instances > 1 { place } else { number });
                    }
                }
                None => {
                    responses.push(&of_instance, |_| true);
                    responses.places.push(place);
                }
            }
        }
        Some(responses)
    }

    /// Adds a block. The cost of each configuration is the mean over some of its runs.
    fn push(&mut self, of_instance: &[Runs], is_in: impl Fn(&(u64, f64)) -> bool) {
        for (costs, runs) in self.costs.iter_mut().zip(of_instance) {
            let chosen = || runs.iter().filter(|run| is_in(run)).map(|run| run.1);
            costs.push(chosen().sum::<f64>() / chosen().count() as f64);
        }
    }

    /// A sentence about the omitted instances, if any instance is omitted.
    pub(crate) fn omitted(&self) -> Option<String> {
        let n = self.omitted_instances;
        (n > 0).then(|| {
            format!("{n} instances are omitted. On each omitted instance, at least one configuration has no run with a value.")
        })
    }

    /// The mean cost of a configuration. All blocks have equal weight.
    pub fn mean(&self, configuration: usize) -> f64 {
        let costs = &self.costs[configuration];
        costs.iter().sum::<f64>() / costs.len() as f64
    }

    /// Returns one holdout value for each of the first `n` ranks, in the unit of the means.
    pub(crate) fn holdout_values(&self, n: usize) -> Vec<f64> {
        let parts = |costs: &Vec<f64>| {
            let mut parts = [PartCosts::default(); SPLIT_PARTS];
            self.places.iter().zip(costs).for_each(|(&place, &cost)| add(&mut parts, place, Some(cost)));
            parts
        };
        let parts: Vec<_> = self.costs.iter().map(parts).collect();
        holdout_values(&parts, n).into_iter().map(|split| self.unit.shown(split.mean)).collect()
    }
}

/// The repetitions on an instance, if all configurations have the same repetitions.
fn repetitions(of_instance: &[Runs]) -> Option<BTreeSet<u64>> {
    let of = |runs: &Runs| -> BTreeSet<u64> { runs.iter().map(|run| run.0).collect() };
    let first = of(&of_instance[0]);
    of_instance.iter().all(|runs| runs.len() == first.len() && of(runs) == first).then_some(first)
}

/// The cost of each run, in a unit that can be averaged.
pub(crate) struct RunCosts {
    unit: Unit,
    of_runs: Vec<Option<f64>>,
}

impl RunCosts {
    /// The costs in a metric. Gaps of several families have no common scale, so they are replaced by ranks.
    pub(crate) fn new(samples: &Samples, metric: Metric) -> Self {
        let costs: Vec<Option<f64>> = samples.runs.iter().map(|run| metric.cost(samples, run)).collect();
        let are_finite = costs.iter().flatten().all(|cost| cost.is_finite());
        let problems: BTreeSet<&str> = samples.roster.instances.iter().map(|one| one.problem.as_str()).collect();
        let (unit, of_runs) = match metric {
            Metric::Solved => (Unit::Solved, costs.into_iter().map(|cost| cost.map(|cost| 100.0 * cost)).collect()),
            _ if !are_finite || problems.len() > 1 => (Unit::Rank, ranks(samples, &costs)),
            Metric::Gap => (Unit::Gap, costs),
            Metric::Objective => match deviations(samples, &costs) {
                Some(deviations) => (Unit::Deviation, deviations),
                None => (Unit::Rank, ranks(samples, &costs)),
            },
            _ => (Unit::Rank, ranks(samples, &costs)),
        };
        Self { unit, of_runs }
    }

    /// The cost of the run with this index, if the run has a cost.
    pub(crate) fn of_run(&self, at: usize) -> Option<f64> {
        self.of_runs[at]
    }
}

/// The costs on each instance, with the indices of the runs.
fn by_instance(samples: &Samples, costs: &[Option<f64>]) -> BTreeMap<usize, Vec<(usize, f64)>> {
    let mut instances: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    for (at, (run, cost)) in samples.runs.iter().zip(costs).enumerate() {
        if let Some(cost) = *cost {
            instances.entry(run.instance()).or_default().push((at, cost));
        }
    }
    instances
}

/// How many per cent each cost is above the best cost on the instance. `None` if a best cost is 0, or if costs have different signs.
fn deviations(samples: &Samples, costs: &[Option<f64>]) -> Option<Vec<Option<f64>>> {
    let mut found = vec![None; costs.len()];
    for of_instance in by_instance(samples, costs).into_values() {
        let best = of_instance.iter().map(|(_, cost)| *cost).fold(f64::INFINITY, f64::min);
        if best == 0.0 || of_instance.iter().any(|(_, cost)| cost * best < 0.0) {
            return None;
        }
        of_instance.iter().for_each(|&(at, cost)| found[at] = Some(100.0 * (cost - best) / best.abs()));
    }
    Some(found)
}

/// The ranks of the costs on each instance, in per cent. Equal costs have the mean of their ranks.
fn ranks(samples: &Samples, costs: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut found = vec![None; costs.len()];
    for mut of_instance in by_instance(samples, costs).into_values() {
        of_instance.sort_by(|one, other| one.1.total_cmp(&other.1));
        let last = (of_instance.len() - 1).max(1) as f64;
        let mut before = 0;
        for equal in of_instance.chunk_by(|one, other| one.1 == other.1) {
            let rank = before as f64 + (equal.len() - 1) as f64 / 2.0;
            equal.iter().for_each(|&(at, _)| found[at] = Some(100.0 * rank / last));
            before += equal.len();
        }
    }
    found
}
