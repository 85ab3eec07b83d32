//! A complete group of runs, from which its figures follow.

use evogrid_statistics::{Interval, MeanEstimate, ert_of_sums};

/// What is known of a group of runs: what is added up as they come, and in the end medians and means.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub(super) solved: u64,
    /// Of all runs that say whether they were solved.
    pub(super) evaluations: u128,
    /// Whether some run does not say how much it worked.
    pub(super) is_work_unknown: bool,
    /// The families and fitness functions of the runs that did not fail.
    pub(super) measures: Vec<(usize, usize)>,
    /// Whether a run that did not fail has no objective.
    pub(super) is_objective_missing: bool,
    /// On how many instances no run was solved; `None` where no run says whether it was.
    pub(super) never_solved: Option<u64>,
    pub(super) median_instance_ert: Option<f64>,
    pub(super) median_evaluations: Option<f64>,
    pub(super) median_objective: Option<f64>,
    pub(super) best_objective: Option<f64>,
    pub(super) median_gap: Option<f64>,
    pub(super) best_gap: Option<f64>,
    /// The mean gap with Student's interval; `None` where a run without a solution makes it infinite.
    pub(super) gap: Option<MeanEstimate>,
    /// The interval that is shown.
    pub(super) gap_interval: Option<Interval>,
}

impl Group {
    /// The evaluations of all runs over the number of solved ones; `None` where none is solved, or one does not say its own.
    pub(super) fn expected_evaluations(&self) -> Option<f64> {
        ert_of_sums(self.evaluations as f64, self.solved).filter(|_| !self.is_work_unknown)
    }

    /// Whether all runs have one family and one fitness function.
    pub(super) fn is_of_one_measure(&self) -> bool {
        self.measures.len() <= 1
    }

    /// Whether all of them have an objective, too.
    pub(super) fn has_mean_objective(&self) -> bool {
        self.is_of_one_measure() && !self.is_objective_missing
    }
}
