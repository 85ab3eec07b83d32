//! Texts: reads files within a size limit, and finds lines in texts. A path without a readable file is reported.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;

use evogrid_core::suggestion::nearest;
use evogrid_results::files::{FilePlace, open_regular};

use crate::experiment::diagnostic::{Diagnostic, Diagnostics, Excerpt};
use crate::system::platform::{is_loop_of_links, special_file};

/// Reads a text file of at most `limit` bytes. A byte order mark at the start of the file is removed: columns are counted as in an editor.
///
/// # Errors
/// If the file cannot be read, is larger than `limit`, or is not UTF-8. The error shows the place of the first byte that is not UTF-8.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<String, Diagnostics> {
    let name = path.display().to_string();
    if let Some((message, help)) = unusable(path) {
        return Err(Diagnostic::general(message, help).into());
    }
    read_from(&name, File::open(path).map_err(|error| unreadable(&name, &error))?, limit)
}

/// Reads a text file of a results folder, which must be a [regular file](open_regular), of at most `limit` bytes.
///
/// # Errors
/// If the file cannot be read, is larger than `limit`, or is not UTF-8.
pub(crate) fn read_regular<'a>(place: impl Into<FilePlace<'a>>, limit: u64) -> Result<String, Diagnostics> {
    let place = place.into();
    let name = place.path.display().to_string();
    read_from(&name, open_regular(place).map_err(|error| unreadable(&name, &error))?, limit)
}

fn too_large(name: &str, limit: u64) -> Diagnostics {
    let message = format!("`{name}` is larger than {} MiB", limit >> 20);
    Diagnostic::general(message, "split the file into several files").into()
}

/// Opens a text file of a results folder to read it piecewise. The file must be a [regular file](open_regular) of at most `limit` bytes. A
/// byte order mark at the start of the file is skipped.
///
/// # Errors
/// If the file cannot be opened, or is larger than `limit`. This function does not check that the text is UTF-8.
pub fn regular_reader(path: &Path, limit: u64) -> Result<impl Read, Diagnostics> {
    reader_of(path, open_regular(path), limit)
}

/// A reader of the text file at `path`, like [`regular_reader`]; `file` is the result of opening it.
///
/// # Errors
/// If the file could not be opened, or is larger than `limit`.
pub(crate) fn reader_of(path: &Path, file: io::Result<File>, limit: u64) -> Result<impl Read + use<>, Diagnostics> {
    let name = path.display().to_string();
    let file = file.map_err(|error| unreadable(&name, &error))?;
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

/// Reads at most `limit` bytes of text from an open file or another source. Error messages use `name` as the name of the source.
///
/// # Errors
/// If the text cannot be read. If the text is larger than `limit` or not UTF-8.
pub fn read_from(name: &str, input: impl Read, limit: u64) -> Result<String, Diagnostics> {
    let mut bytes = Vec::new();
    // The file size is not used: a pipe does not have a size, and a device may have no end.
    input.take(limit + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(name, limit));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Diagnostic::general(format!("{name} is UTF-16"), "save the file as UTF-8").into());
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        // Up to this byte, the lossy text is equal to the text in the file.
        let place = Some(excerpt(name, &text, &(valid..valid)));
        let message = format!("byte 0x{:02x} is not UTF-8", error.as_bytes()[valid]);
        Diagnostic { place, message, help: "save the file as UTF-8".to_owned() }.into()
    })
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostics {
    if error.kind() == ErrorKind::NotFound {
        return Diagnostic::general(format!("`{name}` does not exist"), nearby(Path::new(name))).into();
    }
    let help = "check its permissions, then try again";
    Diagnostic::general(format!("cannot read {name}: {error}"), help).into()
}

/// The line in which a range of bytes begins.
pub(crate) fn excerpt(source: &str, text: &str, bytes: &Range<usize>) -> Excerpt {
    let start = text.floor_char_boundary(bytes.start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = text[line_start..line_end].trim_end_matches('\r');
    let end = text.floor_char_boundary(bytes.end.max(start)).min(line_start + line.len()).max(start);
    Excerpt {
        source: source.to_owned(),
        line: 1 + text[..start].matches('\n').count(),
        column: 1 + text[line_start..start].chars().count(),
        text: line.to_owned(),
        width: text[start..end].chars().count().max(1),
    }
}

/// The fault of a path that should lead to a file, with advice. Returns `None` if the path leads to a file, or to a pipe, which can be read
/// only once.
pub(crate) fn unusable(path: &Path) -> Option<(String, String)> {
    let name = path.display();
    let (what, help) = match fs::metadata(path) {
        Ok(found) if found.is_file() => return None,
        Ok(found) if found.is_dir() => ("is a directory".to_owned(), "expected the path of a file".to_owned()),
        Ok(found) => (format!("is {}", special_file(found.file_type())?), "expected a file".to_owned()),
        Err(error) => match (error.kind(), fs::read_link(path)) {
            (ErrorKind::NotFound, Ok(target)) => (
                format!("is a link to `{}`, which does not exist", target.display()),
                "create that file, or name another file".to_owned(),
            ),
            (ErrorKind::NotFound, Err(_)) => ("does not exist".to_owned(), nearby(path)),
            (ErrorKind::NotADirectory, _) => {
                let file = path.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(path);
                ("does not exist".to_owned(), format!("`{}` is not a folder", file.display()))
            }
            (_, Ok(_)) if is_loop_of_links(&error) => {
                ("is a link that leads back to itself".to_owned(), "expected a file, or a link to a file".to_owned())
            }
            _ => (format!("cannot be read: {error}"), "check its permissions, then try again".to_owned()),
        },
    };
    Some((format!("`{name}` {what}"), help))
}

/// The advice for a missing file: a file in the same folder with a similar name.
pub(crate) fn nearby(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let found = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Ok(entries) = fs::read_dir(folder) else {
        return format!("the folder `{}` also does not exist", folder.display());
    };
    let mut names: Vec<String> =
        entries.take(10_000).flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    let with_extension = || {
        names.iter().map(String::as_str).find(|name| Path::new(name).file_stem().is_some_and(|stem| stem == &*found))
    };
    match nearest(&found, names.iter().map(String::as_str)).or_else(with_extension) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "check the path".to_owned(),
    }
}
