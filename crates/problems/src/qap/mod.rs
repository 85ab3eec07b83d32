//! The quadratic assignment problem: assign a row of one matrix to every row of another matrix, with the least sum of the products of their
//! entries.

mod deltas;
mod family;
pub mod independent_check;
mod instance;
mod neighbourhood;
mod operands;
mod partial;
mod problem;
mod scalar;
pub mod taillard;

#[cfg(test)]
mod neighbourhood_tests;
#[cfg(test)]
mod tests;

pub use family::QapFamily;
pub use instance::{MAX_COST, Matrices, read_dat};
pub use problem::Qap;
