//! Commands on instances: solve, rate and generate them.

pub(crate) mod generate;
pub(crate) mod rate;
pub(crate) mod solve;
