//! The exact search against counts that are known, and against trying everything.

use proptest::prelude::*;

use super::*;

/// Counts the fillings of a 4x4 board by trying them all.
fn brute_force(board: &mut Vec<u8>, shape: Shape) -> usize {
    let Some(free) = board.iter().position(|&digit| digit == 0) else { return 1 };
    let mut solutions = 0;
    for digit in 1..=shape.side() as u8 {
        board[free] = digit;
        if Board::new(shape, board.clone()).is_ok() {
            solutions += brute_force(board, shape);
        }
    }
    board[free] = 0;
    solutions
}

#[test]
fn mccaffreys_demo_board_has_one_solution() {
    let board: Board =
        "006200080008970000004810500000060002070000030600050000002047100003028400050001200".parse().unwrap();
    assert_eq!(count_solutions(&board, 10), 1);
    let solution = solve(&board).unwrap();
    assert!(solution.solves(&board) && !board.solves(&board));
}

#[test]
fn all_boards_of_side_four_are_counted() {
    assert_eq!(count_solutions(&Board::empty("2x2".parse().unwrap()), usize::MAX), 288);
    assert_eq!(count_solutions(&Board::empty("2x2".parse().unwrap()), 5), 5);
    // Latin squares of order 4: their boxes are their rows.
    assert_eq!(count_solutions(&Board::empty("1x4".parse().unwrap()), usize::MAX), 576);
}

#[test]
fn a_search_gives_up_at_its_limit_and_can_be_used_again() {
    let hard: Board =
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse().unwrap();
    let (mut search, cells) = (search(hard.shape()).with_node_limit(3), hard.cells());
    assert_eq!(search.count(cells, 2), Err(NodeLimit { nodes: 3 }));
    let mut search = search.with_node_limit(100_000);
    assert_eq!(search.count(cells, 2), Ok(1));
    let nodes = search.nodes();
    let solution = Board::new(hard.shape(), search.solve(cells).unwrap().unwrap()).unwrap();
    assert!(nodes > 3 && solution.solves(&hard));
    assert_eq!((search.count(cells, 2), search.nodes()), (Ok(1), nodes));
}

#[test]
fn a_board_that_cannot_be_filled_has_no_solution() {
    // Row 1 leaves only 9 for its last cell, and the column has it already.
    let mut text = ".".repeat(81);
    text.replace_range(0..8, "12345678");
    text.replace_range(80..81, "9");
    let board: Board = text.parse().unwrap();
    assert_eq!((count_solutions(&board, 2), solve(&board)), (0, None));
}

#[test]
fn a_large_empty_board_is_filled_without_recursion() {
    let board = Board::empty(Shape::square_for(25).unwrap());
    let solved = search(board.shape()).with_node_limit(100_000).solve(board.cells());
    let solved = solved.map(|cells| Board::new(board.shape(), cells.unwrap()).unwrap());
    assert!(matches!(solved, Err(NodeLimit { .. })) || solved.unwrap().solves(&board));
}

proptest! {
    #[test]
    fn counting_agrees_with_brute_force(cells in prop::collection::vec((0usize..16, 1u8..=4), 0..7)) {
        let shape = Shape::new(2, 2).unwrap();
        let mut board = vec![0; 16];
        for (cell, digit) in cells {
            board[cell] = digit;
        }
        if let Ok(given) = Board::new(shape, board.clone()) {
            prop_assert_eq!(count_solutions(&given, usize::MAX), brute_force(&mut board, shape));
        }
    }
}
