//! Survival: decides who lives on.

pub mod generational;
pub mod parents_stay;

mod elitism;
