//! Writes `runs.csv`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::Row;
use crate::columns::{Column, Value, around_settings, column_of_setting};
use crate::format::{with_point, write_decimal, write_fixed};

/// Writes rows after a line of column names.
///
/// ```
/// use evogrid_results::runs::{Reader, Row, Writer};
///
/// let mut row = Row { run: 7, varied: vec!["100".into()], ..Row::default() };
/// (row.key.instance, row.outcome.best_fitness) = ("easy-01".into(), Some(3.0));
/// let mut text = Vec::new();
/// let mut writer = Writer::new(&mut text, &["population".into()])?;
/// writer.write(&row)?;
/// writer.finish()?;
///
/// let mut reader = Reader::new("runs.csv", text.as_slice())?;
/// assert_eq!(reader.varied, ["population"]);
/// assert_eq!(reader.next().expect("a row")?, row);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    csv: csv::Writer<W>,
    /// The columns before and after the settings.
    columns: [Vec<&'static Column>; 2],
    /// For each varied setting, whether its values may be fractions.
    fractions: Vec<bool>,
    /// The text of the present field; the buffer is kept to reuse its memory.
    field: String,
}

impl<W: Write> Writer<W> {
    /// Writes the column names; `varied` are the paths of the varied settings.
    ///
    /// # Errors
    /// If `output` cannot be written.
    pub fn new(output: W, varied: &[String]) -> io::Result<Self> {
        Self::without(output, varied, &[])
    }

    /// Writes the names of all columns except the columns that `missing` lists.
    ///
    /// # Errors
    /// If `output` cannot be written.
    pub fn without(output: W, varied: &[String], missing: &[&str]) -> io::Result<Self> {
        let mut csv = csv::WriterBuilder::new().buffer_capacity(1 << 16).from_writer(output);
        let columns = around_settings(missing);
        let [before, after] = &columns;
        let name = |column: &&'static Column| Cow::from(column.name);
        let varied_names = varied.iter().map(|path| column_of_setting(path));
        let names = before.iter().map(name).chain(varied_names).chain(after.iter().map(name));
        csv.write_record(names.map(Cow::into_owned))?;
        Ok(Self { csv, columns, fractions: vec![false; varied.len()], field: String::new() })
    }

    /// Marks the varied settings whose values may be fractions. The writer adds a decimal point to whole values of these settings.
    #[must_use]
    pub fn with_fractions(self, fractions: &[bool]) -> Self {
        Self { fractions: fractions.to_vec(), ..self }
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If the output cannot be written. If the row and the header have different numbers of varied settings.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        let (csv, field, [before, after]) = (&mut self.csv, &mut self.field, &self.columns);
        before.iter().try_for_each(|column| write_value(csv, field, column.get(row)))?;
        for (at, value) in row.varied.iter().enumerate() {
            let is_fraction = self.fractions.get(at).is_some_and(|&is_fraction| is_fraction);
            if is_fraction { csv.write_field(&*with_point(value))? } else { csv.write_field(value)? }
        }
        after.iter().try_for_each(|column| write_value(csv, field, column.get(row)))?;
        Ok(csv.write_record(None::<&[u8]>)?)
    }

    /// Writes all pending data to the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.csv.flush()
    }
}

fn write_value<W: Write>(csv: &mut csv::Writer<W>, field: &mut String, value: Value<'_>) -> io::Result<()> {
    field.clear();
    let written = match value {
        Value::Text(text) => return Ok(csv.write_field(text)?),
        Value::Truth(truth) => {
            return Ok(csv.write_field(truth.map_or("", |truth| if truth { "true" } else { "false" }))?);
        }
        Value::Count(count) => write!(field, "{count}"),
        Value::Id(id) => write!(field, "{id}"),
        Value::Real(number) => write_decimal(field, number),
        Value::Time(milliseconds) => write_fixed(field, milliseconds, 3),
    };
    written.expect("writing to a string cannot fail");
    Ok(csv.write_field(&*field)?)
}
