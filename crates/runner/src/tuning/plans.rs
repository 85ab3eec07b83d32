//! Makes plans from a tuning experiment, with other instances and other algorithms.

use std::sync::Arc;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;

use crate::experiment::instance_list::{InstanceList, PlannedInstances};
use crate::experiment::plan::Plan;
use crate::experiment::spec::{AlgorithmSpec, ResolvedAlgorithm, Spec};

/// Whether the instance with this number is for the test of the winner.
pub(super) fn is_test(spec: &Spec, instance: usize) -> bool {
    spec.test_instances.iter().any(|range| range.contains(&instance))
}

/// The instances of an experiment for whose numbers `is_kept` returns true.
pub(super) fn part_of(spec: &Spec, is_kept: impl Fn(usize) -> bool, catalogue: &Catalogue) -> PlannedInstances {
    let kept = spec.instances.list().iter().enumerate().filter(|(number, _)| is_kept(*number));
    let list: InstanceList = kept.map(|(_, instance)| instance).collect();
    PlannedInstances::new(list.into(), catalogue)
}

/// The plan of an experiment that equals `like`, except for its name, seed, instances and algorithms.
///
/// # Errors
/// If an algorithm cannot be resolved.
pub(super) fn plan_of(
    like: &Spec,
    (name, seed): (&str, u64),
    instances: PlannedInstances,
    algorithms: Vec<AlgorithmSpec>,
    catalogue: &Arc<Catalogue>,
) -> Result<Plan> {
    let problems = instances.list().problems();
    let resolve = |algorithm| ResolvedAlgorithm::new(algorithm, catalogue, &problems, |_| Vec::new());
    let algorithms =
        algorithms.into_iter().map(|algorithm| Ok(resolve(algorithm).map_err(|mut errors| errors.swap_remove(0))?));
    let algorithms = algorithms.collect::<Result<Vec<_>>>()?;
    let spec = Spec { name: name.to_owned(), seed, instances, algorithms, ..like.like() };
    Ok(Plan::new(spec, Arc::clone(catalogue)))
}
