//! The algorithm `exact`: a depth-first search that fills naked and hidden singles before every guess.

use super::conclude;
use super::solution_search::{SolutionSearch, lowest};
use super::structure::{Structure, cells_of};
use crate::search::*;

/// [`SolutionSearch`] as an algorithm: a depth-first search. Naked and hidden singles are filled before every guess.
///
/// A node is a guess: a value for a cell with several candidates. In the results, each node counts as an evaluation. Each dead end counts
/// as a backtrack, also the last dead end. In the results, each backtrack counts as a generation. Nothing is random. If singles alone solve
/// a board, the search has no nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactSearch;

/// The declaration of `exact` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "exact",
    "exact: depth-first search that guesses in the cell with the fewest candidates. Before every guess, naked and \
     hidden singles fill cells. Each guess counts as an evaluation, and each backtrack as a generation",
    "fewest candidates first: Haralick and Elliott, Artificial Intelligence 14, 1980",
)
.needing(&[Capability::AllDifferent]);

impl Search for ExactSearch {
    fn unit(&self) -> &'static str {
        "nodes"
    }

    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        let structure = Structure::from_problem(problem).ok()?;
        Some(structure.memory() + SolutionSearch::memory(&structure))
    }

    /// # Panics
    /// Panics if the problem does not consist of all-different sets.
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let structure = Structure::from_problem(problem).unwrap_or_else(|unsuited| panic!("{unsuited}"));
        let mut search = SolutionSearch::new(structure);
        evaluator.run_trials(|evaluator| {
            search.node_limit = evaluator.evaluations_left();
            let state = search.load(&cells_of(problem.layout()));
            let end = search.next_solution(state, lowest, || evaluator.time.are_reached());
            conclude(evaluator, &search.result(end))
        })
    }
}
