//! Batches: lines of finished runs, made by the worker threads for the thread that writes them.

use super::solutions::SOLUTION_LIMIT;
use super::{JournalError, LINE_LIMIT, checksum};
use crate::json::LineToWrite;
use crate::record::Record;
use crate::solution::SOLUTION_IN_LINE_LIMIT;

/// Lines that a [`Writer`](super::Writer) appends with one write.
///
/// ```
/// use evogrid_results::Record;
/// use evogrid_results::journal::{JournalBatch, Writer};
///
/// # let folder = tempfile::tempdir()?;
/// let (mut batch, mut own) = (JournalBatch::default(), JournalBatch::default());
/// own.push(&Record::default())?;
/// batch.append(&mut own);
/// let mut writer = Writer::create(folder.path())?;
/// writer.append_batch(&batch)?;
/// assert_eq!(std::fs::read_to_string(writer.path())?.lines().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct JournalBatch {
    /// Complete lines with checksums.
    pub(super) lines: Vec<u8>,
    /// Records whose solution is too long for a line: only the writer knows the position of the solution in its file.
    pub(super) long_records: Vec<Record>,
}

impl JournalBatch {
    /// An empty batch with capacity for this many bytes of lines.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { lines: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If it is longer than a line may be, or its solution longer than a solution may be; then nothing is added.
    pub fn push(&mut self, record: &Record) -> Result<(), JournalError> {
        match record.solution.as_ref().map_or(0, String::len) {
            bytes if bytes > SOLUTION_LIMIT => {
                return Err(JournalError::SolutionTooLong { run_id: record.key.run_id, bytes });
            }
            bytes if bytes > SOLUTION_IN_LINE_LIMIT => self.long_records.push(record.clone()),
            _ => push_line(&mut self.lines, &LineToWrite { record, solution_place: None })?,
        }
        Ok(())
    }

    /// Moves all records of another batch to this one; the other keeps its memory.
    pub fn append(&mut self, other: &mut Self) {
        self.lines.append(&mut other.lines);
        self.long_records.append(&mut other.long_records);
    }

    /// Empties the batch, but keeps its memory.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.long_records.clear();
    }
}

/// Adds a line with its checksum, or nothing if the line is too long.
pub(super) fn push_line(lines: &mut Vec<u8>, line: &LineToWrite<'_>) -> Result<(), JournalError> {
    let start = lines.len();
    serde_json::to_writer(&mut *lines, line).expect("serialising to memory cannot fail");
    checksum::seal(lines, start);
    let bytes = lines.len() - start;
    if bytes > LINE_LIMIT {
        lines.truncate(start);
        return Err(JournalError::RecordTooLong { run_id: line.record.key.run_id, bytes });
    }
    lines.push(b'\n');
    Ok(())
}
