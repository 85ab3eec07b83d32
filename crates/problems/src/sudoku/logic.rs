//! Logic without guesses: fills all naked and hidden singles.

use evogrid_core::search::propagation::{Assignment, Failure, Propagation};

use super::board::{Board, UNITS};
use super::{Shape, Sudoku};

impl Board {
    /// Returns the possible digits of each cell. Bit `d - 1` stands for digit `d`. A filled cell has no candidates.
    pub fn candidates(&self) -> Vec<u64> {
        Sudoku::structure(self.shape()).candidates(self.cells())
    }
}

/// Fills naked and hidden singles until no single is left. The result has the same solutions as the board.
///
/// # Errors
/// Returns a message if a cell has no candidate or a digit has no place. The message says why the board has no solution. Rows, columns and
/// boxes are counted from 1.
pub fn propagate(board: &Board) -> Result<Board, String> {
    let shape = board.shape();
    let propagation = Propagation::new(&Sudoku::structure(shape));
    let mut filled = propagation.empty();
    for (cell, &digit) in board.cells().iter().enumerate().filter(|&(_, &digit)| digit != 0) {
        propagation.fill(&mut filled, cell, usize::from(digit) - 1);
    }
    propagation.propagate(&mut filled, u64::MAX, true);
    if filled.failure() != Failure::None {
        return Err(contradiction(shape, &filled));
    }
    let digit = |cell| filled.value(cell).map_or(0, |value| value as u8 + 1);
    Ok(Board::new(shape, (0..shape.n_cells()).map(digit).collect())
        .expect("no row, column or box contains a digit twice"))
}

/// A message about the first cell without a candidate, or about the first digit without a place.
fn contradiction(shape: Shape, filled: &Assignment) -> String {
    let side = shape.side();
    if let Some(cell) = (0..shape.n_cells()).find(|&cell| filled.values(cell) == 0) {
        return format!("no digit is possible in row {}, column {}", cell / side + 1, cell % side + 1);
    }
    for (family, unit) in UNITS.into_iter().enumerate() {
        for index in 0..side {
            let cells = (0..side).map(|at| shape.cell_in_unit(family, index, at));
            let digit = cells.fold(0, |digits, cell| digits | filled.values(cell)).trailing_ones() as usize + 1;
            if digit <= side {
                return format!("digit {digit} does not fit into any cell of {unit} {}", index + 1);
            }
        }
    }
    unreachable!("a contradiction is a cell without a possible digit, or a digit without a possible cell")
}

/// Fills only naked singles, as McCaffrey (2016) did first: "find a cell that can hold one value only, fill it, repeat".
///
/// On his demo board this rule fills 9 of the 54 free cells, as his article says. With hidden singles ([`propagate`]) 13 cells are filled.
pub(crate) fn propagate_naked(board: &Board) -> Board {
    let mut board = board.clone();
    let structure = Sudoku::structure(board.shape());
    let single = |board: &Board| {
        let candidates = structure.candidates(board.cells());
        candidates.iter().position(|digits| digits.is_power_of_two()).map(|cell| (cell, candidates[cell]))
    };
    while let Some((cell, digit)) = single(&board) {
        board.set(cell, digit.trailing_zeros() as u8 + 1);
    }
    board
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::exact::{count_solutions, solve};
    use super::super::generate;
    use super::super::shape::Shape;
    use super::*;
    use evogrid_core::random::RandomStream;

    const DEMO: &str = "006200080008970000004810500000060002070000030600050000002047100003028400050001200";

    /// Singles by their definition: while there is a cell with one candidate, or a unit with one cell for a digit, it is filled.
    fn by_definition(board: &Board) -> Board {
        let (mut board, shape) = (board.clone(), board.shape());
        let side = shape.side();
        let single = |board: &Board| {
            let candidates = board.candidates();
            let naked = candidates.iter().position(|digits| digits.is_power_of_two());
            let mut units = (0..3).flat_map(|family| (0..side).map(move |index| (family, index)));
            let hidden = || {
                units.find_map(|(family, index)| {
                    (0..side as u32).find_map(|digit| {
                        let cells = (0..side).map(|at| shape.cell_in_unit(family, index, at));
                        let can: Vec<usize> = cells.filter(|&cell| candidates[cell] >> digit & 1 == 1).collect();
                        (can.len() == 1).then(|| (can[0], digit))
                    })
                })
            };
            naked.map(|cell| (cell, candidates[cell].trailing_zeros())).or_else(hidden)
        };
        while let Some((cell, digit)) = single(&board) {
            board.set(cell, digit as u8 + 1);
        }
        board
    }

    /// Cells that were filled.
    fn n_filled(before: &Board, after: &Board) -> usize {
        after.n_givens() - before.n_givens()
    }

    #[test]
    fn naked_singles_get_stuck_on_mccaffreys_board_after_nine_cells_and_hidden_ones_after_thirteen() {
        let demo: Board = DEMO.parse().unwrap();
        let naked = propagate_naked(&demo);
        assert_eq!((n_filled(&demo, &naked), naked.is_solved()), (9, false));
        // One of these cells is the cell (0,4). He prints its only candidate, 3.
        assert_eq!(naked.cells()[4], 3);
        let both = propagate(&demo).unwrap();
        let open = both.cells().iter().filter(|&&digit| digit == 0).count();
        assert_eq!((n_filled(&demo, &both), open), (13, 41));
        let solution = solve(&demo).unwrap();
        assert!(both.cells().iter().zip(solution.cells()).all(|(&cell, &solved)| cell == 0 || cell == solved));
    }

    #[test]
    fn cervigons_board_needs_no_guess() {
        let board: Board =
            ".6.1.4.5...83.56..2.......18..4.7..6..6...3..7..9.1..45.......2..72.69...4.5.8.7.".parse().unwrap();
        assert_eq!(propagate(&board).ok(), solve(&board));
    }

    #[test]
    fn a_hard_board_stays_open() {
        let board: Board =
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse().unwrap();
        let found = propagate(&board).unwrap();
        assert!(!found.is_solved() && n_filled(&board, &found) < 10, "{found}");
    }

    #[test]
    fn what_has_no_place_is_named() {
        let message = |text: &str| propagate(&text.parse().unwrap()).unwrap_err();
        assert_eq!(message("123. .... ...4 ...."), "no digit is possible in row 1, column 4");
        assert_eq!(message(".1.. .... ...1 2..."), "digit 1 does not fit into any cell of row 4");
    }

    #[test]
    fn a_full_board_needs_no_step() {
        let board: Board = "1234341221434321".parse().unwrap();
        assert_eq!(propagate(&board), Ok(board.clone()));
    }

    proptest! {
        /// Logic keeps all solutions: the filled digits are in every solution.
        #[test]
        fn forced_cells_stand_in_every_solution(seed in 0u64..1000, side in 0usize..3, free in 0.3f64..0.9) {
            let shape = [(2, 2), (2, 3), (3, 3)][side];
            let shape = Shape::new(shape.0, shape.1).unwrap();
            let mut random = RandomStream::from_seed(seed);
            let full = generate::full_board(shape, &mut random);
            let keep = |&digit: &u8| if random.chance(free) { 0 } else { digit };
            let board = Board::new(shape, full.cells().iter().map(keep).collect()).unwrap();
            let found = propagate(&board).unwrap();
            prop_assert!(board.cells().iter().zip(found.cells()).all(|(&given, &cell)| given == 0 || given == cell));
            prop_assert_eq!(count_solutions(&found, 50), count_solutions(&board, 50));
            prop_assert!(propagate_naked(&board).n_givens() <= found.n_givens());
            prop_assert_eq!(&by_definition(&board), &found);
            prop_assert_eq!(propagate(&found).unwrap(), found);
        }
    }
}
