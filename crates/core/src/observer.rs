//! Observers. An observer watches a run and cannot influence the run.

use std::fmt;

use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::population::Population;

/// The counters of a run so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The number of evaluations in all trials.
    pub evaluations: u64,
    /// The number of completed generations in all trials.
    pub generations: u64,
    /// The number of restarts.
    pub restarts: u64,
    /// The best fitness of the run.
    pub best_fitness: Fitness,
}

/// Watches a run. By default the methods of an observer do nothing. `()` is an observer that ignores everything.
///
/// ```
/// use evogrid_core::layout::Allele;
/// use evogrid_core::observer::{Observer, Progress};
///
/// /// The numbers of evaluations at which the best fitness improved.
/// #[derive(Default)]
/// struct Improvements(Vec<u64>);
///
/// impl Observer for Improvements {
///     fn improved(&mut self, progress: &Progress, _genome: &[Allele]) {
///         self.0.push(progress.evaluations);
///     }
/// }
///
/// // A search calls it through its evaluator:
/// let mut improvements = Improvements::default();
/// let progress = Progress { evaluations: 17, generations: 0, restarts: 0, best_fitness: 3.into() };
/// improvements.improved(&progress, &[0, 2, 1]);
/// assert_eq!(improvements.0, [17]);
/// ```
pub trait Observer {
    /// Called when a run begins. The argument is the layout of the problem.
    fn begin(&mut self, _layout: &Layout) {}

    /// The run has a new best genome. `genome` is this best genome only if [`wants_genomes`](Self::wants_genomes) returns true.
    fn improved(&mut self, _progress: &Progress, _genome: &[Allele]) {}

    /// Returns true if the observer reads the genome of every [improvement](Self::improved). If the observer does not read genomes, a
    /// search may report a fitness before it writes the genome.
    fn wants_genomes(&self) -> bool {
        false
    }

    /// A generation is complete. `population` is the next generation, if the search has a [`Population`].
    fn generation(&mut self, _progress: &Progress, _population: Option<&Population>) {}

    /// Returns true if the observer wants every [`step`](Self::step). If the observer wants the steps, the search uses only one thread and
    /// is slower.
    fn wants_steps(&self) -> bool {
        false
    }

    /// Called after each step of a backtracking search, if [`wants_steps`](Self::wants_steps) returns true.
    fn step(&mut self, _step: &Step) {}
}

/// Ignores everything.
impl Observer for () {}

/// The number in [`Step::value`] if the step reaches a dead end. At a dead end, a cell has no possible value left.
pub const DEAD_END: u64 = 9999;

/// The number in [`Step::value`] if the step makes a cell empty again.
pub const SET_BACK: u64 = 0;

/// One step of a backtracking search: a row of Arkieva's array TRACKHIST. The fields of a step have the same order as the columns of this
/// array.
///
/// Every iteration assigns a value or reaches a dead end. After a dead end, the search can make some cells empty again. If a step makes a
/// cell empty again, this step has the same `counter` as the step that reached the dead end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the iteration, counted from 1.
    pub counter: u64,
    /// The number of untried candidates of the cell. If the step reaches a dead end or makes the cell empty again, this number of
    /// candidates is 0.
    pub options: u64,
    /// The number of the cell, counted from 1.
    pub cell: u64,
    /// The value that the cell receives. The smallest value of a cell is 1. If the step assigns no value, the field is [`DEAD_END`] or
    /// [`SET_BACK`].
    pub value: u64,
}

impl Step {
    /// The names of the columns that contain the fields of a step.
    pub const COLUMNS: [&'static str; 4] = ["counter", "options", "cell", "value"];

    /// The fields of the step as one row of numbers, in the order of the columns.
    pub fn row(self) -> [u64; 4] {
        [self.counter, self.options, self.cell, self.value]
    }
}

/// The step as a line of text for the user.
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { counter, options, cell, value } = *self;
        match value {
            DEAD_END => write!(formatter, "{counter}: cell {cell} has no options left: dead end"),
            SET_BACK => write!(formatter, "{counter}: cell {cell} is emptied again"),
            _ if options == 1 => write!(formatter, "{counter}: cell {cell} receives {value}, its only option"),
            _ => write!(formatter, "{counter}: cell {cell} receives {value}, one of {options} options"),
        }
    }
}
