//! Reads CSV files. Columns are found by their names. Each error message contains the line and the column.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::{self, Chain, Cursor, Read};

use csv::StringRecord;

use crate::files::FileError;
use crate::format::quoted;

/// The approximate maximum number of bytes of a row. Without this limit, a program that reads the file could run out of memory.
const ROW_LIMIT: u64 = 1 << 20;

/// The number of bytes that each field adds to the size of a row, in addition to its text.
const BYTES_A_FIELD: u64 = 32;

/// The error if a CSV file cannot be read or is not as expected.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the errors")]
#[non_exhaustive]
pub enum ReadError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{file}: not a CSV file")]
    NoCsv { file: String, source: csv::Error },
    #[error("{file}:{line}: {run} already occurs {first}, and would count twice: remove one of the two rows")]
    RepeatedRun { file: String, line: u64, run: String, first: String },
    #[error(
        "{file}: run {run} comes after run {before}: sort the rows of the trace by `run`, or move the trace to \
        another folder"
    )]
    Unsorted { file: String, run: u64, before: u64 },
    #[error("{0}")]
    Content(String),
}

/// A CSV file, and the row that was read last.
#[derive(Debug)]
pub struct Sheet<R> {
    /// The name of the file. Messages contain this name.
    pub file: String,
    /// The names of the columns in the file.
    pub(crate) columns: Vec<String>,
    /// Columns that have a second name, which is not in the file.
    pub(crate) aliases: Vec<(&'static str, usize)>,
    /// The separator of the columns.
    pub(crate) separator: u8,
    /// The decimal separator in the numbers that were read so far, if the file may use a comma or a point.
    decimal: Cell<Option<char>>,
    reader: csv::Reader<BoundedReader<Chain<Cursor<Vec<u8>>, R>>>,
    row: StringRecord,
}

impl<R: Read> Sheet<R> {
    /// Reads the column names. Messages use `file` as the name of the input. A byte order mark is skipped.
    pub fn open(file: &str, input: R) -> Result<Self, ReadError> {
        Self::open_separated(file, b',', Vec::new(), input)
    }

    /// Opens a file whose columns are separated by commas, semicolons or tabs. The function chooses the separator that gives the most known
    /// names in the first line. If no name is known, the function chooses the separator that gives the most names. If columns are not
    /// separated by commas, numbers may have decimal commas.
    pub(crate) fn recognise(file: &str, mut input: R, is_known: impl Fn(&str) -> bool) -> Result<Self, ReadError> {
        let begin = beginning(&mut input).map_err(FileError::from_io("read", file.as_ref()))?;
        let end = begin.iter().position(|byte| b"\r\n".contains(byte)).unwrap_or(begin.len());
        let line = &begin[..end];
        let names_by = |separator: &u8| {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).delimiter(*separator).from_reader(line);
            let mut names = StringRecord::new();
            let is_read = reader.read_record(&mut names).unwrap_or(false);
            let n_known = names.iter().filter(|name| is_known(name.trim_start_matches('\u{feff}').trim())).count();
            if is_read { (n_known, names.len()) } else { (0, 0) }
        };
        // If several are equal, the last one is chosen.
        let separator = b"\t;,".iter().copied().max_by_key(names_by).unwrap_or(b',');
        Self::open_separated(file, separator, begin, input)
    }

    fn open_separated(file: &str, separator: u8, begin: Vec<u8>, input: R) -> Result<Self, ReadError> {
        let bounded = BoundedReader { inner: Cursor::new(begin).chain(input), separator, left: ROW_LIMIT };
        let mut builder = csv::ReaderBuilder::new();
        let reader = builder.has_headers(false).delimiter(separator).buffer_capacity(1 << 16).from_reader(bounded);
        let mut sheet = Self {
            file: quoted(file),
            columns: Vec::new(),
            aliases: Vec::new(),
            separator,
            decimal: Cell::new(None),
            reader,
            row: StringRecord::new(),
        };
        sheet.advance()?;
        let names = sheet.row.iter().map(|name| name.trim().to_owned());
        sheet.columns = names.collect();
        let mut known = BTreeSet::new();
        match sheet.columns.iter().find(|name| !name.is_empty() && !known.insert(name.as_str())) {
            Some(name) => Err(ReadError::Content(format!(
                "{}: two columns are named `{}`; rename or remove one",
                sheet.file,
                quoted(name)
            ))),
            None => Ok(sheet),
        }
    }

    /// The number of the column with that name.
    pub fn column(&self, name: &'static str) -> Result<usize, ReadError> {
        self.find(name).ok_or_else(|| self.missing(name, ""))
    }

    /// The numbers of the columns with these names.
    pub fn columns_named<const N: usize>(&self, names: [&'static str; N]) -> Result<[usize; N], ReadError> {
        let mut columns = [0; N];
        columns.iter_mut().zip(names).try_for_each(|(at, name)| self.column(name).map(|column| *at = column))?;
        Ok(columns)
    }

    /// The error for a missing column. `help` is the end of the message.
    pub(crate) fn missing(&self, column: &str, help: &str) -> ReadError {
        let (file, found) = (&self.file, self.named());
        ReadError::Content(format!("{file}: no column `{column}`; the columns are {found}{help}"))
    }

    /// The names of the columns for a message; the list is shortened if there are many.
    pub(crate) fn named(&self) -> String {
        const NAMES_LISTED: usize = 40;
        let names = self.columns.iter().take(NAMES_LISTED).map(|name| format!("`{}`", quoted(name)));
        let n_more = self.columns.len().saturating_sub(NAMES_LISTED);
        let more = (n_more > 0).then(|| format!("and {n_more} more"));
        let names: Vec<String> = names.chain(more).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }

    /// The number of the column with that name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        let alias = self.aliases.iter().find(|(alias, _)| *alias == name).map(|(_, column)| *column);
        alias.or_else(|| self.columns.iter().position(|column| column == name))
    }

    /// The columns that are not in `known`, with their numbers. Columns without a name (a data frame's row numbers) are ignored.
    pub fn columns_besides(&self, known: &[&str]) -> Vec<(usize, String)> {
        let columns = self.columns.iter().enumerate();
        let is_alias = |at: usize| self.aliases.iter().any(|(_, column)| *column == at);
        let other = columns.filter(|(at, name)| !name.is_empty() && !known.contains(&name.as_str()) && !is_alias(*at));
        other.map(|(at, name)| (at, name.clone())).collect()
    }

    /// Moves to the next row; returns false after the last row.
    pub fn advance(&mut self) -> Result<bool, ReadError> {
        self.reader.get_mut().left = ROW_LIMIT;
        self.reader.read_record(&mut self.row).map_err(|source| {
            let file = self.file.clone();
            if matches!(source.kind(), csv::ErrorKind::Io(_)) && self.reader.get_ref().left == 0 {
                let line = self.line().max(1);
                return ReadError::Content(format!(
                    "{file}:{line}: the row is longer than {ROW_LIMIT} bytes, or has too many fields; perhaps a \
                     quotation mark is missing"
                ));
            }
            ReadError::NoCsv { file, source }
        })
    }

    /// The text in a column.
    pub fn text(&self, column: usize) -> &str {
        self.row.get(column).unwrap_or_default()
    }

    /// The text in a column of a setting; in a number, a decimal comma is replaced by a point.
    pub(crate) fn setting(&self, column: usize) -> Cow<'_, str> {
        let text = self.text(column);
        let with_point = || Some(text.trim().replacen(',', ".", 1)).filter(|text| number(text).is_some());
        let has_comma = self.separator != b',' && text.contains(',');
        has_comma.then(with_point).flatten().map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// The value in a column. The field must not be empty.
    pub fn value<T>(&self, column: usize, parser: &Parser<T>) -> Result<T, ReadError> {
        let text = self.text(column);
        if self.separator != b',' && text.contains([',', '.']) {
            return self.decimal_value(column, parser);
        }
        // Few fields have spaces around them, and removing spaces takes as long as reading a number.
        let value = (parser.parse)(text).or_else(|| (parser.parse)(text.trim()));
        value.ok_or_else(|| self.bad(column, parser.expected))
    }

    /// The value in a column of a file in which a comma may be a decimal comma. If a file contains commas and points, one of them may
    /// separate thousands.
    fn decimal_value<T>(&self, column: usize, parser: &Parser<T>) -> Result<T, ReadError> {
        let text = self.text(column);
        let own = if text.contains(',') { ',' } else { '.' };
        // A count of 1,000 may mean one thousand or one.
        if parser.expected == WHOLE.expected && is_thousands(text.trim(), own) {
            return Err(self.mixed(column));
        }
        let Some(value) = (parser.parse)(&text.trim().replacen(',', ".", 1)) else {
            let is_mixed = text.contains(',') && text.contains('.') || text.matches(own).count() > 1;
            let is_number = text.trim().bytes().all(|byte| byte.is_ascii_digit() || b"+-.,eE".contains(&byte));
            return Err(if is_mixed && is_number { self.mixed(column) } else { self.bad(column, parser.expected) });
        };
        match self.decimal.replace(Some(own)) {
            Some(other) if other != own => Err(self.mixed(column)),
            _ => Ok(value),
        }
    }

    fn mixed(&self, column: usize) -> ReadError {
        self.wrong(column, |value| {
            format!(
                "`{value}` is ambiguous: use only commas or only points for decimals, and no separators of thousands"
            )
        })
    }

    /// The value in a column, or `None` if the field is empty or `NA`. R writes `NA` for a missing value.
    pub fn optional<T>(&self, column: usize, parser: &Parser<T>) -> Result<Option<T>, ReadError> {
        if self.separator != b',' && self.text(column).contains([',', '.']) {
            return self.decimal_value(column, parser).map(Some);
        }
        match (parser.parse)(self.text(column)) {
            None if matches!(self.text(column).trim(), "" | "NA") => Ok(None),
            None => self.value(column, parser).map(Some),
            value => Ok(value),
        }
    }

    /// The number of the line on which the row begins, counted from 1.
    pub fn line(&self) -> u64 {
        self.row.position().map_or(0, csv::Position::line)
    }

    /// The error for an invalid value in a column. `expected` describes the valid values.
    pub fn bad(&self, column: usize, expected: &'static str) -> ReadError {
        self.wrong(column, |value| format!("expected {expected}, found `{value}`"))
    }

    fn wrong(&self, column: usize, what: impl Fn(String) -> String) -> ReadError {
        let name = self.columns.get(column).map(|name| quoted(name)).unwrap_or_default();
        let what = what(quoted(self.text(column)));
        ReadError::Content(format!("{}:{}: column `{name}`: {what}", self.file, self.line()))
    }
}

/// A function that reads one kind of values, and a description of the valid values. The description is used in messages.
pub struct Parser<T> {
    expected: &'static str,
    parse: fn(&str) -> Option<T>,
}

impl<T> Parser<T> {
    /// Makes a parser. Messages use the text `expected` to describe the valid values.
    pub const fn new(expected: &'static str, parse: fn(&str) -> Option<T>) -> Self {
        Self { expected, parse }
    }
}

/// A count. The parser also accepts the forms `1e+05` and `100000.0`, because some programs write `100000` in these forms.
pub const WHOLE: Parser<u64> = Parser::new("a whole number of at least 0", whole);
/// Any finite number.
pub const NUMBER: Parser<f64> = Parser::new("a number", number);
/// A time.
pub const MILLISECONDS: Parser<f64> =
    Parser::new("a time of at least 0 ms", |text| number(text).filter(|&milliseconds| milliseconds >= 0.0));
/// `true` or `false`, in any case, or 1 or 0.
pub(crate) const TRUTH: Parser<bool> = Parser::new("`true`, `false`, 1 or 0", truth);

pub(crate) fn whole(text: &str) -> Option<u64> {
    const EXACT: f64 = (1u64 << 53) as f64;
    let exact = || number(text).filter(|value| (0.0..=EXACT).contains(value) && value.fract() == 0.0);
    text.parse().ok().or_else(|| exact().map(|value| value as u64))
}

pub(crate) fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

fn truth(text: &str) -> Option<bool> {
    [("true", true), ("false", false), ("1", true), ("0", false)]
        .iter()
        .find(|(name, _)| text.eq_ignore_ascii_case(name))
        .map(|(_, truth)| *truth)
}

/// Whether the separator in a number may separate thousands.
fn is_thousands(text: &str, separator: char) -> bool {
    text.split_once(separator).is_some_and(|(before, after)| {
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        after.len() == 3 && (1..=3).contains(&before.len()) && is_digits(before) && is_digits(after)
    })
}

/// The first bytes of a file. They include the first line, unless that line is longer than the limit for rows.
fn beginning(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    while !begin.iter().any(|byte| b"\r\n".contains(byte)) && (begin.len() as u64) < ROW_LIMIT {
        if input.by_ref().take(1 << 12).read_to_end(&mut begin)? == 0 {
            break;
        }
    }
    Ok(begin)
}

/// A reader that gives at most `left` bytes, until `left` is set again.
#[derive(Debug)]
struct BoundedReader<R> {
    inner: R,
    separator: u8,
    left: u64,
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("the row is too long"));
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let n = self.inner.read(&mut buffer[..most])?;
        // Even an empty field takes memory.
        let n_fields = buffer[..n].iter().filter(|&&byte| byte == self.separator).count();
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
        insta::assert_snapshot!(sheet.advance().expect_err("endless"), @"x.csv:3: the row is longer than 1048576 bytes, or has too many fields; perhaps a quotation mark is missing");
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
