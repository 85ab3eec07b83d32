//! Simulated annealing: random moves, the worse of which are accepted with a probability that falls with the temperature (Kirkpatrick, Gelatt
//! and Vecchi, Science 220, 1983).

use std::convert::Infallible;

use super::{self as walk, Chain, Criterion, Level, LevelState, Lowering, Metropolis, StartLevel};
use crate::budget::Stop;
use crate::evaluator::Evaluator;
use crate::neighbourhood::{Neighbourhood, NeighbourhoodKind};
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::search::Start;
use crate::search::local::LocalSearch;
use crate::settings::Settings;
use crate::settings::growing_number::GrowingNumber;
use crate::settings::parameter::{Condition, Declaration, Parameter};

/// Simulated annealing with its settings.
///
/// Moves are drawn at random. One that makes the solution worse by `d` is made with probability `exp(-d / T)`, any other always. After
/// each chain of moves, which is a generation, the temperature `T` is lowered.
#[derive(Clone, Debug)]
pub struct Annealing {
    /// Where a trial starts.
    pub start: Start,
    /// The moves; `None` for those that suit the problem best.
    pub neighbourhood: Option<NeighbourhoodKind>,
    /// Moves in a chain; `None` for as many as there are positions that can change.
    pub chain: Option<GrowingNumber>,
    /// The temperature.
    pub temperature: Level,
    /// Chains in a row that end no better than they began, after which the trial ends.
    pub frozen: Option<u64>,
}

/// `annealing` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    name: "annealing",
    doc: "random moves, a worse one by `d` made with probability exp(-d / T); the temperature T falls from chain to chain of moves",
    source: "Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing, Science 220, 1983; lundy-mees: Lundy and Mees, \
             Mathematical Programming 34, 1986",
    version: 1,
    needs: &[],
    parameters: &[
        walk::START,
        walk::NEIGHBOURHOOD,
        Parameter::optional_real(
            "temperature",
            0.0,
            walk::MAX_LEVEL,
            "start temperature, times the problem's scale; without it, from a sample of moves",
        )
        .growing(),
        walk::SAMPLE.only_where(&[Condition::Without("temperature")]),
        Parameter::optional_real(
            "accepted",
            0.0,
            1.0,
            "share of the sample's moves that the start temperature accepts; without it, that is the standard deviation of the sample's \
             fitness",
        )
        .only_where(&[Condition::Without("temperature")]),
        walk::CHAIN,
        Parameter::choice(
            "cooling",
            &["geometric", "lundy-mees", "linear", "constant"],
            "geometric",
            "how the temperature falls after every chain",
        ),
        walk::FACTOR.only_where(&[Condition::Is("cooling", "geometric")]),
        Parameter::real(
            "beta",
            0.0,
            walk::MAX_LEVEL,
            0.001,
            "factor by which `lundy-mees` changes T to T / (1 + beta T), T in units of the problem's scale",
        )
        .only_where(&[Condition::Is("cooling", "lundy-mees")]),
        walk::CHAINS.only_where(&[Condition::Is("cooling", "linear")]),
        Parameter::optional_integer(
            "reheat",
            1,
            i64::MAX,
            "chains in a row without a solution better than any since the last heating, after which the temperature \
             is reset to the start",
        )
        .only_where(&[Condition::IsNot("cooling", "constant")]),
        Parameter::optional_integer(
            "frozen",
            1,
            i64::MAX,
            "chains in a row that end no better than they began, after which the trial ends; `restarts` allow others",
        ),
    ],
};

impl Annealing {
    /// The algorithm that resolved settings describe.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        let n_moves = settings.count("sample") as u64;
        let accepted = settings.get("accepted").map(|_| settings.real("accepted"));
        let start = match (GrowingNumber::from_settings(settings, "temperature"), accepted) {
            (Some(given), _) => StartLevel::Given(given),
            (None, Some(share)) => StartLevel::Accepted { n_moves, share },
            (None, None) => StartLevel::Deviation(n_moves),
        };
        Self {
            start: Start::from_name(settings.name("start")),
            neighbourhood: settings.choice("neighbourhood", &NeighbourhoodKind::CHOICES),
            chain: GrowingNumber::from_settings(settings, "chain"),
            temperature: Level {
                start,
                lowering: Lowering::from_settings(settings.name("cooling"), settings),
                reset: settings.get("reheat").map(|_| settings.count("reheat") as u64),
            },
            frozen: settings.get("frozen").map(|_| settings.count("frozen") as u64),
        }
    }
}

/// What annealing holds beside the solution.
pub(crate) struct AnnealingState {
    chain: u64,
    temperature: LevelState,
    metropolis: Metropolis,
}

impl LocalSearch for Annealing {
    type State<'p, C> = AnnealingState;

    fn start(&self) -> &Start {
        &self.start
    }

    fn neighbourhood(&self) -> Option<NeighbourhoodKind> {
        self.neighbourhood
    }

    fn state<P: Problem, N: Neighbourhood>(&self, problem: &P, moves: &N) -> Result<AnnealingState, String> {
        Ok(AnnealingState {
            chain: walk::chain_on(self.chain.as_ref(), problem, moves)?,
            temperature: self.temperature.state(problem)?,
            metropolis: Metropolis::new(0.0),
        })
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        moves: &mut N,
        now: N::Cost,
        AnnealingState { chain, temperature, metropolis }: &mut AnnealingState,
        random: &mut RandomStream,
    ) -> Result<Infallible, Stop> {
        if moves.is_empty() {
            return Err(Stop::Stagnation);
        }
        self.temperature.begin(temperature, evaluator, moves, now, random)?;
        metropolis.set_temperature(temperature.now());
        let mut criterion =
            Cooled { level: &self.temperature, temperature, metropolis, frozen: self.frozen, n_without_gain: 0 };
        walk::walk(evaluator, moves, now, *chain, &mut criterion, random)
    }
}

/// The criterion of Metropolis et al. at a temperature that falls.
struct Cooled<'a> {
    level: &'a Level,
    temperature: &'a mut LevelState,
    metropolis: &'a mut Metropolis,
    frozen: Option<u64>,
    /// Chains in a row that ended no better than they began.
    n_without_gain: u64,
}

impl Criterion for Cooled<'_> {
    #[inline]
    fn accepts(&mut self, now: f64, after: f64, bits: u32) -> bool {
        self.metropolis.accepts(now, after, bits)
    }

    fn end_chain(&mut self, chain: &Chain) -> Result<(), Stop> {
        self.n_without_gain = if chain.last < chain.first { 0 } else { self.n_without_gain + 1 };
        if self.frozen.is_some_and(|limit| self.n_without_gain >= limit) {
            return Err(Stop::Stagnation);
        }
        self.level.end_chain(self.temperature, chain.best);
        self.metropolis.set_temperature(self.temperature.now());
        Ok(())
    }
}
