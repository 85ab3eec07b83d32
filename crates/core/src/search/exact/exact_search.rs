//! The exact search by singles: it finds one solution of a structure, or counts the solutions. It is also an algorithm.

use super::conclude;
use super::structure::{Structure, cells_of};
use super::tree::SearchResult;
use crate::search::propagation::{Assignment, Failure, Mark, Propagation};
use crate::search::*;

/// The number of guesses between two checks for an interruption.
const GUESSES_PER_CHECK: u64 = 128;

/// The error of a search that has made all guesses that it was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("gave up after {nodes} guesses")]
pub struct NodeLimit {
    /// The number of guesses.
    pub nodes: u64,
}

/// An exact search on a [`Structure`], which can be used for many boards.
///
/// The search fills naked and hidden singles before every guess. A guess takes the cell with the fewest candidates, and among equals the
/// first. The search uses no recursion, and it allocates nothing after its construction. Guesses are its nodes.
///
/// ```
/// use evogrid_core::search::exact::{NodeLimit, SolutionSearch, Structure};
///
/// // Latin squares of side 2: cells 0 and 1 are the first row, 2 and 3 the second.
/// let structure = Structure::new(4, 2, vec![vec![0, 1], vec![2, 3], vec![0, 2], vec![1, 3]])?;
/// let mut search = SolutionSearch::new(structure);
/// assert_eq!((search.count(&[0; 4], 10), search.nodes()), (Ok(2), 1));
/// assert_eq!(search.solve(&[2, 0, 0, 0]), Ok(Some(vec![2, 1, 1, 2])));
/// assert_eq!(search.solve(&[2, 0, 0, 1]), Ok(None));
/// assert_eq!(search.with_node_limit(0).count(&[0; 4], 10), Err(NodeLimit { nodes: 0 }));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolutionSearch {
    propagation: Propagation,
    node_limit: u64,
    nodes: u64,
    dead_ends: u64,
    guesses: Vec<Guess>,
    /// The assignment in which no cell is filled.
    empty: Assignment,
    assignment: Assignment,
}

#[derive(Clone, Copy, Debug)]
struct Guess {
    cell: u32,
    value: u8,
    before: Mark,
}

impl SolutionSearch {
    /// A search on a structure, without a limit.
    pub fn new(structure: Structure) -> Self {
        let propagation = Propagation::new(&structure);
        let empty = propagation.empty();
        let (assignment, guesses) = (empty.clone(), Vec::with_capacity(structure.n_cells()));
        Self { propagation, node_limit: u64::MAX, nodes: 0, dead_ends: 0, guesses, empty, assignment }
    }

    /// The approximate bytes of a search.
    pub fn memory(structure: &Structure) -> u64 {
        Propagation::memory(structure, 2) + (structure.n_cells() * size_of::<Guess>()) as u64
    }

    /// The same search with a limit of guesses for each board.
    #[must_use]
    pub fn with_node_limit(mut self, nodes: u64) -> Self {
        self.node_limit = nodes;
        self
    }

    /// The number of guesses on the last board.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The number of solutions, counted up to `limit`.
    ///
    /// # Errors
    /// If the search reached its limit of guesses.
    pub fn count(&mut self, cells: &[u8], limit: usize) -> Result<usize, NodeLimit> {
        let mut solutions = 0;
        self.load(cells);
        let mut goes_on = true;
        while solutions < limit && self.find(goes_on, lowest)? {
            solutions += 1;
            goes_on = false;
        }
        Ok(solutions)
    }

    /// The first solution, if there is one. Low values are tried first.
    ///
    /// # Errors
    /// If the search reached its limit of guesses.
    pub fn solve(&mut self, cells: &[u8]) -> Result<Option<Vec<u8>>, NodeLimit> {
        self.solve_by(cells, lowest)
    }

    /// The first solution, where `choose` selects the guess: one of the bits of a cell's candidates.
    ///
    /// # Errors
    /// If the search reached its limit of guesses.
    pub fn solve_by(&mut self, cells: &[u8], choose: impl FnMut(u64) -> u64) -> Result<Option<Vec<u8>>, NodeLimit> {
        self.load(cells);
        Ok(self.find(true, choose)?.then(|| self.values()))
    }

    /// Whether there is a solution in which an open cell has another value than `value`.
    ///
    /// # Errors
    /// If the search reached its limit of guesses.
    pub fn has_other(&mut self, cells: &[u8], cell: usize, value: u8) -> Result<bool, NodeLimit> {
        self.load(cells);
        self.exclude(cell, usize::from(value) - 1);
        self.find(true, lowest)
    }

    /// Continues to the next solution, with the limit of guesses as an error.
    fn find(&mut self, goes_on: bool, choose: impl FnMut(u64) -> u64) -> Result<bool, NodeLimit> {
        match self.next_solution(goes_on, choose, || false) {
            Stop::Target => Ok(true),
            Stop::Exhausted => Ok(false),
            _ => Err(NodeLimit { nodes: self.nodes }),
        }
    }

    /// Begins a new board, and fills its singles.
    fn load(&mut self, cells: &[u8]) {
        let Self { propagation, assignment, .. } = self;
        (self.nodes, self.dead_ends) = (0, 0);
        self.guesses.clear();
        assignment.copy_from(&self.empty);
        for (cell, &value) in cells.iter().enumerate().filter(|(_, value)| **value != 0) {
            propagation.give(assignment, cell, usize::from(value) - 1);
        }
        self.propagate();
    }

    fn propagate(&mut self) {
        self.propagation.propagate(&mut self.assignment, u64::MAX, true);
    }

    /// Removes a candidate, and fills the singles that follow.
    fn exclude(&mut self, cell: usize, value: usize) {
        if self.assignment.values(cell) >> value & 1 == 1 {
            self.propagation.remove(&mut self.assignment, cell, value);
            self.propagate();
        }
    }

    /// Continues to the next solution. If the search does not go on from the present assignment, it first goes back to the last guess. A
    /// search that has found a solution must not go on from it.
    fn next_solution(
        &mut self,
        mut goes_on: bool,
        mut choose: impl FnMut(u64) -> u64,
        mut interrupted: impl FnMut() -> bool,
    ) -> Stop {
        loop {
            if !goes_on || self.assignment.failure() != Failure::None {
                goes_on = true;
                self.dead_ends += 1;
                let Some(Guess { cell, value, before }) = self.guesses.pop() else { return Stop::Exhausted };
                self.propagation.undo(&mut self.assignment, before);
                self.exclude(cell as usize, value.into());
                continue;
            }
            let Some(cell) = self.narrowest() else { return Stop::Target };
            if self.nodes == self.node_limit {
                return Stop::Evaluations;
            }
            if self.nodes.is_multiple_of(GUESSES_PER_CHECK) && interrupted() {
                return Stop::Time;
            }
            self.nodes += 1;
            let value = choose(self.assignment.values(cell)).trailing_zeros() as u8;
            self.guesses.push(Guess { cell: cell as u32, value, before: self.assignment.mark() });
            self.propagation.fill(&mut self.assignment, cell, value.into());
            self.propagate();
        }
    }

    /// The open cell with the fewest candidates, and among equals the first; `None` if every cell has one value.
    fn narrowest(&self) -> Option<usize> {
        let mut narrowest = None;
        let mut fewest = u32::MAX;
        for (cell, &candidates) in self.assignment.values.iter().enumerate() {
            let rest = candidates & candidates.wrapping_sub(1);
            if rest == 0 {
                continue;
            }
            // No cell has fewer than two candidates. Counting bits takes most of the time.
            if rest.is_power_of_two() {
                return Some(cell);
            }
            let count = candidates.count_ones();
            if count < fewest {
                (narrowest, fewest) = (Some(cell), count);
            }
        }
        narrowest
    }

    /// The values of the cells of a solution.
    fn values(&self) -> Vec<u8> {
        self.assignment.values.iter().map(|value| value.trailing_zeros() as u8 + 1).collect()
    }

    /// The result of a search that ended for this reason.
    fn result(&self, end: Stop) -> SearchResult {
        let cells = if end == Stop::Target { self.values() } else { Vec::new() };
        SearchResult { nodes: self.nodes, dead_ends: self.dead_ends, end, cells }
    }
}

/// [`SolutionSearch`] as an algorithm: a depth-first search with naked and hidden singles before every guess.
///
/// A node (an evaluation in the results) is a guess: a value for a cell with several candidates. A backtrack (a generation) is a dead end,
/// including the last one. Nothing is random. A board that singles alone solve counts no node.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactSearch;

/// `exact` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "exact",
    "exact: depth-first search by fewest candidates, with naked and hidden singles before every guess; evaluations are \
     guesses, and generations are backtracks",
    "fewest candidates first: Haralick and Elliott, Artificial Intelligence 14, 1980",
)
.needing(&[Capability::AllDifferent]);

impl Search for ExactSearch {
    fn unit(&self) -> &'static str {
        "nodes"
    }

    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        let structure = Structure::from_problem(problem).ok()?;
        Some(SolutionSearch::memory(&structure))
    }

    /// # Panics
    /// If the problem does not consist of all-different sets.
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let structure = Structure::from_problem(problem).unwrap_or_else(|unsuited| panic!("{unsuited}"));
        let mut search = SolutionSearch::new(structure);
        evaluator.run_trials(|evaluator| {
            search.node_limit = evaluator.evaluations_left();
            search.load(&cells_of(problem.layout()));
            let end = search.next_solution(true, lowest, || evaluator.time.are_reached());
            conclude(evaluator, &search.result(end))
        })
    }
}

/// The lowest of a cell's candidates.
fn lowest(candidates: u64) -> u64 {
    candidates & candidates.wrapping_neg()
}
