//! Late acceptance hill climbing: a random move is made if the solution after it is no worse than now, or better than some moves ago (Burke and
//! Bykov, EJOR 258(1), 2017).

use std::convert::Infallible;

use super::{self as walk, Chain, Criterion};
use crate::budget::Stop;
use crate::evaluator::Evaluator;
use crate::memory::{blocks, refusal, room};
use crate::neighbourhood::{Neighbourhood, NeighbourhoodKind};
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::search::Start;
use crate::search::local::LocalSearch;
use crate::settings::Settings;
use crate::settings::growing_number::GrowingNumber;
use crate::settings::parameter::{Declaration, Parameter};

/// Late acceptance hill climbing with its settings.
///
/// A list holds fitnesses, at the start of a trial all that of its solution. Moves are drawn at random, and the list is traversed
/// cyclically, one entry for each move. The move is made if the solution after it is better than the entry, or no worse than the solution
/// now. Then the entry is set to the fitness of the solution, if that is better.
#[derive(Clone, Debug)]
pub struct LateAcceptance {
    /// Where a trial starts.
    pub start: Start,
    /// The moves; `None` for those that suit the problem best.
    pub neighbourhood: Option<NeighbourhoodKind>,
    /// Moves in a chain, which is a generation; `None` for as many as there are positions that can change.
    pub chain: Option<GrowingNumber>,
    /// Entries of the list.
    pub length: GrowingNumber,
}

/// `late-acceptance` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    name: "late-acceptance",
    doc: "random moves, made if the solution gets no worse, or is better than it was some moves ago by a list of past fitnesses",
    source: "Burke and Bykov, The late acceptance hill-climbing heuristic, EJOR 258(1), 2017, pp. 70-78",
    version: 1,
    needs: &[],
    parameters: &[
        walk::START,
        walk::NEIGHBOURHOOD,
        Parameter::integer("length", 1, 1 << 32, 5000, "entries of the list of past fitnesses").growing(),
        walk::CHAIN,
    ],
};

impl LateAcceptance {
    /// The algorithm that resolved settings describe.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        Self {
            start: Start::from_name(settings.name("start")),
            neighbourhood: settings.choice("neighbourhood", &NeighbourhoodKind::CHOICES),
            chain: GrowingNumber::from_settings(settings, "chain"),
            length: GrowingNumber::from_settings(settings, "length").expect("it has a default"),
        }
    }
}

/// What late acceptance holds beside the solution.
pub(crate) struct LateState {
    chain: u64,
    length: usize,
    past: PastFitnesses,
}

impl LocalSearch for LateAcceptance {
    type State<'p, C> = LateState;

    fn start(&self) -> &Start {
        &self.start
    }

    fn neighbourhood(&self) -> Option<NeighbourhoodKind> {
        self.neighbourhood
    }

    fn state<P: Problem, N: Neighbourhood>(&self, problem: &P, moves: &N) -> Result<LateState, String> {
        let length = self.length.count_on(problem)? as usize;
        let list = room(length)
            .map_err(|_| refusal(&format!("{length} past fitnesses"), LocalSearch::memory(self, problem)))?;
        let chain = walk::chain_on(self.chain.as_ref(), problem, moves)?;
        Ok(LateState { chain, length, past: PastFitnesses { list, at: 0 } })
    }

    fn memory<P: Problem>(&self, problem: &P) -> u64 {
        self.length.count_on(problem).map_or(0, |length| blocks(length as usize, size_of::<f64>()))
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        moves: &mut N,
        now: N::Cost,
        LateState { chain, length, past }: &mut LateState,
        random: &mut RandomStream,
    ) -> Result<Infallible, Stop> {
        if moves.is_empty() {
            return Err(Stop::Stagnation);
        }
        past.list.clear();
        past.list.resize(*length, now.into().value());
        past.at = 0;
        walk::walk(evaluator, moves, now, *chain, past, random)
    }
}

/// The list of past fitnesses.
struct PastFitnesses {
    list: Vec<f64>,
    /// The entry whose turn it is.
    at: usize,
}

impl Criterion for PastFitnesses {
    #[inline]
    fn accepts(&mut self, now: f64, after: f64, _: u32) -> bool {
        let past = &mut self.list[self.at];
        let is_accepted = after <= now || after < *past;
        *past = past.min(if is_accepted { after } else { now });
        self.at = if self.at + 1 == self.list.len() { 0 } else { self.at + 1 };
        is_accepted
    }

    fn end_chain(&mut self, _: &Chain) -> Result<(), Stop> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_made_if_it_is_no_worse_or_better_than_three_moves_ago() {
        let mut past = PastFitnesses { list: vec![10.0; 3], at: 0 };
        // Each row: now, after the move, whether it is made, and the list then.
        let rows = [
            (10.0, 12.0, false, [10.0, 10.0, 10.0]),
            (10.0, 8.0, true, [10.0, 8.0, 10.0]),
            (8.0, 9.0, true, [10.0, 8.0, 9.0]),
            (9.0, 10.0, false, [9.0, 8.0, 9.0]),
            (9.0, 9.0, true, [9.0, 8.0, 9.0]),
            (9.0, 7.0, true, [9.0, 8.0, 7.0]),
            (7.0, 8.0, true, [8.0, 8.0, 7.0]),
            (8.0, 9.0, false, [8.0, 8.0, 7.0]),
            (8.0, 8.0, true, [8.0, 8.0, 7.0]),
        ];
        for (number, (now, after, is_made, list)) in rows.into_iter().enumerate() {
            assert_eq!((past.accepts(now, after, 0), &past.list[..]), (is_made, &list[..]), "move {number}");
        }
    }
}
