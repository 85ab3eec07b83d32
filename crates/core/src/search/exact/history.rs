//! The history of a backtracking search: Arkieva's arrays TRACKHIST (everything) and TRACKER (what holds now).

use std::fmt;

use crate::observer::Observer;

/// The value of a step that found a cell without an option: a dead end.
pub const DEAD_END: u64 = 9999;

/// The value of a step that set a cell back to "needs a value".
pub const SET_BACK: u64 = 0;

/// One row of TRACKHIST, its numbers in the order of Arkieva's columns.
///
/// Every iteration of the search either assigns a value or meets a dead end, and counts one; the cells that a dead end sets
/// back have its counter. So the counter is always the nodes plus the dead ends so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The iteration, from 1.
    pub counter: u64,
    /// The options that the cell had, those tried before not among them; 0 at a dead end and for a cell set back.
    pub options: u64,
    /// The cell, from 1.
    pub cell: u64,
    /// The value assigned, from 1; or [`DEAD_END`], or [`SET_BACK`].
    pub value: u64,
}

impl Step {
    /// The names of a row's columns.
    pub const COLUMNS: [&'static str; 4] = ["counter", "options", "cell", "value"];

    /// The row, for a CSV.
    #[must_use]
    pub fn row(self) -> [u64; 4] {
        [self.counter, self.options, self.cell, self.value]
    }

    /// Whether it assigned a value.
    #[must_use]
    pub fn is_assignment(self) -> bool {
        self.value != DEAD_END && self.value != SET_BACK
    }
}

/// The line of a step log.
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { counter, options, cell, value } = *self;
        match value {
            DEAD_END => write!(formatter, "{counter}: cell {cell} has no option, a dead end"),
            SET_BACK => write!(formatter, "{counter}: cell {cell} is set back"),
            _ if options == 1 => write!(formatter, "{counter}: cell {cell} gets {value}, its only option"),
            _ => write!(formatter, "{counter}: cell {cell} gets {value}, one of {options} options"),
        }
    }
}

/// Records every step of a search: TRACKHIST.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    steps: Vec<Step>,
}

impl History {
    /// No step yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The steps, in their order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// TRACKER: the assignments that hold after the last step, in the order in which they were made.
    #[must_use]
    pub fn tracker(&self) -> Vec<Step> {
        let mut tracker: Vec<Step> = Vec::new();
        for &step in &self.steps {
            if step.is_assignment() {
                tracker.push(step);
            } else if step.value == SET_BACK {
                let undone = tracker.pop().expect("only what was assigned is set back");
                debug_assert_eq!(undone.cell, step.cell, "the latest is set back first");
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
