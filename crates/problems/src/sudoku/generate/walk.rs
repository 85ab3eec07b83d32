//! The walk starts at a board from which no single given can be removed.
//!
//! At 9x9, removing givens in random order leaves 24.4 givens on average, and rarely fewer than 21. The walk continues from such a board. A
//! step removes one given, and another cell of the solution becomes a given. If the solution stays unique, the walk tries to remove all
//! other givens. So a step is an exchange {-1, +1} between boards with one solution, or {-2, +1} if the number of givens decreases. The
//! number never increases. The boards of the walk are valid, but their distribution differs from the distribution of the boards before the
//! walk: boards with many neighbours are more likely.

use super::super::board::Board;
use super::super::shape::Shape;
use super::{dig, digging, full_board};
use evogrid_core::random::RandomStream;
use evogrid_core::search::exact::SolutionSearch;

/// The number of walks, each from its own board. There are no walks for large boards, because a walk has many steps and each step takes
/// long.
pub(super) fn attempts(shape: Shape) -> usize {
    if shape.side() <= 9 { 20 } else { 0 }
}

/// The maximum number of exchanges in one walk.
const EXCHANGES: usize = 50_000;

/// Walks once towards a board with `n_givens` givens and a unique solution. The error is the smallest number of givens that the walk
/// reached.
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

/// Removes a random given and makes a random free cell a given, if the solution stays unique. Returns whether the board changed.
fn exchange(search: &mut SolutionSearch, board: &mut Board, solution: &Board, random: &mut RandomStream) -> bool {
    let mut nth = |is_given: bool, n: usize| {
        let mut cells = (0..solution.cells().len()).filter(|&cell| (board.cells()[cell] != 0) == is_given);
        cells.nth(random.below(n)).expect("the random index is below the number of cells to choose from")
    };
    let (n_givens, n_cells) = (board.n_givens(), board.cells().len());
    let (taken, given) = (nth(true, n_givens), nth(false, n_cells - n_givens));
    board.set(taken, 0);
    board.set(given, solution.cells()[given]);
    // Every new solution has another digit in the cell of the removed given.
    let is_unique = !search.has_other(board.cells(), taken, solution.cells()[taken]).unwrap_or(true);
    if !is_unique {
        board.set(given, 0);
        board.set(taken, solution.cells()[taken]);
    }
    is_unique
}
