//! What a run leaves behind.

use std::time::Duration;

use crate::budget::Stop;
use crate::fitness::Fitness;
use crate::layout::Allele;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The reason why the run stopped.
    pub stop: Stop,
    /// Whether the run had a target: a run without a target is neither solved nor unsolved.
    pub has_target: bool,
    /// The best genome of the run; empty if nothing was evaluated.
    pub best_genome: Vec<Allele>,
    /// The best solution as text, from a search on a problem whose solutions [are not genomes](crate::problem::Problem::has_genomes).
    pub solution: Option<String>,
    /// The fitness of the best genome, or of the best solution.
    pub best_fitness: Fitness,
    /// The number of evaluations in all trials.
    pub evaluations: u64,
    /// The number of completed generations in all trials.
    pub generations: u64,
    /// The number of restarts.
    pub restarts: u64,
    /// Evaluations until the best genome was found, including that one.
    pub evaluations_to_best: u64,
    /// What went wrong, as a message, if the run [failed](crate::evaluator::Evaluator::fail).
    pub failure: Option<String>,
    /// Processor time that the search used in its own threads; `None` if that is not known.
    pub cpu_elsewhere: Option<Duration>,
}
