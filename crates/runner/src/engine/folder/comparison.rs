//! Compares the files of a results folder line by line with new versions of these files. The new versions of the files are written from the
//! same plan and journal.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use anyhow::Result;
use csv::StringRecord;
use evogrid_analysis::summary;
use evogrid_results::files::open_regular;
use flate2::read::MultiGzDecoder;
use serde_json::{Map, Value as Json};

use crate::engine::folder::outputs::{METADATA, SUMMARY};
use crate::experiment::diagnostic::in_one_line;
use crate::system::program;

/// The maximum length of a line in bytes. Without this limit, a program that reads the file could run out of memory.
const LINE_LIMIT: u64 = 4 << 20;

/// Compares the files of a results folder with the files in `made`. Returns one sentence for each file that differs between the two
/// folders. An older summary may lack columns that were added later. These columns are then not compared. If the file that describes the
/// columns is missing, as in older folders, the function does not report a difference.
///
/// # Errors
/// If a file in `made` cannot be read.
pub fn differences(results: &Path, made: &Path) -> Result<Vec<String>> {
    let (mut differences, mut has_older_columns) = (Vec::new(), false);
    let later: Vec<&str> = summary::later_columns().collect();
    for (name, later) in [("runs.csv", &[][..]), (SUMMARY, &later), (METADATA, &[]), ("trace.csv.gz", &[])] {
        let (there, made) = (results.join(name), made.join(name));
        if name == METADATA && (has_older_columns || !there.exists()) {
            continue;
        }
        let said = match (open_regular(&there), made.exists()) {
            (Ok(file), true) => {
                let (difference, lacks_columns) = compare(lines(File::open(&made)?, name), lines(file, name), later)?;
                has_older_columns |= lacks_columns;
                difference.map(|difference| format!("{}{difference}", there.display()))
            }
            (Err(error), true) if error.kind() == ErrorKind::NotFound => {
                Some(format!("{} is missing", there.display()))
            }
            (Err(error), true) => Some(format!("cannot read {}: {error}", there.display())),
            (_, false) => there
                .symlink_metadata()
                .is_ok()
                .then(|| format!("{} exists, but no run of the journal has a trace", there.display())),
        };
        differences.extend(said);
    }
    Ok(differences)
}

/// The lines of a file. A file whose name ends in `.gz` is decompressed, since compressors write different bytes for the same lines.
fn lines(file: File, name: &str) -> Box<dyn BufRead> {
    let file = BufReader::with_capacity(1 << 16, file);
    if name.ends_with(".gz") { Box::new(BufReader::new(MultiGzDecoder::new(file))) } else { Box::new(file) }
}

/// The first difference, in words that follow the name of the file. Also returns whether the file lacks some of the `later` columns. Only
/// one line of each file is held in memory.
fn compare(mut made: impl BufRead, mut there: impl BufRead, later: &[&str]) -> io::Result<(Option<String>, bool)> {
    let [mut header, mut expected, mut found] = [const { Vec::new() }; 3];
    let mut kept = None;
    for line in 1.. {
        read_line(&mut made, &mut expected)?;
        if let Err(error) = read_line(&mut there, &mut found) {
            return Ok((Some(format!(":{line}: cannot read the line: {error}")), false));
        }
        if line == 1 && found != expected {
            kept = kept_columns(&expected, &found, later);
        }
        if let Some(kept) = kept.as_ref().filter(|_| !expected.is_empty()) {
            expected = of_columns(&expected, kept);
        }
        if line == 1 {
            header.clone_from(&expected);
        }
        if found != expected && !(is_description(&expected) && is_description(&found)) {
            return Ok((Some(describe(line, [&header, &expected, &found])), kept.is_some()));
        }
        if found.is_empty() {
            break;
        }
    }
    Ok((None, kept.is_some()))
}

/// Reads a line with its line break; the line is empty at the end of the file.
fn read_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    line.clear();
    file.take(LINE_LIMIT).read_until(b'\n', line).map(drop)
}

/// Whether a line of `csv-metadata.json` is the description of a column. Versions may word descriptions differently, since nothing is
/// computed from them.
fn is_description(line: &[u8]) -> bool {
    let members = serde_json::from_slice::<Map<String, Json>>(&[b"{", line, b"}"].concat());
    members.is_ok_and(|members| members.len() == 1 && members.get("dc:description").is_some_and(Json::is_string))
}

/// A sentence on the difference between a line and the expected line. The three lines are the header, the expected line and the found line.
fn describe(line: u64, lines: [&Vec<u8>; 3]) -> String {
    let [_, expected, found] = lines.map(|line| shown(line));
    if lines[1].is_empty() {
        return format!(":{line}: unexpected line `{found}`");
    }
    if lines[2].is_empty() {
        return format!(":{line}: the file ends before this line; expected `{expected}`");
    }
    if line == 1 {
        return format!(
            ":1: the columns are `{found}`, expected `{expected}`; if another version of Evogrid wrote this file, `{} \
             merge` writes the file again",
            program::name()
        );
    }
    let [header, expected_fields, found_fields] = lines.map(|line| fields(line));
    let columns =
        (0..expected_fields.len().max(found_fields.len())).find(|&at| expected_fields.get(at) != found_fields.get(at));
    match columns.and_then(|at| Some((header.get(at)?, expected_fields.get(at)?, found_fields.get(at)?))) {
        Some((column, expected, found)) => format!(
            ":{line}: column `{}` is `{}`, expected `{}`",
            in_one_line(column),
            in_one_line(found),
            in_one_line(expected)
        ),
        None if found == expected => {
            format!(
                ":{line}: the line break at the end of the line is missing or wrong; the expected line is `{expected}`"
            )
        }
        None => format!(":{line}: the line is `{found}`, expected `{expected}`"),
    }
}

/// The places of a file's columns among the expected columns, if the file has no other columns and lacks only later columns.
fn kept_columns(expected: &[u8], found: &[u8], later: &[&str]) -> Option<Vec<usize>> {
    let [expected, found] = [expected, found].map(fields);
    let is_there = |name: &str| found.iter().any(|other| other == name);
    let kept: Vec<usize> = (0..expected.len()).filter(|&at| is_there(&expected[at])).collect();
    let lacks_later_ones = expected.iter().all(|name| is_there(name) || later.contains(&name));
    (lacks_later_ones && kept.iter().map(|&at| &expected[at]).eq(found.iter())).then_some(kept)
}

/// A line of CSV reduced to some of its fields.
fn of_columns(line: &[u8], columns: &[usize]) -> Vec<u8> {
    let line = fields(line);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let kept = columns.iter().map(|&at| line.get(at).unwrap_or_default());
    writer.write_record(kept).expect("writing to memory cannot fail");
    writer.into_inner().expect("writing to memory cannot fail")
}

/// The text of a line for a message.
fn shown(line: &[u8]) -> String {
    in_one_line(String::from_utf8_lossy(line).trim_end_matches('\n'))
}

/// The fields of a line of CSV.
fn fields(line: &[u8]) -> StringRecord {
    let text = String::from_utf8_lossy(line);
    let mut record = StringRecord::new();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    // A line that is not CSV has no fields; the message shows the whole line.
    let _ = reader.read_record(&mut record);
    record
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    const EXPECTED: &str = "run,algorithm,note\n0,huke,\"a, b\"\n1,cerv,\n";

    /// The sentence for a file with this content, when the other is expected.
    fn compared(name: &str, found: &[u8]) -> Option<String> {
        let file = |bytes: &[u8]| {
            let mut file = tempfile::tempfile().expect("a file");
            file.write_all(bytes).and_then(|()| file.rewind()).expect("it is written");
            lines(file, name)
        };
        let expected = if name.ends_with("gz") { gzip(EXPECTED) } else { EXPECTED.as_bytes().to_vec() };
        let (difference, _) = compare(file(&expected), file(found), &["note"]).expect("it is read");
        difference.map(|difference| format!("FILE{difference}"))
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
                ("cerv", "huke", "FILE:3: column `algorithm` is `huke`, expected `cerv`"),
                ("a, b", "a,\u{1b}b", "FILE:2: column `note` is `a,\u{fffd}b`, expected `a, b`"),
                ("1,cerv,\n", "", "FILE:3: the file ends before this line; expected `1,cerv,`"),
                (
                    "1,cerv,\n",
                    "1,cerv,",
                    "FILE:3: the line break at the end of the line is missing or wrong; the expected line is \
                     `1,cerv,`",
                ),
                ("1,cerv,\n", "1,cerv,,\n", "FILE:3: the line is `1,cerv,,`, expected `1,cerv,`"),
                ("1,cerv,\n", "1,cerv,\n1,cerv,\n", "FILE:4: unexpected line `1,cerv,`"),
                (
                    "algorithm",
                    "name",
                    "FILE:1: the columns are `run,name,note`, expected `run,algorithm,note`; if another version of \
                     Evogrid wrote this file, `runner merge` writes the file again",
                ),
            ] {
                assert_eq!(compared(name, &file(&EXPECTED.replace(from, to))).as_deref(), Some(expected), "{to}");
            }
            // A table from before there was a column.
            assert_eq!(compared(name, &file("run,algorithm\n0,huke\n1,cerv\n")), None);
            let told = compared(name, &file("run,algorithm\n0,huke\n1,huke\n"));
            assert_eq!(told.as_deref(), Some("FILE:3: column `algorithm` is `huke`, expected `cerv`"));
            let told = compared(name, &file("run,note\n0,\"a, b\"\n1,\n"));
            assert!(told.is_some_and(|told| told.starts_with("FILE:1: the columns are `run,note`")));
        }
    }

    #[test]
    fn a_description_may_be_reworded_and_nothing_else_of_a_column() {
        let column = |name: &str, rest: &str| {
            format!("{{\n  \"titles\": \"{name}\",\n  \"datatype\": \"integer\",\n  \"dc:description\": {rest}\n}}\n")
        };
        let expected = column("run", r#""which run""#) + &column("seed", r#""its seed""#);
        let told = |found: &str| compare(expected.as_bytes(), found.as_bytes(), &[]).expect("it is read").0;
        assert_eq!(told(&expected.replace("which run", "the \\\"number\\\" of the run")), None);
        for (from, to, line) in [
            ("\"run\"", "\"other\"", 2),
            ("integer", "string", 3),
            ("\"which run\"", "5", 4),
            ("\"which run\"", "\"which run\", \"datatype\": \"string\"", 4),
            ("  \"dc:description\": \"its seed\"\n", "", 9),
        ] {
            let told = told(&expected.replacen(from, to, 1)).unwrap_or_default();
            assert!(told.starts_with(&format!(":{line}: ")), "{to}: {told}");
        }
        let swapped = column("seed", r#""its seed""#) + &column("run", r#""which run""#);
        assert!(told(&swapped).is_some());
    }

    #[test]
    fn what_is_no_compressed_file_is_said_not_to_be() {
        let cut = gzip(EXPECTED);
        for found in [b"x\n", &cut[..cut.len() - 9], &[&cut, &b"more"[..]].concat(), &[]] {
            let told = compared("trace.csv.gz", found).unwrap_or_default();
            assert!(told.starts_with("FILE:") && (told.contains("cannot read") || told.contains("ends")), "{told}");
        }
    }
}
