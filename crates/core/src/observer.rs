//! Observers: they watch a search and cannot change it.

use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::population::Population;
use crate::search::exact::history::Step;

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
