//! Sudoku: fill a board so that every row, column and box holds every digit once.
//!
//! A [`Board`] is read and checked once; a [`Sudoku`] is the [`Problem`](evogrid_core::problem::Problem) made of it, with a choice of
//! [`Representation`] and [`FitnessKind`]. [`exact`] counts solutions, [`generate`] makes boards that have just one, [`logic`]
//! fills forced cells, [`independent_check`] checks solutions without any of them. [`SudokuFamily`] offers all this to the program.
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
pub mod equivalence;
pub mod exact;
mod examples;
mod explorers;
mod family;
mod fitness;
pub mod generate;
mod geometry;
pub mod independent_check;
pub mod logic;
mod moves;
mod parse;
mod problem;
mod rating;
mod representation;
mod request;
mod shape;

#[cfg(test)]
mod neighbourhood_tests;
#[cfg(test)]
mod tests;

pub use board::Board;
pub use family::SudokuFamily;
pub use fitness::FitnessKind;
pub(crate) use fitness::{FitnessKernel, fitness_kernel};
pub(crate) use generate::BUCKETS;
pub(crate) use geometry::Lines;
pub use problem::Sudoku;
pub use representation::Representation;
pub(crate) use shape::BOX;
pub(crate) use shape::MAX_SIDE;
pub use shape::Shape;
