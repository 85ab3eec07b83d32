//! Mutation: changes a genome.

pub mod collision_swap;
