//! Arkieva's backtracking: sanity checks, then a depth-first search. The search chooses the cell with the fewest candidates.

use super::structure::{Structure, cells_of};
use super::tree::{self, SearchResult, Tree};
use super::{conclude, parallel, sanity};
use crate::search::*;

/// The number of nodes that are searched serially, before branches are searched in parallel. Most instances need fewer nodes.
const SERIAL_NODES: u64 = 2048;

crate::parameters! {
    /// Backtracking with sanity checks.
    ///
    /// The search chooses the cell with the fewest candidates. If several cells have the fewest candidates, the lowest-numbered cell is
    /// chosen. The cell gets its smallest candidate that was not tried before. A cell without candidates is a dead end. A dead end leads
    /// back to the latest assignment with an untried candidate. If all candidates of all assigned cells have been tried, the problem has no
    /// solution. Nothing is random.
    ///
    /// A node is an assigned value. In the results, each node counts as an evaluation. Each dead end counts as a backtrack. In the results,
    /// each backtrack counts as a generation. The last dead end is also counted, although the search cannot go back from there.
    ///
    /// ```
    /// use evogrid_core::algorithm::{Algorithm, Solve};
    /// use evogrid_core::budget::{Budget, Stop};
    /// use evogrid_core::fitness::Fitness;
    /// use evogrid_core::layout::{Allele, Layout};
    /// use evogrid_core::problem::Problem;
    /// use evogrid_core::random::RandomStream;
    /// use evogrid_core::search::exact::backtracking::Backtracking;
    ///
    /// /// A Latin square of side 3, its rows the genes.
    /// struct Latin(Layout);
    ///
    /// impl Problem for Latin {
    ///     fn layout(&self) -> &Layout {
    ///         &self.0
    ///     }
    ///
    ///     fn fitness(&self, genome: &[Allele]) -> Fitness {
    ///         let repeats = |column: &&Vec<usize>| (1..3).any(|row| genome[column[row]] == genome[column[row - 1]]);
    ///         Fitness::from(self.all_different_sets().unwrap().iter().filter(repeats).count() as u32)
    ///     }
    ///
    ///     fn target(&self) -> Option<Fitness> {
    ///         Some(Fitness::from(0))
    ///     }
    ///
    ///     fn all_different_sets(&self) -> Option<Vec<Vec<usize>>> {
    ///         Some((0..3).map(|column| vec![column, column + 3, column + 6]).collect())
    ///     }
    /// }
    ///
    /// // The diagonal is given: 1, 1, 1.
    /// let diagonal: Vec<Option<Allele>> = (0..9).map(|position| (position % 4 == 0).then_some(1)).collect();
    /// let algorithm = Algorithm::Exact(Box::new(Backtracking { parallel: false }));
    /// let latin = Latin(Layout::new(3, &diagonal)?);
    /// let outcome = latin.solve(&algorithm, &Budget::default(), &mut RandomStream::from_seed(1), &mut ());
    /// assert_eq!((outcome.stop, outcome.best_genome), (Stop::Target, vec![1, 0, 2, 2, 1, 0, 0, 2, 1]));
    /// # Ok::<(), evogrid_core::layout::LayoutError>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Backtracking {
        /// whether threads search a cell's candidates in parallel; the result and the numbers of nodes and backtracks stay the same
        ///
        /// The number of threads changes neither the answer nor the counts. Parallel search saves time only if some threads are idle. Idle
        /// threads are rare in experiments with many runs.
        pub parallel: bool = Parameter::flag("parallel", false, DOC),
    }
}

/// The declaration of `backtracking` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "backtracking",
    "exact: sanity checks, then a depth-first search. The next cell is always the cell with the fewest candidates. \
     Each node counts as an evaluation, and each backtrack as a generation",
    "Arkieva, An AI-based solution to Sudoku, blog for the National Puzzle Day",
)
.needing(&[Capability::AllDifferent])
.with(Backtracking::PARAMETERS);

impl Search for Backtracking {
    fn unit(&self) -> &'static str {
        "nodes"
    }

    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        let structure = Structure::from_problem(problem).ok()?;
        let n_free = cells_of(problem.layout()).iter().filter(|&&value| value == 0).count();
        // A parallel search also has the root and the branches.
        let n_trees = if self.parallel { 2 + parallel::MIN_BRANCHES } else { 1 };
        Some(structure.memory() + n_trees as u64 * tree::memory(&structure, n_free))
    }

    /// # Panics
    /// Panics if the problem does not consist of all-different sets.
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        let structure = Structure::from_problem(evaluator.problem()).unwrap_or_else(|unsuited| panic!("{unsuited}"));
        evaluator.run_trials(|evaluator| self.run(&structure, evaluator))
    }
}

impl Backtracking {
    fn run(&self, structure: &Structure, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Stop {
        let cells = cells_of(evaluator.problem().layout());
        if sanity::check(structure, &cells).is_err() {
            return Stop::Exhausted;
        }
        let found = self.find(tree::root(structure, &cells), evaluator);
        conclude(evaluator, &found)
    }

    fn find(&self, mut tree: Box<dyn Tree>, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> SearchResult {
        let (limit, mut time) = (evaluator.evaluations_left(), evaluator.time);
        let mut is_late = |_| time.are_reached();
        // Only the serial search has steps.
        if evaluator.wants_steps() {
            let end = tree.run(limit, &mut is_late, Some(&mut |step| evaluator.step(&step)));
            return tree.result(end);
        }
        let root = self.parallel.then(|| tree.to_root());
        let first = if self.parallel { limit.min(SERIAL_NODES) } else { limit };
        match (tree.run(first, &mut is_late, None), root) {
            (Stop::Evaluations, Some(root)) if first < limit => {
                let time = time.shared();
                let found = parallel::search(&*root, limit, &time);
                evaluator.charge_cpu(time.taken());
                found
            }
            (end, _) => tree.result(end),
        }
    }
}
