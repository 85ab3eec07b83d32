//! Exact search, which counts or finds the solutions of a board. The generator and the checks use this search.

use super::{Board, Shape, Sudoku};
use evogrid_core::search::exact::SolutionSearch;

pub use evogrid_core::search::exact::NodeLimit;

/// Counts the solutions of a board. The count stops at `limit`. If `limit` is 2, the count shows whether the solution is unique.
pub fn count_solutions(board: &Board, limit: usize) -> usize {
    search(board.shape()).count(board.cells(), limit).expect("the search has no limit of nodes")
}

/// Returns the first solution of a board, or `None` if the board has no solution. The search tries the lowest digits first.
pub fn solve(board: &Board) -> Option<Board> {
    let solution = search(board.shape()).solve(board.cells()).expect("the search has no limit of nodes");
    solution.map(|cells| {
        Board::new(board.shape(), cells).expect("no row, column or box of a solution contains a digit twice")
    })
}

/// Creates a search for boards of one shape. The search has no limit on guesses. One search object can be used for several boards.
pub fn search(shape: Shape) -> SolutionSearch {
    SolutionSearch::new(Sudoku::structure(shape))
}

#[cfg(test)]
mod tests;
