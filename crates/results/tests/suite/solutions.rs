//! Long solutions as the users of a journal see them: what was appended is found again, and where a solution is damaged or missing, its
//! record is none.

use std::fs;
use std::path::{Path, PathBuf};

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;
use evogrid_results::journal::{Index, JournalError, Writer};
use evogrid_results::solution::SOLUTION_IN_LINE_LIMIT;
use evogrid_results::{Record, RunKey, RunOutcome};

fn id(bits: u64) -> RunId {
    RunId::from_bits(bits)
}

/// A solved run whose solution has so many bytes.
fn record(bits: u64, length: usize) -> Record {
    let text: String = (0..).map(|number: u64| format!("{} ", number * 7919 % 9973 + bits)).take(length).collect();
    Record {
        key: RunKey { run_id: id(bits), problem: "tour".into(), ..RunKey::default() },
        settings: [("population".to_owned(), 100.into())].into_iter().collect(),
        outcome: RunOutcome { solved: Some(true), stop: Stop::Target, ..RunOutcome::default() },
        solution: Some(text[..length].to_owned()),
        ..Record::default()
    }
}

/// A journal of these records, appended one by one, with its file and its file of solutions.
fn journal(records: &[Record]) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::create(folder.path()).expect("a writer");
    for record in records {
        writer.append(std::slice::from_ref(record)).expect("a disk");
    }
    let path = writer.path().to_owned();
    writer.finish().expect("a disk");
    let solutions = path.with_extension("solutions");
    (folder, path, solutions)
}

fn read(folder: &Path) -> Index {
    Index::read(folder).expect("a journal")
}

/// What is wrong with its damaged lines.
fn reasons(index: &Index, journal: &Path) -> String {
    let stem = journal.file_stem().expect("a name").to_string_lossy().into_owned();
    let reasons = index.damages.iter().map(|damage| damage.reason.replace(&stem, "ATTEMPT"));
    reasons.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_solution_up_to_the_limit_stands_in_the_line_and_a_longer_one_beside_the_journal() {
    let (short, long) = (record(1, SOLUTION_IN_LINE_LIMIT), record(2, SOLUTION_IN_LINE_LIMIT + 1));
    let (folder, path, solutions) = journal(std::slice::from_ref(&short));
    assert!(!solutions.exists(), "no solution is long");
    let line = fs::read_to_string(path).expect("text");
    let expected = serde_json::to_string(&short).expect("a record is JSON");
    assert_eq!(line.rsplit_once(",\"crc32\"").expect("a checksum").0, expected.strip_suffix('}').expect("an object"));
    assert_eq!(read(folder.path()).get(id(1)).expect("a record"), Some(short.clone()));

    let other = record(3, 9000);
    let records = [long.clone(), short, other.clone()];
    let (folder, path, solutions) = journal(&records);
    let index = read(folder.path());
    for record in records {
        assert_eq!(index.get(record.key.run_id).expect("a record"), Some(record));
    }
    let texts = [long, other].map(|record| record.solution.expect("it has one") + "\n");
    assert_eq!(fs::read_to_string(solutions).expect("text"), texts.concat());
    let line = fs::read_to_string(path).expect("text").lines().last().expect("a line").to_owned();
    let hash = blake3::hash(texts[1].trim_end_matches('\n').as_bytes());
    assert!(
        line.contains(&format!("\"solution_place\":{{\"offset\":4098,\"bytes\":9000,\"blake3\":\"{hash}\"}}")),
        "{line}"
    );
    assert!(line.len() < 800, "{line}");
}

/// The bytes in the order in which they reach the disk are cut anywhere: solution, line, solution, line.
#[test]
fn wherever_its_process_dies_each_whole_line_has_its_solution() {
    let records = [record(1, 4100), record(2, 100), record(3, 4200)];
    let (folder, path, solutions) = journal(&records);
    let [lines, texts] = [&path, &solutions].map(|path| fs::read(path).expect("a file"));
    let ends: Vec<usize> = (1..=lines.len()).filter(|&end| lines[end - 1] == b'\n').collect();
    // The lengths of both files after each write.
    let states = [(0, 0), (4101, 0), (4101, ends[1]), (8302, ends[1]), (8302, ends[2])];
    for step in states.windows(2) {
        let [(texts_before, lines_before), (texts_after, lines_after)] = [step[0], step[1]];
        let of_solutions = (texts_before..texts_after).step_by(41).map(|length| (length, lines_before));
        for (n_texts, n_lines) in of_solutions.chain((lines_before..lines_after).map(|length| (texts_after, length))) {
            fs::write(&solutions, &texts[..n_texts]).expect("a file");
            fs::write(&path, &lines[..n_lines]).expect("a file");
            let index = read(folder.path());
            // A line that lacks nothing but its end is whole.
            let n_whole = ends.iter().filter(|&&end| end <= n_lines + 1).count();
            assert_eq!((index.len(), index.n_damages), (n_whole, 0), "{n_texts} bytes, {n_lines} bytes");
            for record in &records[..n_whole] {
                assert_eq!(index.get(record.key.run_id).expect("a record").as_ref(), Some(record));
            }
        }
    }
}

/// A line whose solution stands elsewhere, however short it is: whoever writes a journal by other means may have another limit.
fn line_by_hand(bits: u64, members: &str) -> String {
    let line = serde_json::to_string(&Record { solution: None, ..record(bits, 0) }).expect("a record is JSON");
    line.replacen('{', &format!("{{{members},"), 1) + "\n"
}

fn place(offset: u64, bytes: u64, text: &[u8]) -> String {
    format!("\"solution_place\":{{\"offset\":{offset},\"bytes\":{bytes},\"blake3\":\"{}\"}}", blake3::hash(text))
}

const TWO_SOLUTIONS: &str = "4 1 3 2\n2 1 4 3 5\n";

/// A journal of three runs, made by hand: the first and the last have those solutions.
fn journal_by_hand() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hand.jsonl");
    let lines = [
        line_by_hand(1, &place(0, 7, b"4 1 3 2")),
        serde_json::to_string(&record(2, 100)).expect("a record is JSON") + "\n",
        line_by_hand(3, &place(8, 9, b"2 1 4 3 5")),
    ];
    fs::write(&path, lines.concat()).expect("a file");
    let solutions = path.with_extension("solutions");
    fs::write(&solutions, TWO_SOLUTIONS).expect("a file");
    (folder, path, solutions)
}

#[test]
fn a_file_of_solutions_cut_anywhere_costs_the_runs_whose_solution_is_not_whole() {
    let (folder, path, solutions) = journal_by_hand();
    for length in (0..TWO_SOLUTIONS.len()).rev() {
        fs::write(&solutions, &TWO_SOLUTIONS[..length]).expect("a file");
        let index = read(folder.path());
        let whole = [(1, 7 <= length), (2, true), (3, 17 <= length)];
        assert!(whole.iter().all(|&(run, is_there)| index.contains(id(run)) == is_there), "{length} bytes");
        assert_eq!(index.n_damages, whole.iter().filter(|(_, is_there)| !is_there).count(), "{length} bytes");
    }
    insta::assert_snapshot!(reasons(&read(folder.path()), &path), @"
    its solution (7 bytes from byte 0 of `ATTEMPT.solutions`) is truncated: the file contains only 0 bytes of the solution
    its solution (9 bytes from byte 8 of `ATTEMPT.solutions`) is truncated: the file contains only 0 bytes of the solution
    ");
    fs::remove_file(&solutions).expect("it is there");
    let index = read(folder.path());
    assert!(index.contains(id(2)));
    insta::assert_snapshot!(reasons(&index, &path), @"
    its solution (7 bytes from byte 0 of `ATTEMPT.solutions`) is missing: file not found
    its solution (9 bytes from byte 8 of `ATTEMPT.solutions`) is missing: file not found
    ");
    assert_eq!(index.damages[1].line, 3);
}

#[test]
fn a_changed_bit_of_a_solution_costs_its_run_and_no_other() {
    let (folder, path, solutions) = journal_by_hand();
    for bit in 0..8 * TWO_SOLUTIONS.len() {
        let (at, mut changed) = (bit / 8, TWO_SOLUTIONS.as_bytes().to_vec());
        changed[at] ^= 1 << (bit % 8);
        fs::write(&solutions, &changed).expect("a file");
        let index = read(folder.path());
        let damaged = [0..7, 8..17].map(|solution| solution.contains(&at));
        assert_eq!([1, 3].map(|run| !index.contains(id(run))), damaged, "bit {bit}");
    }
    fs::write(&solutions, TWO_SOLUTIONS.replace('5', "6")).expect("a file");
    insta::assert_snapshot!(reasons(&read(folder.path()), &path), @"its solution (9 bytes from byte 8 of `ATTEMPT.solutions`) does not have the BLAKE3 hash that the line of the journal gives");
}

#[test]
fn a_solution_that_changed_since_is_an_error_that_names_its_file() {
    let (folder, _, solutions) = journal(&[record(1, 5000)]);
    let index = read(folder.path());
    fs::write(&solutions, "x".repeat(5001)).expect("a file");
    assert!(index.skim(id(1)).expect("it needs no solution").is_some());
    let error = index.get(id(1)).expect_err("another text");
    assert!(matches!(&error, JournalError::NoSolution { path, .. } if *path == solutions), "{error}");
    assert!(error.to_string().ends_with(
        "does not have the BLAKE3 hash that the line of the journal gives; repeat the command to repeat the run"
    ));
}

#[cfg(unix)]
#[test]
fn links_pipes_and_folders_in_the_place_of_solutions_are_errors_that_come_at_once() {
    use std::os::unix::fs::symlink;
    let (folder, _, solutions) = journal(&[record(1, 5000)]);
    fs::rename(&solutions, folder.path().join("there")).expect("it is there");
    let makers: [(&str, &dyn Fn()); 4] = [
        ("it is a device, a pipe", &|| {
            let made = std::process::Command::new("mkfifo").arg(&solutions).status();
            assert!(made.expect("it starts").success());
        }),
        ("it is a link", &|| symlink("/dev/zero", &solutions).expect("a link")),
        ("it is a link", &|| symlink("there", &solutions).expect("a link")),
        ("it is a directory", &|| fs::create_dir(&solutions).expect("a folder")),
    ];
    for (expected, make) in makers {
        make();
        let JournalError::File(error) = Index::read(folder.path()).expect_err("it is not a file") else { panic!() };
        assert!(error.path == solutions && error.source.to_string().starts_with(expected), "{error:?}");
        fs::remove_file(&solutions).or_else(|_| fs::remove_dir(&solutions)).expect("it goes");
    }
}

#[test]
fn places_that_no_writer_makes_are_damage() {
    let (folder, path, solutions) = journal_by_hand();
    fs::write(solutions, "12345\u{e4}").expect("a file");
    let cases = [
        place(u64::MAX, 1, b"1"),
        place(0, u64::MAX, b"12345"),
        place(0, (64 << 20) + 1, b"12345"),
        place(0, 6, b"12345\xc3"),
        place(0, 5, b"12345").replace("\"bytes\"", "\"length\""),
        place(0, 5, b"12345").replace("\"blake3\":\"", "\"blake3\":\"x"),
        format!("\"solution\":\"12345\",{}", place(0, 5, b"12345")),
        "\"solution_place\":null".to_owned(),
    ];
    let told = cases.map(|members| {
        fs::write(&path, line_by_hand(1, &members)).expect("a file");
        reasons(&read(folder.path()), &path)
    });
    insta::assert_snapshot!(told.join("\n"), @"
    its solution (1 bytes from byte 18446744073709551615 of `ATTEMPT.solutions`) is truncated: the file contains only 0 bytes of the solution
    its solution (18446744073709551615 bytes from byte 0 of `ATTEMPT.solutions`) is longer than 67108864 bytes
    its solution (67108865 bytes from byte 0 of `ATTEMPT.solutions`) is longer than 67108864 bytes
    its solution (6 bytes from byte 0 of `ATTEMPT.solutions`) is not text
    unknown field `length`, expected one of `offset`, `bytes`, `... (67 bytes)
    its solution (5 bytes from byte 0 of `ATTEMPT.solutions`) does not have the BLAKE3 hash that the line of the journal gives
    the record contains both `solution` and `solution_place`: ex... (78 bytes)
    invalid type: null, expected struct SolutionPlace
    ");
    fs::write(&path, line_by_hand(1, &place(1, 3, b"234"))).expect("a file");
    let found = read(folder.path()).get(id(1)).expect("a record").expect("it is there");
    assert_eq!(found.solution.as_deref(), Some("234"));
}

#[test]
fn lines_that_name_the_same_bytes_again_and_again_are_damage() {
    let (hole, text) = (1 << 18, "x".repeat(1 << 16));
    for (content, length) in [("", hole), (text.as_str(), 1 << 16)] {
        let (folder, path, solutions) = journal_by_hand();
        fs::write(&solutions, content).expect("a disk");
        fs::OpenOptions::new().write(true).open(&solutions).expect("a file").set_len(length).expect("a hole");
        let bytes = fs::read(&solutions).expect("a file");
        // One after the other, and each a byte later than the one before.
        for step in [0, 1] {
            let lines = (0..500).map(|bits| {
                let part = &bytes[(step * bits) as usize..];
                line_by_hand(bits, &place(step * bits, part.len() as u64, part))
            });
            fs::write(&path, lines.collect::<String>()).expect("a disk");
            let index = read(folder.path());
            assert_eq!(index.len(), 4, "{content:.1} {step}");
            let said = "was not read: the solutions up to this line together exceed ";
            assert!(reasons(&index, &path).contains(said));
        }
    }
    // Twice each, as after a copy of lines, is no fault.
    let records: Vec<Record> = (1..50).map(|bits| record(bits, 9000)).collect();
    let (folder, path, _) = journal(&records);
    let lines = fs::read_to_string(&path).expect("text");
    fs::write(&path, lines.repeat(2)).expect("a disk");
    let index = read(folder.path());
    assert_eq!((index.len(), index.n_damages), (49, 0));
}

#[test]
fn records_of_a_run_are_compared_by_the_hashes_of_their_solutions_wherever_these_stand() {
    let long = record(1, 9000);
    // As journals had them before there were files of solutions.
    let in_line = serde_json::to_string(&long).expect("a record is JSON") + "\n";
    let (folder, _, _) = journal(std::slice::from_ref(&long));
    fs::write(folder.path().join("0.jsonl"), &in_line).expect("a file");
    let index = read(folder.path());
    assert_eq!((index.get(id(1)).expect("a record"), index.conflict().expect("it is read")), (Some(long), None));
    let other = in_line.replace("\"solution\":\"1", "\"solution\":\"2");
    for (name, path) in [("in the line", "0.jsonl"), ("in both lines", "1.jsonl")] {
        fs::write(folder.path().join(path), &other).expect("a file");
        let conflict = read(folder.path()).conflict().expect("it is read").expect(name);
        assert!(conflict.contains(": `solution` is 9000 bytes with the BLAKE3 hash "), "{name}: {conflict}");
        assert!(conflict.contains(", but 9000 bytes with the BLAKE3 hash "), "{name}: {conflict}");
    }
    let (folder, _, _) = journal(&[record(1, 9000), record(1, 8000)]);
    let conflict = read(folder.path()).conflict().expect("it is read");
    assert!(conflict.is_some_and(|conflict| conflict.contains(": `solution` is ")));
}

#[test]
fn where_solutions_cannot_be_written_the_other_records_are_kept_and_the_writer_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::create(folder.path()).expect("a writer");
    let solutions = writer.path().with_extension("solutions");
    fs::create_dir(&solutions).expect("a folder in the way");
    let error = writer.append(&[record(1, 10), record(2, 5000), record(3, 10)]).expect_err("it is in the way");
    assert!(error.to_string().contains(".solutions"), "{error}");
    assert_eq!(read(folder.path()).len(), 2);
    fs::remove_dir(&solutions).expect("it goes");
    writer.append(&[record(2, 5000)]).expect("a disk");
    writer.finish().expect("a disk");
    let index = read(folder.path());
    assert_eq!((index.len(), index.n_damages), (3, 0));
    assert_eq!(index.get(id(2)).expect("a record"), Some(record(2, 5000)));
}
