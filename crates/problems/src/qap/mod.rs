//! The quadratic assignment problem: assign the rows of one matrix to the rows of another matrix. Each entry of the first matrix is
//! multiplied by the matching entry of the second matrix. The cost of an assignment is the sum of these products.

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
