//! Imports turn the results of other programs into `runs.csv` and `trace.csv.gz`.
//!
//! [`ioh`] reads the format of IOHprofiler, which [`export`](crate::export) can write. Memory does not grow with the length of runs. Only
//! the descriptions of one file's runs are in memory.

mod course;
mod description;
pub mod ioh;
