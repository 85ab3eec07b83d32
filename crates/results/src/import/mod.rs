//! An import converts the results of another program to `runs.csv` and `trace.csv.gz`.
//!
//! [`ioh`] reads the format of IOHprofiler, which [`export`](crate::export) can write. The memory that an import needs does not grow with
//! the length of the runs. The import reads the files with descriptions of runs one after the other. Only the descriptions from the current
//! file are in memory.

mod description;
pub mod ioh;
