//! All exact methods agree: on boards with one solution they find the same board, and they agree on which boards have none.

use std::collections::BTreeSet;

use evogrid_core::algorithm::Solve;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::Outcome;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku, exact, generate};

/// Solves with the algorithm of the catalogue that the settings describe; the outcome is without the processor time of
/// the search's own threads, which is measured.
fn solve(problem: &dyn Solve, settings: &[(&str, Value)], budget: &Budget) -> Outcome {
    let mut catalogue = Catalogue::new();
    evogrid_solvers::register(&mut catalogue);
    let mut raw = Settings::new();
    settings.iter().for_each(|(name, value)| raw.set(*name, value.clone()));
    let resolved = catalogue.resolve(&raw, &[]).expect("no budget is needed");
    let algorithm = catalogue.algorithm(&resolved);
    let mut outcome = problem.solve(&algorithm, budget, &mut RandomStream::from_seed(1), &mut ());
    outcome.cpu_elsewhere = None;
    outcome
}

fn kind(name: &str) -> (&'static str, Value) {
    ("kind", Value::Text(name.to_owned()))
}

/// The settings of all exact methods.
fn methods() -> Vec<Vec<(&'static str, Value)>> {
    let flag = |name, flag| (name, Value::Flag(flag));
    let mut methods = vec![
        vec![kind("backtracking")],
        vec![kind("backtracking"), flag("parallel", true)],
        vec![kind("milp")],
        vec![kind("sat")],
        vec![kind("sat"), flag("presolve", false)],
    ];
    if cfg!(feature = "highs") {
        methods.push(vec![kind("milp"), ("solver", Value::Text("highs".to_owned()))]);
        methods.push(vec![kind("milp"), ("solver", Value::Text("highs".to_owned())), flag("presolve", false)]);
    }
    methods
}

fn problem(board: &Board) -> Sudoku {
    Sudoku::new(board, Representation::Rows, FitnessKind::Missing)
}

/// The boards of a data set that is in the repository.
fn boards(name: &str) -> Vec<Board> {
    let path = format!("{}/../../datasets/sudoku/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a data set");
    text.lines().skip(1).map(|line| line.split(',').nth(2).expect("a puzzle").parse().expect("a board")).collect()
}

#[test]
fn all_methods_agree_with_the_bitmask_solver() {
    let mut boards: Vec<Board> =
        boards("printed").into_iter().chain(boards("huke-40").into_iter().step_by(8)).collect();
    let generated = |box_rows, box_cols, n_givens| {
        generate::board(Shape::new(box_rows, box_cols).unwrap(), n_givens, &mut RandomStream::from_seed(3)).unwrap()
    };
    boards.extend([generated(2, 2, 5), generated(2, 3, 12), generated(3, 3, 30)]);
    for board in &boards {
        let expected = exact::solve(board).expect("it has a solution").to_string();
        for method in methods() {
            let problem = problem(board);
            let outcome = solve(&problem, &method, &Budget::default());
            assert_eq!(outcome.stop, Stop::Target, "{board}, {method:?}");
            assert_eq!(Problem::describe(&problem, &outcome.best_genome), expected, "{method:?}");
        }
    }
}

#[test]
fn the_fast_methods_agree_on_every_board_of_the_data_sets() {
    for board in boards("huke-40").iter().chain(&boards("mantere-koljonen")).chain(&boards("named-hard")) {
        let expected = exact::solve(board).expect("it has a solution").to_string();
        let problem = problem(board);
        let serial = solve(&problem, &methods()[0], &Budget::default());
        assert_eq!(Problem::describe(&problem, &serial.best_genome), expected);
        assert_eq!((serial.stop, serial.best_fitness), (Stop::Target, Fitness::from(0)));
        assert_eq!(solve(&problem, &methods()[1], &Budget::default()), serial, "{board}");
        let sat = solve(&problem, &methods()[3], &Budget::default());
        assert_eq!(Problem::describe(&problem, &sat.best_genome), expected);
        assert_eq!(solve(&problem, &methods()[3], &Budget::default()), sat, "the same run again counts the same");
    }
}

/// A board that passes the sanity checks and has no solution.
const WITHOUT_SOLUTION: &str = ".23..6.89..67..1..7..123.5...1.....5.7.932.646..5...1.317.......42...63..6.3..57.";

#[test]
fn all_methods_find_that_there_is_no_solution() {
    // The first is refused by a sanity check.
    for text in ["4000000010040200", WITHOUT_SOLUTION] {
        let board: Board = text.parse().unwrap();
        assert!(exact::solve(&board).is_none());
        for method in methods() {
            let outcome = solve(&problem(&board), &method, &Budget::default());
            assert_eq!((outcome.stop, outcome.best_genome.len()), (Stop::Exhausted, 0), "{method:?}");
        }
    }
}

#[test]
fn where_there_are_many_solutions_each_method_finds_one() {
    let mut cells = boards("printed")[0].cells().to_vec();
    (0..cells.len()).step_by(3).for_each(|cell| cells[cell] = 0);
    let board = Board::new(Shape::square_for(9).unwrap(), cells).unwrap();
    assert_eq!(exact::count_solutions(&board, 100), 100);
    for method in methods() {
        let problem = problem(&board);
        let outcome = solve(&problem, &method, &Budget::default());
        let found: Board = Problem::describe(&problem, &outcome.best_genome).parse().expect("a board");
        assert!(found.solves(&board), "{method:?}");
    }
}

#[test]
fn a_limit_of_evaluations_is_kept() {
    let board: Board = boards("named-hard")[0].clone();
    for method in methods() {
        let budget = Budget { evaluations: Some(1), ..Budget::default() };
        let outcome = solve(&problem(&board), &method, &budget);
        assert!(outcome.evaluations <= 1, "{method:?}");
        assert!(matches!(outcome.stop, Stop::Evaluations | Stop::Target), "{method:?}");
        let budget = Budget { seconds: Some(0.0), ..Budget::default() };
        assert_eq!(solve(&problem(&board), &method, &budget).stop, Stop::Time, "{method:?}");
    }
}

#[test]
fn genes_may_be_boxes_too() {
    let board: Board = boards("huke-40")[3].clone();
    let problem = Sudoku::new(&board, Representation::Boxes, FitnessKind::Collisions);
    let expected = exact::solve(&board).unwrap().to_string();
    for method in methods() {
        let outcome = solve(&problem, &method, &Budget::default());
        assert_eq!(Problem::describe(&problem, &outcome.best_genome), expected, "{method:?}");
    }
}

#[test]
fn the_program_without_presolve_finds_the_same() {
    let board = boards("printed")[0].clone();
    let expected = exact::solve(&board).unwrap().to_string();
    let problem = problem(&board);
    let outcome = solve(&problem, &[kind("milp"), ("presolve", Value::Flag(false))], &Budget::default());
    assert_eq!(Problem::describe(&problem, &outcome.best_genome), expected);
}

/// A Latin rectangle: every row has each value once, no column has a value twice.
struct Rectangle(Layout);

impl Problem for Rectangle {
    fn layout(&self) -> &Layout {
        &self.0
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        let columns = self.all_different_sets().expect("it has columns");
        let alleles = |unit: &Vec<usize>| BTreeSet::from_iter(unit.iter().map(|&position| genome[position])).len();
        Fitness::from((genome.len() - columns.iter().map(alleles).sum::<usize>()) as u32)
    }

    fn target(&self) -> Option<Fitness> {
        Some(Fitness::from(0))
    }

    fn all_different_sets(&self) -> Option<Vec<Vec<usize>>> {
        let column = |column| (0..self.0.n_genes()).map(|row| row * self.0.gene_len() + column).collect();
        Some((0..self.0.gene_len()).map(column).collect())
    }
}

#[test]
fn units_may_have_fewer_cells_than_there_are_values() {
    // Three rows of five; in the second problem the last cells of two rows would both be 5.
    let open = [Some(0), None, None, None, None, Some(1), None, None, None, None, None, None, Some(0), None, None];
    let closed = [
        [Some(0), Some(1), Some(2), Some(3), None],
        [Some(3), Some(2), Some(1), Some(0), None],
        [None, None, None, None, None],
    ];
    for (locked, expected) in [(&open[..], Stop::Target), (&closed.concat()[..], Stop::Exhausted)] {
        let problem = Rectangle(Layout::new(5, locked).unwrap());
        for method in methods() {
            let outcome = solve(&problem, &method, &Budget::default());
            assert_eq!(outcome.stop, expected, "{method:?}");
        }
    }
}
