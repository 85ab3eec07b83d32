//! Honest statistics: no rate without an interval.

mod binomial;
mod holm;
mod interval;
mod pairs;
mod prediction;
mod wilson;

pub use holm::holm;
pub use interval::Interval;
pub use pairs::Pairs;
pub use prediction::{Range, predict};
pub use wilson::wilson;
