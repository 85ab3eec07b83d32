//! A Parquet file of flat, typed columns. Groups of rows are written one after the other.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::columns::Value;
use crate::files::FileError;
use crate::metadata::ColumnType;

/// The number of rows that are held in memory until they are written.
const ROWS_PER_GROUP: usize = 1 << 16;

/// A file that is being written.
pub(super) struct Table {
    path: PathBuf,
    writer: SerializedFileWriter<BufWriter<File>>,
    columns: Vec<ColumnBuffer>,
    n_rows: usize,
}

/// The values of a column in the present group of rows.
struct ColumnBuffer {
    values: Values,
    /// For each row: 1 if the column has a value, otherwise 0.
    levels: Vec<i16>,
}

enum Values {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Truth(Vec<bool>),
    Text(Vec<ByteArray>),
}

impl Table {
    /// Begins a file with these columns.
    pub(super) fn create(path: &Path, columns: &[(String, ColumnType)]) -> Result<Self, FileError> {
        let file = File::create_new(path).map_err(FileError::from_io("create", path))?;
        let begin = || {
            let fields = columns.iter().map(|(name, kind)| field(name, *kind)).collect::<Result<_, _>>()?;
            let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
            let properties = WriterProperties::builder()
                .set_compression(Compression::SNAPPY)
                .set_created_by(concat!("Evogrid ", env!("CARGO_PKG_VERSION")).to_owned())
                .build();
            SerializedFileWriter::new(BufWriter::new(file), Arc::new(schema), Arc::new(properties))
        };
        let writer = begin().map_err(|error| unwritten(path, error))?;
        let columns = columns.iter().map(|(_, kind)| ColumnBuffer::new(*kind)).collect();
        Ok(Self { path: path.to_owned(), writer, columns, n_rows: 0 })
    }

    /// Writes a row: the values before the varied settings, the texts of the varied settings, and the values after them. Returns false
    /// if a text is not of the type of its column.
    pub(super) fn write<'a>(
        &mut self,
        before: impl Iterator<Item = Value<'a>>,
        varied: &[String],
        after: impl Iterator<Item = Value<'a>>,
    ) -> Result<bool, FileError> {
        let mut columns = self.columns.iter_mut();
        before.zip(&mut columns).for_each(|(value, column)| column.push(value));
        let are_of_type = varied.iter().zip(&mut columns).all(|(text, column)| column.push_text(text));
        after.zip(&mut columns).for_each(|(value, column)| column.push(value));
        self.n_rows += 1;
        if self.n_rows == ROWS_PER_GROUP {
            self.end_group()?;
        }
        Ok(are_of_type)
    }

    /// Writes the remaining rows and the end of the file.
    pub(super) fn finish(mut self) -> Result<(), FileError> {
        if self.n_rows > 0 {
            self.end_group()?;
        }
        self.writer.close().map(drop).map_err(|error| unwritten(&self.path, error))
    }

    fn end_group(&mut self) -> Result<(), FileError> {
        self.n_rows = 0;
        let mut write = || {
            let mut group = self.writer.next_row_group()?;
            for column in &mut self.columns {
                let Some(mut output) = group.next_column()? else { break };
                column.write(output.untyped())?;
                output.close()?;
            }
            group.close().map(drop)
        };
        write().map_err(|error| unwritten(&self.path, error))
    }
}

impl ColumnBuffer {
    fn new(kind: ColumnType) -> Self {
        let values = match kind {
            ColumnType::Whole => Values::Whole(Vec::new()),
            ColumnType::Real => Values::Real(Vec::new()),
            ColumnType::Truth => Values::Truth(Vec::new()),
            ColumnType::Text => Values::Text(Vec::new()),
        };
        Self { values, levels: Vec::new() }
    }

    /// Adds a value. A count that is too large becomes the largest possible number.
    fn push(&mut self, value: Value<'_>) {
        let n_added = match (&mut self.values, value) {
            (Values::Whole(values), Value::Count(count)) => added(values, Some(count.try_into().unwrap_or(i64::MAX))),
            (Values::Real(values), Value::Real(number) | Value::Time(number)) => added(values, number),
            (Values::Truth(values), Value::Truth(truth)) => added(values, truth),
            (Values::Text(values), Value::Text(text)) => added(values, Some(text.into())),
            (Values::Text(values), Value::Id(id)) => added(values, Some(id.to_string().into_bytes().into())),
            (_, value) => unreachable!("the value {value:?} does not have the type of its column"),
        };
        self.levels.push(n_added);
    }

    /// Adds a value, which is read from a text; an empty text is null. Returns false if the text is not of the type of the column.
    fn push_text(&mut self, text: &str) -> bool {
        let n_added = match &mut self.values {
            _ if text.is_empty() => 0,
            Values::Whole(values) => added(values, text.parse().ok()),
            Values::Real(values) => added(values, text.parse().ok()),
            Values::Truth(values) => added(values, text.parse().ok()),
            Values::Text(values) => added(values, Some(text.into())),
        };
        self.levels.push(n_added);
        n_added > 0 || text.is_empty()
    }

    /// Writes the values of the row group and clears them.
    fn write(&mut self, output: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = std::mem::take(&mut self.levels);
        match (&mut self.values, output) {
            (Values::Whole(values), ColumnWriter::Int64ColumnWriter(output)) => write(output, values, &levels),
            (Values::Real(values), ColumnWriter::DoubleColumnWriter(output)) => write(output, values, &levels),
            (Values::Truth(values), ColumnWriter::BoolColumnWriter(output)) => write(output, values, &levels),
            (Values::Text(values), ColumnWriter::ByteArrayColumnWriter(output)) => write(output, values, &levels),
            _ => unreachable!("in the schema, each column has the type of its values"),
        }
    }
}

/// Adds a value if there is one, and returns the number of added values.
fn added<T>(values: &mut Vec<T>, value: Option<T>) -> i16 {
    let n_added = i16::from(value.is_some());
    values.extend(value);
    n_added
}

fn write<T: DataType>(
    output: &mut ColumnWriterImpl<'_, T>,
    values: &mut Vec<T::T>,
    levels: &[i16],
) -> Result<(), ParquetError> {
    output.write_batch(&std::mem::take(values), Some(levels), None).map(drop)
}

fn field(name: &str, kind: ColumnType) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match kind {
        ColumnType::Whole => (Physical::INT64, None),
        ColumnType::Real => (Physical::DOUBLE, None),
        ColumnType::Truth => (Physical::BOOLEAN, None),
        ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
    builder.with_logical_type(logical).build().map(Arc::new)
}

/// The error if the file cannot be written.
fn unwritten(path: &Path, error: ParquetError) -> FileError {
    FileError::from_io("write", path)(io::Error::other(error))
}

#[cfg(test)]
mod tests {
    use super::ColumnType;

    #[test]
    fn the_kind_of_a_setting_is_that_of_all_its_values() {
        let kind = |values: &[&str]| values.iter().map(|value| ColumnType::infer(value)).reduce(ColumnType::with);
        assert_eq!(kind(&["100", "-5"]), Some(ColumnType::Whole));
        assert_eq!(kind(&["1", "0.5", "1e-05"]), Some(ColumnType::Real));
        assert_eq!(kind(&["true", "false"]), Some(ColumnType::Truth));
        for text in [&["true", "1"][..], &["swap"], &["007", "x"], &["inf"], &["nan"], &["1", "2", "none"]] {
            assert_eq!(kind(text), Some(ColumnType::Text), "{text:?}");
        }
    }
}
