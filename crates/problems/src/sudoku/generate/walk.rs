//! Walking on from boards of which no given can be taken away.
//!
//! Digging givens away at random leaves 24.4 of them on average at 9x9, and hardly ever fewer than 21. The walk goes on from there: one
//! given is taken away and another cell of the solution becomes one instead; where the solution stays unique, all others are tried for
//! being taken away too. That is the walk {-1, +1} over boards of one solution, and {-2, +1} where it goes down; the number of givens never
//! grows. Its boards are valid, but not drawn like the dug ones: boards that have many others near them are more likely.

use super::super::board::Board;
use super::super::shape::Shape;
use super::{dig, digging, full_board};
use evogrid_core::random::RandomStream;
use evogrid_core::search::exact::SolutionSearch;

/// The number of walks that are tried, each from its own board. None for large boards, because there are many steps and each takes long.
pub(super) fn attempts(shape: Shape) -> usize {
    if shape.side() <= 9 { 20 } else { 0 }
}

/// Exchanges tried in one walk.
const EXCHANGES: usize = 50_000;

/// Walks once towards a board with `n_givens` givens and a unique solution; otherwise returns the smallest number of givens reached.
pub(super) fn board(shape: Shape, n_givens: usize, random: &mut RandomStream) -> Result<Board, usize> {
    let mut search = digging(shape);
    let solution = full_board(shape, random);
    let mut board = solution.clone();
    let mut left = dig(&mut search, &mut board, (0..shape.n_cells()).collect(), n_givens, random);
    for _ in 0..EXCHANGES {
        if left <= n_givens {
            return Ok(board);
        }
        if exchange(&mut search, &mut board, &solution, random) {
            let givens = (0..shape.n_cells()).filter(|&cell| board.cells()[cell] != 0).collect();
            left = dig(&mut search, &mut board, givens, n_givens, random);
        }
    }
    Err(left)
}

/// Takes a random given away and makes a random free cell one instead, if the solution stays unique.
fn exchange(search: &mut SolutionSearch, board: &mut Board, solution: &Board, random: &mut RandomStream) -> bool {
    let mut nth = |is_given: bool, n: usize| {
        let mut cells = (0..solution.cells().len()).filter(|&cell| (board.cells()[cell] != 0) == is_given);
        cells.nth(random.below(n)).expect("one of the cells counted")
    };
    let (n_givens, n_cells) = (board.n_givens(), board.cells().len());
    let (taken, given) = (nth(true, n_givens), nth(false, n_cells - n_givens));
    board.set(taken, 0);
    board.set(given, solution.cells()[given]);
    // Another solution of what is left has another digit in the cell taken, or it would have been one before.
    let is_unique = !search.has_other(board.cells(), taken, solution.cells()[taken]).unwrap_or(true);
    if !is_unique {
        board.set(given, 0);
        board.set(taken, solution.cells()[taken]);
    }
    is_unique
}
