//! Imports turn the results of other programs into `runs.csv` and `trace.csv.gz`.
//!
//! [`ioh`] reads the format of IOHprofiler, which [`export`](crate::export) can write. The memory that an import needs does not grow with
//! the length of the runs. The memory contains only the descriptions of the runs in one file.

mod description;
pub mod ioh;
