//! Outcomes: the results of runs.

use std::time::Duration;

use crate::budget::Stop;
use crate::fitness::Fitness;
use crate::layout::Allele;

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The reason why the run stopped.
    pub stop: Stop,
    /// Whether the run had a target. A run without a target is neither solved nor unsolved.
    pub has_target: bool,
    /// The best genome of the run; empty if nothing was evaluated.
    pub best_genome: Vec<Allele>,
    /// The best solution as text, if the solutions of the problem [are not genomes](crate::problem::Problem::has_genomes).
    pub solution: Option<String>,
    /// The fitness of the best genome, or of the best solution.
    pub best_fitness: Fitness,
    /// The number of evaluations in all trials.
    pub evaluations: u64,
    /// The number of completed generations in all trials.
    pub generations: u64,
    /// The number of restarts.
    pub restarts: u64,
    /// The number of evaluations until the best genome was found, including its own evaluation.
    pub evaluations_to_best: u64,
    /// The message of a run that [failed](crate::evaluator::Evaluator::fail).
    pub failure: Option<String>,
    /// The processor time that the search used in its own threads; `None` if it is not known.
    pub cpu_elsewhere: Option<Duration>,
}
