//! Initialisation: makes the first genomes.

pub mod random;
pub mod smart;
