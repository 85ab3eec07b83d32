//! Appends records to a journal.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::appended::AppendedFile;
use super::solutions::{SOLUTION_LIMIT, SOLUTIONS_SUFFIX};
use super::{JournalError, LINE_LIMIT, checksum};
use crate::files::{FileError, FilePlace, random_bits, remove_if_there};
use crate::format::utc;
use crate::json::LineToWrite;
use crate::record::Record;
use crate::solution::{SOLUTION_IN_LINE_LIMIT, SolutionPlace};

/// The time between two flushes to the disk. The runs of this time may be lost if the power fails.
const SYNC_INTERVAL: Duration = Duration::from_millis(500);

/// After this interval, the modification time of the file is updated, even without new lines. The new modification time shows that the
/// process is alive.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_mins(1);

/// Writes one file of a journal. No other writer uses this file.
///
/// ```
/// use evogrid_results::Record;
/// use evogrid_results::journal::{Index, Writer};
///
/// # let folder = tempfile::tempdir()?;
/// let mut record = Record::default();
/// (record.key.run_id, record.outcome.evaluations) = ("r392a0433103064a0".parse()?, 4200);
/// let mut writer = Writer::create(folder.path())?;
/// writer.append(&[record])?;
/// // From here on the record is safe from the death of this process; `finish` makes it safe from a loss of power.
/// assert_eq!(Index::read(folder.path())?.n_failed, 1);
/// writer.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    file: AppendedFile,
    /// The file of solutions, if a solution was too long for a line.
    solutions: Option<AppendedFile>,
    last_sync: Instant,
    last_heartbeat: Instant,
}

impl Writer {
    /// Creates a file with a unique name in the journal folder `dir`. If the folder is missing, it is created.
    ///
    /// # Errors
    /// If the folder or the file cannot be created.
    pub fn create(dir: &Path) -> Result<Self, JournalError> {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let path = dir.join(file_name(since_epoch, std::process::id(), random_bits()));
        Ok(Self {
            file: AppendedFile::create(path)?,
            solutions: None,
            last_sync: Instant::now(),
            last_heartbeat: Instant::now(),
        })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// Appends records with one write. If the process dies after this function, no records are lost. Solutions that are too long for a line
    /// are written before the records.
    ///
    /// # Errors
    /// Returns an error if a record or a solution is too long, and appends nothing. Also returns an error if a file cannot be written.
    /// After this error, the journal contains only the earlier, complete records. The writer may be used again.
    pub fn append(&mut self, records: &[Record]) -> Result<(), JournalError> {
        let mut batch = JournalBatch::default();
        records.iter().try_for_each(|record| batch.push(record))?;
        self.append_batch(&batch)
    }

    /// Appends the lines of a batch with one write, like [`append`](Self::append).
    ///
    /// # Errors
    /// The same.
    pub fn append_batch(&mut self, batch: &JournalBatch) -> Result<(), JournalError> {
        if batch.long_records.is_empty() {
            return Ok(self.append_lines(&batch.lines)?);
        }
        let (mut lines, mut written) = (batch.lines.clone(), Ok(()));
        for record in &batch.long_records {
            let (begin, solution) = (lines.len(), record.solution.as_deref().unwrap_or_default());
            let end = self.solutions.as_ref().map_or(0, |file| file.length);
            push_line(&mut lines, &LineToWrite { record, solution_place: SolutionPlace::behind(end, solution) })?;
            written = self.append_solution(solution);
            if written.is_err() {
                lines.truncate(begin);
                break;
            }
        }
        // No line may be written before its solution is on the disk.
        let synced = self.solutions.as_mut().map_or(Ok(()), AppendedFile::sync);
        lines.truncate(if synced.is_ok() { lines.len() } else { batch.lines.len() });
        let lines = self.append_lines(&lines);
        Ok(written.and(synced).and(lines)?)
    }

    fn append_lines(&mut self, lines: &[u8]) -> Result<(), FileError> {
        let whole_lines = |written: &[u8]| written.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        self.file.append(lines, whole_lines)
    }

    /// Appends a solution to the file of solutions, which is created for the first one.
    fn append_solution(&mut self, solution: &str) -> Result<(), FileError> {
        let file = match &mut self.solutions {
            Some(file) => file,
            file => file.insert(AppendedFile::create(self.file.path.with_extension(SOLUTIONS_SUFFIX))?),
        };
        // A solution that was written without its end does not count.
        file.append(&[solution.as_bytes(), b"\n"].concat(), |_| 0)
    }

    /// Flushes appended data to the disk, at most every half second. The function may be called at any time. Even without new records, the
    /// function checks that the files still exist.
    ///
    /// # Errors
    /// If the flush fails, or a file is missing or incomplete.
    pub fn sync_if_due(&mut self) -> Result<(), JournalError> {
        if self.last_heartbeat.elapsed() >= HEARTBEAT_INTERVAL {
            // A failure here is harmless: another process may only think that this process has ended.
            let _ = self.file.file.set_modified(SystemTime::now());
            self.last_heartbeat = Instant::now();
        }
        if self.last_sync.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    /// Flushes all data to the disk. If no record was appended, the files of this writer are removed.
    ///
    /// # Errors
    /// If the flush fails, or a file is missing or incomplete.
    pub fn finish(mut self) -> Result<(), JournalError> {
        if self.file.length == 0 {
            let files = self.solutions.iter().chain([&self.file]);
            return Ok(files.map(|file| FilePlace::in_subfolder(&file.path)).try_for_each(remove_if_there)?);
        }
        self.sync()
    }

    fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync()?;
        self.last_sync = Instant::now();
        self.file.check_place()?;
        self.solutions.as_ref().map_or(Ok(()), AppendedFile::check_place)
    }
}

/// Lines that a [`Writer`] appends with one write.
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
    lines: Vec<u8>,
    /// Records whose solution is too long for a line: only the writer knows the position of the solution in its file.
    long_records: Vec<Record>,
}

impl JournalBatch {
    /// An empty batch with capacity for this many bytes of lines.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { lines: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// Returns an error if the record or its solution is too long, and adds nothing.
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

    /// Moves all records of another batch to this batch. The emptied batch keeps its allocated memory.
    pub fn append(&mut self, other: &mut Self) {
        self.lines.append(&mut other.lines);
        self.long_records.append(&mut other.long_records);
    }

    /// Empties the batch, but keeps its allocated memory.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.long_records.clear();
    }
}

/// Adds a line with its checksum; adds nothing if the line is too long.
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

/// The name of a journal file, such as `20160229T235959.123Z-42-00000000000000ab.jsonl`: the time in UTC, the process, and unique bits. The
/// names sort by time. The names have no colons, because some file systems reject colons.
fn file_name(since_epoch: Duration, process: u32, bits: u64) -> String {
    let [year, month, day, hour, minute, second] = utc(since_epoch.as_secs());
    let milliseconds = since_epoch.subsec_millis();
    let time = format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}.{milliseconds:03}Z");
    format!("{time}-{process}-{bits:016x}.jsonl")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::record::tests::{record, set};

    #[test]
    fn appended_records_are_in_the_file_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = Writer::create(&folder.path().join("deep/journal")).expect("a writer");
        writer.append(&[record(1), record(2)]).expect("two lines");
        writer.append(&[]).expect("nothing");
        // Neither finished nor dropped: as if the process had been killed here.
        let text = fs::read_to_string(writer.path()).expect("a file");
        assert_eq!(text.lines().count(), 2);
        assert!(text.ends_with("}\n"));
        writer.sync_if_due().expect("a disk");
        let path = writer.path().to_owned();
        writer.finish().expect("a disk");
        assert!(path.exists());
    }

    #[test]
    fn a_file_without_a_record_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = Writer::create(folder.path()).expect("a writer");
        let path = writer.path().to_owned();
        assert!(path.exists());
        writer.finish().expect("a disk");
        assert!(!path.exists());
    }

    // Elsewhere an open file cannot be harmed so.
    #[cfg(unix)]
    #[test]
    fn a_file_that_is_not_in_its_place_any_more_is_told() {
        let told = |harm: &dyn Fn(&Path), is_of_solutions: bool| {
            let folder = tempfile::tempdir().expect("a folder");
            let mut writer = Writer::create(folder.path()).expect("a writer");
            let mut long = record(1);
            long.solution = Some("1".repeat(crate::solution::SOLUTION_IN_LINE_LIMIT + 1));
            writer.append(&[long]).expect("a line");
            writer.sync().expect("nothing is wrong yet");
            let solutions = writer.path().with_extension(SOLUTIONS_SUFFIX);
            harm(if is_of_solutions { &solutions } else { writer.path() });
            let again = writer.append(&[record(2)]).and_then(|()| writer.finish());
            again.expect_err("what was written is lost").to_string().replace(&*folder.path().to_string_lossy(), "")
        };
        type Harm = (fn(&Path), &'static str);
        let harms: [Harm; 6] = [
            (|path| fs::remove_file(path).expect("it is there"), "` was removed or renamed"),
            (|path| fs::rename(path, path.with_extension("old")).expect("it is there"), "` was removed or renamed"),
            (
                |path| fs::remove_dir_all(path.parent().expect("a folder")).expect("it is there"),
                "` was removed or renamed",
            ),
            (|path| fs::write(path, "").expect("it is there"), "` was truncated to "),
            (
                |path| {
                    fs::copy(path, path.with_extension("copy")).expect("it is there");
                    fs::rename(path.with_extension("copy"), path).expect("it is there");
                },
                "` was replaced by another file",
            ),
            (
                |path| {
                    fs::rename(path, path.with_extension("old")).expect("it is there");
                    std::os::unix::fs::symlink(path.with_extension("old"), path).expect("a link");
                },
                "` was replaced by another file",
            ),
        ];
        for (harm, expected) in harms {
            for is_of_solutions in [false, true] {
                let told = told(&harm, is_of_solutions);
                assert!(told.contains(expected), "{expected}: {told}");
            }
        }
    }

    #[test]
    fn two_writers_never_share_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let writers: Vec<Writer> = (0..20).map(|_| Writer::create(folder.path()).expect("a writer")).collect();
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), writers.len());
    }

    #[test]
    fn a_record_too_long_is_refused_and_leaves_no_trace() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = Writer::create(folder.path()).expect("a writer");
        let mut long = record(0xab);
        set(&mut long, "kind", "1".repeat(LINE_LIMIT).into());
        let error = writer.append(&[record(1), long]).expect_err("too long").to_string();
        insta::assert_snapshot!(error, @"the record of run r00000000000000ab has 1048969 bytes, above the limit of 1048576: shorten the run's settings");
        let mut long = record(0xcd);
        long.solution = Some("1".repeat(SOLUTION_LIMIT + 1));
        let error = writer.append(&[record(1), long]).expect_err("too long").to_string();
        insta::assert_snapshot!(error, @"the solution of run r00000000000000cd has 67108865 bytes, above the limit of 67108864: shorten its text");
        assert_eq!(fs::metadata(writer.path()).expect("a file").len(), 0);
    }

    #[test]
    fn names_hold_the_time_in_utc() {
        for (seconds, expected) in [
            (0, "19700101T000000.123Z"),
            (951_782_399, "20000228T235959.123Z"),
            (951_782_400, "20000229T000000.123Z"),
            (1_456_790_399, "20160229T235959.123Z"),
            (1_456_790_400, "20160301T000000.123Z"),
            (1_767_225_599, "20251231T235959.123Z"),
            (4_107_542_400, "21000301T000000.123Z"),
        ] {
            let name = file_name(Duration::from_millis(seconds * 1000 + 123), 42, 0xab);
            assert_eq!(name, format!("{expected}-42-00000000000000ab.jsonl"));
        }
    }
}
