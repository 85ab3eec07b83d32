//! The travelling salesman problem: the shortest closed tour through all cities. An instance is symmetric and has 3 to 65,535 cities.
//!
//! A [`TspInstance`] is read ([`parse_instance`]) or made ([`dimacs`]) once. All copies of an instance share the same [`NeighbourLists`]. A
//! [`TspProblem`] is the [`Problem`](evogrid_core::problem::Problem) of finding the shortest tour of an instance. Distances are computed on
//! demand, and a tree finds the nearest cities. The time of a move is proportional to the number of moved cities. Therefore time and memory
//! are not quadratic in the number of cities. Time and memory are quadratic only if an instance has a matrix. [`independent_check`]
//! measures tours and shares no code with the search. [`TspFamily`] makes the problem available to the program.
//!
//! ```
//! use evogrid_core::problem::Problem;
//! use evogrid_core::random::RandomStream;
//! use evogrid_core::search::Start;
//! use evogrid_problems::tsp::{TspProblem, dimacs};
//!
//! let published = dimacs::published().next().expect("the table has rows");
//! let problem = TspProblem::new(dimacs::instance(published.id));
//! let mut tour = vec![0; problem.layout().gene_len()];
//! Start::from_name("greedy").write(&problem, &mut tour, &mut RandomStream::from_seed(1));
//! assert!(problem.fitness(&tour).value() < 1.2 * published.number::<f64>("best_known_length"));
//! ```

mod ants;
pub mod construction;
pub mod dimacs;
mod drawing;
mod family;
pub mod independent_check;
mod instance;
mod k_d_tree;
mod moves;
mod neighbourhood;
mod problem;
mod tour;
mod tsplib;
mod weights;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tsplib_tests;

pub use family::TspFamily;
pub use instance::{N_NEIGHBOURS, TspInstance};
pub use k_d_tree::{Neighbour, NeighbourLists};
pub use problem::TspProblem;
pub use tsplib::parse_instance;
pub use weights::{WeightKind, Weights};
