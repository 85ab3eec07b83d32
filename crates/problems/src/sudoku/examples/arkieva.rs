//! Arkieva's worked examples: sanity checks, and the figures that he works out on his own board, which our copy lacks.

use evogrid_core::example::WorkedExample;
use evogrid_core::search::exact::sanity;

use super::worked::{candidates, digits, example, nine};
use crate::sudoku::{Board, Sudoku};

/// The values of his board that the text names, where it says where they stand or else where they fit.
const NAMED: &str = "200700000 080000500 003000000 000359000 006000800 007060400 105000300 009012000 000000206";

pub(super) fn examples() -> Vec<WorkedExample> {
    [sanity_checks(), own_board()].concat()
}

/// What he works out on his own board, as far as the text gives it.
fn own_board() -> Vec<WorkedExample> {
    let at = |row: usize, column: usize| 9 * (row - 1) + column - 1;
    let board = Board::parse(NAMED, None).expect("no value twice in a unit");
    // The first step gives cell 70 a 7, which cell 3 does not see.
    let mut rows: Vec<u16> = digits(NAMED);
    rows[at(8, 7)] = 7;
    let text: String = rows.iter().map(ToString::to_string).collect();
    let after = candidates(&Board::parse(&text, None).expect("7 fits there"), at(1, 3));
    vec![
        example("arkieva-box", (nine().box_of(4, 6) + 1).to_string()),
        example("arkieva-candidates-1-3", candidates(&board, at(1, 3))),
        example("arkieva-candidates-4-1", candidates(&board, at(4, 1))),
        example("arkieva-candidates-8-7", candidates(&board, at(8, 7))),
        example("arkieva-first-step", (at(8, 7) + 1).to_string()),
        example("arkieva-second-step", format!("cell 3 or before, since cell 3 has the candidates {after}")),
    ]
}

fn sanity_checks() -> Vec<WorkedExample> {
    let check = |id, first_rows: &str| {
        let mut cells: Vec<u8> = digits(first_rows).iter().map(|&digit| digit as u8).collect();
        cells.resize(81, 0);
        let answer = sanity::check(&Sudoku::structure(nine()), &cells);
        let example =
            example(id, answer.err().map_or_else(|| "nothing is wrong".to_owned(), |wrong| wrong.to_string()));
        WorkedExample { agrees: example.ours.contains(example.published), ..example }
    };
    vec![
        check("arkieva-duplicates", "220000000"),
        check("arkieva-candidates", "012345678 900000000"),
        check("arkieva-conflicts", "002345678 009000000"),
    ]
}
