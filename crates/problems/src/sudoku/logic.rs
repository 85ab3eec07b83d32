//! Logic without guesses: naked and hidden singles, filled in until there are none.

use super::board::{Board, UNITS, UsedDigits};

/// The reason why a board has no solution, if logic finds one. Rows, columns and boxes are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// A free cell has no candidate.
    #[error("every digit conflicts in row {row}, column {column}")]
    Cell {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// A digit has no possible cell.
    #[error("digit {digit} does not fit into any cell of {unit} {index}")]
    Digit {
        /// The digit.
        digit: u8,
        /// `row`, `column` or `box`.
        unit: &'static str,
        /// Which of them.
        index: usize,
    },
}

/// Fills naked singles until there are none, then one hidden single, and so on. The result has the same solutions as the board.
///
/// # Errors
/// If a cell or a digit is found to have no place: the board has no solution.
pub fn propagate(board: &Board) -> Result<Board, Contradiction> {
    let mut filling = Filling::new(board);
    filling.fill_naked()?;
    while let Some((cell, digit)) = filling.hidden()? {
        filling.fill(cell, digit);
        filling.fill_naked()?;
    }
    Ok(filling.board)
}

/// Fills only naked singles, as McCaffrey (2016) did first: "find a cell that can hold one value only, fill it, repeat".
///
/// On his demo board that fills 9 of the 54 free cells and gets stuck, as he says. With hidden singles too ([`propagate`]) it
/// is 13.
///
/// # Errors
/// If a cell is found to have no candidate: the board has no solution.
pub(crate) fn propagate_naked(board: &Board) -> Result<Board, Contradiction> {
    let mut filling = Filling::new(board);
    filling.fill_naked()?;
    Ok(filling.board)
}

/// A board being filled.
struct Filling {
    board: Board,
    used: UsedDigits,
}

impl Filling {
    fn new(board: &Board) -> Self {
        Self { board: board.clone(), used: UsedDigits::new(board) }
    }

    fn fill(&mut self, cell: usize, digit: u8) {
        self.board.set(cell, digit);
        self.used.add(cell, digit);
    }

    /// The digits that are possible in a free cell; none for a filled cell.
    fn candidates(&self, cell: usize) -> u32 {
        if self.board.cells()[cell] == 0 { self.used.candidates(cell) } else { 0 }
    }

    /// Passes over the cells until a pass fills none.
    fn fill_naked(&mut self) -> Result<(), Contradiction> {
        let side = self.board.shape().side();
        loop {
            let mut is_filled = false;
            for cell in 0..self.board.cells().len() {
                let candidates = self.candidates(cell);
                if candidates.is_power_of_two() {
                    self.fill(cell, candidates.trailing_zeros() as u8 + 1);
                    is_filled = true;
                } else if candidates == 0 && self.board.cells()[cell] == 0 {
                    return Err(Contradiction::Cell { row: cell / side + 1, column: cell % side + 1 });
                }
            }
            if !is_filled {
                return Ok(());
            }
        }
    }

    /// The first cell that is the only one for some digit in a unit, with the lowest such digit.
    fn hidden(&self) -> Result<Option<(usize, u8)>, Contradiction> {
        let shape = self.board.shape();
        let mut found = None;
        for (family, unit) in UNITS.into_iter().enumerate() {
            for index in 0..shape.side() {
                let cells = (0..shape.side()).map(|at| shape.cell_in_unit(family, index, at));
                let (mut once, mut twice) = (0, 0);
                for candidates in cells.clone().map(|cell| self.candidates(cell)) {
                    twice |= once & candidates;
                    once |= candidates;
                }
                let homeless = self.used.all & !(once | self.used.units[family][index]);
                if homeless != 0 {
                    let digit = homeless.trailing_zeros() as u8 + 1;
                    return Err(Contradiction::Digit { digit, unit, index: index + 1 });
                }
                let single = once & !twice;
                if single != 0 && found.is_none() {
                    let digit = single.trailing_zeros();
                    let holds = |cell: &usize| self.candidates(*cell) & (1 << digit) != 0;
                    found = cells.clone().find(holds).map(|cell| (cell, digit as u8 + 1));
                }
            }
        }
        Ok(found)
    }
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

    /// Cells that were filled.
    fn n_filled(before: &Board, after: &Board) -> usize {
        after.n_givens() - before.n_givens()
    }

    #[test]
    fn naked_singles_get_stuck_on_mccaffreys_board_after_nine_cells_and_hidden_ones_after_thirteen() {
        let demo: Board = DEMO.parse().unwrap();
        let naked = propagate_naked(&demo).unwrap();
        assert_eq!((n_filled(&demo, &naked), naked.is_solved()), (9, false));
        // One of them is the cell (0,4), of which he prints the only candidate 3.
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
        let message = |text: &str| propagate(&text.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(message("123. .... ...4 ...."), "every digit conflicts in row 1, column 4");
        assert_eq!(message(".1.. .... ...1 2..."), "digit 1 does not fit into any cell of row 4");
    }

    #[test]
    fn a_full_board_needs_no_step() {
        let board: Board = "1234341221434321".parse().unwrap();
        assert_eq!(propagate(&board), Ok(board.clone()));
    }

    proptest! {
        /// Logic keeps all solutions: what it fills in stands in every solution.
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
            prop_assert!(propagate_naked(&board).unwrap().n_givens() <= found.n_givens());
            prop_assert_eq!(propagate(&found).unwrap(), found);
        }
    }
}
