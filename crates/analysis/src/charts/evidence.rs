//! The evidence for the figures in a chart: the smallest number of runs and the smallest number of instances behind a figure.

use std::collections::BTreeMap;

use super::labels::counted;
use crate::compare::FEW_INSTANCES;
use crate::metric::FEW_RUNS;
use crate::samples::Sample;

/// The numbers of runs and instances behind a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Evidence {
    runs: u64,
    instances: usize,
}

impl Evidence {
    /// The evidence behind a value of these runs.
    pub(super) fn new(runs: &[&Sample]) -> Self {
        Self { runs: runs.len() as u64, instances: runs_of_instances(runs).len() }
    }

    /// Returns a sentence if some drawn values come from few runs or instances. `what` is the plural name of the values.
    pub(super) fn caveat(what: &str, drawn: impl IntoIterator<Item = Self>) -> Option<String> {
        let drawn: Vec<Self> = drawn.into_iter().collect();
        let is_little = |one: &&Self| one.runs < FEW_RUNS || one.instances < FEW_INSTANCES;
        let little: Vec<&Self> = drawn.iter().filter(is_little).collect();
        let runs = little.iter().map(|one| one.runs).min()?;
        let instances = little.iter().map(|one| one.instances).min()?;
        let those =
            if little.len() == drawn.len() { "All".to_owned() } else { format!("{} of {}", little.len(), drawn.len()) };
        Some(format!(
            "{those} {what} come from fewer than {FEW_RUNS} runs or {FEW_INSTANCES} instances. Each of these {what} comes from at least {} and {}.",
            counted(runs as usize, "run"),
            counted(instances, "instance")
        ))
    }
}

/// The number of runs on each instance.
pub(super) fn runs_of_instances(runs: &[&Sample]) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    runs.iter().for_each(|run| *counts.entry(run.instance()).or_default() += 1);
    counts
}
