//! The text of a CSV file, for pointing at its fields.

use std::ops::Range;

use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::document::excerpt;

/// The text of a CSV file, for messages that point to a place in it.
pub(crate) struct Source<'t> {
    pub(super) name: &'t str,
    pub(super) text: &'t str,
}

impl<'t> Source<'t> {
    /// The text of the CSV file of this name.
    pub(crate) fn new(name: &'t str, text: &'t str) -> Self {
        Self { name, text }
    }

    /// A fault in the row that begins at byte `at`: in one field, or in the whole row.
    pub(super) fn fault(&self, at: usize, field: Option<usize>, message: &str, help: &str) -> Diagnostic {
        let row = &self.text[at..];
        let bytes = match field {
            Some(field) => field_of(row, field),
            None => 0..row.find(['\n', '\r']).unwrap_or(row.len()),
        };
        let place = Some(excerpt(self.name, self.text, &(at + bytes.start..at + bytes.end)));
        Diagnostic { place, message: message.to_owned(), help: help.to_owned() }
    }

    /// A fault in the first line that is not empty.
    pub(crate) fn header(&self, field: Option<usize>, message: &str, help: &str) -> Diagnostic {
        let at = self.text.len() - self.text.trim_start_matches(['\n', '\r']).len();
        self.fault(at, field, message, help)
    }

    pub(crate) fn unreadable(&self, error: &csv::Error) -> Diagnostic {
        Diagnostic::general(format!("cannot read {}: {error}", self.name), "expected a CSV file")
    }
}

/// A row of a data set, for messages that point to a place in it.
pub(crate) struct Row<'s> {
    source: &'s Source<'s>,
    /// Its first byte.
    at: usize,
    /// The line number of the row, from 1.
    pub(crate) line: u64,
}

impl<'s> Row<'s> {
    pub(crate) fn new(source: &'s Source<'s>, record: &csv::StringRecord) -> Self {
        let (line, at) = record.position().map_or((0, 0), |position| (position.line(), position.byte() as usize));
        // Empty lines before a row are counted to it.
        let rest = &source.text[at..];
        let blank = rest.len() - rest.trim_start_matches(['\n', '\r']).len();
        Self { source, at: at + blank, line: line + rest[..blank].matches('\n').count() as u64 }
    }

    pub(crate) fn fault(&self, field: Option<usize>, message: &str, help: &str) -> Diagnostic {
        self.source.fault(self.at, field, message, help)
    }

    pub(crate) fn wrong_length(&self, found: usize, expected: usize) -> Diagnostic {
        let message = format!("the row has {found} {}", if found == 1 { "field" } else { "fields" });
        let is_quoted = self.source.text[self.at..].starts_with('"');
        let quoted = if is_quoted { "; every opened quote must be closed" } else { "" };
        self.fault(None, &message, &format!("expected {expected} as in the first line{quoted}"))
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
