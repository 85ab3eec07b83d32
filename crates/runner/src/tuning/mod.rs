//! Tuning: a race of configurations that are drawn from a space. What is drawn, done and dropped depends on the outcomes of the runs and on the seed,
//! and neither on the order in which runs end nor on the budget: a longer race begins with the shorter one.

pub mod carry_out;
mod course;
mod outputs;
mod path;
mod plans;
mod race_runs;

pub use course::{Candidate, TuningCourse};
pub use path::PathStep;
pub use race_runs::Tuner;
