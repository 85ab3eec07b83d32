//! Runs in progress: a small file beside a journal file lists each thread's run. The file remains if the process is killed or aborts. So
//! the file shows which runs may have ended their process.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use evogrid_core::identity::RunId;

use super::JournalError;
use super::lines::files_ending;
use crate::files::{FilePlace, create_new, open_regular, remove_if_there};
use crate::platform::write_at;

/// The extension of a file that names runs in progress.
const EXTENSION: &str = "in-flight";

/// The number of bytes for each thread: the id of a run, the number of its configuration, and a line break.
const SLOT_BYTES: u64 = 39;

/// The maximum number of bytes that are read from a file: enough for more threads than any machine has.
const READ_LIMIT: u64 = SLOT_BYTES * 65_536;

/// A run in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunInFlight {
    /// The id of the run.
    pub id: RunId,
    /// The number of the run's configuration in the plan. If a process of version 0.2.0 does the run, the field is `None`.
    pub configuration: Option<u64>,
}

/// A file that notes the runs of a process. The file is next to the journal file.
///
/// ```
/// use evogrid_results::journal::{RunInFlight, RunsInFlight, Writer, runs_in_flight};
///
/// # let folder = tempfile::tempdir()?;
/// let writer = Writer::create(folder.path())?;
/// let in_flight = RunsInFlight::create(writer.path())?;
/// in_flight.begin(1, "r392a0433103064a0".parse()?, 4);
/// // If the process ended here, the run would be known.
/// let (_, runs) = runs_in_flight(folder.path())?.pop().expect("one process");
/// assert_eq!(runs, [RunInFlight { id: "r392a0433103064a0".parse()?, configuration: Some(4) }]);
/// in_flight.end()?;
/// assert!(runs_in_flight(folder.path())?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RunsInFlight {
    path: PathBuf,
    file: File,
}

impl RunsInFlight {
    /// Creates the file next to a journal file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub fn create(journal: &Path) -> Result<Self, JournalError> {
        let path = journal.with_extension(EXTENSION);
        Ok(Self { file: create_new(FilePlace::in_subfolder(&path), false)?, path })
    }

    /// Notes that a thread starts a run of this configuration. Threads are numbered from 0. The note is not flushed to the disk. If the
    /// process dies, the note survives. If the machine crashes, the note can be lost.
    pub fn begin(&self, thread: usize, run: RunId, configuration: u64) {
        // A run is also done if it cannot be noted.
        let _ = write_at(&self.file, format!("{run} {configuration:20}\n").as_bytes(), thread as u64 * SLOT_BYTES);
    }

    /// Removes the file when the process ends normally.
    ///
    /// # Errors
    /// Returns an error if the file cannot be removed.
    pub fn end(&self) -> Result<(), JournalError> {
        Ok(remove_if_there(FilePlace::in_subfolder(&self.path))?)
    }
}

/// For each process, lists the path of its journal file and its runs in progress. The list contains only processes that still write to
/// the journal, and processes that ended abnormally.
///
/// # Errors
/// Returns an error if the folder cannot be read. If a single file in the folder cannot be read, the function treats this file as empty.
pub fn runs_in_flight(dir: &Path) -> Result<Vec<(PathBuf, Vec<RunInFlight>)>, JournalError> {
    let named = |path: PathBuf| {
        let file = open_regular(FilePlace::in_subfolder(&path)).ok()?;
        Some((path.with_extension("jsonl"), read(file).unwrap_or_default()))
    };
    Ok(files_ending(dir, EXTENSION)?.into_iter().filter_map(named).collect())
}

/// Removes the file that lists the runs in progress and belongs to the journal file `journal`.
///
/// # Errors
/// Returns an error if the file of the runs in progress cannot be removed.
pub fn forget_runs_in_flight(journal: &Path) -> Result<(), JournalError> {
    Ok(remove_if_there(FilePlace::in_subfolder(&journal.with_extension(EXTENSION)))?)
}

/// Counts, for each run, how many processes had this run in progress.
pub fn count_runs<'a>(processes: impl IntoIterator<Item = &'a [RunId]>) -> HashMap<RunId, usize> {
    let mut counts = HashMap::new();
    for runs in processes {
        for &run in runs.iter().collect::<BTreeSet<_>>() {
            *counts.entry(run).or_insert(0) += 1;
        }
    }
    counts
}

fn read(file: File) -> io::Result<Vec<RunInFlight>> {
    let mut text = Vec::new();
    file.take(READ_LIMIT).read_to_end(&mut text)?;
    // The bytes of a thread without a run are zeros.
    let text = String::from_utf8_lossy(&text).replace('\0', " ");
    let run = |line: &str| {
        let mut words = line.split_whitespace();
        Some(RunInFlight {
            id: words.next()?.parse().ok()?,
            configuration: words.next().and_then(|configuration| configuration.parse().ok()),
        })
    };
    Ok(text.lines().filter_map(run).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn run(bits: u64) -> RunId {
        RunId::from_bits(bits)
    }

    #[test]
    fn each_thread_names_its_last_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = folder.path().join("a.jsonl");
        let in_flight = RunsInFlight::create(&journal).expect("a file");
        for (thread, bits) in [(3, 1), (0, 2), (3, u64::MAX)] {
            in_flight.begin(thread, run(bits), bits);
        }
        let noted = |bits| RunInFlight { id: run(bits), configuration: Some(bits) };
        let found = runs_in_flight(folder.path()).expect("a folder");
        assert_eq!(found, [(journal.clone(), vec![noted(2), noted(u64::MAX)])]);
        fs::write(journal.with_extension(EXTENSION), format!("{}\n", run(3))).expect("a file");
        let found = runs_in_flight(folder.path()).expect("a folder");
        assert_eq!(
            found,
            [(journal.clone(), vec![RunInFlight { id: run(3), configuration: None }])],
            "of an earlier version"
        );
        forget_runs_in_flight(&journal).expect("it is there");
        in_flight.end().expect("it is gone, and that is as well");
    }

    #[test]
    fn whatever_a_file_holds_reading_it_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let garbage: Vec<u8> = (0..=255).cycle().take(5000).collect();
        fs::write(folder.path().join("b.in-flight"), garbage).expect("a file");
        #[cfg(unix)]
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("c.in-flight")).expect("a link");
        fs::create_dir(folder.path().join("d.in-flight")).expect("a folder");
        let found = runs_in_flight(folder.path()).expect("a folder");
        assert_eq!(found, [(folder.path().join("b.jsonl"), Vec::new())]);
        assert!(runs_in_flight(&folder.path().join("none")).expect("no folder").is_empty());
    }

    #[test]
    fn a_run_counts_once_for_each_process() {
        let counts = count_runs([&[run(1), run(1), run(2)][..], &[run(1)]]);
        assert_eq!((counts[&run(1)], counts[&run(2)]), (2, 1));
    }
}
