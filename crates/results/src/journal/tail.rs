//! The tail of a journal that others are writing: what was appended since the last look, without an index of what came before.
//!
//! A look reads the names and lengths of the files and the new bytes; between looks only an offset is kept for each file, and the
//! beginnings of lines, so that neither grows with the runs.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{BufReader, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;
use serde::Deserialize;

use super::checksum::{self, Seal};
use super::index::journal_paths;
use super::lines::{LineEnd, read_line};
use super::skim::{require_seal, settings_end};
use super::{JournalError, SESSION_SUFFIX, reason};
use crate::files::{FileError, open_regular};
use crate::json::RecordLine;
use crate::record::Record;

/// What precedes the id in a line of our writer, and what follows the settings.
const BEFORE_ID: &[u8] = b"{\"run_id\":\"";
const AFTER_SETTINGS: &[u8] = b"},\"problem\":";

/// Bytes of an id.
const ID_LEN: usize = 17;

/// The start of the part that tells kinds of runs apart.
const HEAD_START: usize = BEFORE_ID.len() + ID_LEN;

/// The most beginnings of lines that are kept; if there are more, all are dropped and learnt again.
const HEADS_LIMIT: usize = 4096;

/// Number of lines between two calls of `is_cancelled`.
const LINES_AT_ONCE: u64 = 4096;

/// Whoever follows a journal.
pub trait TailVisitor {
    /// The kind of runs with the algorithm and the settings of this record. It is called for the first line with a new beginning.
    fn kind(&mut self, record: &Record) -> usize;

    /// A run of that kind was finished, or failed.
    fn run(&mut self, kind: usize, run: &TailRun<'_>);
}

/// A run that was appended to a journal: its outcome, without its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct TailRun<'l> {
    /// The run.
    pub run_id: RunId,
    /// The number of its file among the [files](JournalTail::files).
    pub file: usize,
    /// Id of the instance.
    pub instance: Cow<'l, str>,
    /// Its repetition, from 0.
    pub repetition: u64,
    /// Whether the target was reached; `None` if there was none.
    pub solved: Option<bool>,
    /// The objective of its best solution, which is minimised.
    pub objective: Option<f64>,
    /// The best fitness, which is minimised; `None` if it found no solution.
    pub best_fitness: Option<f64>,
    /// Whether it failed.
    pub has_failed: bool,
    /// Wall time in milliseconds.
    pub wall_ms: f64,
    /// What went wrong, if it failed.
    pub message: Option<Cow<'l, str>>,
}

/// The result of a look at a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TailChange {
    /// Whether lines that were read before are gone: the journal was set aside, or a file of it removed, cut or replaced. Then nothing was
    /// read, and the next look begins at the start: the caller must count again.
    pub is_reset: bool,
    /// Number of runs that were passed on.
    pub n_runs: u64,
    /// Damaged lines that were left out.
    pub n_damaged: u64,
    /// Bytes that were read.
    pub n_bytes: u64,
}

/// Follows the files of a journal.
///
/// ```
/// use evogrid_results::journal::{JournalTail, TailRun, TailVisitor, Writer};
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
///     fn run(&mut self, _: usize, _: &TailRun<'_>) {
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
#[derive(Debug)]
pub struct JournalTail {
    dir: PathBuf,
    numbers: BTreeMap<PathBuf, usize>,
    files: Vec<TailFile>,
    heads: Heads,
    line: Vec<u8>,
}

/// How far a file was read.
#[derive(Debug)]
struct TailFile {
    path: PathBuf,
    /// Whether each of its lines has a checksum.
    is_sealed: bool,
    /// Where the next line begins.
    offset: u64,
    /// Its length when it was last read: while it has that, there is nothing to read.
    length: u64,
}

/// How lines begin, from behind the id to the end of the settings, and of which kind their runs are.
#[derive(Debug, Default)]
struct Heads {
    kinds: HashMap<Box<[u8]>, usize>,
    /// That of the line before: most runs of a configuration follow each other.
    last: Option<(Box<[u8]>, usize)>,
}

impl JournalTail {
    /// Follows the journal folder `dir`, which need not exist yet, from its start.
    #[must_use]
    pub fn new(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            numbers: BTreeMap::new(),
            files: Vec::new(),
            heads: Heads::default(),
            line: Vec::new(),
        }
    }

    /// The journal files that were seen, by their numbers.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }

    /// Passes on all runs whose lines were completed since the last look; a damaged line is left out and counted, and an unfinished last
    /// line waits for the next look.
    ///
    /// # Errors
    /// If the folder or a file cannot be read, or [`JournalError::Cancelled`] once `is_cancelled` returns true; it is called from time to
    /// time.
    pub fn look(
        &mut self,
        visitor: &mut impl TailVisitor,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<TailChange, JournalError> {
        let mut change = TailChange::default();
        let mut lengths = vec![None; self.files.len()];
        for path in journal_paths(&self.dir)? {
            // A writer that had nothing to write has just removed its file.
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
        let input = match open_regular(&file.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            input => input.map_err(unreadable)?,
        };
        // The session's file is made after the journal's.
        file.is_sealed |= fs::symlink_metadata(file.path.with_extension(SESSION_SUFFIX)).is_ok();
        let mut input = BufReader::with_capacity(1 << 16, input);
        input.seek(SeekFrom::Start(file.offset)).map_err(unreadable)?;
        file.length = file.offset;
        let mut n_lines = 0;
        while let Some((end, passed)) = read_line(&mut input, &mut self.line, u64::MAX).map_err(unreadable)? {
            file.length += passed;
            change.n_bytes += passed;
            let found = match end {
                LineEnd::TooLong => Err(format!("it is longer than {} bytes", super::LINE_LIMIT)),
                _ if self.line.trim_ascii().is_empty() => Ok(false),
                _ => self.heads.read(&mut self.line, (number, file.is_sealed), visitor).map(|()| true),
            };
            match found {
                // What is missing may be written yet.
                Err(_) if end == LineEnd::Unfinished => break,
                Err(_) => change.n_damaged += 1,
                Ok(is_run) => change.n_runs += u64::from(is_run),
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

/// What follows the settings in a line that is known to be what was written.
#[derive(Deserialize)]
struct Rest<'l> {
    #[serde(borrow)]
    instance: Cow<'l, str>,
    repetition: u64,
    #[serde(default)]
    solved: Option<bool>,
    #[serde(default)]
    objective: Option<f64>,
    #[serde(default)]
    best_fitness: Option<f64>,
    #[serde(borrow)]
    stop: Cow<'l, str>,
    wall_ms: f64,
    #[serde(borrow, default)]
    message: Option<Cow<'l, str>>,
}

impl Heads {
    /// Reads a line and passes its run on.
    ///
    /// # Errors
    /// What is wrong with it.
    fn read(
        &mut self,
        line: &mut [u8],
        (file, is_sealed): (usize, bool),
        visitor: &mut impl TailVisitor,
    ) -> Result<(), String> {
        require_seal(line, is_sealed)?;
        let is_intact = checksum::check(line) == Seal::Intact;
        if let Some((end, kind)) = self.known(line).filter(|_| is_intact) {
            // What is left is an object of its own once its comma is a brace.
            line[end] = b'{';
            if let Some(run) = rest(line, end, file) {
                visitor.run(kind, &run);
                return Ok(());
            }
            line[end] = b',';
        }
        let text = str::from_utf8(line).map_err(|error| error.to_string())?;
        let found: RecordLine = serde_json::from_str(text).map_err(|error| reason(&error))?;
        let kind = visitor.kind(&found.record);
        if let Some(end) = head_end(line).filter(|&end| is_intact && settings_end(text) == Some(end)) {
            self.learn(&line[HEAD_START..end], kind);
        }
        let Record { key, outcome, message, .. } = found.record;
        let run = TailRun {
            run_id: key.run_id,
            file,
            instance: key.instance.into(),
            repetition: key.repetition,
            solved: outcome.solved,
            objective: outcome.objective,
            best_fitness: outcome.best_fitness,
            has_failed: outcome.stop == Stop::Failed,
            wall_ms: outcome.wall_ms,
            message: message.map(Cow::from),
        };
        visitor.run(kind, &run);
        Ok(())
    }

    /// The end of the settings in a line, and the kind of its run, if the line begins like one before.
    fn known(&mut self, line: &[u8]) -> Option<(usize, usize)> {
        let behind = line.strip_prefix(BEFORE_ID)?.get(ID_LEN..)?;
        if let Some((last, kind)) = &self.last
            && behind.strip_prefix(&**last).is_some_and(|rest| rest.starts_with(&AFTER_SETTINGS[1..]))
        {
            return Some((HEAD_START + last.len(), *kind));
        }
        let end = head_end(line)?;
        let (head, &kind) = self.kinds.get_key_value(&line[HEAD_START..end])?;
        self.last = Some((head.clone(), kind));
        Some((end, kind))
    }

    fn learn(&mut self, head: &[u8], kind: usize) {
        if self.kinds.len() >= HEADS_LIMIT {
            self.kinds.clear();
        }
        self.kinds.insert(head.into(), kind);
        self.last = Some((head.into(), kind));
    }
}

/// The end of the settings in a line, if the line is one of our writer's.
fn head_end(line: &[u8]) -> Option<usize> {
    let behind = line.strip_prefix(BEFORE_ID)?.get(ID_LEN..)?;
    // Inside a text the quotes would be escaped, so that only a member can be called so.
    let at = behind.windows(AFTER_SETTINGS.len()).position(|part| part == AFTER_SETTINGS)?;
    Some(HEAD_START + at + 1)
}

/// The run of a line whose settings end there; `None` if the line is unusual.
fn rest(line: &[u8], end: usize, file: usize) -> Option<TailRun<'_>> {
    let run_id = str::from_utf8(line.get(BEFORE_ID.len()..HEAD_START)?).ok()?.parse().ok()?;
    let members = str::from_utf8(line.get(end..)?).ok()?;
    let rest: Rest<'_> = serde_json::from_str(members).ok()?;
    Some(TailRun {
        run_id,
        file,
        instance: rest.instance,
        repetition: rest.repetition,
        solved: rest.solved,
        objective: rest.objective,
        best_fitness: rest.best_fitness,
        has_failed: rest.stop.parse::<Stop>().ok()? == Stop::Failed,
        wall_ms: rest.wall_ms,
        message: rest.message,
    })
}

#[cfg(test)]
mod tests;
