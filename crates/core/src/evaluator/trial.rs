//! Trials, with their counters, and the outcome of a run.

use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::fitness::Fitness;
use crate::layout::Allele;

/// The number of generations in a row without any evaluation, after which a trial counts as stagnant. Without this rule, a run would not
/// end if all offspring are copies of their parents, because copies use no evaluations.
const MAX_IDLE_GENERATIONS: u64 = 10_000;

/// The counters since the start of a trial.
pub(super) struct Trial {
    pub(super) best_fitness: Fitness,
    pub(super) improved: bool,
    pub(super) generations: u64,
    stagnant: u64,
    idle: u64,
    /// The number of evaluations of the run at the start of the generation.
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

    /// The counters of a trial that begins at a solution with this fitness.
    pub(super) fn from(fitness: Fitness) -> Self {
        Self { best_fitness: fitness, ..Self::START }
    }

    /// Counts a generation. `evaluations` is the number of evaluations of the run at the end of the generation.
    ///
    /// # Errors
    /// Returns an error if the generations are used up. Returns an error if too many successive generations did not improve the best
    /// fitness or evaluated nothing.
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

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The reason why the run stopped.
    pub stop: Stop,
    /// Whether the run had a target. A run without a target is neither solved nor unsolved.
    pub has_target: bool,
    /// The best genome of the run. The genome is empty if nothing was evaluated.
    pub best_genome: Vec<Allele>,
    /// If solutions [are not genomes](crate::problem::Problem::has_genomes), this is the best solution as text.
    pub solution: Option<String>,
    /// The fitness of the best genome. If solutions are not genomes, this is the fitness of the best solution.
    pub best_fitness: Fitness,
    /// The number of evaluations in all trials.
    pub evaluations: u64,
    /// The number of completed generations in all trials.
    pub generations: u64,
    /// The number of restarts in the run.
    pub restarts: u64,
    /// The number of evaluations until the best genome was found. This number includes the evaluation of the best genome.
    pub evaluations_to_best: u64,
    /// The message of a run that [failed](crate::evaluator::Evaluator::fail).
    pub failure: Option<String>,
    /// The processor time that the search used in additional threads. The search itself started these threads. `None` if the time is not
    /// known.
    pub cpu_elsewhere: Option<Duration>,
}
