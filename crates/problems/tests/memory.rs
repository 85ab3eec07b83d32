//! Memory: the estimate of a run on a board is within a factor of two of what it takes.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::Budget;
use evogrid_core::random::RandomStream;
use evogrid_core::search::combinatorial::CombinatorialEvolution;
use evogrid_core::search::exact::backtracking::Backtracking;
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku, generate};

/// A board with every third cell given.
fn board(box_side: usize) -> Board {
    let shape = Shape::new(box_side, box_side).expect("it can be");
    let full = generate::full_board(shape, &mut RandomStream::from_seed(1));
    let cells = full.cells().iter().enumerate().map(|(at, &digit)| if at % 3 == 0 { digit } else { 0 });
    Board::new(shape, cells.collect()).expect("a part of a solved board")
}

fn expect_estimate(problem: &Sudoku, algorithm: &Algorithm, what: &str) {
    let budget = Budget { generations: Some(2), evaluations: Some(20_000), ..Budget::default() };
    let estimated = problem.memory(algorithm).expect("it is known");
    let measured = allocation_counter::measure(|| {
        problem.solve(algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
    });
    let measured = measured.bytes_max;
    assert!(estimated < 2 * measured && measured < 2 * estimated, "{what}: {estimated} and {measured}");
}

#[test]
fn the_colony_of_every_board_is_estimated() {
    for box_side in [2, 3, 4, 5] {
        for fitness in [FitnessKind::Missing, FitnessKind::Collisions] {
            for organisms in [2000, 20_000] {
                let problem = Sudoku::new(&board(box_side), Representation::Rows, fitness);
                let evolution = CombinatorialEvolution { organisms, ..CombinatorialEvolution::PUBLISHED };
                let what = format!("{box_side} {fitness:?} {organisms}");
                expect_estimate(&problem, &Algorithm::CombinatorialEvolution(evolution), &what);
            }
        }
    }
}

#[test]
fn the_tree_of_an_exact_search_is_estimated() {
    for box_side in [3, 4, 5] {
        let problem = Sudoku::new(&board(box_side), Representation::Rows, FitnessKind::Missing);
        for parallel in [false, true] {
            expect_estimate(
                &problem,
                &Algorithm::Exact(Box::new(Backtracking { parallel })),
                &format!("{box_side} {parallel}"),
            );
        }
    }
}
