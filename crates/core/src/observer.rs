//! Observers: they watch a search and cannot change it.

use std::fmt;

use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::population::Population;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Evaluations so far, over all trials.
    pub evaluations: u64,
    /// Generations completed, over all trials.
    pub generations: u64,
    /// Restarts so far.
    pub restarts: u64,
    /// Best fitness of the run.
    pub best_fitness: Fitness,
}

/// Watches a run. The methods do nothing unless written.
pub trait Observer {
    /// The run begins, on a problem with this layout.
    fn begin(&mut self, _layout: &Layout) {}

    /// The run has a new best genome.
    fn improved(&mut self, _progress: &Progress, _genome: &[Allele]) {}

    /// A generation is complete. The population is there if the search has one of the usual form.
    fn generation(&mut self, _progress: &Progress, _population: Option<&Population>) {}

    /// Whether it wants to hear of every [`step`](Self::step). A search that has them to tell is then slower and serial.
    fn wants_steps(&self) -> bool {
        false
    }

    /// A step of a backtracking search.
    fn step(&mut self, _step: &Step) {}
}

/// Watches nothing.
impl Observer for () {}

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
