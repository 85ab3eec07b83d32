//! Imports: results of other programs as our own `runs.csv` and `trace.csv.gz`.
//!
//! [`ioh`] is the format of IOHprofiler, which [`export`](crate::export) writes. Memory does not grow with the length of runs. Only the
//! descriptions of the runs in one file are in memory at the same time.

mod course;
mod description;
pub mod ioh;
