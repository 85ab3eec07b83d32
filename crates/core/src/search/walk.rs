//! Walks: searches that draw one move after the other and make those that a criterion accepts.

pub mod annealing;
pub mod late_acceptance;
mod metropolis;
mod sample;
mod schedule;
mod steps;
pub mod threshold_accepting;

use super::*;
use crate::settings::GrowingNumber;
use steps::steps;

pub(super) use schedule::{ACCEPTED, BETA, CHAINS, FACTOR, FROZEN, LevelCriterion, MAX_LEVEL, REHEAT, SAMPLE};
pub use schedule::{Level, LevelRule, Lowering, StartLevel};

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

/// A walk with its settings: moves are drawn at random, and those are made that a rule accepts.
#[derive(Clone, Debug)]
pub struct Walk<R> {
    /// Where a trial starts.
    pub start: Start,
    /// The moves; `None` for those that suit the problem best.
    pub neighbourhood: Option<NeighbourhoodKind>,
    /// Moves in a chain, which is a generation; `None` for as many as there are positions that can change.
    pub chain: Option<GrowingNumber>,
    /// Which moves are made.
    pub rule: R,
}

/// Which moves a walk makes.
pub(crate) trait Rule: Sized {
    /// What it holds in a run.
    type State;

    /// The rule that resolved settings describe.
    fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault>;

    /// What it holds in a run, made once.
    ///
    /// # Errors
    /// Why it cannot be used on the problem, as a message.
    fn state<P: Problem>(&self, problem: &P) -> Result<Self::State, String>;

    /// The bytes of that, about.
    fn memory<P: Problem>(&self, problem: &P) -> u64 {
        let _ = problem;
        0
    }

    /// Begins a trial.
    ///
    /// # Errors
    /// The reason to stop.
    fn begin<P: Problem, N: Neighbourhood>(
        &self,
        state: &mut Self::State,
        trial: &mut Trial<'_, '_, P, N>,
    ) -> Result<(), Stop>;

    /// Whether the walk goes from a solution of this fitness to one of that. `bits` are 32 uniform bits.
    fn accepts(state: &mut Self::State, now: f64, after: f64, bits: u32) -> bool;

    /// Is told that a chain has ended.
    ///
    /// # Errors
    /// The reason to end the trial, if the walk does not continue.
    fn end_chain<P: Problem>(
        &self,
        state: &mut Self::State,
        evaluator: &Evaluator<'_, P>,
        chain: &Chain,
    ) -> Result<(), Stop>;
}

/// The fitnesses that the solution had in a chain.
pub(crate) struct Chain {
    /// At its start.
    first: f64,
    /// At its end.
    last: f64,
    /// At best.
    best: f64,
    /// The moves that were drawn in it.
    moves: u64,
}

/// A walk of any rule, from settings: its own trait, since rules are not public.
pub(super) trait FromSettings: Sized {
    /// The walk that resolved settings describe.
    fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault>;
}

impl<R: Rule> FromSettings for Walk<R> {
    fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        Ok(Self {
            start: Setting::read(settings, &START, operators)?,
            neighbourhood: Setting::read(settings, &NEIGHBOURHOOD, operators)?,
            chain: Setting::read(settings, &CHAIN, operators)?,
            rule: R::from_settings(settings, operators)?,
        })
    }
}

/// What a walk holds beside the solution.
pub(crate) struct WalkState<S> {
    /// The moves of a chain.
    chain: u64,
    rule: S,
}

impl<R: Rule> LocalSearch for Walk<R> {
    type State<'p, C> = WalkState<R::State>;

    fn frame(&self) -> (&Start, Option<NeighbourhoodKind>) {
        (&self.start, self.neighbourhood)
    }

    fn state<P: Problem, N: Neighbourhood>(&self, problem: &P, moves: &N) -> Result<WalkState<R::State>, String> {
        let chain = self.chain.as_ref().map_or(Ok(moves.n_groups().max(1) as u64), |chain| chain.count_on(problem))?;
        Ok(WalkState { chain, rule: self.rule.state(problem)? })
    }

    fn memory<P: Problem>(&self, problem: &P) -> u64 {
        self.rule.memory(problem)
    }

    /// A chain of moves is a generation. The best solution met is settled.
    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        WalkState { chain, rule: state }: &mut WalkState<R::State>,
    ) -> Result<Infallible, Stop> {
        if trial.moves.is_empty() {
            return Err(Stop::Stagnation);
        }
        self.rule.begin(state, trial)?;
        loop {
            let first = trial.now.into().value();
            let best = steps(trial, *chain, |now, after, bits| R::accepts(state, now, after, bits))?;
            trial.evaluator.end_iteration()?;
            let chain = Chain { first, last: trial.now.into().value(), best, moves: *chain };
            self.rule.end_chain(state, trial.evaluator, &chain)?;
        }
    }
}
