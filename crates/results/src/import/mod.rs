//! Imports: results of other programs as our own `runs.csv` and `trace.csv.gz`.
//!
//! [`ioh`] is the format of IOHprofiler, which [`export`](crate::export) writes. Memory does not grow with the length of runs, and with
//! their number only by what a file that describes them says of each.

mod course;
mod description;
mod folders;
pub mod ioh;

use std::path::PathBuf;

use crate::export::ExportError;
use crate::files::FileError;
use crate::format::printable;

/// The error of an import.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ImportError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Output(#[from] ExportError),
    #[error("{} has no file `IOHprofiler_f*.json`: expected a folder that IOHprofiler's logger wrote{help}", printable(&path.to_string_lossy()))]
    NoDescription { path: PathBuf, help: &'static str },
    #[error("{} is given twice, and its runs would count twice: name each folder once", printable(&path.to_string_lossy()))]
    Repeated { path: PathBuf },
    #[error(
        "{file}:{line}:{column}: {message}; expected the description of runs that IOHprofiler's logger writes{help}"
    )]
    Description { file: String, line: usize, column: usize, message: String, help: &'static str },
    #[error("{file}: the path `{path}` leaves the folder: expected a path in it")]
    Outside { file: String, path: String },
    #[error("{file}:{line}: expected {expected}, found `{found}`")]
    Course { file: String, line: u64, expected: String, found: String },
}
