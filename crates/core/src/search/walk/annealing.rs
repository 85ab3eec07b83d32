//! Simulated annealing: random moves, the worse of which are accepted with a probability that falls with the temperature (Kirkpatrick, Gelatt
//! and Vecchi, Science 220, 1983).

use super::{self as walk, Chain, Level, LevelState, Metropolis, Rule};
use crate::budget::Stop;
use crate::evaluator::Evaluator;
use crate::neighbourhood::Neighbourhood;
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::settings::Settings;
use crate::settings::fault::Fault;
use crate::settings::parameter::{Condition, Declaration, Parameter};
use crate::settings::registry::Operators;
use crate::settings::setting::Setting;

/// The rule of simulated annealing, the criterion of Metropolis et al. at a temperature that falls.
///
/// A move that makes the solution worse by `d` is made with probability `exp(-d / T)`, any other always. After each chain of moves the
/// temperature `T` is lowered.
#[derive(Clone, Debug)]
pub struct Annealing {
    /// The temperature.
    pub temperature: Level,
    /// Chains in a row that end no better than they began, after which the trial ends.
    pub frozen: Option<u64>,
}

/// `annealing` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "annealing",
    "random moves; a move that is worse by `d` is made with probability exp(-d / T), and the temperature T falls from \
     chain to chain of moves",
    "Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing, Science 220, 1983; lundy-mees: Lundy and \
     Mees, Mathematical Programming 34, 1986",
)
.with(&[
    walk::START,
    walk::NEIGHBOURHOOD,
    TEMPERATURE,
    walk::SAMPLE.only_where(&[Condition::Without("temperature")]),
    walk::ACCEPTED,
    walk::CHAIN,
    COOLING,
    walk::FACTOR.only_where(&[Condition::Is("cooling", "geometric")]),
    walk::BETA,
    walk::CHAINS.only_where(&[Condition::Is("cooling", "linear")]),
    walk::REHEAT,
    FROZEN,
]);

const TEMPERATURE: Parameter = Parameter::optional_real(
    "temperature",
    0.0,
    walk::MAX_LEVEL,
    "start temperature, times the problem's scale; without it, from a sample of moves",
)
.growing();
const COOLING: Parameter = Parameter::choice(
    "cooling",
    &["budget", "geometric", "lundy-mees", "linear", "constant"],
    "budget",
    "how the temperature falls after every chain; `budget`: to 0 at the end of the budget",
);
const FROZEN: Parameter = Parameter::optional_integer(
    "frozen",
    1,
    i64::MAX,
    "the trial ends after this many chains in a row that end no better than they began; `restarts` allow more trials",
);

/// What annealing holds in a run.
pub(crate) struct AnnealingState {
    temperature: LevelState,
    metropolis: Metropolis,
    /// Chains in a row that ended no better than they began.
    n_without_gain: u64,
}

impl Rule for Annealing {
    type State = AnnealingState;

    fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        Ok(Self {
            temperature: Level::from_settings(settings, &TEMPERATURE, &COOLING, operators)?,
            frozen: Setting::read(settings, &FROZEN, operators)?,
        })
    }

    fn state<P: Problem>(&self, problem: &P) -> Result<AnnealingState, String> {
        let (temperature, metropolis) = (self.temperature.state(problem)?, Metropolis::new(0.0));
        Ok(AnnealingState { temperature, metropolis, n_without_gain: 0 })
    }

    fn begin<P: Problem, N: Neighbourhood>(
        &self,
        state: &mut AnnealingState,
        evaluator: &mut Evaluator<'_, P>,
        moves: &mut N,
        now: N::Cost,
        random: &mut RandomStream,
    ) -> Result<(), Stop> {
        self.temperature.begin(&mut state.temperature, evaluator, moves, now, random)?;
        state.metropolis.set_temperature(state.temperature.now());
        state.n_without_gain = 0;
        Ok(())
    }

    #[inline]
    fn accepts(state: &mut AnnealingState, now: f64, after: f64, bits: u32) -> bool {
        state.metropolis.accepts(now, after, bits)
    }

    fn end_chain<P: Problem>(
        &self,
        state: &mut AnnealingState,
        evaluator: &Evaluator<'_, P>,
        chain: &Chain,
    ) -> Result<(), Stop> {
        state.n_without_gain = if chain.last < chain.first { 0 } else { state.n_without_gain + 1 };
        if self.frozen.is_some_and(|limit| state.n_without_gain >= limit) {
            return Err(Stop::Stagnation);
        }
        self.temperature.end_chain(&mut state.temperature, chain.best, || evaluator.spent());
        state.metropolis.set_temperature(state.temperature.now());
        Ok(())
    }
}
