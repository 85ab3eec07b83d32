//! Responses: what the runs of each configuration cost, in a unit that can be averaged over instances.

use std::collections::{BTreeMap, BTreeSet};

use crate::compare::FEW_INSTANCES;
use crate::metric::Metric;
use crate::samples::Samples;

/// The unit in which configurations are averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Per cent of runs solved.
    Solved,
    /// Per cent above the best known value.
    Gap,
    /// Per cent worse than the best objective that any of these runs has on the instance.
    Deviation,
    /// The rank of a run among all runs on its instance, in per cent: 0 for the best, 100 for the worst, equal ones in the middle.
    Rank,
}

/// The costs of configurations in blocks, which are independent: less is better. Of rates they are the negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Responses {
    /// Their unit.
    pub unit: Unit,
    /// The mean cost of each configuration in each block.
    pub costs: Vec<Vec<f64>>,
    /// Whether a block is an instance; else it is a repetition on an instance, and all inference is about these instances.
    pub is_by_instance: bool,
    /// The number of instances.
    pub instances: usize,
    /// The number of instances that were left out, because a configuration has no run with a figure there.
    pub omitted_instances: usize,
    /// The part, for split figures, of each block: the place of its instance, or of its repetition if there is one instance.
    pub places: Vec<usize>,
}

impl Unit {
    /// A cost as people read it.
    #[must_use]
    pub fn shown(self, cost: f64) -> f64 {
        if self == Self::Solved { -cost } else { cost }
    }

    /// The name of the mean.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved %",
            Self::Gap => "mean gap %",
            Self::Deviation => "mean % above best found",
            Self::Rank => "mean rank %",
        }
    }
}

/// The runs of a configuration on an instance: repetition and cost.
type Runs = Vec<(u64, f64)>;

impl Responses {
    /// The responses of all configurations of the roster; `None` if they have no instance in common.
    #[must_use]
    pub fn new(samples: &Samples, metric: Metric) -> Option<Self> {
        let of_configuration = |run: usize| Some(samples.runs[run].configuration());
        Self::of_groups(samples, metric, samples.roster.configurations.len(), of_configuration)
    }

    /// The responses of `n` groups of runs; `group` is the group of a run by its place, `None` if it is in none.
    pub(crate) fn of_groups(
        samples: &Samples,
        metric: Metric,
        n: usize,
        group: impl Fn(usize) -> Option<usize>,
    ) -> Option<Self> {
        let (unit, costs) = costs(samples, metric);
        let mut runs: BTreeMap<usize, Vec<Runs>> = BTreeMap::new();
        for (at, (run, cost)) in samples.runs.iter().zip(costs).enumerate() {
            let Some(group) = group(at) else { continue };
            let of_instance = runs.entry(run.instance()).or_insert_with(|| vec![Vec::new(); n]);
            if let Some(cost) = cost {
                of_instance[group].push((run.repetition, cost));
            }
        }
        let n_all = runs.len();
        runs.retain(|_, of_instance| of_instance.iter().all(|runs| !runs.is_empty()));
        let instances = runs.len();
        if instances == 0 {
            return None;
        }
        let mut responses = Self {
            unit,
            costs: vec![Vec::new(); n],
            is_by_instance: instances >= FEW_INSTANCES,
            instances,
            omitted_instances: n_all - instances,
            places: Vec::new(),
        };
        for (place, of_instance) in runs.values().enumerate() {
            let repetitions = repetitions(of_instance).filter(|_| !responses.is_by_instance);
            match repetitions {
                Some(repetitions) => {
                    for (number, &repetition) in repetitions.iter().enumerate() {
                        responses.push(of_instance, |run| run.0 == repetition);
                        responses.places.push(if instances > 1 { place } else { number });
                    }
                }
                None => {
                    responses.push(of_instance, |_| true);
                    responses.places.push(place);
                }
            }
        }
        Some(responses)
    }

    /// Adds a block: the mean over some runs of each configuration.
    fn push(&mut self, of_instance: &[Runs], is_in: impl Fn(&(u64, f64)) -> bool) {
        for (costs, runs) in self.costs.iter_mut().zip(of_instance) {
            let chosen = || runs.iter().filter(|run| is_in(run)).map(|run| run.1);
            costs.push(chosen().sum::<f64>() / chosen().count() as f64);
        }
    }

    /// The mean cost of a configuration; blocks weigh equally.
    #[must_use]
    pub fn mean(&self, configuration: usize) -> f64 {
        let costs = &self.costs[configuration];
        costs.iter().sum::<f64>() / costs.len() as f64
    }
}

/// The repetitions on an instance, if all configurations have the same.
fn repetitions(of_instance: &[Runs]) -> Option<BTreeSet<u64>> {
    let of = |runs: &Runs| -> BTreeSet<u64> { runs.iter().map(|run| run.0).collect() };
    let first = of(&of_instance[0]);
    of_instance.iter().all(|runs| runs.len() == first.len() && of(runs) == first).then_some(first)
}

/// The cost of each run, and its unit.
fn costs(samples: &Samples, metric: Metric) -> (Unit, Vec<Option<f64>>) {
    let costs: Vec<Option<f64>> = samples.runs.iter().map(|run| metric.cost(samples, run)).collect();
    let are_finite = costs.iter().flatten().all(|cost| cost.is_finite());
    match metric {
        Metric::Solved => (Unit::Solved, costs.into_iter().map(|cost| cost.map(|cost| 100.0 * cost)).collect()),
        Metric::Gap if are_finite => (Unit::Gap, costs),
        Metric::Objective if are_finite => deviations(samples, &costs)
            .map_or_else(|| (Unit::Rank, ranks(samples, &costs)), |all| (Unit::Deviation, all)),
        _ => (Unit::Rank, ranks(samples, &costs)),
    }
}

/// The costs by instance, with their places.
fn by_instance(samples: &Samples, costs: &[Option<f64>]) -> BTreeMap<usize, Vec<(usize, f64)>> {
    let mut instances: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    for (at, (run, cost)) in samples.runs.iter().zip(costs).enumerate() {
        if let Some(cost) = *cost {
            instances.entry(run.instance()).or_default().push((at, cost));
        }
    }
    instances
}

/// Per cent above the best of each instance; `None` if a best is 0, or worse and better have different signs.
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

/// Ranks on each instance, in per cent; equal costs share the middle of their ranks.
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
