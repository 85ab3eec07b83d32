//! Walks: searches that draw one move after the other and make those that a criterion accepts.

pub mod annealing;
pub mod late_acceptance;
mod metropolis;
mod sample;
mod schedule;
mod steps;
pub mod threshold_accepting;

use std::convert::Infallible;

use super::local;
use crate::budget::Stop;
use crate::evaluator::Evaluator;
use crate::neighbourhood::Neighbourhood;
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::settings::growing_number::GrowingNumber;
use crate::settings::parameter::Parameter;
use steps::steps;

pub(super) use metropolis::Metropolis;
pub(super) use schedule::{CHAINS, FACTOR, LevelState, MAX_LEVEL, SAMPLE};
pub use schedule::{Level, Lowering, StartLevel};

/// The most moves of a chain.
const MAX_MOVES: i64 = 1 << 53;

/// The setting `start` of a walk.
pub(super) const START: Parameter = Parameter::construction("start", "random", "the solution at which a trial starts");

/// The setting `neighbourhood` of a walk.
pub(super) const NEIGHBOURHOOD: Parameter = local::NEIGHBOURHOOD;

/// The setting `chain` of a walk, which is a generation.
pub(super) const CHAIN: Parameter = Parameter::optional_integer(
    "chain",
    1,
    MAX_MOVES,
    "moves that are drawn in a generation; without it as many as there are positions that can change",
)
.growing();

/// Which moves a walk makes.
pub(super) trait Criterion {
    /// Whether the walk goes from a solution of this fitness to one of that. `bits` are 32 uniform bits.
    fn accepts(&mut self, now: f64, after: f64, bits: u32) -> bool;

    /// Is told that a chain has ended.
    ///
    /// # Errors
    /// The reason to end the trial, if the walk does not continue.
    fn end_chain(&mut self, chain: &Chain) -> Result<(), Stop>;
}

/// The fitnesses that the solution had in a chain.
pub(super) struct Chain {
    /// At its start.
    pub(super) first: f64,
    /// At its end.
    pub(super) last: f64,
    /// At best.
    pub(super) best: f64,
}

/// The moves of a chain.
///
/// # Errors
/// If the problem does not say a size that it grows with.
pub(super) fn chain_on<P: Problem, N: Neighbourhood>(
    chain: Option<&GrowingNumber>,
    problem: &P,
    moves: &N,
) -> Result<u64, String> {
    chain.map_or(Ok(moves.n_groups().max(1) as u64), |chain| chain.count_on(problem))
}

/// Walks from the solution at place 0, which costs `now`, by a criterion, until there is a reason to stop. A chain of so many moves is a
/// generation. The best solution met is settled.
///
/// # Errors
/// The reason: always.
pub(super) fn walk<P: Problem, N: Neighbourhood, C: Criterion>(
    evaluator: &mut Evaluator<'_, P>,
    moves: &mut N,
    mut now: N::Cost,
    chain: u64,
    criterion: &mut C,
    random: &mut RandomStream,
) -> Result<Infallible, Stop> {
    loop {
        let first = now.into().value();
        let accepts = |now, after, bits| criterion.accepts(now, after, bits);
        let best = steps(evaluator, moves, &mut now, chain, random, accepts)?;
        evaluator.end_iteration()?;
        criterion.end_chain(&Chain { first, last: now.into().value(), best })?;
    }
}
