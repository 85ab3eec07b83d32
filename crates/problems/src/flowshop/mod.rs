//! Permutation flow shops: find an order in which the jobs finish early. The order of the jobs is the same on all machines.
//!
//! The [`ProcessingTimes`] of an instance are read and checked only once. A [`FlowShop`] is a [`Problem`](evogrid_core::problem::Problem).
//! The solutions of a flow shop are sequences of jobs. The fitness is a [`Criterion`], which is minimised. The problem evaluates all
//! insertions of a job at once. The problem computes makespans with Taillard's acceleration. [`taillard`] makes the published instances.
//! [`independent_check`] checks solutions and shares no code with the search. [`FlowShopFamily`] makes the problem available to the
//! program.
//!
//! ```
//! use evogrid_core::problem::Problem;
//! use evogrid_problems::flowshop::{Criterion, FlowShop, taillard};
//!
//! let problem = FlowShop::new(taillard::times("ta001"), Criterion::Makespan);
//! let sequence = problem.neh(false);
//! assert_eq!(problem.fitness(&sequence).value(), 1286.0);
//! let published = taillard::published().next().expect("the table has rows");
//! assert_eq!(published.number::<u32>("best_known_cmax_2025"), 1278);
//! ```

mod drawing;
mod family;
pub mod independent_check;
mod machines;
mod neighbourhood;
mod parse;
mod problem;
mod schedule;
pub mod taillard;
mod times;

#[cfg(test)]
mod schedule_tests;
#[cfg(test)]
mod tests;

pub use family::FlowShopFamily;
pub use problem::FlowShop;
pub use times::{Criterion, ProcessingTimes};
