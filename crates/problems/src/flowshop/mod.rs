//! Permutation flow shops: the order in which jobs pass the machines, the same on all of them.

mod blocks;
mod construction;
mod evaluate;
mod neighbourhood;
mod problem;
mod schedule;
mod taillard;
mod time;
mod times;

pub use evaluate::Criterion;
pub use problem::FlowShop;
pub use taillard::{BestKnownList, MODULUS, TaillardInstance, random_times};
pub use times::{MAX_TIMES, ProcessingTimes, TimesError};
