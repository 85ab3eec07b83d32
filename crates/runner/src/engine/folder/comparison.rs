//! Files as they are compared with what they should be: what would be written goes line by line against what stands there.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use csv::StringRecord;
use evogrid_results::files::open_regular;
use flate2::read::MultiGzDecoder;
use flate2::write::GzDecoder;

use crate::experiment::diagnostic::in_one_line;

/// A line of what stands there has at most this many bytes, so that no file can make a reader fill its memory.
const LINE_LIMIT: u64 = 4 << 20;

/// What was found to differ, a sentence for each file.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    differences: Mutex<Vec<String>>,
    /// Whether a table lacks columns that were added since it was made.
    has_older_columns: AtomicBool,
}

impl Comparison {
    /// Compares what `write` writes with a file, or with what is compressed in it where its name ends with `.gz`: compressors differ, and
    /// say the same. A table may lack the `later` columns, which were added since there are tables: then the others are compared.
    ///
    /// # Errors
    /// Those of `write`.
    pub(crate) fn compare<T>(
        &self,
        path: &Path,
        later: &[&str],
        write: impl FnOnce(&mut dyn Write) -> Result<T>,
    ) -> Result<T> {
        let file = match open_regular(path) {
            Ok(file) => file,
            Err(error) => {
                self.add(match error.kind() {
                    ErrorKind::NotFound => format!("{} is not there", path.display()),
                    _ => format!("cannot read {}: {error}", path.display()),
                });
                return write(&mut io::sink());
            }
        };
        let (written, difference) = if path.extension().is_some_and(|extension| extension == "gz") {
            let lines = LineComparison::new(MultiGzDecoder::new(BufReader::new(file)), later);
            let mut output = GzDecoder::new(lines);
            let written = write(&mut output)?;
            (written, output.finish()?.finish())
        } else {
            let mut output = LineComparison::<File>::new(file, later);
            let written = write(&mut output)?;
            self.has_older_columns.fetch_or(output.kept.is_some(), Ordering::Relaxed);
            (written, output.finish())
        };
        if let Some(difference) = difference {
            self.add(format!("{}{difference}", path.display()));
        }
        Ok(written)
    }

    /// Says what should not be there.
    pub(crate) fn require_absence(&self, path: &Path) {
        if path.symlink_metadata().is_ok() {
            self.add(format!("{} exists, although no run has a trace", path.display()));
        }
    }

    /// Whether a table lacks columns that were added since it was made: what describes its columns is older, too.
    pub(crate) fn has_older_columns(&self) -> bool {
        self.has_older_columns.load(Ordering::Relaxed)
    }

    /// What was found.
    pub(crate) fn into_differences(self) -> Vec<String> {
        self.differences.into_inner().unwrap_or_default()
    }

    fn add(&self, difference: String) {
        if let Ok(mut differences) = self.differences.lock() {
            differences.push(difference);
        }
    }
}

/// Takes lines, and compares each with the next of a file. Of lines and files no more is held than one.
struct LineComparison<'l, R> {
    /// The columns that it may lack.
    later: &'l [&'l str],
    there: BufReader<R>,
    /// The lines before this one are the same.
    line: u64,
    /// The first line, with the names of the columns.
    header: Vec<u8>,
    /// Of a table that lacks columns which were added since: the places of those that it has.
    kept: Option<Vec<usize>>,
    /// The beginning of a line.
    expected: Vec<u8>,
    found: Vec<u8>,
    /// The first difference, behind the name of the file.
    difference: Option<String>,
}

impl<'l, R: Read> LineComparison<'l, R> {
    fn new(there: R, later: &'l [&'l str]) -> Self {
        let there = BufReader::with_capacity(1 << 16, there);
        let [header, expected, found] = [const { Vec::new() }; 3];
        Self { later, there, line: 0, header, kept: None, expected, found, difference: None }
    }

    /// Compares the line that is expected next.
    fn compare(&mut self) {
        self.line += 1;
        let read = self.read();
        if self.line == 1 && self.found != self.expected {
            self.kept = kept_columns(&self.expected, &self.found, self.later);
        }
        if let Some(kept) = &self.kept {
            self.expected = of_columns(&self.expected, kept);
        }
        self.difference = match read {
            Err(error) => Some(format!(":{}: it cannot be read: {error}", self.line)),
            Ok(()) if self.found == self.expected => None,
            Ok(()) => Some(self.describe()),
        };
        if self.line == 1 {
            self.header.clone_from(&self.expected);
        }
        self.expected.clear();
    }

    /// Reads the next line of the file, with its end.
    fn read(&mut self) -> io::Result<()> {
        self.found.clear();
        self.there.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut self.found).map(drop)
    }

    /// In what the line differs from the one that is expected.
    fn describe(&self) -> String {
        let line = self.line;
        let [expected, found] = [&self.expected, &self.found].map(|line| shown(line));
        if self.found.is_empty() {
            return format!(":{line}: the file ends before this line, which should be `{expected}`");
        }
        if line == 1 {
            return format!(
                ":1: its columns are `{found}`, and should be `{expected}`; if another version of Evogrid wrote it, \
                 `runner merge` rebuilds it"
            );
        }
        let [header, expected_fields, found_fields] =
            [&self.header, &self.expected, &self.found].map(|line| fields(line));
        let columns = (0..expected_fields.len().max(found_fields.len()))
            .find(|&at| expected_fields.get(at) != found_fields.get(at));
        match columns.and_then(|at| Some((header.get(at)?, expected_fields.get(at)?, found_fields.get(at)?))) {
            Some((column, expected, found)) => format!(
                ":{line}: column `{}` is `{}`, and should be `{}`",
                in_one_line(column),
                in_one_line(found),
                in_one_line(expected)
            ),
            None if found == expected => format!(":{line}: the line does not end as `{expected}` should"),
            None => format!(":{line}: the line is `{found}`, and should be `{expected}`"),
        }
    }

    /// The first difference, if there is one, in words that follow the name of the file.
    fn finish(mut self) -> Option<String> {
        if !self.expected.is_empty() && self.difference.is_none() {
            self.compare();
        }
        if self.difference.is_some() {
            return self.difference;
        }
        self.line += 1;
        match self.read() {
            Err(error) => Some(format!(":{}: it cannot be read: {error}", self.line)),
            Ok(()) if self.found.is_empty() => None,
            Ok(()) => Some(format!(":{}: the line should not be there: `{}`", self.line, shown(&self.found))),
        }
    }
}

impl<R: Read> Write for LineComparison<'_, R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.difference.is_some() {
                break;
            }
            self.expected.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.compare();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The places of a table's columns among those that are expected, where all that it lacks are later ones and it has no other.
fn kept_columns(expected: &[u8], found: &[u8], later: &[&str]) -> Option<Vec<usize>> {
    let [expected, found] = [expected, found].map(fields);
    let is_there = |name: &str| found.iter().any(|other| other == name);
    let kept: Vec<usize> = (0..expected.len()).filter(|&at| is_there(&expected[at])).collect();
    let lacks_later_ones = expected.iter().all(|name| is_there(name) || later.contains(&name));
    (lacks_later_ones && kept.iter().map(|&at| &expected[at]).eq(found.iter())).then_some(kept)
}

/// A line of CSV with some of its fields alone.
fn of_columns(line: &[u8], columns: &[usize]) -> Vec<u8> {
    let line = fields(line);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let kept = columns.iter().map(|&at| line.get(at).unwrap_or_default());
    writer.write_record(kept).expect("memory takes all");
    writer.into_inner().expect("memory takes all")
}

/// A line as a message has it.
fn shown(line: &[u8]) -> String {
    in_one_line(String::from_utf8_lossy(line).trim_end_matches('\n'))
}

/// The fields of a line of CSV.
fn fields(line: &[u8]) -> StringRecord {
    let text = String::from_utf8_lossy(line);
    let mut record = StringRecord::new();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    // A line of anything else has no fields, and is shown as a whole.
    let _ = reader.read_record(&mut record);
    record
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const EXPECTED: &str = "run,algorithm,note\n0,huke,\"a, b\"\n1,cerv,\n";

    /// What is said of a file that holds this, where the other is expected.
    fn compared(name: &str, found: &[u8]) -> Option<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, found).expect("a file");
        let comparison = Comparison::default();
        let write = |output: &mut dyn Write| -> Result<()> {
            // In pieces that are not lines.
            let bytes = if name.ends_with("gz") { gzip(EXPECTED) } else { EXPECTED.as_bytes().to_vec() };
            Ok(bytes.chunks(7).try_for_each(|piece| output.write_all(piece))?)
        };
        comparison.compare(&path, &["note"], write).expect("memory takes all");
        let differences = comparison.into_differences();
        assert!(differences.len() < 2 && fs::read(&path).expect("it is there") == found);
        differences.first().map(|difference| difference.replace(&*path.to_string_lossy(), "FILE"))
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn the_first_difference_is_named_by_line_and_column() {
        for name in ["runs.csv", "trace.csv.gz"] {
            let file = |text: &str| if name == "runs.csv" { text.as_bytes().to_vec() } else { gzip(text) };
            assert_eq!(compared(name, &file(EXPECTED)), None);
            for (from, to, expected) in [
                ("cerv", "huke", "FILE:3: column `algorithm` is `huke`, and should be `cerv`"),
                ("a, b", "a,\u{1b}b", "FILE:2: column `note` is `a,\u{fffd}b`, and should be `a, b`"),
                ("1,cerv,\n", "", "FILE:3: the file ends before this line, which should be `1,cerv,`"),
                ("1,cerv,\n", "1,cerv,", "FILE:3: the line does not end as `1,cerv,` should"),
                ("1,cerv,\n", "1,cerv,,\n", "FILE:3: the line is `1,cerv,,`, and should be `1,cerv,`"),
                ("1,cerv,\n", "1,cerv,\n1,cerv,\n", "FILE:4: the line should not be there: `1,cerv,`"),
                (
                    "algorithm",
                    "name",
                    "FILE:1: its columns are `run,name,note`, and should be `run,algorithm,note`; if another version of Evogrid \
                     wrote it, `runner merge` rebuilds it",
                ),
            ] {
                assert_eq!(compared(name, &file(&EXPECTED.replace(from, to))).as_deref(), Some(expected), "{to}");
            }
            // A table from before there was a column.
            assert_eq!(compared(name, &file("run,algorithm\n0,huke\n1,cerv\n")), None);
            let told = compared(name, &file("run,algorithm\n0,huke\n1,huke\n"));
            assert_eq!(told.as_deref(), Some("FILE:3: column `algorithm` is `huke`, and should be `cerv`"));
            let told = compared(name, &file("run,note\n0,\"a, b\"\n1,\n"));
            assert!(told.is_some_and(|told| told.starts_with("FILE:1: its columns are `run,note`")));
        }
    }

    #[test]
    fn what_is_no_compressed_file_is_said_not_to_be() {
        let cut = gzip(EXPECTED);
        for found in [b"x\n", &cut[..cut.len() - 9], &[&cut, &b"more"[..]].concat(), &[]] {
            let told = compared("trace.csv.gz", found).unwrap_or_default();
            assert!(told.starts_with("FILE:") && (told.contains("cannot be read") || told.contains("ends")), "{told}");
        }
    }
}
