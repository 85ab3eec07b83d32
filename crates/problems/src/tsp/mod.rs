//! The travelling salesman problem: the shortest closed tour through all cities, symmetric, 3 to 65,535 cities.
//!
//! A [`TspInstance`] is read ([`parse_instance`]) or made ([`uniform`], [`DimacsInstance`]) once, and shares its [`NeighbourLists`] with all its copies; a
//! [`TspProblem`] is the [`Problem`](evogrid_core::problem::Problem) made of it. Distances are computed when they are asked for, the
//! nearest cities are found by a tree, and a move takes time for what it reverses: nothing is quadratic in the cities, unless they are
//! given as a matrix. [`independent_check`] measures tours without any of this; [`TspFamily`] offers it all to the program.
//!
//! ```
//! use evogrid_core::problem::Problem;
//! use evogrid_core::random::RandomStream;
//! use evogrid_core::search::Start;
//! use evogrid_problems::tsp::{DimacsInstance, TspProblem};
//!
//! let published = DimacsInstance::find("E1k.0").expect("it is one of the challenge's");
//! let problem = TspProblem::new(published.make());
//! let mut tour = vec![0; problem.layout().gene_len()];
//! Start::from_name("greedy").write(&problem, &mut tour, &mut RandomStream::from_seed(1));
//! let (shortest, is_optimal) = published.best_known.expect("it is known");
//! assert!(is_optimal && problem.fitness(&tour).value() < 1.2 * shortest as f64);
//! ```

mod ants;
pub mod construction;
mod drawing;
mod examples;
mod family;
mod forms;
pub mod independent_check;
mod instance;
mod k_d_tree;
mod moves;
mod neighbourhood;
mod neighbours;
mod numbers;
mod partial;
mod portgen;
mod problem;
mod request;
mod tour;
mod weights;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tsplib_tests;

pub use family::TspFamily;
pub use forms::tsplib::parse_instance;
pub use instance::{N_NEIGHBOURS, TspInstance};
pub(crate) use k_d_tree::KdTree;
pub(crate) use neighbourhood::Length;
pub use neighbours::{Neighbour, NeighbourLists};
pub(crate) use numbers::{MAX_CITIES, MIN_CITIES};
pub use portgen::{DimacsInstance, uniform};
pub use problem::TspProblem;
pub(crate) use tour::Tour;
pub use weights::{WeightKind, Weights};
