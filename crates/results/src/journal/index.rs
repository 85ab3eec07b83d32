//! Finds the records of runs in a journal.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use evogrid_core::identity::RunId;

use super::lines::{files_ending, read_line};
use super::part::JournalPart;
use super::place::{Entry, Place};
use super::scan::{JournalFile, scan};
use super::skim::{FinishedRun, SkimmedLine, Skimmer, require_seal};
use super::solutions::SolutionReader;
use super::{JournalError, conflict, reason};
use crate::files::{FileError, FilePlace, open_regular};
use crate::format::printable;
use crate::json::RecordLine;
use crate::record::Record;
use crate::run::RunOutcome;

/// The maximum number of damaged lines that are listed; further lines are only counted.
const DAMAGES_LISTED: usize = 1000;

/// The maximum number of files that are held open between two look-ups.
const MAX_OPEN_FILES: usize = 64;

/// The index of a journal, which contains the position of each record. The index needs 16 bytes per run. The size of the index does not
/// depend on the size of the records.
///
/// ```
/// use evogrid_core::budget::Stop;
/// use evogrid_results::journal::{Index, Writer};
/// use evogrid_results::{Record, RunKey, RunOutcome};
///
/// # let folder = tempfile::tempdir()?;
/// let run_id = "r392a0433103064a0".parse()?;
/// let key = RunKey { run_id, ..RunKey::default() };
/// let failed = Record { key, message: Some("out of memory".into()), ..Record::default() };
/// let outcome = RunOutcome { solved: Some(true), stop: Stop::Target, ..RunOutcome::default() };
/// let solved = Record { outcome, message: None, ..failed.clone() };
/// let mut writer = Writer::create(folder.path())?;
/// writer.append(&[failed, solved.clone()])?;
/// writer.finish()?;
///
/// let index = Index::read(folder.path())?;
/// assert!(index.contains(run_id) && index.damages.is_empty());
/// assert_eq!(index.get(run_id)?, Some(solved), "a failure counts only while there is nothing else");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// If a run has several records, only the most informative record counts. Tables and analyses use only this record. A record with an
/// objective is preferred to a record that has evaluations but no objective. A failure counts only if the run has no other record. If
/// several records are equally informative, the first of them counts. In the order of the records, the files that sessions of this program
/// wrote come first. All other files come after them. The files of sessions are sorted by name. The other files are sorted by name, too.
/// Within a file, records are sorted by line.
#[derive(Debug, Default)]
pub struct Index {
    /// The files of known sessions come first. The files of sessions are sorted by name, and so are the other files.
    files: Vec<JournalFile>,
    /// One entry for each run, sorted by id.
    entries: Vec<Entry>,
    /// The ignored records, sorted by id. A record is ignored if the index uses another record of the same run.
    others: Vec<Entry>,
    /// The number of runs for which the journal contains only failures.
    pub n_failed: usize,
    /// The damaged lines in order; only the first thousand are kept.
    pub damages: Vec<Damage>,
    /// The number of damaged lines, including those that are not listed.
    pub n_damages: usize,
    state: Mutex<LookUpState>,
}

/// The data that is kept between two look-ups.
#[derive(Debug, Default)]
struct LookUpState {
    open: Vec<OpenFile>,
    skimmer: Skimmer,
}

/// A line that is not a valid record and was therefore ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The journal file.
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
    /// The offset of the line in bytes, from the file's start.
    pub offset: u64,
    /// The reason why the line is not valid.
    pub reason: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.to_string_lossy();
        write!(formatter, "{}:{}: ignored a damaged line: {}", printable(&path), self.line, self.reason)
    }
}

impl Damage {
    /// Reads the damaged line from the file. At most the first [`LINE_LIMIT`](super::LINE_LIMIT) bytes are read.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, FileError> {
        let mut line = Vec::new();
        let mut read = || {
            let mut reader = BufReader::new(open_regular(FilePlace::in_subfolder(&self.path))?);
            reader.seek(SeekFrom::Start(self.offset))?;
            read_line(&mut reader, &mut line, 0)
        };
        read().map_err(FileError::from_io("read", &self.path))?;
        Ok(line)
    }
}

impl Index {
    /// Reads the journal folder `dir`. The `*.jsonl` files are read line by line. Solutions in separate files are read one by one. If the
    /// folder is missing, the journal is treated as empty.
    ///
    /// # Errors
    /// If the folder or a file cannot be read. Damaged lines, and lines with a damaged or missing solution, are not an error. Such lines
    /// are ignored, and [`damages`](Self::damages) lists them. An unfinished last line is ignored without a report.
    pub fn read(dir: &Path) -> Result<Self, JournalError> {
        Self::read_unless(dir, &|| false)
    }

    /// Reads a journal as [`read`](Self::read) does. `is_cancelled` is called from time to time, and reading ends when `is_cancelled`
    /// returns true.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), and [`JournalError::Cancelled`].
    pub fn read_unless(dir: &Path, is_cancelled: &dyn Fn() -> bool) -> Result<Self, JournalError> {
        let mut files: Vec<JournalFile> = files_ending(dir, "jsonl")?.into_iter().map(JournalFile::new).collect();
        files.sort_by_key(|file| !file.is_sealed);
        let mut index = Self::default();
        scan(&files, is_cancelled, |scanned| {
            index.entries.extend(scanned.entries);
            for (file, line, offset, reason) in scanned.damages {
                index.n_damages += 1;
                if index.damages.len() < DAMAGES_LISTED {
                    index.damages.push(Damage { path: files[file].path.clone(), line, offset, reason });
                }
            }
        })?;
        index.files = files;
        index.entries.sort_unstable();
        let others = index.entries.windows(2).filter(|pair| pair[0].id == pair[1].id);
        index.others = others.map(|pair| pair[1]).collect();
        index.entries.dedup_by_key(|entry| entry.id);
        index.entries.shrink_to_fit();
        index.n_failed = index.entries.iter().filter(|entry| entry.place.is_failed()).count();
        Ok(index)
    }

    /// Whether the run is finished. If every attempt at the run has failed, the run is not finished and will be repeated.
    pub fn contains(&self, run: RunId) -> bool {
        self.place(run).is_some_and(|place| !place.is_failed())
    }

    /// Whether the journal has a record of the run, including a failure.
    pub fn knows(&self, run: RunId) -> bool {
        self.place(run).is_some()
    }

    /// The number of runs that the journal [knows](Self::knows).
    pub fn n_known(&self) -> usize {
        self.entries.len()
    }

    /// The position of a run among the [known](Self::knows) runs, counted from 0.
    pub fn number(&self, run: RunId) -> Option<usize> {
        self.entries.binary_search_by_key(&run.bits(), |entry| entry.id).ok()
    }

    /// Reads the record of a run with its solution from the journal file. If every attempt at the run failed, the function returns the
    /// record of a failure.
    ///
    /// # Errors
    /// If a file cannot be read. If a file has changed since it was indexed.
    pub fn get(&self, run: RunId) -> Result<Option<Record>, JournalError> {
        let Some(place) = self.place(run) else { return Ok(None) };
        let RecordLine { mut record, solution_place } = self.line_of(run, place)?;
        if let Some(solution_place) = solution_place {
            let mut solutions = SolutionReader::new(&self.files[place.file()].path);
            let solution = solutions.read(&solution_place)?.map(str::to_owned);
            let no_solution = |reason| JournalError::NoSolution { path: solutions.path.clone(), run_id: run, reason };
            record.solution = Some(solution.map_err(no_solution)?);
        }
        Ok(Some(record))
    }

    /// Returns a sentence about the first contradiction between two records of a run. Returns `None` if there is no contradiction.
    ///
    /// # Errors
    /// The errors of [`get`](Self::get).
    pub fn conflict(&self) -> Result<Option<String>, JournalError> {
        for entry in self.repeated() {
            let run = RunId::from_bits(entry.id);
            let Some(first) = self.place(run) else { continue };
            let (one, other) = (self.line_of(run, first)?, self.line_of(run, entry.place)?);
            let path = |place: Place| self.files[place.file()].path.as_path();
            let conflict = conflict::between((&one, path(first)), (&other, path(entry.place)));
            if conflict.is_some() {
                return Ok(conflict);
            }
        }
        Ok(None)
    }

    /// The number of ignored records of finished runs. A record is ignored if the index uses an earlier record of the same run.
    pub fn n_repeated(&self) -> usize {
        self.repeated().count()
    }

    /// The ignored records of finished runs.
    fn repeated(&self) -> impl Iterator<Item = &Entry> {
        self.others.iter().filter(|entry| !entry.place.is_failed())
    }

    /// If a run has several equally informative records, chooses which of these records counts. The outcome of the chosen record must be
    /// equal to `outcome`, including the times. Returns false if no record has this outcome, or if the first record already has this
    /// outcome. The function is needed if another process added records after a table was written.
    ///
    /// # Errors
    /// The errors of [`get`](Self::get).
    pub fn prefer(&mut self, run: RunId, outcome: &RunOutcome) -> Result<bool, JournalError> {
        let start = self.others.partition_point(|entry| entry.id < run.bits());
        let of_run = self.others[start..].iter().take_while(|entry| entry.id == run.bits());
        let others = of_run.filter(|entry| !entry.place.is_failed()).count();
        let Some(number) = self.number(run).filter(|_| others > 0) else { return Ok(false) };
        let first = self.entries[number].place;
        if self.skim_at(run, first)?.outcome == *outcome {
            return Ok(false);
        }
        for at in start..start + others {
            let other = self.others[at].place;
            if other.stands_as(first) && self.skim_at(run, other)?.outcome == *outcome {
                (self.entries[number].place, self.others[at].place) = (other, first);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if the record of the run is in a journal file that a session of this program wrote. If the run has several records, the
    /// function looks only at the record that counts.
    pub fn is_of_session(&self, run: RunId) -> bool {
        self.place(run).is_some_and(|place| self.files[place.file()].is_sealed)
    }

    /// The number of the file with the run's record; see [`path`](Self::path). If the run has several records, the function looks only at
    /// the record that counts.
    pub fn file(&self, run: RunId) -> Option<usize> {
        self.place(run).map(Place::file)
    }

    /// The number of files.
    pub fn n_files(&self) -> usize {
        self.files.len()
    }

    /// The path of the file with this number. The number must be below [`n_files`](Self::n_files).
    ///
    /// # Panics
    /// If `file` is not below [`n_files`](Self::n_files).
    pub fn path(&self, file: usize) -> &Path {
        &self.files[file].path
    }

    /// For each file, the lines of the runs for which `is_wanted` is true. If `is_every` is true, the result contains all lines of these
    /// runs, including failures. If `is_every` is false, the result contains only one line of each finished run: the line with the most
    /// informative record.
    pub fn parts(&self, is_every: bool, is_wanted: impl Fn(RunId) -> bool) -> Vec<JournalPart<'_>> {
        let mut lines = vec![Vec::new(); self.files.len()];
        let counting = self.entries.iter().filter(|entry| is_every || !entry.place.is_failed());
        for entry in counting.chain(self.others.iter().filter(|_| is_every)) {
            let run = RunId::from_bits(entry.id);
            if is_wanted(run) {
                lines[entry.place.file()].push((entry.place.offset(), run));
            }
        }
        let parts = self.files.iter().zip(lines).filter(|(_, lines)| !lines.is_empty());
        parts.map(|(file, lines)| JournalPart::new(file, lines)).collect()
    }

    /// The files that contain at least one record that is not ignored.
    pub fn counting_files(&self) -> Vec<&Path> {
        let mut counts = vec![false; self.files.len()];
        self.entries.iter().for_each(|entry| counts[entry.place.file()] = true);
        let files = self.files.iter().zip(counts).filter(|(_, counts)| *counts);
        files.map(|(file, _)| file.path.as_path()).collect()
    }

    /// Reads the result of a run. The result contains the id of the instance, but neither the settings, the solution nor the name of the
    /// algorithm. If every attempt at the run failed, the result describes a failure. Reading the result takes much less time than reading
    /// the record.
    ///
    /// # Errors
    /// The errors of [`get`](Self::get).
    pub fn skim(&self, run: RunId) -> Result<Option<FinishedRun>, JournalError> {
        self.place(run).map(|place| self.skim_at(run, place)).transpose()
    }

    fn skim_at(&self, run: RunId, place: Place) -> Result<FinishedRun, JournalError> {
        self.look_up(run, place, |(skimmer, is_sealed), line| {
            skimmer.skim(line, is_sealed, |_| 0).map(|SkimmedLine { finished, .. }| (finished.run_id, finished))
        })
    }

    fn line_of(&self, run: RunId, place: Place) -> Result<RecordLine, JournalError> {
        self.look_up(run, place, |(_, is_sealed), line| {
            require_seal(line, is_sealed)?;
            let found: RecordLine = serde_json::from_slice(line).map_err(|error| reason(&error))?;
            Ok((found.record.key.run_id, found))
        })
    }

    /// Calls `read` for the line at a place and checks that the result belongs to this run.
    fn look_up<T>(
        &self,
        run_id: RunId,
        place: Place,
        read: impl FnOnce((&mut Skimmer, bool), &mut [u8]) -> Result<(RunId, T), String>,
    ) -> Result<T, JournalError> {
        let (JournalFile { path, is_sealed }, offset) = (&self.files[place.file()], place.offset());
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let LookUpState { open, skimmer } = &mut *state;
        let line = line_at(open, place.file(), path, offset).map_err(FileError::from_io("read", path))?;
        let found = read((skimmer, *is_sealed), line).and_then(|(found, value)| {
            if found == run_id { Ok(value) } else { Err(format!("the line is a record of run {found}")) }
        });
        found.map_err(|reason| JournalError::NoRecord { path: path.clone(), offset, run_id, reason })
    }

    /// The number of finished runs. The method [`contains`](Self::contains) returns true for these runs.
    pub fn len(&self) -> usize {
        self.entries.len() - self.n_failed
    }

    /// Whether no run is finished.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn place(&self, run: RunId) -> Option<Place> {
        self.number(run).map(|at| self.entries[at].place)
    }
}

/// A file that is held open, since look-ups often follow the order of the journal.
#[derive(Debug)]
struct OpenFile {
    file: usize,
    reader: BufReader<File>,
    position: u64,
    line: Vec<u8>,
}

/// The line at this offset of a file. The file stays open. If too many files are open, the least recently used file is closed.
fn line_at<'a>(open: &'a mut Vec<OpenFile>, file: usize, path: &Path, offset: u64) -> io::Result<&'a mut [u8]> {
    let mut found = match open.iter().position(|open| open.file == file) {
        Some(at) => open.remove(at),
        None => {
            let reader = BufReader::with_capacity(1 << 14, open_regular(FilePlace::in_subfolder(path))?);
            OpenFile { file, reader, position: 0, line: Vec::new() }
        }
    };
    // Offsets have 40 bits, so their differences fit into 64 bits with a sign. A short jump stays inside the buffer.
    found.reader.seek_relative(offset as i64 - found.position as i64)?;
    let passed = read_line(&mut found.reader, &mut found.line, 0)?.map_or(0, |(_, passed)| passed);
    found.position = offset + passed;
    open.truncate(MAX_OPEN_FILES - 1);
    open.insert(0, found);
    Ok(&mut open[0].line)
}
