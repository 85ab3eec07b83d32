//! Tuning: draws configurations from a space, and compares them in a race. The race depends on the outcomes of the runs and on the seed.
//! The order in which runs end does not matter. A larger budget makes the race longer, but does not change its first blocks.

pub mod carry_out;
mod course;
mod outputs;
mod path;
mod plans;
mod race_runs;

pub use course::{Candidate, TuningCourse};
pub use path::PathStep;
pub use race_runs::Tuner;
