//! The history of a backtracking search: Arkieva's arrays TRACKHIST (all steps) and TRACKER (the assignments in effect).

use evogrid_core::observer::{DEAD_END, Observer, SET_BACK, Step};

/// Records every step of a search: TRACKHIST.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    steps: Vec<Step>,
}

impl History {
    /// A history without steps.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The steps, in their order.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// TRACKER: the assignments in effect after the last step, in the order in which they were made.
    pub(crate) fn tracker(&self) -> Vec<Step> {
        let mut tracker: Vec<Step> = Vec::new();
        for &step in &self.steps {
            if step.value == SET_BACK {
                let undone = tracker.pop().expect("only what was assigned is set back");
                assert_eq!(undone.cell, step.cell, "the latest is set back first");
            } else if step.value != DEAD_END {
                tracker.push(step);
            }
        }
        tracker
    }
}

impl Observer for History {
    fn wants_steps(&self) -> bool {
        true
    }

    fn step(&mut self, step: &Step) {
        self.steps.push(*step);
    }
}
