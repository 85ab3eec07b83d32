//! Cervigón's worked examples: the solution of his board, and the children of his combined crossover.

use evogrid_core::prelude::*;

use super::worked::{children, digits, example};
use crate::sudoku::{Board, exact};

/// Guesses after which no solution is looked for any more: those of printed boards are found within thousands.
const GUESS_LIMIT: u64 = 1_000_000;

pub(super) fn examples(operators: &Operators) -> Vec<WorkedExample> {
    let board: Board = "060104050 008305600 200000001 800407006 006000300 700901004 500000002 007206900 040508070"
        .parse()
        .expect("a printed board");
    let solution = exact::search(board.shape()).with_node_limit(GUESS_LIMIT).solve(board.cells());
    let ours = match solution {
        Ok(solution) => solution.iter().flatten().map(u8::to_string).collect(),
        Err(limit) => limit.to_string(),
    };
    let row = |text: &str| digits(text).iter().map(|&digit| digit.saturating_sub(1)).collect::<Vec<Allele>>();
    let givens: Vec<Option<Allele>> = digits("240005030").iter().map(|&digit| digit.checked_sub(1)).collect();
    let layout = Layout::new(9, &givens).expect("the givens differ");
    let combined = |id, crossover| {
        children(
            id,
            (operators, crossover, &[]),
            &layout,
            &["241675839", "246915738"].map(row),
            &["241975638", "246195738"].map(row),
        )
    };
    vec![
        example("cervigon-solution", ours.chars().take(9).collect()),
        combined("cervigon-combined-positional", "combined-positional"),
        combined("cervigon-combined-alternating", "combined-alternating"),
    ]
}
