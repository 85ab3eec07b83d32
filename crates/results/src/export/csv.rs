//! A file of runs as our own `runs.csv`: with our names of columns, commas and decimal points, and beside it the types of the columns.

use std::path::Path;

use super::ExportError;
use super::folder::NewFolder;
use crate::column_type::ColumnType;
use crate::files::{FileError, replace};
use crate::format::quoted;
use crate::metadata;
use crate::runs::{ColumnName, Reader, Row, Writer};

/// What was exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CsvReport {
    /// The number of runs.
    pub runs: u64,
    /// The columns that the file of runs lacks.
    pub missing: Vec<&'static str>,
}

/// Exports a file of runs with these names of columns to a new or empty folder.
///
/// # Errors
/// If a file cannot be read or written, or the folder is in use. In that case nothing is left behind.
pub fn export(runs: &Path, names: &[ColumnName], out: &Path) -> Result<CsvReport, ExportError> {
    let folder = NewFolder::create(out)?;
    let kinds = kinds_of_varied(runs, names)?;
    let mut reader = Reader::open_named(runs, names)?;
    let (varied, missing) = (reader.varied().to_vec(), reader.missing().to_vec());
    if kinds.len() != varied.len() {
        return Err(ExportError::Changed { file: quoted(&runs.to_string_lossy()) });
    }
    let path = folder.inside().join("runs.csv");
    let n_runs = replace(&path, |output| -> Result<u64, ExportError> {
        let named = FileError::from_io("write", &path);
        let fractions: Vec<bool> = kinds.iter().map(|kind| *kind == ColumnType::Real).collect();
        let (mut row, mut n_runs) = (Row::default(), 0);
        let mut writer = match Writer::without(output, &varied, &missing) {
            Ok(writer) => writer.with_fractions(&fractions),
            Err(error) => return Err(named(error).into()),
        };
        while reader.read_over(&mut row)? {
            writer.write(&row).map_err(FileError::from_io("write", &path))?;
            n_runs += 1;
        }
        writer.finish().map_err(named)?;
        Ok(n_runs)
    })?;
    let varied: Vec<(&str, ColumnType)> = varied.iter().map(String::as_str).zip(kinds).collect();
    let columns = metadata::of_runs(&varied).into_iter().filter(|column| !missing.contains(&column.name())).collect();
    let path = folder.inside().join("csv-metadata.json");
    replace(&path, |output| -> Result<(), FileError> {
        metadata::write(output, vec![("runs.csv", columns)]).map_err(FileError::from_io("write", &path))
    })?;
    folder.put_in_place()?;
    Ok(CsvReport { runs: n_runs, missing })
}

/// For each varied setting the type of all its values.
pub(super) fn kinds_of_varied(runs: &Path, names: &[ColumnName]) -> Result<Vec<ColumnType>, ExportError> {
    let reader = Reader::open_named(runs, names)?;
    let mut kinds: Vec<Option<ColumnType>> = vec![None; reader.varied().len()];
    for row in reader {
        for (kind, value) in kinds.iter_mut().zip(row?.varied).filter(|(_, value)| !value.is_empty()) {
            let own = ColumnType::infer(&value);
            *kind = Some(kind.map_or(own, |kind| kind.with(own)));
        }
    }
    Ok(kinds.into_iter().map(|kind| kind.unwrap_or(ColumnType::Text)).collect())
}
