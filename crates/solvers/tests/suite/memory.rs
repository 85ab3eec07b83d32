//! Memory: the estimate of a solver's run is within a factor of two of what it takes.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::Budget;
use evogrid_core::random::RandomStream;
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku, generate};
use evogrid_solvers::milp::{Milp, MilpSolver};
use evogrid_solvers::sat::Sat;

/// A board with every `given`-th cell given.
fn board(box_side: usize, given: usize) -> Board {
    let shape = Shape::new(box_side, box_side).expect("it can be");
    let full = generate::full_board(shape, &mut RandomStream::from_seed(1));
    let cells = full.cells().iter().enumerate().map(|(at, &digit)| if at % given == 0 { digit } else { 0 });
    Board::new(shape, cells.collect()).expect("a part of a solved board")
}

fn expect_estimate(problem: &Sudoku, algorithm: &Algorithm, what: &str) {
    let estimated = problem.memory(algorithm).expect("it is known");
    let measured = allocation_counter::measure(|| {
        problem.solve(algorithm, &Budget::default(), &mut RandomStream::from_seed(1), &mut ());
    });
    let measured = measured.bytes_max;
    assert!(estimated < 2 * measured && measured < 2 * estimated, "{what}: {estimated} and {measured}");
}

#[test]
fn the_memory_of_solvers_is_estimated() {
    for (box_side, given) in [(3, 2), (3, 3), (4, 2), (4, 3), (5, 2)] {
        let problem = Sudoku::new(&board(box_side, given), Representation::Rows, FitnessKind::Missing);
        // Without presolve a large model takes minutes, and so does a large program.
        let presolves = if box_side == 3 { &[true, false][..] } else { &[true] };
        for &presolve in presolves {
            let what = format!("{box_side} {given} {presolve}");
            expect_estimate(&problem, &Algorithm::Exact(Box::new(Sat { presolve })), &format!("sat {what}"));
            if (box_side, given) < (4, 3) {
                let milp = Milp { presolve, solver: MilpSolver::Microlp };
                expect_estimate(&problem, &Algorithm::Exact(Box::new(milp)), &format!("milp {what}"));
            }
        }
    }
}
