//! What runs mean, from `runs.csv` to the tables, tests, charts and verdicts of a paper.

pub mod charts;
pub mod claim;
pub mod compare;
mod published;
pub mod samples;
pub mod table;
#[cfg(test)]
mod test_runs;
mod trace;

pub use published::Published;
