//! Appends records to a journal.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::attempt::file_name;
use super::{JournalError, LINE_LIMIT, checksum};
use crate::files::{FileError, random_bits, remove_if_there, sync_folder};
use crate::record::Record;

/// Time between two flushes to the disk: what a loss of power may cost.
const SYNC_INTERVAL: Duration = Duration::from_millis(500);

/// Time after which the file is touched even if nothing was appended, as a sign that its process lives.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_mins(1);

/// Writes one file of a journal, the only writer of it ever.
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
/// assert_eq!(Index::read(folder.path())?.n_failed(), 1);
/// writer.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines in the file.
    length: u64,
    n_records: u64,
    /// Those of them that were on the disk at the last flush.
    n_synced: u64,
    /// The lines of one call; kept for its memory.
    lines: Vec<u8>,
    last_sync: Instant,
    is_synced: bool,
    last_heartbeat: Instant,
}

impl Writer {
    /// Begins a file in the journal folder `dir`, which is made if missing, under a name that no other process on any machine
    /// chooses.
    ///
    /// # Errors
    /// If the folder or the file cannot be made.
    pub fn create(dir: &Path) -> Result<Self, JournalError> {
        fs::create_dir_all(dir).map_err(FileError::from_io("create", dir))?;
        let path = dir.join(file_name(SystemTime::now(), std::process::id(), random_bits()));
        // Appended to, so that a file cut short from outside has no hole of zeros where it goes on.
        let file = OpenOptions::new().append(true).create_new(true).open(&path);
        let file = file.map_err(FileError::from_io("create", &path))?;
        sync_folder(dir);
        Ok(Self {
            path,
            file,
            length: 0,
            n_records: 0,
            n_synced: 0,
            lines: Vec::new(),
            last_sync: Instant::now(),
            is_synced: true,
            last_heartbeat: Instant::now(),
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends records, all in one write: once this returns, the death of this process cannot lose them.
    ///
    /// # Errors
    /// If a record is longer than a line may be; then none of them is in the journal. If the file cannot be written; then the
    /// records that fitted are in the journal, each whole. The same writer may be tried again.
    pub fn append(&mut self, records: &[Record]) -> Result<(), JournalError> {
        self.lines.clear();
        for record in records {
            write_line(&mut self.lines, record)?;
        }
        let (written, result) = write_some(&mut self.file, &self.lines);
        let whole = match &result {
            Ok(()) => written,
            Err(_) => self.lines[..written].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1),
        };
        self.length += whole as u64;
        self.n_records += self.lines[..whole].iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.is_synced &= whole == 0;
        result.map_err(|source| {
            // The next line takes the place of the incomplete one. Should this fail as well, the reader reports one damaged line; the
            // error of the write is the one to tell.
            let _ = self.file.set_len(self.length);
            FileError::from_io("write", &self.path)(source).into()
        })
    }

    /// How many of the appended records are safe after an error: on the disk, as far as the system tells.
    pub fn n_safe(&mut self) -> u64 {
        // If this fails, what the last flush brought there is what is known to be.
        let _ = self.sync();
        self.n_synced
    }

    /// Flushes what was appended to the disk, at most every half second: call it as often as you like. Without records, too, it looks
    /// whether the file is still in its place.
    ///
    /// # Errors
    /// If the disk refuses, or the file is not in its place with all that was written to it.
    pub fn sync_if_due(&mut self) -> Result<(), JournalError> {
        if self.last_heartbeat.elapsed() >= HEARTBEAT_INTERVAL {
            // Whoever wonders whether this process lives may be told wrongly, and loses nothing.
            let _ = self.file.set_modified(SystemTime::now());
            self.last_heartbeat = Instant::now();
        }
        if self.last_sync.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    /// Flushes all to the disk. A file that received no record is removed.
    ///
    /// # Errors
    /// If the disk refuses, or the file is not in its place with all that was written to it.
    pub fn finish(mut self) -> Result<(), JournalError> {
        if self.length == 0 {
            return Ok(remove_if_there(&self.path)?);
        }
        self.sync()
    }

    fn sync(&mut self) -> Result<(), JournalError> {
        if !self.is_synced {
            self.file.sync_data().map_err(FileError::from_io("flush", &self.path))?;
            self.is_synced = true;
            self.n_synced = self.n_records;
        }
        self.last_sync = Instant::now();
        self.check_place()
    }

    /// Whether what stands under the file's name is the file that is written, with all that was written to it: a cleaner of old files,
    /// another process or a lost mount may have taken it away, and what is written to it then is lost.
    fn check_place(&self) -> Result<(), JournalError> {
        let lost = |what: String| JournalError::Lost { path: self.path.clone(), what };
        let there = match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(lost("was removed or renamed".to_owned())),
            there => there.map_err(FileError::from_io("look at", &self.path))?,
        };
        let written = self.file.metadata().map_err(FileError::from_io("look at", &self.path))?;
        if !is_same_file(&there, &written) {
            return Err(lost("was replaced by another file".to_owned()));
        }
        if written.len() < self.length {
            return Err(lost(format!("was cut: it has {} of {} bytes", written.len(), self.length)));
        }
        Ok(())
    }
}

#[cfg(unix)]
fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    // An open file can be neither removed nor renamed there.
    true
}

/// Writes all bytes if it can, and says how many it wrote.
fn write_some(file: &mut File, bytes: &[u8]) -> (usize, io::Result<()>) {
    let mut written = 0;
    while written < bytes.len() {
        match file.write(&bytes[written..]) {
            Ok(0) => return (written, Err(io::ErrorKind::WriteZero.into())),
            Ok(more) => written += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (written, Err(error)),
        }
    }
    (written, Ok(()))
}

fn write_line(lines: &mut Vec<u8>, record: &Record) -> Result<(), JournalError> {
    let start = lines.len();
    serde_json::to_writer(&mut *lines, record).expect("a record has no key but text, and memory takes all");
    checksum::seal(lines, start);
    let bytes = lines.len() - start;
    if bytes > LINE_LIMIT {
        return Err(JournalError::RecordTooLong { run_id: record.key.run_id, bytes });
    }
    lines.push(b'\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

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

    #[test]
    fn a_file_that_is_not_in_its_place_any_more_is_told() {
        let told = |harm: &dyn Fn(&Path)| {
            let folder = tempfile::tempdir().expect("a folder");
            let mut writer = Writer::create(folder.path()).expect("a writer");
            writer.append(&[record(1)]).expect("a line");
            writer.sync().expect("nothing is wrong yet");
            harm(writer.path());
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
            (|path| fs::write(path, "").expect("it is there"), "` was cut: it has "),
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
            let told = told(&harm);
            assert!(told.contains(expected), "{expected}: {told}");
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
        long.solution = Some("1".repeat(LINE_LIMIT));
        let error = writer.append(&[record(1), long]).expect_err("too long").to_string();
        insta::assert_snapshot!(error, @"the record of run r00000000000000ab has 1048973 bytes, and a journal line at most 1048576; shorten its solution");
        assert_eq!(fs::metadata(writer.path()).expect("a file").len(), 0);
    }
}
