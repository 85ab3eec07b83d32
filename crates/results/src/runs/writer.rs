//! Writes `runs.csv`.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Row;
use crate::columns::{BEFORE_SETTINGS, COLUMNS, Column, Value};
use crate::format::{write_decimal, write_fixed};

/// Writes rows behind a line of column names.
#[derive(Debug)]
pub struct Writer<W: Write> {
    csv: csv::Writer<W>,
    /// A field on its way; kept for its memory.
    field: String,
}

impl<W: Write> Writer<W> {
    /// Writes the names of the columns; `varied` are the paths of the varied settings.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn new(output: W, varied: &[String]) -> io::Result<Self> {
        let mut csv = csv::WriterBuilder::new().buffer_capacity(1 << 16).from_writer(output);
        let (before, after) = COLUMNS.split_at(BEFORE_SETTINGS);
        let name = |column: &Column| column.name;
        csv.write_record(
            before.iter().map(name).chain(varied.iter().map(String::as_str)).chain(after.iter().map(name)),
        )?;
        Ok(Self { csv, field: String::new() })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Those of the output, and a row with another number of varied settings than there are columns.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        let (before, after) = COLUMNS.split_at(BEFORE_SETTINGS);
        before.iter().try_for_each(|column| self.write_value(column.get(row)))?;
        row.varied.iter().try_for_each(|value| self.csv.write_field(value))?;
        after.iter().try_for_each(|column| self.write_value(column.get(row)))?;
        Ok(self.csv.write_record(None::<&[u8]>)?)
    }

    /// Hands all that was written to the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.csv.flush()
    }

    fn write_value(&mut self, value: Value<'_>) -> io::Result<()> {
        self.field.clear();
        let written = match value {
            Value::Text(text) => return Ok(self.csv.write_field(text)?),
            Value::Reason(stop) => return Ok(self.csv.write_field(stop.name())?),
            Value::Truth(truth) => return Ok(self.csv.write_field(if truth { "true" } else { "false" })?),
            Value::Count(count) => write!(self.field, "{count}"),
            Value::Id(id) => write!(self.field, "{id}"),
            Value::Real(number) => write_decimal(&mut self.field, number),
            Value::Time(milliseconds) => write_fixed(&mut self.field, milliseconds, 3),
        };
        written.expect("a text takes all");
        Ok(self.csv.write_field(&self.field)?)
    }
}
