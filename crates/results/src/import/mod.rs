//! Imports turn the results of other programs into `runs.csv` and `trace.csv.gz`.
//!
//! [`ioh`] reads the format of IOHprofiler, which [`export`](crate::export) can write. The memory that an import needs does not grow with
//! the length of the runs. At any time, the import has the descriptions of runs from only one file in memory.

mod description;
pub mod ioh;
