//! The checks, the search and its history, on boards made for them and against other solvers.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::observer::Observer;
use evogrid_core::observer::{DEAD_END, SET_BACK, Step};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::exact::Structure;
use evogrid_core::search::exact::backtracking::Backtracking;
use evogrid_core::search::exact::sanity::check;
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku, exact, generate};

use crate::history::History;

const MCCAFFREY: &str = "006200080008970000004810500000060002070000030600050000002047100003028400050001200";
const HARDEST: [&str; 4] = [
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
];

fn problem(board: &str) -> Sudoku {
    Sudoku::new(&board.parse().unwrap(), Representation::Rows, FitnessKind::Missing)
}

/// The outcome without the processor time of the search's own threads, which is measured and differs from run to run.
fn run(problem: &impl Solve, parallel: bool, budget: Budget, observer: &mut dyn Observer) -> Outcome {
    let algorithm = Algorithm::Exact(Box::new(Backtracking { parallel }));
    let mut outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), observer);
    outcome.cpu_elsewhere = None;
    outcome
}

fn serial(problem: &impl Solve) -> Outcome {
    run(problem, false, Budget::default(), &mut ())
}

/// Rows, columns and boxes of a 4x4 board, in this order.
fn small() -> Structure {
    Sudoku::structure(Shape::square_for(4).unwrap())
}

fn cells(text: &str) -> Vec<u8> {
    text.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect()
}

#[test]
fn cells_units_and_boxes_are_numbered_as_arkieva_does() {
    let structure = Structure::from_problem(&problem(MCCAFFREY)).unwrap();
    assert_eq!((structure.n_cells(), structure.n_values(), structure.units().len()), (81, 9, 27));
    for id in 1..=81_usize {
        let (row, col) = ((id - 1) / 9 + 1, (id - 1) % 9 + 1);
        let index = 3 * ((row - 1) / 3) + col.div_ceil(3);
        for (unit, family) in [(row, 0), (col, 9), (index, 18)] {
            assert!(structure.units()[family + unit - 1].contains(&(id - 1)), "cell {id}");
        }
    }
    assert!(structure.are_neighbours(0, 80 - 8) && structure.are_neighbours(0, 20) && !structure.are_neighbours(0, 30));
}

#[test]
fn candidates_are_those_of_the_board() {
    let board: Board = MCCAFFREY.parse().unwrap();
    let candidates = Structure::from_problem(&problem(MCCAFFREY)).unwrap().candidates(board.cells());
    assert!(candidates.iter().zip(board.candidates()).all(|(&ours, theirs)| ours == theirs));
    // 1, 3, 5, 7, 9; 1, 3, 9; none of a filled cell; 3.
    assert_eq!([0, 1, 2, 4].map(|cell| candidates[cell]), [0b1_0101_0101, 0b1_0000_0101, 0, 0b100]);
}

#[test]
fn duplicates_make_an_infeasible_start_and_are_named() {
    // As in his table 4: twice in a row, and so in a box.
    let refused = check(&small(), &cells("2200 0000 0000 0020")).unwrap_err();
    let twice = |unit: usize| format!("value 2 occurs more than once in unit {unit} (cells 1, 2)");
    assert_eq!(refused, format!("infeasible start: {}; {}", twice(1), twice(9)));
    let refused = check(&small(), &cells("1000 0000 1000 1000")).unwrap_err();
    assert!(
        refused.starts_with("infeasible start: value 1 occurs more than once in unit 5 (cells 1, 9, 13)"),
        "{refused}"
    );
}

#[test]
fn a_cell_without_candidates_is_named() {
    let refused = check(&small(), &cells("0123 4000 0000 0000")).unwrap_err();
    assert_eq!(refused, "no solution, because at least one cell has no candidate left (cell numbers: 1)");
}

#[test]
fn neighbours_with_the_same_single_candidate_are_a_conflict_and_others_are_not() {
    // The second cells of the third and the fourth row are left with 3 alone, and share a column.
    let refused = check(&small(), &cells("4000 0000 1004 0200")).unwrap_err();
    assert_eq!(refused, "no solution, because cell 10 and cell 13 both need the value 3");
    // Two cells are left with 1 alone, but are not neighbours.
    let apart = cells("0340 4002 0000 0000");
    let candidates = small().candidates(&apart);
    assert_eq!((candidates[3], candidates[5]), (0b1, 0b1));
    assert_eq!(check(&small(), &apart), Ok(()));
}

#[test]
fn a_board_that_fails_a_check_is_given_up_before_any_node() {
    let outcome = serial(&problem("4000000010040200"));
    assert_eq!((outcome.stop, outcome.evaluations, outcome.generations), (Stop::Exhausted, 0, 0));
    assert!(outcome.best_genome.is_empty());
}

#[test]
fn the_history_tells_every_step() {
    let mut history = History::new();
    let board = problem("0000000034000004");
    let outcome = run(&board, true, Budget::default(), &mut history);
    let step = |[counter, options, cell, value]: [u64; 4]| Step { counter, options, cell, value };
    assert_eq!(history.steps()[..13], TOLD.map(step));
    let is = |value| history.steps().iter().filter(|step| step.value == value).count() as u64;
    assert_eq!((outcome.generations, outcome.stop), (is(DEAD_END), Stop::Target));
    assert_eq!(history.steps().len() as u64, outcome.evaluations + outcome.generations + is(SET_BACK));
    assert_eq!(history.steps().last().unwrap().counter, outcome.evaluations + outcome.generations);
    // TRACKER holds the solution.
    let tracker = history.tracker();
    assert_eq!(tracker.len(), 13);
    assert_eq!(Problem::describe(&board, &outcome.best_genome), "4123234134121234");
    for step in tracker {
        assert_eq!(u64::from(outcome.best_genome[step.cell as usize - 1]) + 1, step.value);
    }
    assert_eq!(Step::COLUMNS.join(","), "counter,options,cell,value");
}

/// The dead end in cell 4 leads back over cell 2 to cell 1, which had two options.
#[rustfmt::skip]
const TOLD: [[u64; 4]; 13] = [
    [1, 2, 11, 1], [2, 1, 12, 2], [3, 1, 15, 3], [4, 2, 3, 2], [5, 1, 7, 4], [6, 2, 1, 1], [7, 1, 2, 3],
    [8, 0, 4, 9999], [8, 0, 2, 0], [8, 0, 1, 0], [9, 1, 1, 4], [10, 2, 2, 1], [11, 1, 4, 3],
];

#[test]
fn whole_histories_are_those_of_a_plain_program_in_another_language() {
    for (board, expected) in [(MCCAFFREY, (72, 2, 92, 998_610)), (HARDEST[0], (217, 8, 384, 31_021_073))] {
        let mut history = History::new();
        let outcome = run(&problem(board), false, Budget::default(), &mut history);
        let sum: u64 = (1..).zip(history.steps()).map(|(at, step)| at * step.row().iter().sum::<u64>()).sum();
        assert_eq!((outcome.evaluations, outcome.generations, history.steps().len(), sum), expected);
    }
}

#[test]
fn every_value_set_back_is_tried_again_but_those_of_the_choice() {
    // Walk the history of a hard board, with PAV kept by hand.
    let mut history = History::new();
    let outcome = run(&problem(HARDEST[2]), false, Budget::default(), &mut history);
    assert_eq!(outcome.stop, Stop::Target);
    let mut tracker: Vec<(Step, Vec<u64>)> = Vec::new();
    let mut tried: Vec<u64> = Vec::new();
    let mut dead_end = 0;
    for step in history.steps() {
        match step.value {
            DEAD_END => {
                assert_eq!(step.options, 0);
                dead_end = step.counter;
            }
            SET_BACK => {
                let (undone, values) = tracker.pop().unwrap();
                assert_eq!((undone.cell, step.counter, step.options), (step.cell, dead_end, 0));
                tried = if undone.options > 1 { values } else { Vec::new() };
            }
            value => {
                assert!(tried.iter().all(|&before| before < value), "the smallest not tried before");
                tried.push(value);
                tracker.push((*step, std::mem::take(&mut tried)));
            }
        }
    }
}

#[test]
fn serial_and_parallel_agree_where_there_is_no_solution_or_more_than_one() {
    let mut random = RandomStream::from_seed(11);
    let (mut unsolvable, mut wide) = (0, 0);
    for number in 0..60 {
        // Hard boards with a wrong digit in a free cell, or with givens taken away.
        let mut cells = HARDEST[number % 4].parse::<Board>().unwrap().cells().to_vec();
        if number % 2 == 0 {
            (0..6).for_each(|_| cells[random.below(81)] = 0);
        }
        let candidates = Board::new(Shape::square_for(9).unwrap(), cells.clone()).unwrap().candidates();
        let free: Vec<usize> = (0..81).filter(|&cell| cells[cell] == 0).collect();
        let cell = free[random.below(free.len())];
        cells[cell] = 64 - candidates[cell].leading_zeros() as u8;
        let board = Board::new(Shape::square_for(9).unwrap(), cells).unwrap();
        let problem = Sudoku::new(&board, Representation::Rows, FitnessKind::Missing);
        let outcome = serial(&problem);
        assert_eq!(outcome.stop == Stop::Exhausted, exact::solve(&board).is_none());
        assert_eq!(run(&problem, true, Budget::default(), &mut ()), outcome);
        unsolvable += usize::from(outcome.stop == Stop::Exhausted);
        wide += usize::from(outcome.evaluations > 4096);
    }
    assert!(unsolvable > 10 && wide > 10, "{unsolvable}, {wide}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let problem = problem(HARDEST[3]);
    let budget = Budget { evaluations: Some(5000), ..Budget::default() };
    for budget in [Budget::default(), budget] {
        let expected = run(&problem, false, budget, &mut ());
        for n_threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            for _ in 0..3 {
                assert_eq!(pool.install(|| run(&problem, true, budget, &mut ())), expected, "{n_threads}");
            }
        }
    }
}

#[test]
fn a_limit_of_evaluations_cuts_serial_and_parallel_at_the_same_node() {
    let problem = problem(HARDEST[3]);
    let whole = serial(&problem);
    let limits = [1, 50, 2047, 2048, 2049, 3000, 5000, whole.evaluations - 1, whole.evaluations, u64::MAX - 1];
    for limit in limits.into_iter().filter(|&limit| limit <= whole.evaluations || limit > u64::MAX / 2) {
        let budget = Budget { evaluations: Some(limit), ..Budget::default() };
        let outcome = run(&problem, false, budget, &mut ());
        assert_eq!(outcome.evaluations, limit.min(whole.evaluations));
        assert_eq!(outcome.stop, if limit < whole.evaluations { Stop::Evaluations } else { Stop::Target });
        assert_eq!(run(&problem, true, budget, &mut ()), outcome, "{limit}");
    }
}

#[test]
fn the_limits_of_a_trial_do_not_touch_it_and_time_does() {
    let problem = problem(HARDEST[0]);
    let trial = Budget { generations: Some(1), stagnation: Some(1), restarts: 3, ..Budget::default() };
    assert_eq!(run(&problem, false, trial, &mut ()), serial(&problem));
    for parallel in [false, true] {
        let budget = Budget { seconds: Some(0.0), ..Budget::default() };
        assert_eq!(run(&problem, parallel, budget, &mut ()).stop, Stop::Time);
    }
}

#[test]
fn a_full_board_is_its_own_solution() {
    let full = generate::full_board(Shape::new(2, 3).unwrap(), &mut RandomStream::from_seed(3));
    let outcome = serial(&Sudoku::new(&full, Representation::Rows, FitnessKind::Missing));
    assert_eq!((outcome.stop, outcome.evaluations, outcome.evaluations_to_best), (Stop::Target, 0, 0));
}

#[test]
fn boards_of_every_size_are_solved() {
    for (box_rows, box_cols, n_givens) in
        [(2, 2, 6), (2, 3, 14), (2, 4, 30), (3, 3, 30), (3, 4, 75), (4, 4, 150), (5, 5, 420)]
    {
        let shape = Shape::new(box_rows, box_cols).unwrap();
        let board = generate::board(shape, n_givens, &mut RandomStream::from_seed(5)).unwrap();
        let problem = Sudoku::new(&board, Representation::Rows, FitnessKind::Missing);
        let budget = Budget { evaluations: Some(2_000_000), ..Budget::default() };
        let outcome = run(&problem, false, budget, &mut ());
        assert_eq!(outcome.stop, Stop::Target, "{shape}, {} nodes", outcome.evaluations);
        assert_eq!(run(&problem, true, budget, &mut ()), outcome);
    }
}

#[test]
fn a_limit_of_processor_time_ends_an_exact_method() {
    for parallel in [false, true] {
        let budget = Budget { cpu_seconds: Some(0.0), ..Budget::default() };
        let outcome = run(&problem(HARDEST[0]), parallel, budget, &mut ());
        assert_eq!(outcome.stop, Stop::Time, "parallel: {parallel}");
    }
}
