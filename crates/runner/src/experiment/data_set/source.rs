//! The text of a CSV file: its rows, and messages that point at its fields.

use std::ops::Range;

use csv::{Reader, StringRecord, Trim};

use crate::experiment::diagnostic::{Diagnostic, Diagnostics};
use crate::experiment::document::excerpt;

/// The text of a CSV file, for messages that point to a place in it.
pub(crate) struct Source<'t> {
    pub(crate) name: &'t str,
    pub(crate) text: &'t str,
}

/// A fault in a row.
pub(crate) struct RowFault {
    /// The number of the faulty field; `None` for the whole row.
    pub(crate) column: Option<usize>,
    pub(crate) message: String,
    pub(crate) help: String,
}

impl RowFault {
    pub(crate) fn new(column: Option<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { column, message: message.into(), help: help.into() }
    }
}

impl<'t> Source<'t> {
    /// The reader of the rows, and the names of the columns.
    pub(crate) fn open(&self) -> Result<(Reader<&'t [u8]>, StringRecord), Diagnostics> {
        let mut csv = csv::ReaderBuilder::new().flexible(true).trim(Trim::All).from_reader(self.text.as_bytes());
        let headers = csv.headers().map_err(|error| self.unreadable(&error))?.clone();
        Ok((csv, headers))
    }

    /// Passes on every row with its line number, counted from 1. Returns all faults.
    pub(crate) fn each_row(
        &self,
        mut csv: Reader<&'t [u8]>,
        mut each: impl FnMut(u64, &StringRecord) -> Result<(), RowFault>,
    ) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let expected = csv.headers().map_or(0, StringRecord::len);
        for record in csv.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    diagnostics.push(self.unreadable(&error));
                    break;
                }
            };
            let (line, at) = record.position().map_or((0, 0), |position| (position.line(), position.byte() as usize));
            // The position of a row includes the empty lines before it.
            let rest = &self.text[at..];
            let blank = rest.len() - rest.trim_start_matches(['\n', '\r']).len();
            let (line, at) = (line + rest[..blank].matches('\n').count() as u64, at + blank);
            let read = if record.len() == expected {
                each(line, &record)
            } else {
                let found = record.len();
                let message = format!("the row has {found} {}", if found == 1 { "field" } else { "fields" });
                let is_quoted = self.text[at..].starts_with('"');
                let quoted =
                    if is_quoted { "; each quotation mark that opens a field must also be closed" } else { "" };
                Err(RowFault::new(None, message, format!("expected {expected} as in the first line{quoted}")))
            };
            if let Err(RowFault { column, message, help }) = read {
                diagnostics.push_with(|| self.fault(at, column, message, help));
            }
        }
        diagnostics
    }

    /// A fault in the row that begins at byte `at`: in one field, or in the whole row.
    fn fault(&self, at: usize, field: Option<usize>, message: String, help: String) -> Diagnostic {
        let row = &self.text[at..];
        let bytes = match field {
            Some(field) => field_of(row, field),
            None => 0..row.find(['\n', '\r']).unwrap_or(row.len()),
        };
        let place = Some(excerpt(self.name, self.text, &(at + bytes.start..at + bytes.end)));
        Diagnostic { place, message, help }
    }

    /// A fault in the first line that is not empty.
    pub(crate) fn header(&self, field: Option<usize>, message: &str, help: &str) -> Diagnostic {
        let at = self.text.len() - self.text.trim_start_matches(['\n', '\r']).len();
        self.fault(at, field, message.to_owned(), help.to_owned())
    }

    fn unreadable(&self, error: &csv::Error) -> Diagnostic {
        Diagnostic::general(format!("cannot read {}: {error}", self.name), "expected a CSV file")
    }
}

/// The byte range of a field in the row with which a text begins, without spaces and quotes around it.
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
