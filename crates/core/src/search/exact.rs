//! Exact methods: they find a solution or prove that there is none, of any problem that is all-different [`Structure`].
//!
//! An exact method is a [`Search`](crate::search::Search) like any other and leaves the same [`Outcome`](crate::evaluator::Outcome),
//! read so: `evaluations` counts the nodes of its search, `generations` its backtracks; it stops with
//! [`Target`](crate::budget::Stop::Target) at a solution and with [`Exhausted`](crate::budget::Stop::Exhausted) where there is
//! none. It ends by itself, so it needs no budget; of one that is given, the limits of a trial (`generations`, `stagnation`,
//! `restarts`) do not touch it.
//!
//! In this module **cells** are positions of a genome with a value each: 0 for a cell that needs one, else its allele plus 1.

pub mod backtracking;
pub mod history;
mod parallel;
pub mod sanity;
mod structure;
mod tree;

pub use structure::{Structure, StructureError, cells_of, genome_of};
