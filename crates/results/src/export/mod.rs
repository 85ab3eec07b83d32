//! Exports write our results in the formats of other programs.
//!
//! [`ioh`] writes the format of IOHprofiler. [`csv`] converts files of other programs to our own format. `parquet` (only with the feature
//! `parquet`) writes the same tables as the CSV files, but with types for the columns. An export makes a new folder. The folder appears
//! only when all its files are complete. The memory that an export needs does not grow with the number of runs.

pub mod csv;
pub(crate) mod folder;
pub mod ioh;
#[cfg(feature = "parquet")]
pub mod parquet;

use std::fs::File;
use std::io;
use std::path::Path;

use crate::files::FileError;
use crate::format::{printable, quoted};
use crate::metadata::ColumnType;
use crate::runs::{ColumnName, Reader};
use crate::sheet::ReadError;

/// The error of an export or an import.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the errors")]
#[non_exhaustive]
pub enum ConversionError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{0}")]
    Refused(String),
}

impl ConversionError {
    /// The error if the output exists already.
    pub(crate) fn exists(path: &Path) -> Self {
        let path = path.to_string_lossy();
        Self::Refused(format!(
            "`{}` already exists: remove it, or choose another folder with `--out`",
            printable(&path)
        ))
    }

    /// The error if a file of runs changed between two passes.
    fn changed(runs: &Path) -> Self {
        Self::Refused(format!(
            "{} changed between two readings, or can be read only once: expected a regular file that no program is writing",
            quoted(&runs.to_string_lossy())
        ))
    }
}

/// Returns a reader of a file of runs, and for each varied setting a type that fits all its values. To find these types, the file is read
/// once before.
fn open_typed(runs: &Path, names: &[ColumnName]) -> Result<(Reader<File>, Vec<ColumnType>), ConversionError> {
    let first = Reader::open_named(runs, names)?;
    let mut kinds: Vec<Option<ColumnType>> = vec![None; first.varied.len()];
    for row in first {
        for (kind, value) in kinds.iter_mut().zip(row?.varied).filter(|(_, value)| !value.is_empty()) {
            let own = ColumnType::infer(&value);
            *kind = Some(kind.map_or(own, |kind| kind.with(own)));
        }
    }
    let reader = Reader::open_named(runs, names)?;
    if kinds.len() != reader.varied.len() {
        return Err(ConversionError::changed(runs));
    }
    Ok((reader, kinds.into_iter().map(|kind| kind.unwrap_or(ColumnType::Text)).collect()))
}
