//! Threshold accepting: random moves, of which those are made that make the solution worse by less than a threshold (Dueck and Scheuer, Journal
//! of Computational Physics 90, 1990).

use std::convert::Infallible;

use super::{self as walk, Chain, Criterion, Level, LevelState, Lowering, StartLevel};
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

/// Threshold accepting with its settings.
///
/// Moves are drawn at random; a move is made if the solution gets better, or worse by less than the threshold. After each chain of moves,
/// which is a generation, the threshold is lowered.
#[derive(Clone, Debug)]
pub struct ThresholdAccepting {
    /// Where a trial starts.
    pub start: Start,
    /// The moves; `None` for those that suit the problem best.
    pub neighbourhood: Option<NeighbourhoodKind>,
    /// Moves in a chain; `None` for as many as there are positions that can change.
    pub chain: Option<GrowingNumber>,
    /// The threshold.
    pub threshold: Level,
}

/// `threshold-accepting` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    name: "threshold-accepting",
    doc: "random moves, made where the solution gets worse by less than a threshold, which falls from chain to chain of moves",
    source: "Dueck and Scheuer, Threshold accepting, Journal of Computational Physics 90, 1990",
    version: 1,
    needs: &[],
    parameters: &[
        walk::START,
        walk::NEIGHBOURHOOD,
        Parameter::optional_real(
            "threshold",
            0.0,
            walk::MAX_LEVEL,
            "at the start, times the problem's scale; without it, the standard deviation of the fitness in a sample of moves",
        )
        .growing(),
        walk::SAMPLE.only_where(&[Condition::Without("threshold")]),
        walk::CHAIN,
        Parameter::choice(
            "lowering",
            &["linear", "geometric", "constant"],
            "linear",
            "how the threshold falls after every chain",
        ),
        walk::FACTOR.only_where(&[Condition::Is("lowering", "geometric")]),
        walk::CHAINS.only_where(&[Condition::Is("lowering", "linear")]),
    ],
};

impl ThresholdAccepting {
    /// The algorithm that resolved settings describe.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        let given = GrowingNumber::from_settings(settings, "threshold");
        let sampled = || StartLevel::Deviation(settings.count("sample") as u64);
        Self {
            start: Start::from_name(settings.name("start")),
            neighbourhood: settings.choice("neighbourhood", &NeighbourhoodKind::CHOICES),
            chain: GrowingNumber::from_settings(settings, "chain"),
            threshold: Level {
                start: given.map_or_else(sampled, StartLevel::Given),
                lowering: Lowering::from_settings(settings.name("lowering"), settings),
                reset: None,
            },
        }
    }
}

/// What threshold accepting holds beside the solution.
pub(crate) struct ThresholdState {
    chain: u64,
    threshold: LevelState,
}

impl LocalSearch for ThresholdAccepting {
    type State<'p, C> = ThresholdState;

    fn start(&self) -> &Start {
        &self.start
    }

    fn neighbourhood(&self) -> Option<NeighbourhoodKind> {
        self.neighbourhood
    }

    fn state<P: Problem, N: Neighbourhood>(&self, problem: &P, moves: &N) -> Result<ThresholdState, String> {
        let chain = walk::chain_on(self.chain.as_ref(), problem, moves)?;
        Ok(ThresholdState { chain, threshold: self.threshold.state(problem)? })
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        moves: &mut N,
        now: N::Cost,
        ThresholdState { chain, threshold }: &mut ThresholdState,
        random: &mut RandomStream,
    ) -> Result<Infallible, Stop> {
        if moves.is_empty() {
            return Err(Stop::Stagnation);
        }
        self.threshold.begin(threshold, evaluator, moves, now, random)?;
        walk::walk(evaluator, moves, now, *chain, &mut Lowered { level: &self.threshold, threshold }, random)
    }
}

/// A threshold that falls.
struct Lowered<'a> {
    level: &'a Level,
    threshold: &'a mut LevelState,
}

impl Criterion for Lowered<'_> {
    #[inline]
    fn accepts(&mut self, now: f64, after: f64, _: u32) -> bool {
        after < now + self.threshold.now()
    }

    fn end_chain(&mut self, chain: &Chain) -> Result<(), Stop> {
        self.level.end_chain(self.threshold, chain.best);
        Ok(())
    }
}
