//! Exact search on boards: counts or finds their solutions, for making boards and checking them.

use super::board::Board;
use super::problem::Sudoku;
use super::shape::Shape;
use evogrid_core::search::exact::SolutionSearch;

pub use evogrid_core::search::exact::NodeLimit;

/// Number of solutions of a board, counted up to `limit`: with 2, whether the solution is unique.
#[must_use]
pub fn count_solutions(board: &Board, limit: usize) -> usize {
    Search::new(board.shape()).count(board, limit).expect("no limit of nodes")
}

/// The first solution of a board (lowest digits tried first), if it has one.
#[must_use]
pub fn solve(board: &Board) -> Option<Board> {
    Search::new(board.shape()).solve(board).expect("no limit of nodes")
}

/// A [`SolutionSearch`] on boards of one shape, used again from board to board.
#[derive(Clone, Debug)]
pub struct Search {
    shape: Shape,
    search: SolutionSearch,
}

impl Search {
    /// A search for boards of this shape, without a limit.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self { shape, search: SolutionSearch::new(Sudoku::structure(shape)) }
    }

    /// Lets every search make at most so many guesses.
    #[must_use]
    pub fn with_node_limit(self, nodes: u64) -> Self {
        Self { search: self.search.with_node_limit(nodes), ..self }
    }

    /// Guesses made by the last search.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// Number of solutions of a board, counted up to `limit`.
    ///
    /// # Errors
    /// If the search reached its limit of nodes.
    ///
    /// # Panics
    /// If the board has another shape.
    pub fn count(&mut self, board: &Board, limit: usize) -> Result<usize, NodeLimit> {
        self.search.count(self.cells(board), limit)
    }

    /// The first solution of a board (lowest digits tried first), if it has one.
    ///
    /// # Errors
    /// If the search reached its limit of nodes.
    ///
    /// # Panics
    /// If the board has another shape.
    pub fn solve(&mut self, board: &Board) -> Result<Option<Board>, NodeLimit> {
        let found = self.search.solve(self.cells(board))?;
        Ok(found.map(|cells| self.board(cells)))
    }

    /// The first solution, where `choose` picks the bit to guess out of a cell's candidates.
    pub(super) fn solve_by(
        &mut self,
        board: &Board,
        choose: impl FnMut(u64) -> u64,
    ) -> Result<Option<Board>, NodeLimit> {
        let found = self.search.solve_by(self.cells(board), choose)?;
        Ok(found.map(|cells| self.board(cells)))
    }

    /// Whether a board, that has a solution, has one with another digit than `digit` in a free cell.
    pub(super) fn has_other(&mut self, board: &Board, cell: usize, digit: u8) -> Result<bool, NodeLimit> {
        self.search.has_other(self.cells(board), cell, digit)
    }

    fn cells<'a>(&self, board: &'a Board) -> &'a [u8] {
        assert_eq!(board.shape(), self.shape, "a search is for boards of its shape");
        board.cells()
    }

    fn board(&self, cells: Vec<u8>) -> Board {
        Board::new(self.shape, cells).expect("a solution has no digit twice")
    }
}

#[cfg(test)]
mod tests;
