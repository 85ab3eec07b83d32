//! Sudoku in the catalogue: how boards are read, and the choices that an experiment has.

use std::collections::BTreeMap;

use super::{Board, FitnessKind, Representation, Shape, Sudoku};
use crate::catalogue::Member;
use crate::parameter::{Declaration, Parameter, names};
use crate::problem::{Instance, ProblemKind};
use crate::search::Solve;
use crate::settings::Settings;

const PARAMETERS: &[Parameter] = &[
    Parameter::choice("representation", &names(&Representation::NAMES), "boxes", "which part of the board a gene is"),
    Parameter::choice("fitness", &names(&FitnessKind::NAMES), "missing", "what is minimised; 0 is solved"),
];

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
}

impl Instance for Board {
    fn content(&self) -> String {
        format!("{} {self}", self.shape())
    }

    fn prepare(&self, settings: &Settings) -> Box<dyn Solve> {
        let representation = settings.choice("representation", &Representation::NAMES);
        Box::new(Sudoku::new(self, representation, settings.choice("fitness", &FitnessKind::NAMES)))
    }
}
