//! Arkieva's worked examples: sanity checks, and the figures that he works out on his own board, which our copy lacks.

use evogrid_core::example::WorkedExample;
use evogrid_core::search::exact::sanity;

use super::worked::{candidates, digits, nine};
use crate::sudoku::{Board, Sudoku};

/// The values of his board that the text names, where it says where they stand or else where they fit.
const NAMED: &str = "200700000 080000500 003000000 000359000 006000800 007060400 105000300 009012000 000000206";

pub(super) fn examples() -> Vec<WorkedExample> {
    [sanity_checks(), own_board()].concat()
}

/// What he works out on his own board, as far as the text gives it.
fn own_board() -> Vec<WorkedExample> {
    const SEARCH: &str = "\"Starten der Suche\", table 6";
    let at = |row: usize, column: usize| 9 * (row - 1) + column - 1;
    let board = Board::parse(NAMED, None).expect("no value twice in a unit");
    let worked =
        |id, place, says, published: &str, ours| WorkedExample::new("arkieva", id, place, says, published, ours);
    let options = |id, says, published: &str, cell| {
        worked(id, "\"Plausibilitätsprüfung: Optionen\"", says, published, candidates(&board, cell))
    };
    // The first step gives cell 70 a 7, which cell 3 does not see.
    let mut rows: Vec<u16> = digits(NAMED);
    rows[at(8, 7)] = 7;
    let text: String = rows.iter().map(ToString::to_string).collect();
    let after = candidates(&Board::parse(&text, None).expect("7 fits there"), at(1, 3));
    vec![
        worked(
            "arkieva-box",
            "\"Die Komplikation\"",
            "The cell (5, 7) lies in box 6, counted from 1.",
            "6",
            (nine().box_of(4, 6) + 1).to_string(),
        ),
        options("arkieva-candidates-1-3", "The cell (1, 3) can hold 1 or 4.", "1 4", at(1, 3)),
        options("arkieva-candidates-4-1", "The cell (4, 1) can hold 4 or 8.", "4 8", at(4, 1)),
        options("arkieva-candidates-8-7", "The cell (8, 7) can hold 7 alone.", "7", at(8, 7)),
        worked(
            "arkieva-first-step",
            SEARCH,
            "The first step is in the cell of row 8 and column 7, which is cell 70.",
            "70",
            (at(8, 7) + 1).to_string(),
        ),
        WorkedExample {
            note: Some(
                "Cell 3 has two candidates too, and no cell with one is left: the fewest candidates and then the lowest cell, as \
                 ours searches, is not the rule of this example. His text says to choose \"a cell\", and not which.",
            ),
            ..worked(
                "arkieva-second-step",
                SEARCH,
                "The second step is in cell 30, which has two candidates.",
                "cell 30",
                format!("cell 3 or before, since cell 3 has the candidates {after}"),
            )
        },
    ]
}

fn sanity_checks() -> Vec<WorkedExample> {
    let check = |id, place, says, board: &str, published: &str| {
        let cells: Vec<u8> = digits(board).iter().map(|&digit| digit as u8).collect();
        let answer = sanity::check(&Sudoku::structure(nine()), &cells);
        let ours = answer.err().map_or_else(|| "nothing is wrong".to_owned(), |wrong| wrong.to_string());
        let agrees = ours.contains(published);
        WorkedExample { agrees, ..WorkedExample::new("arkieva", id, place, says, published, ours) }
    };
    let free = "000000000 ".repeat(7);
    vec![
        check(
            "arkieva-duplicates",
            "\"Plausibilitätsprüfung: Duplikate\"",
            "A start with a value twice in a row or box is found to be infeasible before any search.",
            &format!("220000000 000000000 {free}"),
            "infeasible start",
        ),
        check(
            "arkieva-candidates",
            "\"Plausibilitätsprüfung: Optionen\"",
            "A cell without a candidate shows that there is no solution.",
            &format!("012345678 900000000 {free}"),
            "no candidate is left for the cells 1",
        ),
        check(
            "arkieva-conflicts",
            "\"Sanity Check: Auf der Suche nach Konflikten\"",
            "Two neighbours whose single candidate is the same show that there is no solution, and are the problem cells.",
            &format!("002345678 009000000 {free}"),
            "the cells 1, 2 both need value 1",
        ),
    ]
}
