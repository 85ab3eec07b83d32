//! Checks whether the exact methods agree on the boards of a CSV: `agreement BOARDS.csv [BOARDS] [WITH_MILP]`.
//!
//! On the first `BOARDS` (1000) boards, serial and parallel backtracking must have the same outcome and the same number of nodes. On
//! the first `WITH_MILP` (50), backtracking, the bitmask solver, MILP and SAT must find the same board, or each some solution
//! where a board has several. Prints counts and mean times; the exit status is 1 if any differ.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::Outcome;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Sudoku, exact};

/// The limit of nodes for backtracking, which serial and parallel search must reach alike.
const NODE_LIMIT: u64 = 20_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default| arguments.get(at).map_or(default, |text| text.parse().expect("a number"));
    let Some(path) = arguments.first() else {
        eprintln!("usage: agreement BOARDS.csv [BOARDS] [WITH_MILP]");
        return ExitCode::from(2);
    };
    let text = std::fs::read_to_string(path).expect("the CSV can be read");
    let boards = text.lines().skip(1).take(number(1, 1000)).map(|line| {
        let puzzle = line.split(',').nth(2).expect("columns id,bucket,puzzle");
        puzzle.parse::<Board>().expect("a board with square boxes")
    });
    if compare(boards, number(2, 50)) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compares the methods, prints the result, and returns whether all agree.
fn compare(boards: impl Iterator<Item = Board>, n_milp: usize) -> bool {
    let (mut serial, mut parallel) = (Method::new("backtracking", false), Method::new("backtracking", true));
    let (mut milp, mut sat) = (Method::new("milp", false), Method::new("sat", false));
    let (mut n_boards, mut n_alike, mut n_given_up, mut n_compared, mut n_agree) = (0, 0, 0, 0_u32, 0);
    let mut bitmask = Duration::ZERO;
    for (at, board) in boards.enumerate() {
        let problem = Sudoku::new(&board, Representation::Rows, FitnessKind::Missing);
        let outcome = serial.solve(&problem);
        n_boards += 1;
        n_alike += usize::from(parallel.solve(&problem) == outcome);
        n_given_up += usize::from(outcome.stop == Stop::Evaluations);
        if at >= n_milp || outcome.stop == Stop::Evaluations {
            continue;
        }
        let start = Instant::now();
        let expected = exact::solve(&board);
        bitmask += start.elapsed();
        let is_unique = exact::count_solutions(&board, 2) == 1;
        let agrees = |outcome: &Outcome| match &expected {
            None => outcome.stop == Stop::Exhausted,
            Some(_) if outcome.stop != Stop::Target => false,
            Some(expected) => {
                let text = Problem::describe(&problem, &outcome.best_genome);
                let found = Board::parse(&text, Some(board.shape())).expect("a board");
                if is_unique { found == *expected } else { found.solves(&board) }
            }
        };
        n_compared += 1;
        n_agree += u32::from(agrees(&outcome) && agrees(&milp.solve(&problem)) && agrees(&sat.solve(&problem)));
    }
    println!(
        "serial = parallel backtracking: {n_alike} of {n_boards} boards ({n_given_up} given up at {NODE_LIMIT} nodes)"
    );
    println!("backtracking = bitmask solver = MILP = SAT: {n_agree} of {n_compared} boards");
    for method in [&serial, &parallel, &milp, &sat] {
        let mean = |total: u64| total as f64 / method.runs.max(1) as f64;
        let ms = 1000.0 * method.time.as_secs_f64() / method.runs.max(1) as f64;
        let (nodes, backtracks) = (mean(method.nodes), mean(method.backtracks));
        println!("{:22} {ms:10.3} ms {nodes:12.1} nodes {backtracks:10.1} backtracks", method.label());
    }
    println!("{:22} {:10.3} ms", "bitmask solver", 1000.0 * bitmask.as_secs_f64() / f64::from(n_compared.max(1)));
    n_alike == n_boards && n_agree == n_compared
}

/// An exact method, with sums over its runs.
struct Method {
    name: &'static str,
    parallel: bool,
    algorithm: Algorithm,
    runs: u64,
    time: Duration,
    nodes: u64,
    backtracks: u64,
}

impl Method {
    fn new(name: &'static str, parallel: bool) -> Self {
        let mut catalogue = Catalogue::new();
        evogrid_solvers::register(&mut catalogue);
        let mut raw = Settings::new();
        raw.set("kind", Value::Text(name.to_owned()));
        if parallel {
            raw.set("parallel", Value::Flag(true));
        }
        let resolved = catalogue.resolve(&raw, &[]).expect("the settings are right");
        let algorithm = catalogue.algorithm(&resolved);
        Self { name, parallel, algorithm, runs: 0, time: Duration::ZERO, nodes: 0, backtracks: 0 }
    }

    fn label(&self) -> String {
        if self.parallel { format!("{}, parallel", self.name) } else { self.name.to_owned() }
    }

    fn solve(&mut self, problem: &Sudoku) -> Outcome {
        let budget = Budget { evaluations: Some(NODE_LIMIT), ..Budget::default() };
        let start = Instant::now();
        let outcome = problem.solve(&self.algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
        self.time += start.elapsed();
        self.runs += 1;
        self.nodes += outcome.evaluations;
        self.backtracks += outcome.generations;
        outcome
    }
}
