//! Imports: results of other programs as our own `runs.csv` and `trace.csv.gz`.
//!
//! [`ioh`] is the format of IOHprofiler, which [`export`](crate::export) writes. Memory does not grow with the length of runs. With the
//! number of runs, it grows only by the descriptions of the runs in one file.

mod course;
mod description;
pub mod ioh;
