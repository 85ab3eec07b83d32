//! McCaffrey's worked examples: blocks, candidates and forced cells of his demo board.

use evogrid_core::example::WorkedExample;

use super::worked::{candidates, nine};
use crate::sudoku::{Board, logic};

/// McCaffrey's demo board.
const DEMO: &str = "006200080 008970000 004810500 000060002 070000030 600050000 002047100 003028400 050001200";

pub(super) fn examples() -> Vec<WorkedExample> {
    let shape = nine();
    let demo = Board::parse(DEMO, None).expect("a printed board");
    let (row, column) = shape.corner(8);
    let introduction = |id, says, published: &str, ours| {
        WorkedExample::new("mccaffrey", id, "introduction, demo board", says, published, ours)
    };
    vec![
        WorkedExample::new(
            "mccaffrey",
            "mccaffrey-blocks",
            "\"Matrixinitialisierung und Fehler\"",
            "The cell (3, 8) lies in block 5, and block 8 has its corner at (6, 6).",
            "box 5, corner (6, 6)",
            format!("box {}, corner ({row}, {column})", shape.box_of(3, 8)),
        ),
        introduction("mccaffrey-candidates-0-1", "The cell (0, 1) can hold 1, 3 or 9.", "1 3 9", candidates(&demo, 1)),
        WorkedExample {
            note: Some("A slip: no 7 stands in its row, column or box."),
            ..introduction(
                "mccaffrey-candidates-0-0",
                "The cell (0, 0) can hold 1, 3, 5 or 9.",
                "1 3 5 9",
                candidates(&demo, 0),
            )
        },
        introduction("mccaffrey-candidates-0-4", "The cell (0, 4) can hold 3 alone.", "3", candidates(&demo, 4)),
        introduction(
            "mccaffrey-forced",
            "Filling cells that can hold one digit alone gets stuck after nine cells.",
            "9",
            logic::propagate_naked(&demo).map_or(0, |filled| filled.n_givens() - demo.n_givens()).to_string(),
        ),
    ]
}
