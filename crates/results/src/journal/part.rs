//! Parts of journal files: the lines of some runs. A part can be copied to another journal file, or removed from its own file.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use evogrid_core::identity::RunId;

use super::lines::read_line;
use super::scan::JournalFile;
use super::skim::{SkimmedLine, Skimmer};
use super::solutions::{SOLUTIONS_SUFFIX, SolutionReader};
use super::writer::push_line;
use super::{JournalError, reason};
use crate::files::{FileError, FilePlace, open_regular, remove_if_there, replace};
use crate::json::{LineToWrite, RecordLine};
use crate::solution::SolutionPlace;

/// The text between the name of a journal file and the hash, in the name of a copied part.
const INFIX: &str = "-part-";

/// The maximum length of the name of a journal file that is kept in the name of a copied part.
const STEM_LIMIT: usize = 100;

/// Lines of one journal file.
///
/// ```
/// use evogrid_core::budget::Stop;
/// use evogrid_results::journal::{Index, Writer};
/// use evogrid_results::{Record, RunKey, RunOutcome};
///
/// # let folder = tempfile::tempdir()?;
/// let [journal, aside] = ["journal", "aside"].map(|name| folder.path().join(name));
/// let outcome = RunOutcome { stop: Stop::Target, ..RunOutcome::default() };
/// let ids = ["r392a0433103064a0".parse()?, "r392a0433103064a1".parse()?];
/// let record = |run_id| Record { key: RunKey { run_id, ..RunKey::default() }, outcome, ..Record::default() };
/// let mut writer = Writer::create(&journal)?;
/// writer.append(&ids.map(record))?;
/// writer.finish()?;
///
/// let index = Index::read(&journal)?;
/// for part in index.parts(true, |run| run == ids[1]) {
///     part.copy(&aside, 1)?;
///     part.cut()?;
/// }
/// let [left, moved] = [Index::read(&journal)?, Index::read(&aside)?];
/// assert!(left.contains(ids[0]) && !left.contains(ids[1]) && moved.contains(ids[1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JournalPart<'i> {
    file: &'i JournalFile,
    /// The offset of each line, and its run.
    lines: Vec<(u64, RunId)>,
}

impl<'i> JournalPart<'i> {
    /// The part with these lines. Each line is given by its offset and its run.
    pub(super) fn new(file: &'i JournalFile, mut lines: Vec<(u64, RunId)>) -> Self {
        lines.sort_unstable();
        Self { file, lines }
    }

    /// The journal file.
    pub fn path(&self) -> &'i Path {
        &self.file.path
    }

    /// Whether a journal file is a copy of a part of another journal file. The function looks only at the name.
    pub fn is_copy(path: &Path) -> bool {
        path.file_stem().is_some_and(|stem| stem.to_string_lossy().contains(INFIX))
    }

    /// Whether a session of this program wrote the file.
    pub fn is_of_session(&self) -> bool {
        self.file.is_sealed
    }

    /// The number of lines.
    pub fn n_lines(&self) -> usize {
        self.lines.len()
    }

    /// The path of a copy of these lines in the folder `dir`. Copies of the same lines of a file always have the same path. Copies of
    /// different lines have different paths. If the copies are sorted by name, they are in the order of time, like journal files.
    pub fn path_of_copy(&self, dir: &Path) -> PathBuf {
        let stem = self.path().file_stem().unwrap_or_default().to_string_lossy();
        let stem = stem.split(INFIX).next().unwrap_or_default();
        // The name of the file may come from an unknown source.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        let is_kept = stem.len() <= STEM_LIMIT && stem.bytes().all(is_plain);
        let mut hasher = blake3::Hasher::new();
        for (offset, run) in &self.lines {
            hasher.update(&offset.to_le_bytes()).update(&run.bits().to_le_bytes());
        }
        dir.join(format!("{}{INFIX}{:.16}.jsonl", if is_kept { stem } else { "renamed" }, hasher.finalize().to_hex()))
    }

    /// Copies the lines and their solutions to a new file in `dir`. The function does not follow links among the last `depth` parts of the
    /// path `dir` (see [`FilePlace`]). The file appears only when all lines and solutions are written. Lines are copied byte for byte, with
    /// one exception. If the solution of a line is in a separate file, the copied line contains the new position of the solution.
    ///
    /// # Errors
    /// If a file cannot be read or written. If a line or a solution has changed since it was indexed.
    pub fn copy(&self, dir: &Path, depth: usize) -> Result<(), JournalError> {
        let path = self.path_of_copy(dir);
        let solutions_path = path.with_extension(SOLUTIONS_SUFFIX);
        let [place, solutions_place] = [&path, &solutions_path].map(|path| FilePlace::below(path, depth + 1));
        replace(place, |lines| {
            if self.path().with_extension(SOLUTIONS_SUFFIX).symlink_metadata().is_err() {
                return self.write(lines, &mut io::sink()).map(drop);
            }
            let n_bytes = replace(solutions_place, |solutions| self.write(lines, solutions))?;
            if n_bytes == 0 {
                remove_if_there(solutions_place)?;
            }
            Ok(())
        })
    }

    /// Writes the lines, and the solutions that are in a separate file. Returns the number of bytes of these solutions.
    fn write(&self, lines: &mut dyn Write, solutions: &mut dyn Write) -> Result<u64, JournalError> {
        let (mut input, mut reader, mut end) = (self.open()?, SolutionReader::new(self.path()), 0);
        for &place in &self.lines {
            input.seek(place.0)?;
            let solution_place = input.read_record(place)?;
            if let Some(solution_place) = solution_place {
                let of_solutions = reader.path.clone();
                let no_solution = |reason| JournalError::NoSolution { path: of_solutions, run_id: place.1, reason };
                let solution = reader.read(&solution_place)?.map_err(no_solution)?;
                let RecordLine { mut record, .. } =
                    serde_json::from_slice(&input.line).map_err(|error| self.no_record(place, reason(&error)))?;
                record.solution = Some(solution.to_owned());
                let solution_place = SolutionPlace::behind(end, solution);
                if solution_place.is_some() {
                    let written = solutions.write_all(solution.as_bytes()).and_then(|()| solutions.write_all(b"\n"));
                    written.map_err(self.failed("copy"))?;
                    end += solution.len() as u64 + 1;
                }
                input.line.clear();
                push_line(&mut input.line, &LineToWrite { record: &record, solution_place })?;
            } else {
                input.line.push(b'\n');
            }
            lines.write_all(&input.line).map_err(self.failed("copy"))?;
        }
        Ok(end)
    }

    /// Removes the lines from their file. The function writes all other bytes to a new file, which replaces the old file. The solutions of
    /// the removed lines remain. If the new file is empty, the function also removes the file of solutions.
    ///
    /// # Errors
    /// If the file cannot be read or written. If a line has changed since it was indexed. If a line has changed, the function leaves
    /// the file as it is.
    pub fn cut(&self) -> Result<(), JournalError> {
        let n_left = replace(FilePlace::in_subfolder(self.path()), |output| -> Result<u64, JournalError> {
            let (mut input, mut n_left) = (self.open()?, 0);
            for &place in &self.lines {
                n_left += input.copy(place.0 - input.position, output)?;
                input.read_record(place)?;
            }
            Ok(n_left + input.copy(u64::MAX, output)?)
        })?;
        if n_left == 0 {
            remove_if_there(FilePlace::in_subfolder(&self.path().with_extension(SOLUTIONS_SUFFIX)))?;
        }
        Ok(())
    }

    fn open(&self) -> Result<PartInput<'_>, JournalError> {
        let file = open_regular(FilePlace::in_subfolder(self.path())).map_err(self.failed("read"))?;
        let reader = BufReader::with_capacity(1 << 16, file);
        Ok(PartInput { part: self, reader, position: 0, line: Vec::new(), skimmer: Skimmer::default() })
    }

    fn failed(&self, action: &'static str) -> impl FnOnce(io::Error) -> FileError {
        FileError::from_io(action, self.path())
    }

    fn no_record(&self, (offset, run_id): (u64, RunId), reason: String) -> JournalError {
        JournalError::NoRecord { path: self.path().to_owned(), offset, run_id, reason }
    }
}

/// A journal file whose lines are copied.
struct PartInput<'p> {
    part: &'p JournalPart<'p>,
    reader: BufReader<File>,
    /// The offset of the next byte.
    position: u64,
    /// The last line, without its line break.
    line: Vec<u8>,
    skimmer: Skimmer,
}

impl PartInput<'_> {
    fn seek(&mut self, offset: u64) -> Result<(), JournalError> {
        let ahead = offset as i64 - self.position as i64;
        self.reader.seek_relative(ahead).map_err(self.part.failed("read"))?;
        self.position = offset;
        Ok(())
    }

    /// Reads the next line, which must be a record of this run. Returns the position of its solution if the solution is not in the line.
    fn read_record(&mut self, place: (u64, RunId)) -> Result<Option<SolutionPlace>, JournalError> {
        let passed = read_line(&mut self.reader, &mut self.line, 0).map_err(self.part.failed("read"))?;
        self.position += passed.map_or(0, |(_, passed)| passed);
        let skimmed = self.skimmer.skim(&mut self.line, self.part.file.is_sealed, |_| 0);
        let SkimmedLine { finished, solution_place, .. } =
            skimmed.map_err(|reason| self.part.no_record(place, reason))?;
        if finished.run_id != place.1 {
            return Err(self.part.no_record(place, format!("the line is a record of run {}", finished.run_id)));
        }
        Ok(solution_place)
    }

    /// Copies the next bytes, at most `limit`, and returns their number.
    fn copy(&mut self, limit: u64, output: &mut dyn Write) -> Result<u64, JournalError> {
        let copied = io::copy(&mut self.reader.by_ref().take(limit), output).map_err(self.part.failed("copy"))?;
        self.position += copied;
        Ok(copied)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::journal::{Index, Writer};
    use crate::record::Record;
    use crate::record::tests::record;
    use crate::solution::SOLUTION_IN_LINE_LIMIT;

    /// A run whose solution is stored in its line, or not.
    fn solved(bits: u64) -> Record {
        let n_digits = if bits.is_multiple_of(2) { 9 } else { SOLUTION_IN_LINE_LIMIT + bits as usize };
        Record { solution: Some("1".repeat(n_digits)), ..record(bits) }
    }

    /// A journal in a folder, of six runs of which the second stands there twice, with two lines that are not records.
    fn journal(folder: &Path) -> PathBuf {
        let mut writer = Writer::create(&folder.join("journal")).expect("a writer");
        writer.append(&[1, 2, 3, 2, 4, 5, 6].map(solved)).expect("lines");
        let path = writer.path().to_owned();
        writer.finish().expect("a disk");
        let text = fs::read_to_string(&path).expect("a journal");
        fs::write(&path, format!("damaged\n\n{text}{{\"run_id\":")).expect("it is written");
        path
    }

    #[test]
    fn what_is_copied_and_what_is_left_make_up_the_journal() {
        for chosen in 0u64..1 << 6 {
            let folder = tempfile::tempdir().expect("a folder");
            let path = journal(folder.path());
            let [dir, aside] = ["journal", "aside"].map(|name| folder.path().join(name));
            let before = fs::read_to_string(&path).expect("a journal");
            let is_chosen = |run: RunId| chosen >> (run.bits() - 1) & 1 == 1;
            let index = Index::read(&dir).expect("an index");
            let parts = index.parts(true, is_chosen);
            assert_eq!(parts.len(), usize::from(chosen > 0));
            for part in &parts {
                part.copy(&aside, 1).expect("a copy");
                assert!(part.path_of_copy(&aside).exists() && JournalPart::is_copy(&part.path_of_copy(&aside)));
                part.cut().expect("a journal");
            }
            let [left, copied] = [&dir, &aside].map(|dir| Index::read(dir).expect("an index"));
            for bits in 1..=6 {
                let (run, expected) = (RunId::from_bits(bits), Some(solved(bits)));
                let (there, elsewhere) = if is_chosen(run) { (&copied, &left) } else { (&left, &copied) };
                assert_eq!(there.get(run).expect("a record"), expected, "{chosen:b}");
                assert!(!elsewhere.knows(run));
            }
            assert_eq!((left.n_damages, copied.n_damages), (1, 0));
            assert_eq!(left.n_repeated() + copied.n_repeated(), 1);
            // What is left is there byte for byte.
            let id = |line: &str| line.get(11..28).and_then(|id| id.parse::<RunId>().ok());
            let kept = before.split_inclusive('\n').filter(|line| !id(line).is_some_and(is_chosen));
            assert_eq!(fs::read_to_string(&path).expect("a journal"), kept.collect::<String>());
        }
    }

    #[test]
    fn of_repeated_and_failed_records_only_the_one_that_counts_is_reused() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = Writer::create(folder.path()).expect("a writer");
        let failed = |bits| Record { outcome: Default::default(), solution: None, ..record(bits) };
        writer.append(&[failed(1), record(1), record(1), failed(2)]).expect("lines");
        let index = Index::read(folder.path()).expect("an index");
        let n_lines = |is_every| index.parts(is_every, |_| true).iter().map(JournalPart::n_lines).sum::<usize>();
        assert_eq!((n_lines(false), n_lines(true)), (1, 4));
    }

    #[test]
    fn a_line_that_changed_since_is_not_touched() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = journal(folder.path());
        let index = Index::read(&folder.path().join("journal")).expect("an index");
        let parts = index.parts(true, |run| run.bits() == 3);
        let changed = fs::read_to_string(&path).expect("a journal").replacen("damaged\n", "", 1);
        fs::write(&path, &changed).expect("it is written");
        let aside = folder.path().join("aside");
        for result in [parts[0].copy(&aside, 1), parts[0].cut()] {
            let message = result.expect_err("it is another line").to_string();
            assert!(message.contains(" is not a record of run r0000000000000003: "), "{message}");
        }
        assert_eq!(fs::read_to_string(&path).expect("a journal"), changed);
        assert!(Index::read(&aside).expect("an index").is_empty());
    }
}
