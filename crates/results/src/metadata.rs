//! Metadata: the types of the columns of tables such as `runs.csv`, in the form of "CSV on the Web" (W3C, "Metadata Vocabulary for
//! Tabular Data", 2015), so that a reader need not guess them from the first rows, where a column may be empty.

use std::io::{self, Write};

use serde::Serialize;

pub use crate::column_type::ColumnType;
use crate::columns::{BEFORE_SETTINGS, COLUMNS, Column, column_of_setting};
use crate::run::Row;

/// Tables.
#[derive(Serialize)]
struct TableGroup {
    #[serde(rename = "@context")]
    context: &'static str,
    tables: Vec<TableDescription>,
}

#[derive(Serialize)]
struct TableDescription {
    url: &'static str,
    #[serde(rename = "tableSchema")]
    schema: TableSchema,
}

#[derive(Serialize)]
struct TableSchema {
    columns: Vec<ColumnDescription>,
}

/// A column of a table.
#[derive(Serialize)]
pub struct ColumnDescription {
    /// Its name in the first line of the file.
    titles: String,
    datatype: &'static str,
    #[serde(rename = "dc:description", skip_serializing_if = "str::is_empty")]
    doc: &'static str,
}

impl ColumnDescription {
    /// A column with this name, type and description.
    pub fn new(name: &str, kind: ColumnType, doc: &'static str) -> Self {
        Self { titles: name.to_owned(), datatype: kind.name(), doc }
    }

    /// Its name in the first line of the file.
    pub(crate) fn name(&self) -> &str {
        &self.titles
    }
}

/// Writes the metadata of tables, each with its file, as one object of JSON.
///
/// ```
/// use evogrid_results::metadata::{self, ColumnType};
///
/// let mut json = Vec::new();
/// metadata::write(&mut json, vec![("runs.csv", metadata::of_runs(&[("rate", ColumnType::Real)]))])?;
/// let json: serde_json::Value = serde_json::from_slice(&json)?;
/// let rate = &json["tables"][0]["tableSchema"]["columns"][3];
/// assert_eq!((&rate["titles"], &rate["datatype"]), (&"rate".into(), &"double".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `output`.
pub fn write(mut output: impl Write, tables: Vec<(&'static str, Vec<ColumnDescription>)>) -> io::Result<()> {
    let table = |(url, columns)| TableDescription { url, schema: TableSchema { columns } };
    let tables = tables.into_iter().map(table).collect();
    serde_json::to_writer_pretty(&mut output, &TableGroup { context: "http://www.w3.org/ns/csvw", tables })?;
    writeln!(output)
}

/// The columns of a `runs.csv`; `varied` are the paths of the varied settings with the types of their values.
pub fn of_runs(varied: &[(&str, ColumnType)]) -> Vec<ColumnDescription> {
    let empty = Row::default();
    let known = |column: &Column| ColumnDescription::new(column.name, column.get(&empty).into(), column.doc);
    let (before, after) = COLUMNS.split_at(BEFORE_SETTINGS);
    let settings = varied.iter().map(|&(path, kind)| ColumnDescription::new(&column_of_setting(path), kind, ""));
    before.iter().map(known).chain(settings).chain(after.iter().map(known)).collect()
}
