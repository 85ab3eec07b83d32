//! Reads `runs.csv`, or any CSV with its columns.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;

use super::Row;
use super::headers::{self, ColumnName, folded};
use super::repeats::{Buckets, RunSet};
use crate::columns::{COLUMNS, Column, Missing, Slot, setting_of_column};
use crate::files::FileError;
use crate::format::without_point;
use crate::names::NameCounts;
use crate::sheet::{MILLISECONDS, NUMBER, Parser, ReadError, Sheet, TRUTH, WHOLE};

/// An iterator that reads rows one by one.
///
/// Columns are found by name, in any order. A file of another program needs only three columns: `algorithm`, `instance`, and one of
/// `solved`, `objective` and `gap`. The value of a missing column is 0 or empty, and [`missing`](Self::missing) names the column. A
/// [`ColumnName`] defines the header of a column. If no [`ColumnName`] is given, the reader compares each header with the column's name.
/// This comparison ignores spaces, `-`, `_`, and the difference between upper and lower case. Columns may also be separated by semicolons
/// or tabs. If columns are separated by semicolons or tabs, numbers may have decimal commas. Without the column `repetition`, the runs of a
/// configuration on an instance are numbered in file order. The file does not define which of its columns are settings. So every other
/// column with a name is treated as a varied setting. After an error, the reader reads no more rows.
///
/// A run that appears twice is an error, because statistics would count the run twice. Two rows are the same run if they have the same
/// `run_id` and `algorithm`. In a file without ids, the algorithm, settings, instance and repetition identify a run. To find runs that
/// appear twice, the reader stores about 16 bytes of each row.
///
/// ```
/// use evogrid_results::runs::Reader;
///
/// let text = "algorithm,instance,solved,evaluations,size\nga,easy-01,True,1e+05,20\n";
/// let mut reader = Reader::new("other.csv", text.as_bytes())?;
/// assert_eq!(reader.varied, ["size"]);
/// assert!(reader.missing.contains(&"seed"));
/// let row = reader.next().expect("a row")?;
/// assert!(row.outcome.is_solved() && row.outcome.evaluations == 100_000);
/// # Ok::<(), evogrid_results::ReadError>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    sheet: Sheet<R>,
    /// The paths of the varied settings, in the order of their columns.
    pub varied: Vec<String>,
    varied_columns: Vec<usize>,
    /// The known columns, with their places in the sheet.
    columns: Vec<(&'static Column, Option<usize>)>,
    /// The columns that the file lacks.
    pub missing: Vec<&'static str>,
    /// Sentences that tell the user how the file differs from the files of this program. Examples are semicolons between the columns, and
    /// capital letters in the headers.
    pub recognised: Option<String>,
    /// The number of rows that were read so far.
    n_rows: u64,
    /// The number of runs of each configuration on each instance, if the file does not number the runs.
    repetitions: Option<NameCounts>,
    /// The runs that were read; `None` if the runs of the file cannot be distinguished.
    runs: Option<RunSet>,
    buckets: Buckets,
    /// The path of the file and the names of its columns. The file is read again to find the first row of a run that occurs twice.
    path: Option<(PathBuf, Vec<ColumnName>)>,
    is_done: bool,
}

impl Reader<File> {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be read, or a column is missing.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::open_named(path, &[])
    }

    /// Opens a file whose columns have the headers in `names`.
    ///
    /// # Errors
    /// If the file cannot be read. If a column is missing. If the file lacks one of the names.
    pub fn open_named(path: &Path, names: &[ColumnName]) -> Result<Self, ReadError> {
        let file = File::open(path).map_err(FileError::from_io("read", path))?;
        let reader = Self::new_named(&path.to_string_lossy(), file, names)?;
        Ok(Self { path: Some((path.to_owned(), names.to_vec())), ..reader })
    }
}

impl<R: Read> Reader<R> {
    /// Reads the column names. Messages use `file` as the name of the input.
    ///
    /// # Errors
    /// If the input cannot be read, or a column is missing.
    pub fn new(file: &str, input: R) -> Result<Self, ReadError> {
        Self::new_named(file, input, &[])
    }

    /// Reads the column names of an input. The columns have the headers in `names`. Messages use `file` as the name of the input.
    ///
    /// # Errors
    /// If the input cannot be read. If a column is missing. If the input lacks one of the names.
    pub fn new_named(file: &str, input: R, names: &[ColumnName]) -> Result<Self, ReadError> {
        let is_column = |header: &str| COLUMNS.iter().any(|column| folded(column.name) == folded(header));
        let is_known = |header: &str| names.iter().any(|name| name.header == header) || is_column(header);
        let mut sheet = Sheet::recognise(file, input, is_known)?;
        let recognised = headers::resolve(&mut sheet, names)?;
        let mut columns = Vec::with_capacity(COLUMNS.len());
        for column in COLUMNS {
            let place = match column.missing {
                Missing::Refused => Some(headers::require(&sheet, &[column.name])?),
                Missing::Empty | Missing::Derived(_) => sheet.find(column.name),
            };
            columns.push((column, place));
        }
        // Each run needs a result: whether it was solved, or how good its solution is.
        headers::require(&sheet, &["solved", "gap", "objective"])?;
        let known: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        let varied = sheet.columns_besides(&known).into_iter();
        let (varied_columns, varied) = varied.map(|(place, name)| (place, setting_of_column(&name).to_owned())).unzip();
        // The gap is computed if the file has objectives and best known values.
        let is_known = |name: &str| sheet.find(name).is_some();
        let follows = |name: &str| name == "gap" && is_known("objective") && is_known("best_known");
        let missing = columns.iter().filter(|(column, place)| place.is_none() && !follows(column.name));
        let missing = missing.map(|(column, _)| column.name).collect();
        let repetitions = sheet.find("repetition").is_none().then(NameCounts::default);
        let is_told_apart = sheet.find("run_id").is_some() || repetitions.is_none();
        Ok(Self {
            sheet,
            varied,
            varied_columns,
            columns,
            missing,
            recognised,
            n_rows: 0,
            repetitions,
            runs: is_told_apart.then(RunSet::default),
            buckets: Buckets::default(),
            path: None,
            is_done: false,
        })
    }

    /// The name of the file. Messages contain this name.
    pub fn file(&self) -> &str {
        &self.sheet.file
    }

    /// Treats these columns as [`missing`](Self::missing), because their values have no meaning in this file.
    #[must_use]
    pub fn lacking(mut self, columns: &[&'static str]) -> Self {
        self.missing.extend(columns.iter().filter(|column| !self.missing.contains(column)).collect::<Vec<_>>());
        self
    }

    /// Returns an option `--column` that the user may add. The argument `column` is a column that the file lacks under this name. The option
    /// gives the header that the file probably uses instead. Returns `None` if the file has no such header.
    pub fn suggested(&self, column: &'static str) -> Option<String> {
        headers::suggested(&self.sheet, &[column])
    }

    /// Switches off the numbering of runs in a file without the column `repetition`. Without this numbering, the reader needs less memory
    /// for many configurations and instances.
    #[must_use]
    pub fn without_numbering(mut self) -> Self {
        self.repetitions = None;
        self
    }

    /// Reads the next row into an existing row, and reuses the memory of this row. Returns false after the last row.
    ///
    /// # Errors
    /// If the row is not valid.
    pub fn read_over(&mut self, row: &mut Row) -> Result<bool, ReadError> {
        if self.is_done {
            return Ok(false);
        }
        let read = self.try_read_over(row);
        self.is_done = !matches!(read, Ok(true));
        read
    }

    fn try_read_over(&mut self, row: &mut Row) -> Result<bool, ReadError> {
        if !self.sheet.advance()? {
            return Ok(false);
        }
        row.varied.resize_with(self.varied_columns.len(), String::new);
        for (value, &column) in row.varied.iter_mut().zip(&self.varied_columns) {
            overwrite(value, without_point(&self.sheet.setting(column)));
        }
        for (column, place) in &self.columns {
            match place {
                Some(at) => read_over(&self.sheet, *at, column.slot(row))?,
                None => column.slot(row).clear(),
            }
        }
        for (column, _) in self.columns.iter().filter(|(_, place)| place.is_none()) {
            if let Missing::Derived(derive) = column.missing {
                derive(row, self.n_rows);
            }
        }
        self.n_rows += 1;
        if let Some(repetitions) = &mut self.repetitions {
            let key = &row.key;
            row.key.repetition = repetitions.next([&key.algorithm, &key.instance].into_iter().chain(&row.varied));
        }
        let line = self.sheet.line();
        if self.runs.as_mut().is_some_and(|runs| !runs.insert(row)) {
            return Err(ReadError::RepeatedRun {
                file: self.sheet.file.clone(),
                line,
                run: RunSet::describe(row, &self.varied),
                first: self
                    .first_line(row)
                    .map_or_else(|| "in an earlier row".to_owned(), |line| format!("on line {line}")),
            });
        }
        if let Some(line) = self.buckets.mixed(&row.key.bucket, line) {
            let file = &self.sheet.file;
            let message = format!(
                "{file}:{line}: give the bucket `all` another name: in tables, `all` means all buckets together"
            );
            return Err(ReadError::Content(message));
        }
        Ok(true)
    }

    /// The line of the first row of a run; `None` if the file cannot be read again.
    fn first_line(&self, run: &Row) -> Option<u64> {
        let (path, names) = self.path.as_ref()?;
        let mut again = Reader::open_named(path, names).ok()?;
        again.runs = None;
        let sought = RunSet::hash(run);
        let mut row = Row::default();
        while again.read_over(&mut row).ok()? {
            if RunSet::hash(&row) == sought {
                return Some(again.sheet.line());
            }
        }
        None
    }
}

fn overwrite(text: &mut String, by: &str) {
    text.clear();
    text.push_str(by);
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Row, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut row = Row::default();
        self.read_over(&mut row).map(|is_there| is_there.then_some(row)).transpose()
    }
}

const ID: Parser<RunId> = Parser::new("an `r` and 16 hexadecimal digits", |text| text.parse().ok());
const STOP: Parser<Stop> = Parser::new(
    "one of `target`, `generations`, `evaluations`, `stagnation`, `time`, `restarts`, `exhausted`, `failed`",
    Stop::named,
);

/// Reads the value of a column, which replaces the previous value.
fn read_over<R: Read>(sheet: &Sheet<R>, at: usize, slot: Slot<'_>) -> Result<(), ReadError> {
    match slot {
        Slot::Count(count) => *count = sheet.value(at, &WHOLE)?,
        Slot::Real(number) => *number = sheet.optional(at, &NUMBER)?,
        Slot::Time(milliseconds) => *milliseconds = sheet.value(at, &MILLISECONDS)?,
        Slot::OptionalTime(milliseconds) => *milliseconds = sheet.optional(at, &MILLISECONDS)?,
        Slot::Text(text) => overwrite(text, sheet.text(at)),
        Slot::Truth(truth) => *truth = sheet.optional(at, &TRUTH)?,
        Slot::Id(id) => *id = sheet.value(at, &ID)?,
        Slot::Reason(stop) => *stop = sheet.value(at, &STOP)?,
    }
    Ok(())
}
