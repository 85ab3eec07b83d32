//! Permutation flow shops: the order in which jobs pass the machines, the same on all of them.

mod blocks;
mod evaluate;
mod schedule;
mod time;
mod times;

pub use evaluate::Criterion;
pub use times::{MAX_TIMES, ProcessingTimes, TimesError};
