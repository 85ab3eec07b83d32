//! Sudoku: each row, column and box must contain every digit once.
//!
//! A [`Board`] is read and checked only once. A [`Sudoku`] is the [`Problem`](evogrid_core::problem::Problem) of solving a board. Each
//! [`Sudoku`] has a [`Representation`] and a [`FitnessKind`]. [`exact`] counts solutions, [`generate`] makes boards with exactly one
//! solution, and [`logic`] fills forced cells. [`independent_check`] checks solutions and shares no code with the search. [`SudokuFamily`]
//! makes the problem available to the program.
//!
//! ```
//! use evogrid_core::problem::Problem;
//! use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Sudoku, exact};
//!
//! let board: Board = "1... .3.. .... ...2".parse()?;
//! let problem = Sudoku::new(&board, Representation::Boxes, FitnessKind::Missing);
//! let solved = exact::solve(&board).expect("it has a solution");
//! assert_eq!(problem.fitness(&problem.genome_of(&solved)).value(), 0.0);
//! # Ok::<(), evogrid_core::family::InstanceError>(())
//! ```

mod board;
mod drawing;
mod equivalence;
pub mod exact;
mod examples;
mod family;
mod fitness;
pub mod generate;
mod geometry;
pub mod independent_check;
pub mod logic;
mod neighbourhood;
mod parse;
mod problem;
mod rating;
mod sampling;
mod shape;

#[cfg(test)]
mod neighbourhood_tests;
#[cfg(test)]
mod tests;

pub use board::Board;
pub use family::SudokuFamily;
pub use fitness::FitnessKind;
pub use geometry::Representation;
pub use problem::Sudoku;
pub use shape::Shape;
