//! A complete group of runs, from which its figures follow.

use evogrid_statistics::{Interval, MeanEstimate, ert_of_sums};

/// Facts about a group of runs: sums that are collected during reading, and medians and means at the end.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub(super) solved: u64,
    /// The evaluations of all runs that report whether they were solved.
    pub(super) evaluations: u128,
    /// Whether the work of some run is unknown.
    pub(super) is_work_unknown: bool,
    /// The families and fitness functions of the runs that did not fail.
    pub(super) measures: Vec<(usize, usize)>,
    /// Whether a run that did not fail has no objective.
    pub(super) is_objective_missing: bool,
    /// The number of instances on which no run was solved; `None` if no run reports whether it was solved.
    pub(super) never_solved: Option<u64>,
    pub(super) median_instance_ert: Option<f64>,
    pub(super) median_evaluations: Option<f64>,
    pub(super) median_objective: Option<f64>,
    pub(super) best_objective: Option<f64>,
    pub(super) median_gap: Option<f64>,
    pub(super) best_gap: Option<f64>,
    /// The mean gap with Student's interval; `None` if a run without a solution makes it infinite.
    pub(super) gap: Option<MeanEstimate>,
    /// The interval to show.
    pub(super) gap_interval: Option<Interval>,
}

impl Group {
    /// The evaluations of all runs divided by the number of solved runs; `None` if no run is solved, or the evaluations of a run are
    /// unknown.
    pub(super) fn expected_evaluations(&self) -> Option<f64> {
        ert_of_sums(self.evaluations as f64, self.solved).filter(|_| !self.is_work_unknown)
    }

    /// Whether all runs have the same family and the same fitness function.
    pub(super) fn is_of_one_measure(&self) -> bool {
        self.measures.len() <= 1
    }

    /// Whether all runs also have an objective.
    pub(super) fn has_mean_objective(&self) -> bool {
        self.is_of_one_measure() && !self.is_objective_missing
    }
}
