//! Follows a journal that other processes write. Each call of [`JournalTail::look`] reads only the lines since the previous call. Earlier
//! lines have no index.
//!
//! A call reads the names and lengths of the files, and the new bytes. Between two calls, each file's offset and the known beginnings of
//! lines are kept. So memory does not grow with the runs.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::lines::{LineEnd, files_ending, read_line};
use super::skim::{FinishedRun, SkimmedLine, Skimmer};
use super::{JournalError, SESSION_SUFFIX};
use crate::files::{FileError, FilePlace, open_regular};
use crate::record::Record;

/// Number of lines between two calls of `is_cancelled`.
const LINES_AT_ONCE: u64 = 4096;

/// Receives the runs of a journal that is being followed.
pub trait TailVisitor {
    /// Returns an index for the kind of the run in `record`. All runs with the same algorithm and the same settings belong to one kind.
    /// Suppose that several lines have the same text from the field of the algorithm to the end of the settings. Then the method is usually
    /// called only for the first of these lines.
    fn kind(&mut self, record: &Record) -> usize;

    /// Receives a finished or failed run. `kind` is the index of the run's kind. `file` is the index of the run's file in the list
    /// [files](JournalTail::files).
    fn run(&mut self, kind: usize, file: usize, run: &FinishedRun);
}

/// The changes in a journal since the previous call of [`JournalTail::look`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TailChange {
    /// Whether lines have disappeared after they were read. Lines disappear, for example, if the journal is renamed, or if a file is
    /// removed, truncated or replaced. If lines have disappeared, this call of [`JournalTail::look`] reads nothing. The next call begins at
    /// the start of the journal. So the caller must count all runs again.
    pub is_reset: bool,
    /// The number of runs that were passed to the [visitor](TailVisitor).
    pub n_runs: u64,
    /// The number of damaged lines, which were ignored.
    pub n_damaged: u64,
    /// The number of bytes that were read.
    pub n_bytes: u64,
}

/// Follows the files of a journal.
///
/// ```
/// use evogrid_results::journal::{FinishedRun, JournalTail, TailVisitor, Writer};
/// use evogrid_results::{Record, RunKey};
///
/// #[derive(Default)]
/// struct Count(usize);
///
/// impl TailVisitor for Count {
///     fn kind(&mut self, _: &Record) -> usize {
///         0
///     }
///
///     fn run(&mut self, _: usize, _: usize, _: &FinishedRun) {
///         self.0 += 1;
///     }
/// }
///
/// # let folder = tempfile::tempdir()?;
/// let mut writer = Writer::create(folder.path())?;
/// let (mut tail, mut count) = (JournalTail::new(folder.path()), Count::default());
/// writer.append(&[Record::default(), Record::default()])?;
/// assert_eq!(tail.look(&mut count, &|| false)?.n_runs, 2);
/// assert_eq!(tail.look(&mut count, &|| false)?.n_bytes, 0, "nothing is read twice");
/// writer.append(&[Record::default()])?;
/// tail.look(&mut count, &|| false)?;
/// assert_eq!(count.0, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct JournalTail {
    dir: PathBuf,
    numbers: BTreeMap<PathBuf, usize>,
    files: Vec<TailFile>,
    skimmer: Skimmer,
    line: Vec<u8>,
}

/// A file, and the part of it that was read.
#[derive(Debug)]
struct TailFile {
    path: PathBuf,
    /// Whether each line of the file has a checksum.
    is_sealed: bool,
    /// The offset of the next line.
    offset: u64,
    /// The length of the file when it was last read. While the length is the same, there is nothing to read.
    length: u64,
}

impl JournalTail {
    /// Follows the journal in the folder `dir` from the first line of the journal. The folder need not exist yet.
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), ..Self::default() }
    }

    /// The journal files found so far, in the order of their numbers.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }

    /// Passes each run to `visitor` if the line of the run was completed since the previous call of this function. A damaged line is
    /// ignored and counted. If the last line is incomplete, the next call reads it.
    ///
    /// # Errors
    /// If the folder or a file cannot be read. The function calls `is_cancelled` from time to time. If `is_cancelled` returns true, the
    /// error is [`JournalError::Cancelled`].
    pub fn look(
        &mut self,
        visitor: &mut impl TailVisitor,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<TailChange, JournalError> {
        let mut change = TailChange::default();
        let mut lengths = vec![None; self.files.len()];
        for path in files_ending(&self.dir, "jsonl")? {
            // The file may be missing: a writer without records removes its file.
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            let next = self.files.len();
            let number = *self.numbers.entry(path.clone()).or_insert(next);
            if number == next {
                self.files.push(TailFile { path, is_sealed: false, offset: 0, length: 0 });
                lengths.push(None);
            }
            lengths[number] = Some(metadata.len());
        }
        let is_gone = |(file, length): (&TailFile, &Option<u64>)| file.offset > length.unwrap_or(0);
        if self.files.iter().zip(&lengths).any(is_gone) {
            *self = Self::new(&self.dir);
            return Ok(TailChange { is_reset: true, ..change });
        }
        for (number, length) in lengths.into_iter().enumerate() {
            if length.is_some_and(|length| length != self.files[number].length) {
                self.read(number, visitor, is_cancelled, &mut change)?;
            }
        }
        Ok(change)
    }

    fn read(
        &mut self,
        number: usize,
        visitor: &mut impl TailVisitor,
        is_cancelled: &dyn Fn() -> bool,
        change: &mut TailChange,
    ) -> Result<(), JournalError> {
        let file = &mut self.files[number];
        let unreadable = |error| FileError::from_io("read", &file.path)(error);
        let input = match open_regular(FilePlace::in_subfolder(&file.path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            input => input.map_err(unreadable)?,
        };
        // The session file is created after the journal file.
        file.is_sealed |= fs::symlink_metadata(file.path.with_extension(SESSION_SUFFIX)).is_ok();
        let mut input = BufReader::with_capacity(1 << 16, input);
        input.seek(SeekFrom::Start(file.offset)).map_err(unreadable)?;
        file.length = file.offset;
        let mut n_lines = 0;
        while let Some((end, passed)) = read_line(&mut input, &mut self.line, u64::MAX).map_err(unreadable)? {
            file.length += passed;
            change.n_bytes += passed;
            let is_blank = self.line.trim_ascii().is_empty();
            match self.skimmer.skim(&mut self.line, file.is_sealed, |record| visitor.kind(record)) {
                _ if end == LineEnd::TooLong => change.n_damaged += 1,
                _ if is_blank => {}
                Ok(SkimmedLine { finished, kind, .. }) => {
                    visitor.run(kind, number, &finished);
                    change.n_runs += 1;
                }
                // The rest of the line may be written later.
                Err(_) if end == LineEnd::Unfinished => break,
                Err(_) => change.n_damaged += 1,
            }
            file.offset += passed;
            n_lines += 1;
            if n_lines % LINES_AT_ONCE == 0 && is_cancelled() {
                return Err(JournalError::Cancelled);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
