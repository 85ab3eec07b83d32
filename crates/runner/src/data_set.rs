//! Data sets: CSV files of instances, a row each, read and checked line by line.

use std::collections::BTreeMap;
use std::ops::Range;

use evogrid_core::family::{Family, Instance, InstanceError, InstancePart, Options};
use evogrid_core::suggestion::{list, nearest};
use evogrid_results::summary::ALL_BUCKETS;

use crate::diagnostic::{Diagnostic, Diagnostics, is_printable};
use crate::document::excerpt;

/// The largest file of instances that is read, in bytes.
pub const SIZE_LIMIT: u64 = 1 << 30;

/// Faults of one file that are shown; a wrong file need not fill the screen.
const SHOWN_FAULTS: usize = 10;

/// The instances of a data set.
pub struct DataSet {
    /// Its rows.
    pub rows: Vec<NamedInstance>,
    /// Whether it has a column of buckets.
    pub has_buckets: bool,
}

/// An instance and what its data set says of it.
pub struct NamedInstance {
    /// Its id; where there is none, the number of its line.
    pub id: String,
    /// The line on which it begins, from 1.
    pub line: u64,
    /// Its bucket of difficulty; empty where it has none.
    pub bucket: String,
    /// The instance.
    pub instance: Box<dyn Instance>,
}

/// Why a data set cannot be read.
pub enum DataSetError {
    /// An option that goes with all its rows is wrong.
    Option(InstanceError),
    /// It is wrong itself.
    Content(Diagnostics),
}

impl From<Diagnostics> for DataSetError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Content(diagnostics)
    }
}

/// Reads a data set: the columns `id`, `bucket`, the family's column of texts and its options; others mean nothing.
///
/// Where an id is not `needed`, an instance without one has the number of its line. `options` go with all rows; a row's own come
/// before them.
///
/// # Errors
/// Everything that is wrong with it, up to a bound.
pub fn read(
    name: &str,
    text: &str,
    family: &dyn Family,
    options: &Options,
    is_id_needed: bool,
) -> Result<DataSet, DataSetError> {
    let source = Source { name, text, text_column: family.text_column(), is_id_needed };
    let mut csv = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = csv.headers().map_err(|error| Diagnostics::from(source.unreadable(&error)))?.clone();
    let columns = columns(&source, &headers, family)?;
    let mut rows: Vec<NamedInstance> = Vec::new();
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
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
        lines.insert(id.clone(), row.line);
        let mut own = options.clone();
        for &(name, column) in columns.options.iter().filter(|(_, column)| !record[*column].is_empty()) {
            own.insert(name.to_owned(), record[column].to_owned());
        }
        match family.read(&record[columns.text], &own) {
            Ok(instance) => rows.push(NamedInstance { id, line: row.line, bucket, instance }),
            Err(error) => {
                let mut column = columns.text;
                if let InstancePart::Option(option) = error.part {
                    match columns.options.iter().find(|(name, at)| *name == option && !record[*at].is_empty()) {
                        Some((_, at)) => column = *at,
                        // What is wrong with an option of all rows is said once, and not of every row.
                        None => return Err(DataSetError::Option(error)),
                    }
                }
                let help =
                    help(&error, "mend the row, or take it out", |name, value| format!("`{name} = \"{value}\"`"));
                faults.push(|| row.fault(Some(column), &format!("`{id}`: {error}"), &help));
            }
        }
    }
    let mut diagnostics = faults.finish();
    if rows.is_empty() && diagnostics.is_empty() {
        diagnostics.push(source.header(None, "no instance follows the first line", "expected a row for each instance"));
    }
    Ok(diagnostics.or(Some(DataSet { rows, has_buckets: columns.bucket.is_some() }))?)
}

/// What was expected of an instance, for a message; `otherwise` where the error does not say. `setting` is how an option with a
/// value is written where the message is read.
pub fn help(error: &InstanceError, otherwise: &str, setting: impl Fn(&str, &str) -> String) -> String {
    match (&error.part, &error.expected) {
        (InstancePart::MissingOption { name, example }, Some(expected)) => {
            format!("expected {expected}, as in {}", setting(name, example))
        }
        (_, Some(expected)) => format!("expected {expected}"),
        (_, None) => otherwise.to_owned(),
    }
}

/// The faults of a file, as many as are shown.
pub struct Faults<'n> {
    name: &'n str,
    diagnostics: Diagnostics,
    n_faults: usize,
}

impl<'n> Faults<'n> {
    /// No fault yet of the file of that name.
    pub fn new(name: &'n str) -> Self {
        Self { name, diagnostics: Diagnostics::new(), n_faults: 0 }
    }

    /// Adds a fault, made only if it is shown.
    pub fn push(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        self.n_faults += 1;
        if self.n_faults <= SHOWN_FAULTS {
            self.diagnostics.push(diagnostic());
        }
    }

    /// The faults, and how many are not shown.
    pub fn finish(mut self) -> Diagnostics {
        if self.n_faults > SHOWN_FAULTS {
            let message = format!("{} has {} more errors", self.name, self.n_faults - SHOWN_FAULTS);
            self.diagnostics.push(Diagnostic::general(message, format!("its first {SHOWN_FAULTS} are shown")));
        }
        self.diagnostics
    }
}

/// What is wrong with a bucket that is called as all of them together are.
fn bucket_of_all(columns: &Columns) -> (Option<usize>, String, &'static str) {
    let message = format!("a bucket cannot be called `{ALL_BUCKETS}`");
    (columns.bucket, message, "that is the name of all buckets together in tables and summaries; rename it")
}

/// What is wrong with the names of a row: the column, the message and the help. Names stand in what is printed, ids also in
/// commands to copy.
fn wrong_name(
    columns: &Columns,
    id: &str,
    bucket: &str,
    lines: &BTreeMap<String, u64>,
) -> Option<(Option<usize>, String, &'static str)> {
    if id.is_empty() || !is_printable(id) {
        let message = if id.is_empty() { "the id is empty" } else { "the id cannot be printed" };
        return Some((columns.id, message.to_owned(), "every instance has an id, which stands in the results"));
    }
    if !is_printable(bucket) {
        return Some((columns.bucket, "the bucket cannot be printed".to_owned(), "it stands in the results"));
    }
    let first = lines.get(id)?;
    Some((columns.id, format!("the id `{id}` stands on line {first} too"), "every instance has an id of its own"))
}

/// Where the columns stand that mean something.
struct Columns {
    id: Option<usize>,
    text: usize,
    bucket: Option<usize>,
    options: Vec<(&'static str, usize)>,
}

fn columns(source: &Source<'_>, headers: &csv::StringRecord, family: &dyn Family) -> Result<Columns, Diagnostics> {
    if source.text.trim().is_empty() {
        let help = format!("expected the columns {}", source.expected_columns());
        return Err(Diagnostic::general(format!("{} is empty", source.name), help).into());
    }
    let known: Vec<&str> = ["id", family.text_column(), "bucket"]
        .into_iter()
        .chain(family.options().iter().map(|option| option.name))
        .collect();
    let mut diagnostics = Diagnostics::new();
    let mut column = |name: &str, is_needed: bool| {
        let mut places = (0..headers.len()).filter(|&at| &headers[at] == name);
        let place = places.next();
        if let Some(second) = places.next() {
            diagnostics.push(source.header(
                Some(second),
                &format!("the column `{name}` stands twice"),
                "leave one out",
            ));
        }
        // A column may have any other name, but not one that is nearly this one: it would be passed over unnoticed.
        let meant = (0..headers.len())
            .find(|&at| nearest(&headers[at], known.iter().copied()) == Some(name) && !known.contains(&&headers[at]));
        match (place, meant) {
            (None, Some(meant)) => {
                let message = format!("unknown column `{}`", &headers[meant]);
                diagnostics.push(source.header(Some(meant), &message, &format!("did you mean `{name}`?")));
            }
            (None, None) if is_needed => {
                let found: Vec<&str> = headers.iter().collect();
                let help = format!(
                    "expected {} in the first line; found {}",
                    source.expected_columns(),
                    list(&found).replace("` or `", "` and `")
                );
                diagnostics.push(source.header(None, &format!("there is no column `{name}`"), &help));
            }
            _ => {}
        }
        place
    };
    let (id, text) = (column("id", source.is_id_needed), column(family.text_column(), true));
    let bucket = column("bucket", false);
    let options: Vec<_> =
        family.options().iter().filter_map(|option| Some((option.name, column(option.name, false)?))).collect();
    let is_complete = id.is_some() || !source.is_id_needed;
    diagnostics.or(text.filter(|_| is_complete).map(|text| Columns { id, text, bucket, options }))
}

/// A data set's text, to point into.
struct Source<'t> {
    name: &'t str,
    text: &'t str,
    text_column: &'t str,
    is_id_needed: bool,
}

impl Source<'_> {
    fn expected_columns(&self) -> String {
        let text = self.text_column;
        if self.is_id_needed {
            format!("`id`, `{text}` and, if there are buckets, `bucket`")
        } else {
            format!("`{text}` and, if there are any, `id` and `bucket`")
        }
    }

    /// A fault in the row that begins at byte `at`: in one of its fields, or in all of it.
    fn fault(&self, at: usize, field: Option<usize>, message: &str, help: &str) -> Diagnostic {
        let row = &self.text[at..];
        let bytes = match field {
            Some(field) => field_of(row, field),
            None => 0..row.find(['\n', '\r']).unwrap_or(row.len()),
        };
        let place = Some(excerpt(self.name, self.text, &(at + bytes.start..at + bytes.end)));
        Diagnostic { place, message: message.to_owned(), help: help.to_owned() }
    }

    /// A fault in the first line, after empty ones.
    fn header(&self, field: Option<usize>, message: &str, help: &str) -> Diagnostic {
        let at = self.text.len() - self.text.trim_start_matches(['\n', '\r']).len();
        self.fault(at, field, message, help)
    }

    fn unreadable(&self, error: &csv::Error) -> Diagnostic {
        Diagnostic::general(format!("{} cannot be read: {error}", self.name), "expected a CSV file")
    }
}

/// A row of a data set, to point into.
struct Row<'s> {
    source: &'s Source<'s>,
    /// Its first byte.
    at: usize,
    /// Its line, from 1.
    line: u64,
}

impl<'s> Row<'s> {
    fn new(source: &'s Source<'s>, record: &csv::StringRecord) -> Self {
        let (line, at) = record.position().map_or((0, 0), |position| (position.line(), position.byte() as usize));
        // Empty lines before a row are counted to it.
        let rest = &source.text[at..];
        let blank = rest.len() - rest.trim_start_matches(['\n', '\r']).len();
        Self { source, at: at + blank, line: line + rest[..blank].matches('\n').count() as u64 }
    }

    fn fault(&self, field: Option<usize>, message: &str, help: &str) -> Diagnostic {
        self.source.fault(self.at, field, message, help)
    }

    fn wrong_length(&self, found: usize, expected: usize) -> Diagnostic {
        let message = format!("the row has {found} {}", if found == 1 { "field" } else { "fields" });
        let is_quoted = self.source.text[self.at..].starts_with('"');
        let quoted = if is_quoted { "; a quote that is opened must be closed" } else { "" };
        self.fault(None, &message, &format!("expected {expected} as in the first line{quoted}"))
    }
}

/// The bytes of a field of the row that a text begins with, without spaces and quotes around it.
fn field_of(row: &str, field: usize) -> Range<usize> {
    let (mut start, mut number, mut is_quoted) = (0, 0, false);
    let mut end = row.len();
    for (at, byte) in row.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b',' | b'\n' | b'\r' if !is_quoted => {
                if number == field || byte != b',' {
                    end = at;
                    break;
                }
                number += 1;
                start = at + 1;
            }
            _ => {}
        }
    }
    let is_outer = |character: char| character.is_whitespace() || character == '"';
    let text = &row[start..end];
    let start = start + text.len() - text.trim_start_matches(is_outer).len();
    start..(start + text.trim_matches(is_outer).len()).min(end).max(start)
}
