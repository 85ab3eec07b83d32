//! Arkieva's backtracking: sanity checks, then a depth-first search that gives the cell with the fewest candidates its
//! smallest value not tried before.

use super::structure::{Structure, cells_of, genome_of};
use super::tree::{SearchEnd, SearchResult, Tree};
use super::{parallel, sanity};
use crate::budget::Stop;
use crate::evaluator::{Evaluator, Outcome};
use crate::observer::Step;
use crate::parameter::{Declaration, Parameter};
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::search::Search;
use crate::settings::Settings;

/// Nodes that are searched in serial before branches are searched in parallel: on most boards that is all.
const SERIAL_NODES: u64 = 2048;

/// Backtracking with sanity checks.
///
/// Until every cell has a value: a cell without a candidate leads back to the latest assignment that had more than one
/// option, whose values tried before are no option again, and where there is none there is no solution; a cell with a single
/// candidate gets it; else the cell with the fewest candidates gets the smallest. The lowest cell comes first among equals.
///
/// A node (an evaluation in the results) is a value assigned; a backtrack (a generation) is a dead end met, also the last,
/// from which no way leads back. Nothing is random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backtracking {
    /// Whether the options of a cell are searched in parallel. Answer and counts are those of the serial search, at any
    /// number of threads; it takes less time where threads are idle, so hardly in an experiment of many runs.
    pub parallel: bool,
}

const PARAMETERS: &[Parameter] = &[Parameter::flag(
    "parallel",
    false,
    "whether the options of a cell are searched in parallel; same answer and counts",
)];

/// `backtracking` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    name: "backtracking",
    doc: "exact: sanity checks, then depth first by fewest candidates; evaluations are nodes, generations backtracks",
    source: "Arkieva, An AI-based solution to Sudoku, blog for the National Puzzle Day",
    parameters: PARAMETERS,
};

impl Search for Backtracking {
    /// # Panics
    /// If the problem is not made of all-different units.
    fn search(&self, evaluator: Evaluator<'_, dyn Problem>, _: &mut RandomStream) -> Outcome {
        let structure = Structure::from_problem(evaluator.problem()).unwrap_or_else(|unsuited| panic!("{unsuited}"));
        evaluator.run_trials(|evaluator| self.run(&structure, evaluator))
    }
}

impl Backtracking {
    /// The algorithm that resolved settings describe.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        Self { parallel: settings.flag("parallel") }
    }

    fn run(&self, structure: &Structure, evaluator: &mut Evaluator<'_, dyn Problem>) -> Stop {
        let cells = cells_of(evaluator.problem().layout());
        if sanity::check(structure, &cells).is_err() {
            return Stop::Exhausted;
        }
        let found = self.find(&Tree::new(structure, &cells), evaluator);
        evaluator.account(found.nodes, found.dead_ends);
        match found.end {
            SearchEnd::Limit => Stop::Evaluations,
            SearchEnd::Interrupted => Stop::Time,
            SearchEnd::Exhausted => Stop::Exhausted,
            SearchEnd::Solved => {
                let genome = genome_of(&found.cells);
                let fitness = evaluator.problem().fitness(&genome);
                // A problem without a target has been searched as far as this method can.
                evaluator.end(fitness, |best| best.copy_from_slice(&genome)).err().unwrap_or(Stop::Exhausted)
            }
        }
    }

    fn find(&self, root: &Tree<'_>, evaluator: &mut Evaluator<'_, dyn Problem>) -> SearchResult {
        let (limit, deadline) = (evaluator.evaluations_left(), evaluator.deadline());
        let mut tree = root.clone();
        // Its history is that of the serial search.
        if evaluator.wants_steps() {
            let end = tree.run(limit, |_| deadline.is_over(), |step: Step| evaluator.step(&step));
            return SearchResult::from_tree(&tree, end);
        }
        let first = if self.parallel { limit.min(SERIAL_NODES) } else { limit };
        let end = tree.run(first, |_| deadline.is_over(), |_| ());
        if end == SearchEnd::Limit && first < limit {
            return parallel::search(root, limit, || deadline.is_over());
        }
        SearchResult::from_tree(&tree, end)
    }
}
