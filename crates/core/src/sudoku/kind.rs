//! Sudoku in the catalogue: how boards are read, and the choices that an experiment has.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::equivalence::{Equivalences, WithEquivalences};
use super::{Board, FitnessKind, Representation, Shape, Sudoku, logic, witness};
use crate::catalogue::Member;
use crate::instance::{Instance, ProblemKind};
use crate::parameter::{Declaration, Parameter, names};
use crate::search::Solve;
use crate::settings::Settings;

const PARAMETERS: &[Parameter] = &[
    Parameter::choice("representation", &names(&Representation::NAMES), "boxes", "which part of the board a gene is"),
    Parameter::choice("fitness", &names(&FitnessKind::NAMES), "missing", "what is minimised; 0 is solved"),
    Parameter::choice(
        "propagate",
        &names(&PROPAGATE),
        "none",
        "cells that are filled before the search: none, or those that \
         naked and hidden singles force",
    ),
    Parameter::choice(
        "equivalence",
        &names(&Equivalences::NAMES),
        "none",
        "regions that hold the same digits on solved boards, their difference added to the fitness: none, the ring around the \
         inner boxes against the corners, or lines against the boxes that they cross",
    ),
    Parameter::real("equivalence_weight", 0.0, 1e6, 1.0, "weight of that difference in the fitness"),
];

/// Whether forced cells are filled before the search.
const PROPAGATE: [(&str, bool); 2] = [("none", false), ("singles", true)];

/// `sudoku` in the catalogue.
#[must_use]
pub fn member() -> Member<dyn ProblemKind> {
    Member {
        declaration: Declaration {
            name: "sudoku",
            doc: "fill a board so that every row, column and box holds every digit once",
            source: "fitness: missing (McCaffrey, 2016; Cervigon), collisions (Huke), sum-product (Mantere and Koljonen, 2007)",
            parameters: PARAMETERS,
        },
        build: |_, _| Box::new(SudokuKind),
    }
}

struct SudokuKind;

impl ProblemKind for SudokuKind {
    fn read(&self, text: &str, options: &BTreeMap<String, String>) -> Result<Box<dyn Instance>, String> {
        let shape: Option<Shape> = match options.get("box") {
            Some(shape) => Some(shape.parse().map_err(|error| format!("box `{shape}`: {error}"))?),
            None => None,
        };
        let board = Board::parse(text, shape).map_err(|error| error.to_string())?;
        Ok(Box::new(board))
    }

    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, String> {
        let (shape, board) = content.split_once(' ').ok_or("expected the shape of a box and a board")?;
        self.read(board, &BTreeMap::from([("box".to_owned(), shape.to_owned())]))
    }

    fn verify(&self, content: &str, solution: &str) -> Option<Result<(), String>> {
        Some(witness::verify(content, solution))
    }
}

impl Instance for Board {
    fn content(&self) -> String {
        format!("{} {self}", self.shape())
    }

    fn prepare(&self, settings: &Settings) -> Box<dyn Solve> {
        let representation = settings.choice("representation", &Representation::NAMES);
        // Where logic finds the board impossible, the search is left to find out itself.
        let filled = settings.choice("propagate", &PROPAGATE).then(|| logic::propagate(self).ok()).flatten();
        let board = filled.map_or(Cow::Borrowed(self), |filled| Cow::Owned(filled.board));
        let sudoku = Sudoku::new(&board, representation, settings.choice("fitness", &FitnessKind::NAMES));
        match settings.choice("equivalence", &Equivalences::NAMES) {
            Equivalences::None => Box::new(sudoku),
            added => Box::new(WithEquivalences::new(sudoku, added, settings.real("equivalence_weight"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Budget, Stop};
    use crate::catalogue::Catalogue;
    use crate::random::RandomStream;
    use crate::settings::Value;

    /// Runs combinatorial evolution on a board with forced cells filled or not.
    fn run(board: &Board, propagate: &str, generations: i64) -> (Stop, u64, String) {
        let catalogue = Catalogue::core();
        let mut raw = Settings::new();
        raw.set("kind", Value::Text("combinatorial-evolution".to_owned()));
        raw.set("accept", Value::Text("better-or-equal".to_owned()));
        raw.set("propagate", Value::Text(propagate.to_owned()));
        raw.set_at("budget.generations", Value::Integer(generations));
        let settings = catalogue.resolve(&raw, &["sudoku"]).unwrap();
        let problem = board.prepare(&settings);
        let search = catalogue.algorithms.build(&settings, &catalogue);
        let budget = Budget::from_settings(settings.table("budget"));
        let outcome = problem.solve(&search, &budget, &mut RandomStream::from_seed(1), &mut ());
        (outcome.stop, outcome.evaluations, problem.describe(&outcome.best_genome))
    }

    #[test]
    fn an_instance_is_restored_from_its_content() {
        for shape in ["2x3", "3x2"] {
            let options = BTreeMap::from([("box".to_owned(), shape.to_owned())]);
            let read = SudokuKind.read("1.......2..........................6", &options).unwrap();
            assert_eq!(SudokuKind.restore(&read.content()).unwrap().content(), read.content());
        }
        assert!(SudokuKind.restore("3x3").is_err() && SudokuKind.restore("x 1...").is_err());
    }

    #[test]
    fn a_board_that_logic_solves_takes_one_evaluation() {
        let board: Board =
            ".6.1.4.5...83.56..2.......18..4.7..6..6...3..7..9.1..45.......2..72.69...4.5.8.7.".parse().unwrap();
        let (stop, evaluations, solution) = run(&board, "singles", 10);
        assert_eq!((stop, evaluations), (Stop::Target, 1));
        assert!(solution.parse::<Board>().unwrap().solves(&board));
        assert!(run(&board, "none", 10).1 > 1);
    }

    #[test]
    fn a_solution_found_from_forced_cells_solves_the_board_itself() {
        let board: Board =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..".parse().unwrap();
        let (stop, _, solution) = run(&board, "singles", 20_000);
        assert_eq!(stop, Stop::Target);
        assert!(solution.parse::<Board>().unwrap().solves(&board));
    }

    #[test]
    fn a_board_that_logic_finds_impossible_is_searched_as_it_stands() {
        let board: Board = "123. .... ...4 ....".parse().unwrap();
        assert_eq!(run(&board, "singles", 3).0, Stop::Generations);
    }
}
