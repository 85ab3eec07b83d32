//! What a problem and a search are.
//!
//! Everything here is a list of permutation genes with locked positions (a [`Layout`](layout::Layout)), a
//! [`Problem`](problem::Problem) that tells the fitness of such a genome, and search loops that run on any problem, watched by
//! an observer, limited by a budget and fed by one random stream.
//!
//! This crate reads no file, prints nothing, and knows the time only through the budget.

pub mod algorithm;
pub mod budget;
pub mod catalogue;
pub mod colony;
mod diversity;
pub mod evaluator;
pub mod example;
pub mod family;
pub mod fitness;
pub mod identity;
pub mod layout;
pub mod observer;
pub mod operator;
pub mod parameter;
pub mod population;
pub mod problem;
pub mod random;
pub mod registry;
pub mod search;
pub mod settings;
pub mod suggestion;
