//! The crate `sudoku` (AGPL-3.0; `rust_sudoku` in tdoku's lists), a program of its own that nothing else links: `sudoku_crate REPEATS <
//! BOARDS`, a board a line.

use std::io::read_to_string;

use evogrid_peers::{argument, cpu_seconds, print};
use sudoku::Sudoku;

fn main() {
    let repeats: u64 = argument(1);
    let text = read_to_string(std::io::stdin()).expect("boards");
    let boards: Vec<Sudoku> = text.lines().map(|line| Sudoku::from_str_line(line).expect("a board")).collect();
    let start = cpu_seconds();
    let mut solved = 0;
    for _ in 0..repeats {
        solved += boards.iter().filter(|board| board.some_solution().is_some()).count() as u64;
    }
    let seconds = cpu_seconds() - start;
    assert_eq!(solved, repeats * boards.len() as u64, "a board has a solution");
    print(solved, seconds, solved, solved, 0);
}
