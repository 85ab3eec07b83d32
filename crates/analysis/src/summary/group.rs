//! Facts about a group of runs.

/// Facts about a group of runs. They are collected while the runs are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) solved: u64,
    /// The evaluations of all runs with a target.
    pub(super) evaluations: u128,
    /// Whether the work of at least one run is unknown.
    pub(super) is_work_unknown: bool,
    /// The families and fitness functions of the runs that did not fail.
    pub(super) measures: Vec<(usize, usize)>,
    /// Whether at least one run that did not fail has no objective.
    pub(super) is_objective_missing: bool,
    pub(super) best_objective: Option<f64>,
}

impl Group {
    /// Whether all runs have the same family and the same fitness function.
    pub(super) fn is_of_one_measure(&self) -> bool {
        self.measures.len() <= 1
    }

    /// Whether all runs have the same family and the same fitness function, and all have an objective.
    pub(super) fn has_mean_objective(&self) -> bool {
        self.is_of_one_measure() && !self.is_objective_missing
    }
}
