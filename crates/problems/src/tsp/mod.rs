//! The travelling salesman problem: the shortest closed tour through all cities, symmetric, 3 to 65,535 cities.

pub mod construction;
mod document;
mod drawing;
mod examples;
mod family;
pub mod independent_check;
mod instance;
mod k_d_tree;
mod moves;
mod neighbourhood;
mod neighbours;
mod partial;
mod portgen;
mod problem;
mod request;
mod tour;
mod tsplib;
mod weights;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tsplib_tests;

pub use document::TextError;
pub use family::TspFamily;
pub use instance::{N_NEIGHBOURS, TspInstance};
pub use neighbours::{Neighbour, NeighbourLists};
pub use portgen::{DIMACS, DimacsInstance, uniform};
pub use problem::TspProblem;
pub use tsplib::{MAX_CITIES, MIN_CITIES, parse_instance, parse_tour};
pub use weights::{MAX_COORDINATE, MAX_WEIGHT, WeightKind, Weights};
