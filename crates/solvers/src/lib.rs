#![doc = include_str!("../README.md")]
//!
//! The solvers `milp` and `sat` build their model from the all-different [`Structure`](evogrid_core::search::exact::Structure) of a
//! problem. The algorithm `backtracking` in the core crate uses the same structure, so it solves the same problems as the solvers. The
//! solvers are in their own crate, because their libraries take long to build.
//!
//! ```
//! use evogrid_core::algorithm::Solve;
//! use evogrid_core::budget::{Budget, Stop};
//! use evogrid_core::catalogue::Catalogue;
//! use evogrid_core::random::RandomStream;
//! use evogrid_core::settings::{Settings, Value};
//! use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Sudoku};
//!
//! let mut catalogue = Catalogue::new();
//! evogrid_solvers::register(&mut catalogue);
//! let mut settings = Settings::new();
//! settings.set("kind", Value::Text("sat".to_owned()));
//! let settings = catalogue.resolve(&settings, &[]).expect("they are complete");
//! let sat = catalogue.algorithm(&settings);
//!
//! let board: Board = "1..4..1.2..3.4..".parse()?;
//! let problem = Sudoku::new(&board, Representation::Rows, FitnessKind::Missing);
//! let outcome = problem.solve(&sat, &Budget::default(), &mut RandomStream::from_seed(1), &mut ());
//! assert_eq!(outcome.stop, Stop::Target);
//! # Ok::<(), evogrid_core::family::InstanceError>(())
//! ```

mod model;
mod run;

pub mod milp;
pub mod sat;

use evogrid_core::catalogue::Catalogue;

/// Adds the algorithms `milp` and `sat` to a catalogue.
pub fn register(catalogue: &mut Catalogue) {
    catalogue.add_self_terminating(milp::MEMBER);
    catalogue.add_self_terminating(sat::MEMBER);
}
