//! A Parquet file of flat, typed columns, written a group of rows at a time.

use std::borrow::Cow;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::super::ExportError;
use crate::column_type::ColumnType;
use crate::columns::Value;
use crate::files::FileError;

/// Rows that are held until they are written.
const ROWS_PER_GROUP: usize = 1 << 16;

/// A field of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Field<'a> {
    Null,
    Whole(i64),
    Real(f64),
    Truth(bool),
    Text(Cow<'a, str>),
}

impl<'a> From<Value<'a>> for Field<'a> {
    fn from(value: Value<'a>) -> Self {
        match value {
            Value::Count(count) => Self::count(count),
            Value::Real(number) | Value::Time(number) => Self::real(number),
            Value::Truth(truth) => truth.map_or(Self::Null, Self::Truth),
            Value::Text(text) => Self::Text(text.into()),
            Value::Id(id) => Self::Text(id.to_string().into()),
        }
    }
}

impl<'a> Field<'a> {
    /// A count; the largest possible number if it overflows.
    pub(super) fn count(count: u64) -> Self {
        Self::Whole(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// A number that may be absent.
    pub(super) fn real(value: Option<f64>) -> Self {
        value.map_or(Self::Null, Self::Real)
    }

    /// The value given as text; `None` if it is not of this type.
    pub(super) fn parse(text: &'a str, kind: ColumnType) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::Null);
        }
        match kind {
            ColumnType::Whole => text.parse().ok().map(Self::Whole),
            ColumnType::Real => text.parse().ok().map(Self::Real),
            ColumnType::Truth => text.parse().ok().map(Self::Truth),
            ColumnType::Text => Some(Self::Text(text.into())),
        }
    }
}

/// A file that is being written.
pub(super) struct Table {
    path: PathBuf,
    writer: SerializedFileWriter<BufWriter<File>>,
    columns: Vec<ColumnBuffer>,
    n_rows: usize,
}

/// The values of a column in the present group.
struct ColumnBuffer {
    values: Values,
    /// For each row 1 if it has a value, else 0.
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
    pub(super) fn create(path: &Path, columns: &[(String, ColumnType)]) -> Result<Self, ExportError> {
        let file = File::create_new(path).map_err(FileError::from_io("create", path))?;
        let wrong = |source| ExportError::Parquet { path: path.to_owned(), source };
        let fields: Result<Vec<_>, ParquetError> = columns.iter().map(|(name, kind)| field(name, *kind)).collect();
        let schema = Type::group_type_builder("schema").with_fields(fields.map_err(wrong)?).build().map_err(wrong)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("Evogrid ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let writer = SerializedFileWriter::new(BufWriter::new(file), Arc::new(schema), Arc::new(properties));
        Ok(Self {
            path: path.to_owned(),
            writer: writer.map_err(wrong)?,
            columns: columns.iter().map(|(_, kind)| ColumnBuffer::new(*kind)).collect(),
            n_rows: 0,
        })
    }

    /// Writes a row: a field for each column.
    pub(super) fn write<'a>(&mut self, fields: impl IntoIterator<Item = Field<'a>>) -> Result<(), ExportError> {
        for (column, field) in self.columns.iter_mut().zip(fields) {
            column.push(field);
        }
        self.n_rows += 1;
        if self.n_rows < ROWS_PER_GROUP { Ok(()) } else { self.end_group() }
    }

    /// Writes the remaining rows and the end of the file.
    pub(super) fn finish(mut self) -> Result<(), ExportError> {
        if self.n_rows > 0 {
            self.end_group()?;
        }
        let Self { path, writer, .. } = self;
        writer.close().map(|_| ()).map_err(|source| ExportError::Parquet { path, source })
    }

    fn end_group(&mut self) -> Result<(), ExportError> {
        self.n_rows = 0;
        let path = &self.path;
        let mut write = || -> Result<(), ParquetError> {
            let mut group = self.writer.next_row_group()?;
            for column in &mut self.columns {
                let Some(mut output) = group.next_column()? else { break };
                column.write(output.untyped())?;
                output.close()?;
            }
            group.close().map(|_| ())
        };
        write().map_err(|source| ExportError::Parquet { path: path.clone(), source })
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

    fn push(&mut self, field: Field<'_>) {
        self.levels.push(i16::from(field != Field::Null));
        match (&mut self.values, field) {
            (_, Field::Null) => {}
            (Values::Whole(values), Field::Whole(value)) => values.push(value),
            (Values::Real(values), Field::Real(value)) => values.push(value),
            (Values::Truth(values), Field::Truth(value)) => values.push(value),
            (Values::Text(values), Field::Text(value)) => values.push(value.into_owned().into_bytes().into()),
            (_, field) => unreachable!("{field:?} in a column of another kind"),
        }
    }

    /// Writes the values of the row group and clears them.
    fn write(&mut self, output: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = std::mem::take(&mut self.levels);
        match (&mut self.values, output) {
            (Values::Whole(values), ColumnWriter::Int64ColumnWriter(output)) => write(output, values, &levels),
            (Values::Real(values), ColumnWriter::DoubleColumnWriter(output)) => write(output, values, &levels),
            (Values::Truth(values), ColumnWriter::BoolColumnWriter(output)) => write(output, values, &levels),
            (Values::Text(values), ColumnWriter::ByteArrayColumnWriter(output)) => write(output, values, &levels),
            _ => unreachable!("the schema gives each column the kind of its values"),
        }
    }
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
