//! Metadata: the types of the columns of tables such as `runs.csv`. The form is "CSV on the Web" (W3C, "Metadata Vocabulary for Tabular
//! Data", 2015). So a reader need not guess the type of a column from its first rows. The first rows of a column may be empty.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::columns::{Column, Value, around_settings, column_of_setting};
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
    schema: BTreeMap<&'static str, Vec<ColumnDescription>>,
}

/// A column of a table.
#[derive(Serialize)]
pub struct ColumnDescription {
    /// The name of the column in the first line of the file.
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
}

/// Writes the metadata of several tables as one JSON object. Each table is passed together with the name of its file.
///
/// ```
/// use evogrid_results::metadata::{self, ColumnType};
///
/// let mut json = Vec::new();
/// metadata::write(&mut json, vec![("runs.csv", metadata::of_runs(&[("rate", ColumnType::Real)], &[]))])?;
/// let json: serde_json::Value = serde_json::from_slice(&json)?;
/// let rate = &json["tables"][0]["tableSchema"]["columns"][3];
/// assert_eq!((&rate["titles"], &rate["datatype"]), (&"rate".into(), &"double".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `output` cannot be written.
pub fn write(mut output: impl Write, tables: Vec<(&'static str, Vec<ColumnDescription>)>) -> io::Result<()> {
    let table = |(url, columns)| TableDescription { url, schema: BTreeMap::from([("columns", columns)]) };
    let tables = tables.into_iter().map(table).collect();
    serde_json::to_writer_pretty(&mut output, &TableGroup { context: "http://www.w3.org/ns/csvw", tables })?;
    writeln!(output)
}

/// Describes the columns of a `runs.csv`. `varied` contains the path of each varied setting and the type of its values. `missing` contains
/// the columns that the file lacks.
pub fn of_runs(varied: &[(&str, ColumnType)], missing: &[&str]) -> Vec<ColumnDescription> {
    let empty = Row::default();
    let known = |column: &Column| ColumnDescription::new(column.name, column.get(&empty).into(), column.doc);
    let [before, after] = around_settings(missing);
    let settings = varied.iter().map(|&(path, kind)| ColumnDescription::new(&column_of_setting(path), kind, ""));
    before.into_iter().map(known).chain(settings).chain(after.into_iter().map(known)).collect()
}

evogrid_core::choices! {
    /// The type of the values of a column. "CSV on the Web" defines the names.
    #[non_exhaustive]
    pub enum ColumnType {
        /// Whole numbers of 64 bits, with a sign.
        Whole = "integer",
        /// Numbers.
        Real = "double",
        /// Truth values.
        Truth = "boolean",
        /// Text.
        Text = "string",
    }
}

impl ColumnType {
    /// The type of a value that is written as text.
    pub(crate) fn infer(text: &str) -> Self {
        if text.parse().is_ok_and(|whole: i64| whole.to_string() == text) {
            return Self::Whole;
        }
        match text {
            "true" | "false" => Self::Truth,
            _ if text.ends_with(|last: char| last.is_ascii_digit()) && text.parse().is_ok_and(f64::is_finite) => {
                Self::Real
            }
            _ => Self::Text,
        }
    }

    /// The type that can represent all values of both types.
    ///
    /// ```
    /// use evogrid_results::metadata::ColumnType;
    ///
    /// assert_eq!(ColumnType::Whole.with(ColumnType::Real), ColumnType::Real);
    /// assert_eq!(ColumnType::Truth.with(ColumnType::Whole), ColumnType::Text);
    /// ```
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        match (self, other) {
            (own, other) if own == other => own,
            (Self::Whole | Self::Real, Self::Whole | Self::Real) => Self::Real,
            _ => Self::Text,
        }
    }
}

impl From<Value<'_>> for ColumnType {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Count(_) => Self::Whole,
            Value::Real(_) | Value::Time(_) => Self::Real,
            Value::Truth(_) => Self::Truth,
            Value::Text(_) | Value::Id(_) => Self::Text,
        }
    }
}
