//! Threshold accepting: random moves, of which those are made that make the solution worse by less than a threshold (Dueck and Scheuer, Journal
//! of Computational Physics 90, 1990).

use super::{self as walk, Chain, Level, LevelState, Rule};
use crate::budget::Stop;
use crate::evaluator::Evaluator;
use crate::neighbourhood::Neighbourhood;
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::settings::Settings;
use crate::settings::fault::Fault;
use crate::settings::parameter::{Condition, Declaration, Parameter};
use crate::settings::registry::Operators;

/// The rule of threshold accepting: those moves are made after which the solution is better, or worse by less than the threshold. After
/// each chain of moves the threshold is lowered.
#[derive(Clone, Debug)]
pub struct ThresholdAccepting {
    /// The threshold.
    pub threshold: Level,
}

/// `threshold-accepting` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "threshold-accepting",
    "random moves; a move is made if it is worse by less than a threshold, which falls from chain to chain of moves",
    "Dueck and Scheuer, Threshold accepting, Journal of Computational Physics 90, 1990",
)
.with(&[
    walk::START,
    walk::NEIGHBOURHOOD,
    THRESHOLD,
    walk::SAMPLE.only_where(&[Condition::Without("threshold")]),
    walk::CHAIN,
    LOWERING,
    walk::FACTOR.only_where(&[Condition::Is("lowering", "geometric")]),
    walk::CHAINS.only_where(&[Condition::Is("lowering", "linear")]),
]);

const THRESHOLD: Parameter = Parameter::optional_real(
    "threshold",
    0.0,
    walk::MAX_LEVEL,
    "at the start, times the problem's scale; without it, the standard deviation of the fitness in a sample of moves",
)
.growing();
const LOWERING: Parameter = Parameter::choice(
    "lowering",
    &["budget", "linear", "geometric", "constant"],
    "budget",
    "how the threshold falls after every chain; `budget`: to 0 at the end of the budget",
);

impl Rule for ThresholdAccepting {
    type State = LevelState;

    fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        Ok(Self { threshold: Level::from_settings(settings, &THRESHOLD, &LOWERING, operators)? })
    }

    fn state<P: Problem>(&self, problem: &P) -> Result<LevelState, String> {
        self.threshold.state(problem)
    }

    fn begin<P: Problem, N: Neighbourhood>(
        &self,
        threshold: &mut LevelState,
        evaluator: &mut Evaluator<'_, P>,
        moves: &mut N,
        now: N::Cost,
        random: &mut RandomStream,
    ) -> Result<(), Stop> {
        self.threshold.begin(threshold, evaluator, moves, now, random)
    }

    #[inline]
    fn accepts(threshold: &mut LevelState, now: f64, after: f64, _: u32) -> bool {
        after < now + threshold.now()
    }

    fn end_chain<P: Problem>(
        &self,
        threshold: &mut LevelState,
        evaluator: &Evaluator<'_, P>,
        chain: &Chain,
    ) -> Result<(), Stop> {
        self.threshold.end_chain(threshold, chain.best, || evaluator.spent());
        Ok(())
    }
}
