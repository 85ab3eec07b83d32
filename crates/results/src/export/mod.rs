//! Exports: results in the formats of other programs.
//!
//! [`ioh`] is the format of IOHprofiler; [`csv`] is our own, for files of other programs; `parquet` (behind the feature of that name) holds the same tables as the CSVs, with
//! types. An export is a new folder that appears whole or not at all. Memory never grows with the number of runs.

pub mod csv;
pub(crate) mod folder;
pub mod ioh;
mod names;
#[cfg(feature = "parquet")]
pub mod parquet;

use std::path::PathBuf;

use crate::files::FileError;
use crate::format::printable;
use crate::sheet::ReadError;

/// The error of an export.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ExportError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("`{}` already exists: remove it, or choose another folder with `--out`", printable(&path.to_string_lossy()))]
    Exists { path: PathBuf },
    #[error("`{}` cannot be the name of a new folder", printable(&path.to_string_lossy()))]
    Unnamed { path: PathBuf },
    #[error("{file} lacks the column `{column}`, which {format} needs")]
    MissingColumn { file: String, column: &'static str, format: &'static str },
    #[error("{file}: run {run} is solved, but its `best_fitness` is missing")]
    NoFitness { file: String, run: u64 },
    #[error("{file} has more than {most} instances, the limit of IOHprofiler: export fewer rows")]
    TooManyInstances { file: String, most: u64 },
    #[error("{file} changed while it was read, or it can be read only once: expected a regular file that is complete")]
    Changed { file: String },
    #[cfg(feature = "parquet")]
    #[error("cannot write `{}`", printable(&path.to_string_lossy()))]
    Parquet { path: PathBuf, source: ::parquet::errors::ParquetError },
}
