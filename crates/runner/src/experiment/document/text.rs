//! Texts: files read within a size limit, and lines found in them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;

use evogrid_results::files::{FilePlace, open_regular};

use super::path::{nearby, unusable};
use crate::experiment::diagnostic::{Diagnostic, Diagnostics, Excerpt};

/// Reads a text file of at most `limit` bytes. A byte order mark at its start is removed, so that columns are counted as in an editor.
///
/// # Errors
/// If it cannot be read, is larger, or is not UTF-8, with the place of the first byte that is not.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<String, Diagnostics> {
    let name = path.display().to_string();
    if let Some((message, help)) = unusable(path) {
        return Err(Diagnostic::general(message, help).into());
    }
    read_from(&name, opened(path, File::open(path))?, limit)
}

/// The same for a file of a results folder, which must be a [regular file](open_regular).
///
/// # Errors
/// If it cannot be read, is larger, or is not UTF-8.
pub(crate) fn read_regular<'a>(place: impl Into<FilePlace<'a>>, limit: u64) -> Result<String, Diagnostics> {
    let place = place.into();
    read_from(&place.path.display().to_string(), opened(place.path, open_regular(place))?, limit)
}

/// An opened file, or why it could not be opened.
fn opened(path: &Path, file: io::Result<File>) -> Result<File, Diagnostics> {
    let name = path.display().to_string();
    match file {
        Ok(file) => Ok(file),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(Diagnostic::general(format!("`{name}` does not exist"), nearby(path)).into())
        }
        Err(error) => Err(unreadable(&name, &error)),
    }
}

fn too_large(name: &str, limit: u64) -> Diagnostics {
    let message = format!("`{name}` is larger than {} MiB", limit >> 20);
    Diagnostic::general(message, "split it into several files").into()
}

/// Opens a text file of a results folder, which must be a [regular file](open_regular) of at most `limit` bytes, to read it in pieces. A
/// byte order mark at its start is skipped.
///
/// # Errors
/// If it cannot be opened, or is larger. The caller checks that it is UTF-8.
pub fn regular_reader(path: &Path, limit: u64) -> Result<impl Read, Diagnostics> {
    reader_of(path, open_regular(path), limit)
}

/// The same for a file that was already opened, or could not be opened.
///
/// # Errors
/// If it could not be opened, or is larger.
pub(crate) fn reader_of(path: &Path, file: io::Result<File>, limit: u64) -> Result<impl Read + use<>, Diagnostics> {
    let name = path.display().to_string();
    let file = opened(path, file)?;
    let size = file.metadata().map_err(|error| unreadable(&name, &error))?.len();
    if size > limit {
        return Err(too_large(&name, limit));
    }
    let mut reader = BufReader::with_capacity(1 << 16, file.take(limit));
    if reader.fill_buf().map_err(|error| unreadable(&name, &error))?.starts_with(b"\xef\xbb\xbf") {
        reader.consume(3);
    }
    Ok(reader)
}

/// Reads a text of at most `limit` bytes from an open file or another source; `name` is for messages.
///
/// # Errors
/// If it cannot be read, is larger, or is not UTF-8.
pub fn read_from(name: &str, input: impl Read, limit: u64) -> Result<String, Diagnostics> {
    let mut bytes = Vec::new();
    // The length that the file system gives is of no use: a pipe has none, and a device no end.
    input.take(limit + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(name, limit));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Diagnostic::general(format!("{name} is UTF-16"), "save it as UTF-8").into());
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        // Up to here the text that is shown is the text that was read.
        let place = Some(excerpt(name, &text, &(valid..valid)));
        let message = format!("byte 0x{:02x} is not UTF-8", error.as_bytes()[valid]);
        Diagnostic { place, message, help: "save the file as UTF-8".to_owned() }.into()
    })
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostics {
    let help = "check its permissions, then try again";
    Diagnostic::general(format!("cannot read {name}: {error}"), help).into()
}

/// The line in which a range of bytes begins.
pub(crate) fn excerpt(source: &str, text: &str, bytes: &Range<usize>) -> Excerpt {
    let start = char_start(text, bytes.start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = text[line_start..line_end].trim_end_matches('\r');
    let end = char_start(text, bytes.end.max(start)).min(line_start + line.len()).max(start);
    Excerpt {
        source: source.to_owned(),
        line: 1 + text[..start].matches('\n').count(),
        column: 1 + text[line_start..start].chars().count(),
        text: line.to_owned(),
        width: text[start..end].chars().count().max(1),
    }
}

fn char_start(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
