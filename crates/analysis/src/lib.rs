//! What runs mean, from `runs.csv` to the tables, tests, charts and verdicts of a paper.

pub mod charts;
pub mod claim;
pub mod compare;
pub mod published;
pub mod samples;
pub mod table;
#[cfg(test)]
mod test_runs;

pub use published::Published;
