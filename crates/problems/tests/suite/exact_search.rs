//! The exact methods on boards: golden counts of their nodes, and one solution of both on every shape.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::random::RandomStream;
use evogrid_core::search::exact::backtracking::Backtracking;
use evogrid_core::search::exact::exact_search::ExactSearch;
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku, exact, generate};

fn runs(board: &Board, representation: Representation) -> [Outcome; 2] {
    let problem = Sudoku::new(board, representation, FitnessKind::Missing);
    let algorithms =
        [Algorithm::Exact(Box::new(Backtracking { parallel: false })), Algorithm::Exact(Box::new(ExactSearch))];
    let budget = Budget { evaluations: Some(2_000_000), ..Budget::default() };
    algorithms.map(|algorithm| problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ()))
}

/// Boards, and of each method nodes and dead ends where genes are rows and where they are boxes.
type Pin = (&'static str, [[(u64, u64); 2]; 2]);

const PINS: [Pin; 4] = [
    (
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
        [[(217, 8), (10, 5)], [(566, 23), (11, 6)]],
    ),
    (
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        [[(10101, 922), (89, 83)], [(6838, 618), (67, 62)]],
    ),
    (
        ".......39....1...5..3..58....8..9..6.7..2....1..4.......9..8.5..2....6..4..7.....",
        [[(12800, 1011), (190, 187)], [(11127, 818), (136, 133)]],
    ),
    (
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
        [[(4703, 290), (94, 85)], [(7847, 509), (182, 175)]],
    ),
];

#[test]
fn the_nodes_of_a_search_never_change() {
    for (board, expected) in PINS {
        let counts = [Representation::Rows, Representation::Boxes].map(|representation| {
            runs(&board.parse().unwrap(), representation).map(|outcome| (outcome.evaluations, outcome.generations))
        });
        assert_eq!(counts, expected, "{board}");
    }
}

#[test]
fn both_methods_agree_on_boards_of_every_shape() {
    for (box_rows, box_cols, n_givens) in
        [(1, 5, 12), (2, 2, 6), (2, 3, 14), (2, 4, 30), (3, 3, 30), (3, 4, 75), (4, 4, 150), (5, 5, 420)]
    {
        let shape = Shape::new(box_rows, box_cols).unwrap();
        let board = generate::board(shape, n_givens, &mut RandomStream::from_seed(5)).unwrap();
        let solution = exact::solve(&board).unwrap();
        for representation in [Representation::Rows, Representation::Boxes] {
            let genome = Sudoku::new(&board, representation, FitnessKind::Missing).genome_of(&solution);
            for outcome in runs(&board, representation) {
                assert_eq!((outcome.stop, &outcome.best_genome), (Stop::Target, &genome), "{shape}");
            }
        }
    }
}
