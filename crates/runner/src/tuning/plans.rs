//! Makes plans from a tuning experiment, with other instances and other algorithms.

use std::sync::Arc;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;

use crate::experiment::instance_list::InstanceList;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{AlgorithmSpec, ResolvedAlgorithm, Spec};

/// Whether the instance with this number is for the test of the winner.
pub(super) fn is_test(spec: &Spec, instance: usize) -> bool {
    spec.test_instances.iter().any(|range| range.contains(&instance))
}

/// The instances of an experiment for whose numbers `is_kept` returns true.
pub(super) fn part_of(spec: &Spec, is_kept: impl Fn(usize) -> bool) -> Arc<InstanceList> {
    let kept = spec.instances.iter().enumerate().filter(|(number, _)| is_kept(*number));
    Arc::new(kept.map(|(_, instance)| instance).collect())
}

/// The plan of an experiment that equals `like`, except for its name, seed, instances and algorithms.
///
/// # Errors
/// If an algorithm cannot be resolved.
pub(super) fn plan_of(
    like: &Spec,
    (name, seed): (&str, u64),
    instances: Arc<InstanceList>,
    algorithms: Vec<AlgorithmSpec>,
    catalogue: &Arc<Catalogue>,
) -> Result<Plan> {
    let problems = instances.problems();
    let resolve = |algorithm| ResolvedAlgorithm::new(algorithm, catalogue, &problems, |_| Vec::new());
    let algorithms =
        algorithms.into_iter().map(|algorithm| Ok(resolve(algorithm).map_err(|mut errors| errors.swap_remove(0))?));
    let algorithms = algorithms.collect::<Result<Vec<_>>>()?;
    let spec = Spec { name: name.to_owned(), seed, instances, algorithms, ..like.like() };
    Ok(Plan::new(spec, Arc::clone(catalogue)))
}
