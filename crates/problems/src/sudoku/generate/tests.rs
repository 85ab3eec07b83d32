//! Tests of the making of boards.

use super::super::exact::count_solutions;
use super::*;

#[test]
fn generated_boards_are_unique_and_have_the_givens_asked_for() {
    for (box_rows, box_cols, n_givens) in [(2, 2, 6), (2, 3, 14), (2, 4, 26), (3, 3, 26), (3, 4, 66), (4, 4, 120)] {
        let shape = Shape::new(box_rows, box_cols).unwrap();
        let made = (0..50).find_map(|seed| board(shape, n_givens, &mut RandomStream::from_seed(seed)).ok());
        let made = made.expect("one of fifty attempts succeeds");
        assert_eq!((made.shape(), made.n_givens(), count_solutions(&made, 2)), (shape, n_givens, 1), "{shape}");
    }
}

#[test]
fn a_board_depends_on_its_bucket_number_and_seed_alone() {
    let shape = Shape::square_for(9).unwrap();
    let made = |name: &str, givens, number| numbered_board(shape, name, &scaled(givens, shape), number, 2016).unwrap();
    let made: Vec<(Board, bool)> =
        BUCKETS.iter().flat_map(|&(name, givens)| [1, 2].map(|number| made(name, givens, number))).collect();
    for ((board, _), (_, givens)) in made.iter().zip(BUCKETS.iter().flat_map(|bucket| [bucket, bucket])) {
        assert!(scaled(*givens, shape).contains(&board.n_givens()));
        assert_eq!(count_solutions(board, 2), 1);
    }
    assert_eq!(numbered_board(shape, "hard", &(28..=30), 2, 2016).as_ref(), Ok(&made[5]));
    assert_ne!(numbered_board(shape, "hard", &(28..=30), 2, 2017).unwrap(), made[5]);
}

#[test]
fn the_boards_of_a_seed_never_change() {
    let shape = Shape::square_for(9).unwrap();
    let (made, _) = numbered_board(shape, "easy", &(38..=40), 1, 2016).unwrap();
    assert_eq!(made.to_string(), "89......11.68.....4.29.657.76458.3..5...9371631..6285.6.7.3..929...5..........18.");
}

#[test]
fn a_walk_goes_on_where_digging_is_stuck() {
    let shape = Shape::new(2, 3).unwrap();
    // 8 is the fewest that a 6x6 board can have, and this one is not reached by digging.
    let made = numbered_board(shape, "08", &(8..=8), 2, 2016).unwrap();
    assert_eq!((made.1, made.0.n_givens(), count_solutions(&made.0, 2)), (true, 8, 1));
    assert_eq!(numbered_board(shape, "08", &(8..=8), 2, 2016), Ok(made));
    assert!(!numbered_board(shape, "14", &(14..=14), 1, 2016).unwrap().1);
}

#[test]
fn a_walk_that_does_not_get_there_says_how_far_it_got() {
    // No 4x4 board with 3 givens has one solution.
    let shape = Shape::square_for(4).unwrap();
    assert_eq!(walk::board(shape, 3, &mut RandomStream::from_seed(1)), Err(4));
}

#[test]
fn impossible_wishes_are_refused() {
    let shape = Shape::square_for(9).unwrap();
    let mut random = RandomStream::from_seed(1);
    let mut refused = |n_givens| board(shape, n_givens, &mut random).unwrap_err().message;
    for n_givens in [16, 82] {
        let none = format!("a board with boxes of 3x3 and {n_givens} givens cannot have a unique solution");
        assert_eq!(refused(n_givens), format!("{none}: expected 17 to 81 givens"));
    }
    assert!(refused(17).ends_with(", but 17 were requested (1 attempts)"));
    #[expect(clippy::reversed_empty_ranges)]
    let empty = numbered_board(shape, "x", &(30..=29), 1, 1);
    assert_eq!(empty, Err(OptionError::new("the range from 30 to 29 givens is empty")));
}

#[test]
fn other_shapes_keep_the_share_of_givens() {
    let givens = |side| BUCKETS.map(|(_, givens)| scaled(givens, Shape::square_for(side).unwrap()));
    assert_eq!(givens(9), [38..=45, 33..=36, 28..=30, 25..=27]);
    assert_eq!(givens(16), [120..=142, 104..=114, 88..=95, 79..=85]);
}

#[test]
fn shuffled_patterns_are_full_boards_of_any_shape() {
    for (box_rows, box_cols) in [(1, 2), (2, 3), (3, 2), (5, 5), (1, 7), (7, 1), (4, 6)] {
        let shape = Shape::new(box_rows, box_cols).unwrap();
        assert!(shuffled_pattern(shape, &mut RandomStream::from_seed(3)).is_solved());
    }
}
