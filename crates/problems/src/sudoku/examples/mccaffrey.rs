//! McCaffrey's worked examples: blocks, candidates and forced cells of his demo board.

use evogrid_core::example::WorkedExample;

use super::worked::{candidates, example, nine};
use crate::sudoku::{Board, logic};

/// McCaffrey's demo board.
const DEMO: &str = "006200080 008970000 004810500 000060002 070000030 600050000 002047100 003028400 050001200";

pub(super) fn examples() -> Vec<WorkedExample> {
    let shape = nine();
    let demo = Board::parse(DEMO, None).expect("a printed board");
    let (row, column) = shape.corner(8);
    let forced = logic::propagate_naked(&demo).n_givens() - demo.n_givens();
    vec![
        example("mccaffrey-blocks", format!("box {}, corner ({row}, {column})", shape.box_of(3, 8))),
        example("mccaffrey-candidates-0-1", candidates(&demo, 1)),
        example("mccaffrey-candidates-0-0", candidates(&demo, 0)),
        example("mccaffrey-candidates-0-4", candidates(&demo, 4)),
        example("mccaffrey-forced", forced.to_string()),
    ]
}
