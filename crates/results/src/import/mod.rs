//! Imports turn the results of other programs into our own files `runs.csv` and `trace.csv.gz`.
//!
//! [`ioh`] reads the format of IOHprofiler, which [`export`](crate::export) can write. Memory does not grow with the length of runs. Only
//! the descriptions of the runs in one file are in memory at the same time.

mod description;
pub mod ioh;
