//! What is counted of a trial.

use crate::budget::{Budget, Stop};
use crate::fitness::Fitness;

/// Generations in a row without any evaluation after which a trial counts as stagnant: a population whose offspring are all copies of their
/// parents would never use up a budget of evaluations.
const MAX_IDLE_GENERATIONS: u64 = 10_000;

/// Counters since the start of a trial.
pub(super) struct Trial {
    pub(super) best_fitness: Fitness,
    pub(super) improved: bool,
    pub(super) generations: u64,
    stagnant: u64,
    idle: u64,
    /// Evaluations of the run when the generation began.
    evaluations_before: u64,
}

impl Trial {
    pub(super) const START: Trial = Trial {
        best_fitness: Fitness::WORST,
        improved: false,
        generations: 0,
        stagnant: 0,
        idle: 0,
        evaluations_before: 0,
    };

    /// A trial that begins at a solution of this fitness.
    pub(super) fn from(fitness: Fitness) -> Self {
        Self { best_fitness: fitness, ..Self::START }
    }

    /// Counts a generation that ends after this number of evaluations of the run.
    ///
    /// # Errors
    /// The reason to stop: the generations are used up, or too many in a row did not improve the best fitness or evaluated nothing.
    pub(super) fn end_generation(&mut self, evaluations: u64, budget: &Budget) -> Result<(), Stop> {
        self.generations += 1;
        self.stagnant = if self.improved { 0 } else { self.stagnant + 1 };
        self.improved = false;
        self.idle = if evaluations == self.evaluations_before { self.idle + 1 } else { 0 };
        self.evaluations_before = evaluations;
        if budget.generations.is_some_and(|limit| self.generations >= limit) {
            return Err(Stop::Generations);
        }
        if budget.stagnation.is_some_and(|limit| self.stagnant >= limit) || self.idle >= MAX_IDLE_GENERATIONS {
            return Err(Stop::Stagnation);
        }
        Ok(())
    }
}
