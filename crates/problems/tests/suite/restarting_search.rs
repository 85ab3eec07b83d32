//! Restarting search on boards: it solves them, notices those without solution, and keeps its budget.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::fitness::Fitness;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::exact::Structure;
use evogrid_core::search::propagation::{Failure, Propagation};
use evogrid_core::search::restarting_search::RestartingSearch;
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku, exact, generate, logic};

const HARDEST: [&str; 4] = [
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
];

const OURS: RestartingSearch = RestartingSearch { conflicts: 30, weights: true, memory: true };

fn run(search: RestartingSearch, problem: &Sudoku, budget: Budget, seed: u64) -> Outcome {
    problem.solve(&Algorithm::Custom(Box::new(search)), &budget, &mut RandomStream::from_seed(seed), &mut ())
}

fn sudoku(board: &Board) -> Sudoku {
    Sudoku::new(board, Representation::Rows, FitnessKind::Missing)
}

/// A board with about this share of its cells given, which has a solution.
fn board(shape: Shape, givens: f64, random: &mut RandomStream) -> Board {
    let full = generate::full_board(shape, random);
    let cells = full.cells().iter().map(|&digit| if random.chance(givens) { digit } else { 0 });
    Board::new(shape, cells.collect()).unwrap()
}

#[test]
fn boards_of_every_shape_are_solved_with_any_setting() {
    let mut random = RandomStream::from_seed(1);
    for (rows, cols, givens) in
        [(2, 2, 0.3), (2, 3, 0.3), (3, 3, 0.0), (3, 3, 0.3), (4, 3, 0.4), (4, 4, 0.4), (5, 5, 0.45), (1, 6, 0.3)]
    {
        let board = board(Shape::new(rows, cols).unwrap(), givens, &mut random);
        for (representation, weights, memory, conflicts) in
            [(Representation::Rows, true, true, 30), (Representation::Boxes, true, false, 3)]
        {
            let problem = Sudoku::new(&board, representation, FitnessKind::Missing);
            let search = RestartingSearch { conflicts, weights, memory };
            let outcome = run(search, &problem, Budget::default(), 5);
            assert_eq!(outcome.stop, Stop::Target, "{board}");
            let solution = Board::parse(&Problem::describe(&problem, &outcome.best_genome), Some(board.shape()));
            assert!(solution.unwrap().solves(&board));
            assert_eq!(run(search, &problem, Budget::default(), 5), outcome);
        }
    }
}

#[test]
fn it_agrees_with_the_exact_solver_on_boards_with_a_wrong_digit() {
    let mut random = RandomStream::from_seed(11);
    let mut n_unsolvable = 0;
    for number in 0..60 {
        let mut cells = HARDEST[number % 4].parse::<Board>().unwrap().cells().to_vec();
        let candidates = Board::new(Shape::square_for(9).unwrap(), cells.clone()).unwrap().candidates();
        let free: Vec<usize> = (0..81).filter(|&cell| cells[cell] == 0).collect();
        let cell = free[random.below(free.len())];
        cells[cell] = 64 - candidates[cell].leading_zeros() as u8;
        let board = Board::new(Shape::square_for(9).unwrap(), cells).unwrap();
        let outcome = run(OURS, &sudoku(&board), Budget { restarts: 3, ..Budget::default() }, number as u64);
        assert_eq!(outcome.stop == Stop::Exhausted, exact::solve(&board).is_none());
        assert!(outcome.stop == Stop::Target || outcome.stop == Stop::Exhausted);
        assert_eq!(sudoku(&board).fitness(&outcome.best_genome), outcome.best_fitness);
        n_unsolvable += usize::from(outcome.stop == Stop::Exhausted);
    }
    assert!(n_unsolvable > 10, "{n_unsolvable}");
}

#[test]
fn givens_that_leave_a_cell_no_value_end_the_run_at_once() {
    let outcome = run(OURS, &sudoku(&"123. .... ...4 ....".parse().unwrap()), Budget::default(), 1);
    assert_eq!((outcome.stop, outcome.evaluations, outcome.generations), (Stop::Exhausted, 1, 0));
    let solved = generate::full_board(Shape::square_for(9).unwrap(), &mut RandomStream::from_seed(1));
    let outcome = run(OURS, &sudoku(&solved), Budget::default(), 1);
    assert_eq!((outcome.stop, outcome.evaluations), (Stop::Target, 1));
}

#[test]
fn the_budget_is_kept_to_the_placement_and_the_best_assignment_so_far_is_told() {
    let problem = sudoku(&HARDEST[3].parse().unwrap());
    let whole = run(OURS, &problem, Budget::default(), 2);
    assert!(whole.stop == Stop::Target && whole.evaluations > 500 && whole.generations > 1, "{whole:?}");
    for limit in [0, 1, 2, 20, 300, whole.evaluations, whole.evaluations + 1] {
        let budget = Budget { evaluations: Some(limit), ..Budget::default() };
        let outcome = run(OURS, &problem, budget, 2);
        assert_eq!(outcome.evaluations, limit.min(whole.evaluations));
        let expected = if limit < whole.evaluations { Stop::Evaluations } else { Stop::Target };
        assert_eq!(outcome.stop, expected, "{limit}");
        assert_eq!(outcome.best_genome.is_empty(), limit == 0);
        assert!(limit == 0 || problem.fitness(&outcome.best_genome) == outcome.best_fitness);
    }
    let [few, more] = [2, 300]
        .map(|limit| run(OURS, &problem, Budget { evaluations: Some(limit), ..Budget::default() }, 2).best_fitness);
    assert!(more < few, "an assignment is fuller than a random solution");
}

#[test]
fn generations_and_stagnation_count_trees_and_a_restart_forgets() {
    let problem = sudoku(&HARDEST[3].parse().unwrap());
    let search = RestartingSearch { conflicts: 1, weights: false, memory: false };
    let budget = Budget { generations: Some(2), restarts: 2, target: Some(Fitness::new(-1.0)), ..Budget::default() };
    let outcome = run(search, &problem, budget, 1);
    assert_eq!((outcome.stop, outcome.generations, outcome.restarts), (Stop::Restarts, 6, 2));
    let budget = Budget { stagnation: Some(3), target: Some(Fitness::new(-1.0)), ..Budget::default() };
    assert_eq!(run(search, &problem, budget, 1).stop, Stop::Stagnation);
}

#[test]
fn no_tree_allocates() {
    let problem = sudoku(&board(Shape::square_for(16).unwrap(), 0.3, &mut RandomStream::from_seed(5)));
    let search = RestartingSearch { conflicts: 1, weights: true, memory: false };
    let allocations = |generations| {
        let budget = Budget { generations: Some(generations), ..Budget::default() };
        let mut outcome = None;
        let measured = allocation_counter::measure(|| outcome = Some(run(search, &problem, budget, 1)));
        (measured.count_total, outcome.expect("it ran").generations)
    };
    let ((few, 1), (more, n_trees)) = (allocations(1), allocations(50)) else { panic!("a tree was cut") };
    assert!(n_trees > 1 && few == more, "{few} and {more} in {n_trees} trees");
}

#[test]
fn propagation_fills_what_logic_fills_and_can_be_taken_back() {
    let mut random = RandomStream::from_seed(4);
    for (rows, cols) in [(2, 3), (3, 3), (4, 4)] {
        let shape = Shape::new(rows, cols).unwrap();
        for _ in 0..20 {
            let board = board(shape, 0.4, &mut random);
            let problem = sudoku(&board);
            let propagation = Propagation::new(&Structure::from_problem(&problem).unwrap());
            let mut assignment = propagation.givens(problem.layout());
            let n_filled = propagation.propagate(&mut assignment, u64::MAX, true);
            let expected = logic::propagate(&board).unwrap();
            assert_eq!(
                (n_filled, assignment.failure()),
                ((expected.n_givens() - board.n_givens()) as u64, Failure::None)
            );
            let digit = |cell: usize| assignment.value(cell).map_or(0, |value| value as u8 + 1);
            assert_eq!(Vec::from_iter((0..shape.n_cells()).map(digit)), expected.cells());
            // Some open cells get random values, whatever comes of it.
            let (before, mark) = (assignment.clone(), assignment.mark());
            for cell in 0..shape.n_cells() {
                let values = assignment.values(cell);
                if assignment.value(cell).is_none() && values != 0 {
                    let nth = random.below(values.count_ones() as usize);
                    let value = evogrid_core::search::exact::ones(values).nth(nth).unwrap();
                    propagation.fill(&mut assignment, cell, value);
                    propagation.propagate(&mut assignment, 3, false);
                }
            }
            propagation.undo(&mut assignment, mark);
            assert_eq!(format!("{assignment:?}"), format!("{before:?}"));
        }
    }
}
