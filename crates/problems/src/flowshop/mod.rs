//! Permutation flow shops: find the order in which jobs pass the machines, the same on all of them, that finishes early.
//!
//! [`ProcessingTimes`] are read and checked once; a [`FlowShop`] is the [`Problem`](evogrid_core::problem::Problem) made of them and a
//! [`Criterion`]. Insertions of a job are computed for all its positions at once, makespans by Taillard's acceleration.
//! [`TaillardInstance`] makes the published instances, [`independent_check`] checks solutions without any of them. [`FlowShopFamily`]
//! offers all that to the program.
//!
//! ```
//! use evogrid_core::problem::Problem;
//! use evogrid_problems::flowshop::{Criterion, FlowShop, TaillardInstance};
//!
//! let published = TaillardInstance::find("ta001").expect("it is published");
//! let problem = FlowShop::new(published.times(), Criterion::Makespan);
//! let sequence = problem.neh(false);
//! assert_eq!(problem.fitness(&sequence).value(), 1286.0);
//! assert_eq!(published.makespan_2025, 1278);
//! ```

mod blocks;
mod construction;
mod drawing;
mod evaluate;
mod examples;
mod family;
pub mod independent_check;
mod machines;
mod neighbourhood;
mod parse;
mod problem;
mod request;
mod schedule;
mod taillard;
mod time;
mod times;

#[cfg(test)]
mod schedule_tests;
#[cfg(test)]
mod tests;

pub use evaluate::Criterion;
pub use family::FlowShopFamily;
pub(crate) use machines::Machines;
pub(crate) use neighbourhood::{TimedInsertions, Value};
pub use problem::FlowShop;
pub(crate) use schedule::Workspace;
pub use taillard::{BestKnownList, TaillardInstance, random_times};
pub(crate) use time::Time;
pub use times::ProcessingTimes;
