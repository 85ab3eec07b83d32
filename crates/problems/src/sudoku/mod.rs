//! Sudoku: fill a board so that every row, column and box holds every digit once.
//!
//! A [`Board`] is read and checked once; a [`Sudoku`] is the [`Problem`](evogrid_core::problem::Problem) made of it, with a choice
//! of [`Representation`] and [`FitnessKind`]. [`exact`] counts solutions, [`generate`] makes boards that have just one, [`logic`]
//! fills forced cells, [`witness`] checks solutions without any of them.

mod board;
mod board_colony;
mod drawing;
pub mod equivalence;
pub mod exact;
mod examples;
mod explorers;
mod family;
mod fitness;
pub mod generate;
mod geometry;
pub mod logic;
mod parse;
mod problem;
mod rating;
mod representation;
mod request;
mod shape;
pub mod witness;

#[cfg(test)]
mod colony_tests;
#[cfg(test)]
mod tests;

pub use board::{Board, BoardError};
pub use family::SudokuFamily;
pub use fitness::FitnessKind;
pub use problem::Sudoku;
pub use representation::Representation;
pub use shape::{MAX_SIDE, Shape, ShapeError};
