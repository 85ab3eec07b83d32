//! Reads CSV files by the names of their columns, and reports where they are wrong.

use std::collections::BTreeSet;
use std::io::{self, Read};

use csv::StringRecord;

use crate::files::FileError;
use crate::format::quoted;

/// A row has at most about this many bytes, so that no file can make a reader fill its memory.
const ROW_LIMIT: u64 = 1 << 20;

/// The bytes that a field of a row counts in addition to its own.
const BYTES_A_FIELD: u64 = 32;

/// The error if a CSV file could not be read, or has unexpected content.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ReadError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{file}: not a CSV file")]
    NoCsv { file: String, source: csv::Error },
    #[error(
        "{file}:{line}: the row is longer than {ROW_LIMIT} bytes, or has too many fields; a quotation mark may be missing"
    )]
    RowTooLong { file: String, line: u64 },
    #[error("{file}: no column `{column}`; the columns are {found}")]
    MissingColumn { file: String, column: &'static str, found: String },
    #[error("{file}: two columns are named `{column}`; rename or remove one")]
    DoubleColumn { file: String, column: String },
    #[error(
        "{file} has more than {limit} runs, and this command keeps every run in memory: use the command `table`, which \
         needs less memory, or use fewer runs"
    )]
    TooManyRuns { file: String, limit: usize },
    #[error("{file}:{line}: column `{column}`: expected {expected}, found `{value}`")]
    BadValue { file: String, line: u64, column: String, expected: &'static str, value: String },
    #[error("{file}:{line}: {run} occurs twice, first {first}: remove one of the rows, or it counts twice")]
    RepeatedRun { file: String, line: u64, run: String, first: String },
    #[error("{file}:{line}: rename the bucket `all`: this is the name of all buckets together")]
    BucketOfAll { file: String, line: u64 },
}

/// A CSV file, positioned at one of its rows.
#[derive(Debug)]
pub struct Sheet<R> {
    file: String,
    columns: Vec<String>,
    reader: csv::Reader<BoundedReader<R>>,
    row: StringRecord,
}

impl<R: Read> Sheet<R> {
    /// Reads the column names; `file` is the name in messages. A byte order mark is skipped.
    pub fn open(file: &str, input: R) -> Result<Self, ReadError> {
        let bounded = BoundedReader { inner: input, left: ROW_LIMIT };
        let reader = csv::ReaderBuilder::new().has_headers(false).buffer_capacity(1 << 16).from_reader(bounded);
        let mut sheet = Self { file: quoted(file), columns: Vec::new(), reader, row: StringRecord::new() };
        sheet.advance()?;
        let names = sheet.row.iter().map(|name| name.trim().to_owned());
        sheet.columns = names.collect();
        let mut known = BTreeSet::new();
        match sheet.columns.iter().find(|name| !name.is_empty() && !known.insert(name.as_str())) {
            Some(name) => Err(ReadError::DoubleColumn { file: sheet.file, column: quoted(name) }),
            None => Ok(sheet),
        }
    }

    /// The name of the file in messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The number of the column with that name.
    pub fn column(&self, name: &'static str) -> Result<usize, ReadError> {
        self.find(name).ok_or_else(|| ReadError::MissingColumn {
            file: self.file.clone(),
            column: name,
            found: named(&self.columns),
        })
    }

    /// The number of the column with that name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// The other columns, with their numbers. Columns without a name (a data frame's row numbers) are ignored.
    pub fn columns_besides(&self, known: &[&str]) -> Vec<(usize, String)> {
        let columns = self.columns.iter().enumerate();
        let other = columns.filter(|(_, name)| !name.is_empty() && !known.contains(&name.as_str()));
        other.map(|(at, name)| (at, name.clone())).collect()
    }

    /// Moves to the next row; returns false after the last row.
    pub fn advance(&mut self) -> Result<bool, ReadError> {
        self.reader.get_mut().left = ROW_LIMIT;
        self.reader.read_record(&mut self.row).map_err(|source| {
            let file = self.file.clone();
            if matches!(source.kind(), csv::ErrorKind::Io(_)) && self.reader.get_ref().left == 0 {
                return ReadError::RowTooLong { file, line: self.row.position().map_or(1, csv::Position::line) };
            }
            ReadError::NoCsv { file, source }
        })
    }

    /// The text in a column.
    pub fn text(&self, column: usize) -> &str {
        self.row.get(column).unwrap_or_default()
    }

    /// The value in a column; it must not be empty.
    pub fn value<T>(&self, column: usize, parser: &Parser<T>) -> Result<T, ReadError> {
        let text = self.text(column);
        // Few fields have spaces around them, and to look for them takes as long as to read a number.
        let value = (parser.parse)(text).or_else(|| (parser.parse)(text.trim()));
        value.ok_or_else(|| self.bad(column, parser.expected))
    }

    /// The value in a column, which may be absent: an empty field, or `NA` as R writes it.
    pub fn optional<T>(&self, column: usize, parser: &Parser<T>) -> Result<Option<T>, ReadError> {
        match (parser.parse)(self.text(column)) {
            None if matches!(self.text(column).trim(), "" | "NA") => Ok(None),
            None => self.value(column, parser).map(Some),
            value => Ok(value),
        }
    }

    /// The line on which the row begins, from 1.
    pub fn line(&self) -> u64 {
        self.row.position().map_or(0, csv::Position::line)
    }

    /// The error for the value in a column.
    pub fn bad(&self, column: usize, expected: &'static str) -> ReadError {
        ReadError::BadValue {
            file: self.file.clone(),
            line: self.line(),
            column: self.columns.get(column).map(|name| quoted(name)).unwrap_or_default(),
            expected,
            value: quoted(self.text(column)),
        }
    }
}

/// Reads a kind of value, with the message for anything else.
pub struct Parser<T> {
    expected: &'static str,
    parse: fn(&str) -> Option<T>,
}

impl<T> Parser<T> {
    /// A parser; `expected` describes the accepted values, for messages.
    pub const fn new(expected: &'static str, parse: fn(&str) -> Option<T>) -> Self {
        Self { expected, parse }
    }
}

/// A count. Other programs write `100000` as `1e+05` or `100000.0`.
pub const WHOLE: Parser<u64> = Parser::new("a whole number from 0", whole);
/// Any finite number.
pub const NUMBER: Parser<f64> = Parser::new("a number", number);
/// A time.
pub const MILLISECONDS: Parser<f64> =
    Parser::new("milliseconds from 0", |text| number(text).filter(|&milliseconds| milliseconds >= 0.0));
/// `true` or `false`, in any case, or 1 or 0.
pub(crate) const TRUTH: Parser<bool> = Parser::new("`true` or `false`, or 1 or 0", truth);

fn whole(text: &str) -> Option<u64> {
    const EXACT: f64 = (1u64 << 53) as f64;
    let exact = || number(text).filter(|value| (0.0..=EXACT).contains(value) && value.fract() == 0.0);
    text.parse().ok().or_else(|| exact().map(|value| value as u64))
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

fn truth(text: &str) -> Option<bool> {
    [("true", true), ("false", false), ("1", true), ("0", false)]
        .iter()
        .find(|(name, _)| text.eq_ignore_ascii_case(name))
        .map(|(_, truth)| *truth)
}

/// Names as a message lists them, shortened if there are many.
fn named(columns: &[String]) -> String {
    const NAMES_LISTED: usize = 40;
    let mut names: Vec<String> = columns.iter().take(NAMES_LISTED).map(|name| format!("`{}`", quoted(name))).collect();
    if columns.len() > NAMES_LISTED {
        names.push(format!("and {} more", columns.len() - NAMES_LISTED));
    }
    names.join(", ")
}

/// Refuses to give more bytes than it may, until it may again.
#[derive(Debug)]
struct BoundedReader<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("the row is too long"));
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let n = self.inner.read(&mut buffer[..most])?;
        // A field takes memory even where it is empty.
        let n_fields = buffer[..n].iter().filter(|&&byte| byte == b',').count();
        self.left = self.left.saturating_sub(n as u64 + BYTES_A_FIELD * n_fields as u64);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_end_is_refused() {
        let endless = b"a,b\n1,2\n3,\"".chain(io::repeat(b'x'));
        let mut sheet = Sheet::open("x.csv", endless).expect("columns");
        assert!(sheet.advance().expect("a row"));
        insta::assert_snapshot!(sheet.advance().expect_err("endless"), @"x.csv:3: the row is longer than 1048576 bytes, or has too many fields; a quotation mark may be missing");
    }

    #[test]
    fn many_rows_are_no_long_row() {
        let text = format!("a\n{}", "12345\n".repeat(1 << 19));
        let mut sheet = Sheet::open("x.csv", text.as_bytes()).expect("columns");
        while sheet.advance().expect("a row") {
            assert_eq!(sheet.value(0, &WHOLE).expect("a number"), 12345);
        }
    }

    #[test]
    fn numbers_of_other_programs_are_read() {
        assert_eq!(["12", "1e+05", "7.0"].map(whole), [Some(12), Some(100_000), Some(7)]);
        assert_eq!(["-1", "1.5", "1e300", "NaN", "", "12 "].map(whole), [None; 6]);
        assert_eq!(["TRUE", "False", "1", "0"].map(truth), [Some(true), Some(false), Some(true), Some(false)]);
        assert_eq!(["yes", "2", ""].map(truth), [None; 3]);
    }
}
