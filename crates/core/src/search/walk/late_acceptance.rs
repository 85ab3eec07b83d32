//! Late acceptance hill climbing: a random move is made if the solution after it is no worse than now, or better than some moves ago (Burke and
//! Bykov, EJOR 258(1), 2017).

use super::{self as walk, Chain, Rule};
use crate::memory::{blocks, refusal, room};
use crate::search::*;
use crate::settings::GrowingNumber;

/// The rule of late acceptance hill climbing.
///
/// The search keeps a list of fitnesses; at the start of a trial, every entry is the fitness of its solution. The list is traversed
/// cyclically, one entry for each move. The move is made if the solution after it is better than the entry, or no worse than the solution now. Then the entry is set to
/// the fitness of the solution, if that is better.
///
/// A trial that may be followed by another ends when the walk has converged, by the criterion of the paper's figure 1: after 100,000 moves, and
/// once 2 % of all its moves in a row were no improvement, here counted by chains. The last trial goes on until the budget ends it.
#[derive(Clone, Debug)]
pub struct LateAcceptance {
    /// Entries of the list.
    pub length: GrowingNumber,
}

/// `late-acceptance` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    version: 2,
    ..Declaration::new(
        "late-acceptance",
        "random moves; a move is made if it is not worse, or if its solution is better than the one some moves ago, by a \
         list of past fitnesses; a trial that has converged ends if another may follow",
        "Burke and Bykov, The late acceptance hill-climbing heuristic, EJOR 258(1), 2017, pp. 70-78",
    )
    .with(&[walk::START, walk::NEIGHBOURHOOD, LENGTH, walk::CHAIN])
};

const LENGTH: Parameter =
    Parameter::integer("length", 1, 1 << 32, 5000, "entries of the list of past fitnesses").growing();

/// The list of past fitnesses.
pub(crate) struct PastFitnesses {
    length: usize,
    list: Vec<f64>,
    /// The entry whose turn it is.
    at: usize,
    /// Moves of the trial, and those in a row whose chains improved nothing.
    moves: u64,
    idle: u64,
}

/// The moves after which a trial may have converged, and the share of them that must have been idle in a row.
const LEAST_MOVES: u64 = 100_000;
const IDLE_SHARE: f64 = 0.02;

impl Rule for LateAcceptance {
    type State = PastFitnesses;

    fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        Ok(Self { length: Setting::read(settings, &LENGTH, operators)? })
    }

    fn state<P: Problem>(&self, problem: &P) -> Result<PastFitnesses, String> {
        let length = self.length.count_on(problem)? as usize;
        let list = room(length).map_err(|_| refusal(&format!("{length} past fitnesses"), self.memory(problem)))?;
        Ok(PastFitnesses { length, list, at: 0, moves: 0, idle: 0 })
    }

    fn memory<P: Problem>(&self, problem: &P) -> u64 {
        self.length.count_on(problem).map_or(0, |length| blocks(length as usize, size_of::<f64>()))
    }

    fn begin<P: Problem, N: Neighbourhood>(
        &self,
        past: &mut PastFitnesses,
        trial: &mut Trial<'_, '_, P, N>,
    ) -> Result<(), Stop> {
        past.list.clear();
        past.list.resize(past.length, trial.now.into().value());
        (past.at, past.moves, past.idle) = (0, 0, 0);
        Ok(())
    }

    #[inline]
    fn accepts(PastFitnesses { list, at, .. }: &mut PastFitnesses, now: f64, after: f64, _: u32) -> bool {
        let past = &mut list[*at];
        let is_accepted = after <= now || after < *past;
        *past = past.min(if is_accepted { after } else { now });
        *at = if *at + 1 == list.len() { 0 } else { *at + 1 };
        is_accepted
    }

    fn end_chain<P: Problem>(
        &self,
        past: &mut PastFitnesses,
        evaluator: &Evaluator<'_, P>,
        chain: &Chain,
    ) -> Result<(), Stop> {
        past.moves += chain.moves;
        past.idle = if chain.best < chain.first { 0 } else { past.idle + chain.moves };
        let has_converged = past.moves > LEAST_MOVES && past.idle as f64 > IDLE_SHARE * past.moves as f64;
        if has_converged && evaluator.may_restart() { Err(Stop::Stagnation) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_made_if_it_is_no_worse_or_better_than_three_moves_ago() {
        let mut past = PastFitnesses { length: 3, list: vec![10.0; 3], at: 0, moves: 0, idle: 0 };
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
            assert_eq!(
                (LateAcceptance::accepts(&mut past, now, after, 0), &past.list[..]),
                (is_made, &list[..]),
                "move {number}"
            );
        }
    }
}
