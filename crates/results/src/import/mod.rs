//! Imports turn the results of other programs into `runs.csv` and `trace.csv.gz`.
//!
//! [`ioh`] reads the format of IOHprofiler, which [`export`](crate::export) can write. Memory does not grow with the length of runs. It
//! contains only descriptions of the runs in one file.

mod description;
pub mod ioh;
