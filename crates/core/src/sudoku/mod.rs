//! Sudoku: the first family of problems.
//!
//! A [`Board`] is read and checked once; a [`Sudoku`] is the [`Problem`](crate::problem::Problem) made of it, with a choice
//! of [`Representation`] and [`FitnessKind`]. [`exact`] counts solutions, [`generate`] makes boards that have just one, [`logic`]
//! fills forced cells, [`witness`] checks solutions without any of them.

mod board;
pub mod equivalence;
pub mod exact;
mod explorers;
mod fitness;
pub mod generate;
mod geometry;
mod hive;
mod kind;
pub mod logic;
mod parse;
mod problem;
mod representation;
mod shape;
pub mod witness;

#[cfg(test)]
mod colony_tests;
#[cfg(test)]
mod tests;

pub use board::{Board, BoardError};
pub use fitness::FitnessKind;
pub use kind::member;
pub use problem::Sudoku;
pub use representation::Representation;
pub use shape::{MAX_SIDE, Shape, ShapeError};
