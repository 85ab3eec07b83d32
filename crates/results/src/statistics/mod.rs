//! Honest statistics: no rate without an interval.

mod prediction;
mod wilson;

pub use prediction::{Range, predict};
pub use wilson::{Interval, wilson};
