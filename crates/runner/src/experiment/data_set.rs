//! Data sets: CSV files of instances, one in each row, read and checked line by line.

pub(crate) mod best_known;
mod columns;
pub(crate) mod source;

use evogrid_analysis::summary::ALL_BUCKETS;
use evogrid_core::family::{BestKnown, Family, Instance, InstanceError, InstancePart, Options};
use evogrid_core::memory::is_available;
use evogrid_core::suggestion::one_of;
use evogrid_results::names::NameTable;

use crate::experiment::diagnostic::{Diagnostic, Diagnostics, is_printable};
use columns::{Columns, columns};
use source::{Row, Source};

/// The size limit of a file of instances, in bytes.
pub const SIZE_LIMIT: u64 = 1 << 30;

/// The most faults of one file that are shown.
const SHOWN_FAULTS: usize = 10;

/// An instance with its attributes from the data set.
pub struct NamedInstance {
    /// The id of the instance, or its line number if it has no id.
    pub id: String,
    /// The line on which it begins, from 1.
    pub line: u64,
    /// The difficulty bucket of the instance; empty if it has none.
    pub bucket: String,
    /// The best known value, if the data set gives one.
    pub best_known: Option<BestKnown>,
    /// The instance.
    pub instance: Box<dyn Instance>,
}

/// The reason why a data set cannot be read.
pub(crate) enum DataSetError {
    /// An option that applies to all rows is wrong.
    Option(InstanceError),
    /// The data set itself is wrong.
    Content(Diagnostics),
}

impl From<Diagnostics> for DataSetError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Content(diagnostics)
    }
}

/// Reads a data set: the columns `id`, `bucket`, the text column of the family and its options; other columns are ignored. Every instance
/// is passed on when it is read, but the instances are valid only if the whole file is. Returns whether there is a column of buckets.
///
/// If ids are not `needed`, an instance without one gets the number of its line. `options` hold for all rows; a row's own options precede
/// them.
///
/// # Errors
/// All faults of the file, up to a limit.
pub(crate) fn read_each(
    name: &str,
    text: &str,
    family: &dyn Family,
    options: &Options,
    is_id_needed: bool,
    each: &mut dyn FnMut(NamedInstance),
) -> Result<bool, DataSetError> {
    let source = Source::new(name, text);
    // A long row is held twice, with room to grow.
    if !is_available(3 * text.lines().map(str::len).max().unwrap_or(0)) {
        let message = format!("cannot read {name}: not enough memory for its longest row");
        return Err(Diagnostics::from(Diagnostic::general(message, "give the process more memory".to_owned())).into());
    }
    let mut csv = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = csv.headers().map_err(|error| Diagnostics::from(source.unreadable(&error)))?.clone();
    let columns = columns(&source, &headers, family, is_id_needed)?;
    let (mut n_rows, mut lines) = (0u64, IdLines::default());
    let mut faults = Faults::new(name);
    for record in csv.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                faults.push(|| source.unreadable(&error));
                break;
            }
        };
        let row = Row::new(&source, &record);
        if record.len() != headers.len() {
            faults.push(|| row.wrong_length(record.len(), headers.len()));
            continue;
        }
        let id = match columns.id.map(|id| &record[id]) {
            Some(id) if is_id_needed || !id.is_empty() => id.to_owned(),
            _ => row.line.to_string(),
        };
        let bucket = columns.bucket.map_or(String::new(), |bucket| record[bucket].to_owned());
        // Where there is no experiment there are no figures of all buckets together.
        let is_of_all = is_id_needed && bucket == ALL_BUCKETS;
        let wrong = if is_of_all { Some(bucket_of_all(&columns)) } else { wrong_name(&columns, &id, &bucket, &lines) };
        if let Some((column, message, help)) = wrong {
            faults.push(|| row.fault(column, &message, help));
            continue;
        }
        lines.add(&id, row.line);
        let mut own = options.clone();
        for (name, column) in columns.options.iter().filter(|(_, column)| !record[*column].is_empty()) {
            own.insert(name.clone(), record[*column].to_owned());
        }
        let best_known = match columns.best_known.map(|columns| columns.read(&record)).transpose() {
            Ok(best_known) => best_known.flatten(),
            Err(wrong) => {
                faults.push(|| row.fault(Some(wrong.column), &format!("`{id}`: {}", wrong.message), &wrong.help));
                continue;
            }
        };
        match read_instance(family, columns.text.map_or("", |text| &record[text]), &own) {
            Ok(instance) => {
                n_rows += 1;
                let direction = |known| BestKnown { direction: family.direction(&instance.content()), ..known };
                let best_known = best_known.map(direction);
                each(NamedInstance { id, line: row.line, bucket, best_known, instance });
            }
            Err(error) => {
                let mut column = columns.text.unwrap_or(0);
                if let InstancePart::Option(option) = error.part {
                    match columns.options.iter().find(|(name, at)| *name == option && !record[*at].is_empty()) {
                        Some((_, at)) => column = *at,
                        // What is wrong with an option of all rows is said once, and not of every row.
                        None => return Err(DataSetError::Option(error)),
                    }
                }
                let help =
                    help(&error, "correct the row, or remove it", |name, value| format!("`{name} = \"{value}\"`"));
                faults.push(|| row.fault(Some(column), &format!("`{id}`: {error}"), &help));
            }
        }
    }
    let mut diagnostics = faults.finish();
    if n_rows == 0 && diagnostics.is_empty() {
        diagnostics.push(source.header(
            None,
            "the file contains no instances after its first line",
            "expected a row for each instance",
        ));
    }
    Ok(diagnostics.or(Some(columns.bucket.is_some()))?)
}

/// Reads an instance, after checking that its options have permitted values.
///
/// # Errors
/// If an option has another value, or the errors of [`Family::read`].
pub fn read_instance(family: &dyn Family, text: &str, options: &Options) -> Result<Box<dyn Instance>, InstanceError> {
    check_choices(family, options)?;
    family.read(text, options)
}

/// Checks that options with a list of permitted values have one of them.
///
/// # Errors
/// If one has another.
pub(crate) fn check_choices(family: &dyn Family, options: &Options) -> Result<(), InstanceError> {
    for option in family.options().iter().filter(|option| !option.choices.is_empty()) {
        let Some(value) = options.get(option.name).filter(|value| !option.choices.contains(&value.as_str())) else {
            continue;
        };
        let expected = one_of(value, option.choices);
        let expected = expected.strip_prefix("expected ").unwrap_or(&expected);
        return Err(
            InstanceError::option(option.name, format!("unknown {} `{value}`", option.name)).expecting(expected)
        );
    }
    Ok(())
}

/// What was expected of an instance, for a message; `otherwise` is used if the error does not say it. `setting` formats an option with
/// its value.
pub fn help(error: &InstanceError, otherwise: &str, setting: impl Fn(&str, &str) -> String) -> String {
    match (&error.part, &error.expected) {
        (InstancePart::MissingOption { name, example }, Some(expected)) => {
            format!("expected {expected}, as in {}", setting(name, example))
        }
        (_, Some(expected)) => format!("expected {expected}"),
        (_, None) => otherwise.to_owned(),
    }
}

/// The faults of a file; only the first ones are shown.
pub struct Faults<'n> {
    name: &'n str,
    diagnostics: Diagnostics,
    n_faults: usize,
}

impl<'n> Faults<'n> {
    /// An empty list of faults for the file with this name.
    pub fn new(name: &'n str) -> Self {
        Self { name, diagnostics: Diagnostics::new(), n_faults: 0 }
    }

    /// Adds a fault; its text is created only if it will be shown.
    pub fn push(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        self.n_faults += 1;
        if self.n_faults <= SHOWN_FAULTS {
            self.diagnostics.push(diagnostic());
        }
    }

    /// The shown faults, and the number of further faults.
    pub fn finish(mut self) -> Diagnostics {
        if self.n_faults > SHOWN_FAULTS {
            let message = format!("{} has {} more errors", self.name, self.n_faults - SHOWN_FAULTS);
            self.diagnostics.push(Diagnostic::general(message, format!("only the first {SHOWN_FAULTS} are shown")));
        }
        self.diagnostics
    }
}

/// The fault of a bucket that has the reserved name of all buckets together.
fn bucket_of_all(columns: &Columns) -> (Option<usize>, String, &'static str) {
    let message = format!("a bucket cannot have the name `{ALL_BUCKETS}`");
    (columns.bucket, message, "rename it: tables and summaries use this name for all buckets together")
}

/// On which lines the ids stand that were read.
#[derive(Default)]
struct IdLines {
    ids: NameTable,
    /// By number of the id. A file of at most a gigabyte has no more lines than this counts.
    lines: Vec<u32>,
}

impl IdLines {
    /// Adds an id, which must be new.
    fn add(&mut self, id: &str, line: u64) {
        self.ids.number(id);
        self.lines.push(line as u32);
    }

    fn line(&self, id: &str) -> Option<u32> {
        self.ids.find(id).map(|number| self.lines[number])
    }
}

/// The fault of the names in a row: the column, the message and the help. Names are printed, and ids are also part of commands to copy.
fn wrong_name(
    columns: &Columns,
    id: &str,
    bucket: &str,
    lines: &IdLines,
) -> Option<(Option<usize>, String, &'static str)> {
    if id.is_empty() || !is_printable(id) {
        let message = if id.is_empty() { "the id is empty" } else { "the id cannot be printed" };
        return Some((columns.id, message.to_owned(), "every instance needs an id, which appears in the results"));
    }
    if !is_printable(bucket) {
        return Some((
            columns.bucket,
            "the name of the bucket contains characters that cannot be printed".to_owned(),
            "it appears in the results",
        ));
    }
    let first = lines.line(id)?;
    Some((columns.id, format!("the id `{id}` is already on line {first}"), "every instance needs its own id"))
}
