//! The file of solutions beside a journal file. The file contains the solutions that are too long for a line of the journal. Each solution
//! ends in a line break.
//!
//! The line of the journal gives the position and the hash of its solution. A solution is on the disk before its line is written. If a
//! solution has no line, its process ended before the line was written.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::files::{FileError, FilePlace, open_regular};
use crate::format::printable;
use crate::solution::{SolutionPlace, hash_of};

/// The suffix of a file of solutions. This suffix replaces the suffix `jsonl` of the journal file.
pub const SOLUTIONS_SUFFIX: &str = "solutions";

/// The maximum length of a solution in bytes. Without this limit, a program that reads the file could run out of memory.
pub(crate) const SOLUTION_LIMIT: usize = 64 << 20;

/// A reader reads at most this multiple of the size of a file of solutions. Several lines may name the same solution, but reading a long
/// solution for each of a million lines would take hours.
const READINGS: u64 = 4;

/// Reads the solutions of one journal file, one at a time.
#[derive(Debug, Default)]
pub(super) struct SolutionReader {
    pub(super) path: PathBuf,
    /// The file, which is opened for the first solution.
    file: Option<File>,
    /// The last solution; the buffer is kept to reuse its memory.
    solution: Vec<u8>,
    /// The number of bytes that were requested.
    n_asked: u64,
}

impl SolutionReader {
    pub(super) fn new(journal_file: &Path) -> Self {
        Self { path: journal_file.with_extension(SOLUTIONS_SUFFIX), ..Self::default() }
    }

    /// Reads the solution at a position. If the solution is not valid, the inner error is the reason.
    ///
    /// # Errors
    /// If the file exists and cannot be read, or is not a regular file.
    pub(super) fn read(&mut self, place: &SolutionPlace) -> Result<Result<&str, String>, FileError> {
        let read = self.read_bytes(place).map_err(FileError::from_io("read", &self.path))?;
        let text = read.and_then(|()| str::from_utf8(&self.solution).map_err(|_| "is not text".to_owned()));
        Ok(text.map_err(|fault| {
            let name = self.path.file_name().unwrap_or_default().to_string_lossy();
            let SolutionPlace { offset, bytes, .. } = place;
            format!("its solution ({bytes} bytes from byte {offset} of `{}`) {fault}", printable(&name))
        }))
    }

    /// Reads the bytes at a position. If the bytes are missing or changed, the inner error is the reason.
    fn read_bytes(&mut self, place: &SolutionPlace) -> io::Result<Result<(), String>> {
        self.solution.clear();
        if place.bytes > SOLUTION_LIMIT as u64 {
            return Ok(Err(format!("is longer than {SOLUTION_LIMIT} bytes")));
        }
        let file = match &mut self.file {
            Some(file) => file,
            file => match open_regular(FilePlace::in_subfolder(&self.path)) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Ok(Err("is missing: file not found".to_owned()));
                }
                opened => file.insert(opened?),
            },
        };
        // The length is read again, since the file may be growing.
        let length = file.metadata()?.len();
        self.n_asked += length.saturating_sub(place.offset).min(place.bytes);
        if self.n_asked > READINGS.saturating_mul(length) {
            let most = format!("{READINGS} times the size of the file");
            return Ok(Err(format!("was not read: the solutions up to this line together exceed {most}")));
        }
        // A file cannot have bytes at an offset that the system cannot address.
        if i64::try_from(place.offset).is_ok() {
            file.seek(SeekFrom::Start(place.offset))?;
            file.take(place.bytes).read_to_end(&mut self.solution)?;
        }
        Ok(if (self.solution.len() as u64) < place.bytes {
            Err(format!("is truncated: the file contains only {} bytes of the solution", self.solution.len()))
        } else if hash_of(&self.solution) != place.blake3 {
            Err("does not have the BLAKE3 hash that the line of the journal gives".to_owned())
        } else {
            Ok(())
        })
    }
}
