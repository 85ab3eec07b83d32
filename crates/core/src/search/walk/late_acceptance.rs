//! Late acceptance hill climbing. The search draws random moves. A drawn move is made if the new solution is not worse than the present
//! solution. A drawn move is also made if the new solution is better than the solution that was present a fixed number of moves ago. (Burke
//! and Bykov, EJOR 258(1), 2017.)

use super::{Chain, Walk, WalkRule, WalkSettings};
use crate::memory::{blocks, refusal, room};
use crate::search::*;
use crate::settings::GrowingNumber;

crate::parameters! {
    /// Late acceptance hill climbing with its settings.
    ///
    /// The search keeps a list of fitnesses. When a trial starts, every entry of the list is the fitness of the start solution. For each
    /// drawn move, the search uses the next entry of the list. After the last entry of the list, the first entry is used again. If the new
    /// solution is better than the entry that the search uses for this move, the move is made. If a move does not make the solution worse,
    /// the move is always made. After each drawn move, the search compares the present fitness with the list entry that it used for this
    /// move. If the present fitness is better, the present fitness replaces this entry.
    ///
    /// If the run allows a further trial, the present trial ends when the walk has converged. A walk has converged if two conditions hold:
    /// it has made more than 100,000 moves, and the last 2 % of these moves brought no improvement. The two conditions come from figure 1
    /// of the paper of Burke and Bykov. The program counts the moves without improvement in whole chains. If a chain brings no improvement,
    /// all its moves count as moves without improvement. The last trial of a run continues until the budget ends the run.
    #[derive(Clone, Debug)]
    pub struct LateAcceptance with walk: WalkSettings {
        /// number of entries in the list of past fitnesses
        pub length: GrowingNumber = Parameter::integer("length", 1, 1 << 32, 5000, DOC).growing(),
    }
}

/// The declaration of `late-acceptance` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    version: 2,
    ..Declaration::new(
        "late-acceptance",
        "random moves. A move is made if the new solution is not worse than the present solution. A move is also made \
         if the new fitness is better than the next entry in a list of past fitnesses. If the budget allows another \
         trial, the present trial ends when it has converged",
        "Burke and Bykov, The late acceptance hill-climbing heuristic, EJOR 258(1), 2017, pp. 70-78",
    )
    .with(LateAcceptance::PARAMETERS)
};

/// The number of moves after which a trial may have converged.
const LEAST_MOVES: u64 = 100_000;

/// The share of a trial's moves that must be without improvement, in a row, before the trial has converged.
const IDLE_SHARE: f64 = 0.02;

impl Walk for LateAcceptance {
    type Rule = PastFitnesses;

    fn settings(&self) -> &WalkSettings {
        &self.walk
    }

    fn rule<P: Problem>(&self, problem: &P) -> Result<PastFitnesses, String> {
        let length = self.length.count_on(problem)? as usize;
        let list = room(length).map_err(|_| refusal(&format!("{length} past fitnesses"), self.rule_memory(problem)))?;
        Ok(PastFitnesses { length, list, at: 0, moves: 0, idle: 0 })
    }

    fn rule_memory<P: Problem>(&self, problem: &P) -> u64 {
        self.length.count_on(problem).map_or(0, |length| blocks(length as usize, size_of::<f64>()))
    }
}

/// The list of past fitnesses.
pub(crate) struct PastFitnesses {
    length: usize,
    list: Vec<f64>,
    /// The entry that the next move uses.
    at: usize,
    /// The number of moves in the trial.
    moves: u64,
    /// The number of moves in the latest successive chains that brought no improvement.
    idle: u64,
}

impl WalkRule for PastFitnesses {
    fn begin<P: Problem, N: Neighbourhood>(&mut self, trial: &mut Trial<'_, '_, P, N>) -> Result<(), Stop> {
        self.list.clear();
        self.list.resize(self.length, trial.now.into().value());
        (self.at, self.moves, self.idle) = (0, 0, 0);
        Ok(())
    }

    #[inline]
    fn accepts(&mut self, now: f64, after: f64, _: u32) -> bool {
        let Self { list, at, .. } = self;
        let past = &mut list[*at];
        let is_accepted = after <= now || after < *past;
        *past = past.min(if is_accepted { after } else { now });
        *at = if *at + 1 == list.len() { 0 } else { *at + 1 };
        is_accepted
    }

    fn end_chain<P: Problem>(&mut self, evaluator: &Evaluator<'_, P>, chain: &Chain) -> Result<(), Stop> {
        self.moves += chain.moves;
        self.idle = if chain.best < chain.first { 0 } else { self.idle + chain.moves };
        let has_converged = self.moves > LEAST_MOVES && self.idle as f64 > IDLE_SHARE * self.moves as f64;
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
            assert_eq!((past.accepts(now, after, 0), &past.list[..]), (is_made, &list[..]), "move {number}");
        }
    }
}
