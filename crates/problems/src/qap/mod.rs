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
pub(crate) use instance::MAX_SIZE;
pub use instance::{MAX_COST, Matrices};
pub(crate) use operands::Operands;
pub use parse::read_dat;
pub use problem::Qap;
pub(crate) use scalar::Scalar;
