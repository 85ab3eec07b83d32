//! Groups of neighbouring configurations, for displays that cannot show each configuration.

use super::experiment::ConfigurationName;
use super::state::{LiveState, RunTotals};
use crate::messages::grouped;

/// Configurations that are shown together; usually a group is a single configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConfigurationGroup {
    /// The number of the first configuration, and the number of configurations.
    pub(crate) first: usize,
    pub(crate) n_configurations: usize,
    pub(crate) runs: RunTotals,
    pub(crate) running: u64,
}

/// Returns the configurations of a state in at most `most` groups, in order. A group contains only one algorithm, unless there are too
/// many algorithms.
pub(crate) fn groups(state: &LiveState<'_>, most: usize) -> Vec<ConfigurationGroup> {
    let names = state.names;
    let mut size = names.len().div_ceil(most.max(1)).max(1);
    let mut bounds = bounds(names, size, true);
    while bounds.len() > most && size < names.len() {
        size += size.div_ceil(8);
        bounds = self::bounds(names, size, true);
    }
    if bounds.len() > most {
        bounds = self::bounds(names, names.len().div_ceil(most.max(1)), false);
    }
    bounds.into_iter().map(|(first, n_configurations)| group(state, first, n_configurations)).collect()
}

/// Returns the first configuration and the size of each group of at most `size` configurations.
fn bounds(names: &[ConfigurationName], size: usize, is_by_algorithm: bool) -> Vec<(usize, usize)> {
    let mut bounds: Vec<(usize, usize)> = Vec::new();
    for (number, name) in names.iter().enumerate() {
        match bounds.last_mut() {
            Some((first, n)) if *n < size && (!is_by_algorithm || names[*first].algorithm == name.algorithm) => {
                *n += 1;
            }
            _ => bounds.push((number, 1)),
        }
    }
    bounds
}

fn group(state: &LiveState<'_>, first: usize, n_configurations: usize) -> ConfigurationGroup {
    let configurations = first..first + n_configurations;
    let runs = RunTotals::of(&state.tallies[configurations.clone()]);
    ConfigurationGroup { first, n_configurations, runs, running: state.running[configurations].iter().sum() }
}

impl ConfigurationGroup {
    /// `40 of 100, 2 failed, 3 running`.
    pub(crate) fn counts(&self) -> String {
        let [present, planned] = [self.runs.present(), self.runs.planned].map(grouped);
        format!("{present} of {planned}{}", self.runs.remarks(self.running))
    }
}
