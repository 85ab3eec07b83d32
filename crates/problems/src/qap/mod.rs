//! The quadratic assignment problem: give every row of one matrix a row of another, so that the sum of the products of their entries is
//! least.

mod deltas;
mod family;
mod generate;
pub mod independent_check;
mod instance;
mod neighbourhood;
mod operands;
mod parse;
mod partial;
mod problem;
mod scalar;
pub mod taillard;

#[cfg(test)]
mod neighbourhood_tests;
#[cfg(test)]
mod tests;

pub use family::QapFamily;
pub use instance::{MAX_COST, Matrices};
pub use parse::read_dat;
pub use problem::Qap;
