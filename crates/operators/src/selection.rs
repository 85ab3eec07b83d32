//! Selection: chooses the parents.

pub mod stochastic_universal;
pub mod truncation;
