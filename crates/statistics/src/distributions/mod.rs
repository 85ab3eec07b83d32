//! Distributions and the draws from them, and what finds their quantiles.

pub(crate) mod binomial;
pub(crate) mod bisection;
pub(crate) mod chi_squared;
pub(crate) mod draws;
pub(crate) mod normal;
pub(crate) mod student;
pub(crate) mod studentized_range;
