//! Genetic algorithms on real boards of every size, with either representation: easy boards are solved.

use evogrid::catalogue;
use evogrid::core::algorithm::Solve;
use evogrid::core::budget::{Budget, Stop};
use evogrid::core::problem::Problem;
use evogrid::core::random::RandomStream;
use evogrid::core::settings::{Settings, Value};
use evogrid::problems::sudoku::generate::full_board;
use evogrid::problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku};

/// The rows and columns of a box.
const SHAPES: [(usize, usize); 5] = [(2, 2), (2, 3), (3, 3), (4, 4), (5, 5)];

/// Selections and crossovers.
const OPERATORS: [(&str, &str); 4] =
    [("tournament", "uniform"), ("ranking", "one-point"), ("tournament", "pmx"), ("tournament", "combined-positional")];

#[test]
fn easy_boards_of_every_size_are_solved() {
    let (catalogue, mut random) = (catalogue(), RandomStream::from_seed(2006));
    for (box_rows, box_cols) in SHAPES {
        let shape = Shape::new(box_rows, box_cols).unwrap();
        let full = full_board(shape, &mut random);
        let given = full.cells().iter().map(|&digit| if random.chance(0.75) { digit } else { 0 }).collect();
        let board = Board::new(shape, given).unwrap();
        for &(_, representation) in Representation::CHOICES {
            let problem = Sudoku::new(&board, representation, FitnessKind::Missing);
            for (selection, crossover) in OPERATORS {
                let algorithm = catalogue.algorithm(&catalogue.resolve(&genetic(selection, crossover), &[]).unwrap());
                let budget = Budget { generations: Some(3000), restarts: 2, ..Budget::default() };
                let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(5), &mut ());
                let case = format!("{shape}, {representation:?}, {selection}, {crossover}: {outcome:?}");
                assert_eq!(outcome.stop, Stop::Target, "{case}");
                let solved = Board::parse(&Problem::describe(&problem, &outcome.best_genome), Some(shape)).unwrap();
                assert!(solved.solves(&board), "{case}");
            }
        }
    }
}

#[test]
fn equivalences_in_the_conflicts_steer_a_guided_mutation_and_no_other() {
    let catalogue = catalogue();
    let sudoku = catalogue.family("sudoku").unwrap();
    let board = sudoku.read(&".".repeat(81), &evogrid::core::family::Options::new()).unwrap();
    let outcome = |mutation: &str, equivalence: &str, conflicts: bool| {
        let mut settings = genetic("tournament", "one-point");
        settings.set("mutation", Value::Text(mutation.to_owned()));
        settings.set("equivalence", Value::Text(equivalence.to_owned()));
        settings.set("equivalence_weight", Value::Real(0.0));
        settings.set("equivalence_conflicts", Value::Flag(conflicts));
        let settings = catalogue.resolve(&settings, &["sudoku"]).unwrap();
        let budget = Budget { generations: Some(5), ..Budget::default() };
        let algorithm = catalogue.algorithm(&settings);
        board.prepare(&settings).solve(&algorithm, &budget, &mut RandomStream::from_seed(5), &mut ())
    };
    let cases = [("collision-swap", "ring", true), ("collision-swap", "none", false), ("swap-random", "ring", false)];
    for (mutation, equivalence, is_steered) in cases {
        let differs = outcome(mutation, equivalence, true) != outcome(mutation, equivalence, false);
        assert_eq!(differs, is_steered, "{mutation}, {equivalence}");
    }
}

fn genetic(selection: &str, crossover: &str) -> Settings {
    let mut settings = Settings::new();
    let names = [
        ("kind", "genetic"),
        ("initialisation", "random"),
        ("selection", selection),
        ("crossover", crossover),
        ("mutation", "swap-random"),
        ("survival", "generational"),
    ];
    names.into_iter().for_each(|(name, value)| settings.set(name, Value::Text(value.to_owned())));
    settings.set_at("survival.elite", Value::Real(0.05));
    settings.set("crossover_rate", Value::Real(0.8));
    settings.set("mutation_rate", Value::Real(0.8));
    settings.set_at("budget.generations", Value::Integer(3000));
    settings
}
