//! Tuning: a race of configurations that are drawn from a space. The race depends on the outcomes of the runs and on the seed. The race
//! does not depend on the order in which runs end. The race does not depend on the budget, either: a longer race begins with the same
//! blocks as a shorter race.

pub mod carry_out;
mod course;
mod outputs;
mod path;
mod plans;
mod race_runs;

pub use course::{Candidate, TuningCourse};
pub use path::PathStep;
pub use race_runs::Tuner;
