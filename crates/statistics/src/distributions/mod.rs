//! Distributions, random draws, and a bisection that finds quantiles.

pub(crate) mod binomial;
pub(crate) mod bisection;
pub(crate) mod chi_squared;
pub(crate) mod draws;
pub(crate) mod normal;
pub(crate) mod student;
pub(crate) mod studentized_range;
