//! The files of a journal, and their lines of bounded length.

use std::io::{self, BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::LINE_LIMIT;
use crate::files::{FileError, list_folder};

/// The files of a folder with this extension, sorted by name; empty if the folder does not exist.
pub(super) fn files_ending(dir: &Path, extension: &str) -> Result<Vec<PathBuf>, FileError> {
    let mut files = match list_folder(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        files => files.map_err(FileError::from_io("read", dir))?,
    };
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    Ok(files)
}

/// What [`read_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// A complete line.
    Whole,
    /// The last line, which does not end in a line break.
    Unfinished,
    /// A line longer than [`LINE_LIMIT`] bytes, which was skipped.
    TooLong,
}

/// Reads the next line into `line`, without the line break. Returns the kind of the line and the number of bytes that were passed; `None`
/// at the end of the file. At most [`LINE_LIMIT`] bytes of the line are held in memory. After these bytes, at most `skip_limit` further
/// bytes of a longer line are skipped. So a reader of a piece of a file need not search the following pieces for the end of the line.
pub(super) fn read_line(
    reader: &mut impl BufRead,
    line: &mut Vec<u8>,
    skip_limit: u64,
) -> io::Result<Option<(LineEnd, u64)>> {
    line.clear();
    let passed = reader.by_ref().take(LINE_LIMIT as u64 + 1).read_until(b'\n', line)? as u64;
    if passed == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some((LineEnd::Whole, passed)));
    }
    if passed <= LINE_LIMIT as u64 {
        return Ok(Some((LineEnd::Unfinished, passed)));
    }
    Ok(Some((LineEnd::TooLong, passed + reader.take(skip_limit).skip_until(b'\n')? as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut text: &[u8]) -> Vec<(LineEnd, u64, usize)> {
        let mut line = Vec::new();
        let next = || {
            read_line(&mut text, &mut line, u64::MAX).expect("memory").map(|(kind, passed)| (kind, passed, line.len()))
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn lines_are_whole_unfinished_or_too_long() {
        assert_eq!(lines(b"ab\n\nc"), [(LineEnd::Whole, 3, 2), (LineEnd::Whole, 1, 0), (LineEnd::Unfinished, 1, 1)]);
        let mut long = vec![b'x'; LINE_LIMIT];
        long.extend_from_slice(b"\nab\n");
        assert_eq!(lines(&long)[0], (LineEnd::Whole, LINE_LIMIT as u64 + 1, LINE_LIMIT));
        long.insert(0, b'x');
        let found = lines(&long);
        assert_eq!(
            (found[0].0, found[0].1, found[1]),
            (LineEnd::TooLong, LINE_LIMIT as u64 + 2, (LineEnd::Whole, 3, 2))
        );
    }
}
