//! Exports a file of runs in the format of our own `runs.csv`. The new file uses our column names. Commas separate the columns, and numbers
//! have decimal points. A second file describes the types of the columns.

use std::path::Path;

use super::folder::NewFolder;
use super::{ConversionError, open_typed};
use crate::files::replace;
use crate::metadata::{self, ColumnType};
use crate::runs::{ColumnName, Row, Writer};

/// Exports a file of runs to a new or empty folder. `names` says which header a column has in the file of runs. Returns the number of runs,
/// and the columns that the file lacks.
///
/// # Errors
/// Returns an error if a file cannot be read or written. Returns an error if the folder is in use. If an error occurs, the output folder
/// contains no files.
pub fn export(runs: &Path, names: &[ColumnName], out: &Path) -> Result<(u64, Vec<&'static str>), ConversionError> {
    let folder = NewFolder::create(out)?;
    let (mut reader, kinds) = open_typed(runs, names)?;
    let n_runs = replace(&folder.inside.join("runs.csv"), |output| -> Result<u64, ConversionError> {
        let fractions: Vec<bool> = kinds.iter().map(|kind| *kind == ColumnType::Real).collect();
        let (mut row, mut n_runs) = (Row::default(), 0);
        let mut writer = Writer::without(output, &reader.varied, &reader.missing)?.with_fractions(&fractions);
        while reader.read_over(&mut row)? {
            writer.write(&row)?;
            n_runs += 1;
        }
        writer.finish()?;
        Ok(n_runs)
    })?;
    let varied: Vec<(&str, ColumnType)> = reader.varied.iter().map(String::as_str).zip(kinds).collect();
    let columns = metadata::of_runs(&varied, &reader.missing);
    replace(&folder.inside.join("csv-metadata.json"), |output| -> Result<(), ConversionError> {
        Ok(metadata::write(output, vec![("runs.csv", columns)])?)
    })?;
    folder.put_in_place()?;
    Ok((n_runs, reader.missing))
}
