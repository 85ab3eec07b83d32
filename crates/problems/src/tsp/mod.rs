//! The travelling salesman problem: the shortest closed tour through all cities, symmetric, 3 to 65,535 cities.

mod document;
mod instance;
mod k_d_tree;
mod moves;
mod neighbours;
mod portgen;
mod tour;
mod tsplib;
mod weights;

pub use document::TextError;
pub use instance::{N_NEIGHBOURS, TspInstance};
pub use moves::{MAX_SEGMENT, MoveScan, TourMove};
pub use neighbours::{Neighbour, NeighbourLists};
pub use portgen::{DIMACS, DimacsInstance, uniform};
pub use tour::Tour;
pub use tsplib::{MAX_CITIES, MIN_CITIES, parse_instance, parse_tour};
pub use weights::{MAX_COORDINATE, MAX_WEIGHT, WeightKind, Weights};
pub mod construction;
pub mod local_search;
