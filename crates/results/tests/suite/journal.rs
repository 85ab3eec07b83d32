//! The journal as its users see it: what was appended is found again, whatever happened to the files.

use std::fs;
use std::path::Path;

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;
use evogrid_results::journal::{Index, LINE_LIMIT, Writer};
use evogrid_results::record::RecordedSettings;
use evogrid_results::{Record, RunKey, RunOutcome};
use proptest::prelude::*;

fn id(bits: u64) -> RunId {
    format!("r{bits:016x}").parse().expect("an id")
}

fn record(bits: u64, stop: Stop, seed: u64) -> Record {
    Record {
        key: RunKey {
            run_id: id(bits),
            algorithm: "huke".into(),
            problem: "tour".into(),
            instance: "huke-01".into(),
            bucket: "easy".into(),
            repetition: 0,
            seed,
        },
        settings: [("population".to_owned(), 100.into())].into_iter().collect(),
        outcome: RunOutcome {
            objective: None,
            solved: Some(stop == Stop::Target),
            best_fitness: (stop != Stop::Failed).then_some(0.0),
            evaluations: 4200,
            generations: 42,
            restarts: 0,
            evaluations_to_best: 4200,
            stop,
            wall_ms: 1.25,
            cpu_ms: None,
        },
        message: (stop == Stop::Failed).then(|| "out of memory".into()),
        ..Record::default()
    }
}

fn lines(records: &[Record]) -> String {
    records.iter().map(|record| serde_json::to_string(record).expect("JSON") + "\n").collect()
}

fn index(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Index) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let index = Index::read(folder.path()).expect("a journal");
    (folder, index)
}

#[test]
fn every_appended_record_is_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    for attempt in 0..3 {
        let mut writer = Writer::create(folder.path()).expect("a writer");
        for part in 0..10 {
            let first = attempt * 100 + part * 10;
            let records: Vec<Record> = (first..first + 10).map(|bits| record(bits, Stop::Target, bits)).collect();
            writer.append(&records).expect("a disk");
        }
        writer.finish().expect("a disk");
    }
    let index = Index::read(folder.path()).expect("a journal");
    assert_eq!((index.len(), index.n_failed, index.n_damages), (300, 0, 0));
    for bits in [0, 299, 7, 150, 8, 100, 101, 298] {
        assert!(index.contains(id(bits)));
        assert_eq!(index.get(id(bits)).expect("a record"), Some(record(bits, Stop::Target, bits)));
    }
    assert!(!index.contains(id(300)));
    assert_eq!(index.get(id(300)).expect("no error"), None);
}

#[test]
fn a_missing_folder_is_an_empty_journal() {
    let index = Index::read(Path::new("/no/such/folder")).expect("an empty journal");
    assert!(index.is_empty() && index.damages.is_empty());
}

#[test]
fn a_run_that_only_failed_is_tried_again_but_its_failure_is_told() {
    let text = lines(&[record(1, Stop::Failed, 1), record(2, Stop::Failed, 2), record(2, Stop::Target, 3)]);
    let (_folder, index) = index(&[("a.jsonl", text.as_bytes())]);
    assert_eq!((index.len(), index.n_failed), (1, 1));
    assert!(!index.contains(id(1)) && index.contains(id(2)));
    assert_eq!(index.get(id(1)).expect("a record"), Some(record(1, Stop::Failed, 1)));
    assert_eq!(index.get(id(2)).expect("a record"), Some(record(2, Stop::Target, 3)));
}

#[test]
fn of_several_records_the_first_by_file_name_counts() {
    let first = lines(&[record(9, Stop::Failed, 10), record(9, Stop::Stagnation, 11), record(9, Stop::Target, 12)]);
    let second = lines(&[record(9, Stop::Target, 13)]);
    let (_folder, index) =
        index(&[("b.jsonl", second.as_bytes()), ("a.jsonl", first.as_bytes()), ("c.txt", b"no journal")]);
    assert_eq!(index.get(id(9)).expect("a record").map(|record| record.key.seed), Some(11));
    assert_eq!(index.len(), 1);
}

#[test]
fn the_record_of_a_row_can_be_one_without_any_evaluation() {
    // The time limit ended the run before its first evaluation, and another process did the run again later.
    let ended = |objective, evaluations| {
        let run = record(1, Stop::Time, 1);
        Record { outcome: RunOutcome { objective, evaluations, ..run.outcome }, ..run }
    };
    let (early, full, old) = (ended(None, 0), ended(Some(11.0), 4200), ended(None, 4200));
    let (_folder, mut index) = index(&[("a.jsonl", lines(&[full.clone(), early.clone(), old.clone()]).as_bytes())]);
    assert_eq!(index.get(id(1)).expect("a record"), Some(full));
    assert!(!index.prefer(id(1), &old.outcome).expect("a journal"), "a record that hides its objective never counts");
    assert!(index.prefer(id(1), &early.outcome).expect("a journal"));
    assert_eq!(index.get(id(1)).expect("a record"), Some(early));
}

#[test]
fn a_torn_last_line_is_dropped_and_a_whole_one_without_its_end_is_kept() {
    let text = lines(&[record(1, Stop::Target, 1), record(2, Stop::Target, 2)]);
    for cut in text.len() / 2 + 1..text.len() - 1 {
        let (_folder, index) = index(&[("a.jsonl", &text.as_bytes()[..cut])]);
        assert_eq!((index.len(), index.n_damages), (1, 0), "cut at byte {cut}");
    }
    let (_folder, index) = index(&[("a.jsonl", &text.as_bytes()[..text.len() - 1])]);
    assert_eq!(index.get(id(2)).expect("a record"), Some(record(2, Stop::Target, 2)));
}

#[test]
fn damaged_lines_are_told_and_cost_only_themselves() {
    let good = lines(&[record(1, Stop::Target, 1)]);
    let long = format!("{}\n", "x".repeat(LINE_LIMIT + 1));
    let tired = good.replace("target", "tired");
    let seedless = good.replace("\"seed\":1,", "");
    let other_id = good.replace("r0000000000000001", "r1");
    let bad = ["\n", &other_id, "not JSON\u{1b}\n", &tired, &seedless].concat();
    let mut text = [bad.as_bytes(), b"\xff\xfe\n", long.as_bytes(), good.as_bytes()].concat();
    text.extend_from_slice(b"{}\n");
    let (folder, index) = index(&[("a.jsonl", &text)]);
    assert_eq!((index.len(), index.n_damages), (1, 7));
    assert!(index.get(id(1)).expect("a record").is_some());
    let path = folder.path().to_string_lossy().into_owned();
    let told: Vec<String> = index.damages.iter().map(|damage| damage.to_string().replace(&path, "journal")).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_line_with_a_time_below_zero_is_damaged() {
    let good = lines(&[record(1, Stop::Target, 1)]);
    let text = [good.replace("1.25", "-1.25"), good.replace("\"cpu_ms\":null", "\"cpu_ms\":-1.0")].concat();
    let (_folder, index) = index(&[("a.jsonl", text.as_bytes())]);
    let told: Vec<&str> = index.damages.iter().map(|damage| damage.reason.as_str()).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    expected a time of at least 0 ms, found -1.25
    expected a time of at least 0 ms, found -1
    ");
}

#[test]
fn a_file_that_changed_since_is_an_error() {
    let (folder, index) = index(&[("a.jsonl", lines(&[record(1, Stop::Target, 1)]).as_bytes())]);
    fs::write(folder.path().join("a.jsonl"), lines(&[record(2, Stop::Target, 1)])).expect("a file");
    let error = index.get(id(1)).expect_err("another run").to_string();
    let path = folder.path().to_string_lossy().into_owned();
    insta::assert_snapshot!(error.replace(&path, "journal"), @"`journal/a.jsonl`: the line at byte 0 is not a record of run r0000000000000001: the line is a record of run r0000000000000002; remove the line, then repeat the command");
}

proptest! {
    #[test]
    fn whatever_a_file_holds_the_good_lines_are_found(
        before in any::<Vec<u8>>(),
        after in any::<Vec<u8>>(),
        runs in 0u64..20,
    ) {
        let good: Vec<Record> = (0..runs).map(|bits| record(bits, Stop::Target, bits)).collect();
        let text = [&before, &b"\n"[..], lines(&good).as_bytes(), &after].concat();
        let (_folder, index) = index(&[("a.jsonl", &text)]);
        prop_assert_eq!(index.len() as u64, runs);
        for record in good {
            prop_assert_eq!(index.get(record.key.run_id).expect("a record"), Some(record));
        }
    }
}

#[test]
fn beside_a_session_file_a_line_without_its_whole_checksum_is_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::create(folder.path()).expect("a writer");
    writer.append(&[record(1, Stop::Target, 1), record(2, Stop::Target, 2)]).expect("a disk");
    let path = writer.path().to_owned();
    writer.finish().expect("a disk");
    let text = fs::read_to_string(&path).expect("text");
    let (session, seal) = (path.with_extension("session.json"), text.find(",\"crc32\"").expect("a checksum"));
    let end = text.find('\n').expect("a line");
    let flipped = |places: &[(usize, u8)]| {
        let mut bytes = text.clone().into_bytes();
        places.iter().for_each(|&(at, bit)| bytes[at] ^= bit);
        String::from_utf8(bytes).expect("text")
    };
    let digit = text.find("\"evaluations\":").expect("a column") + 14;
    for (case, changed) in [
        ("a bit of the key and one of a digit", flipped(&[(seal + 6, 1), (digit, 4)])),
        ("a bit of the key", flipped(&[(seal + 2, 1)])),
        ("a bit of the bracket at the end of the text", flipped(&[(end - 2, 1), (digit, 1)])),
        ("the checksum cut off", text.replacen(&text[seal..end], "}", 1)),
        ("the checksum with a space in it", text.replacen("\"crc32\":", "\"crc32\": ", 1)),
        (
            "the checksum before the last column",
            format!("{{\"crc32\":\"00000000\",{}", &text[1..].replacen(&text[seal..end], "}", 1)),
        ),
    ] {
        fs::write(&path, changed).expect("a file");
        let read = || Index::read(folder.path()).expect("a journal");
        fs::write(&session, "{}").expect("a file");
        assert_eq!((read().len(), read().n_damages), (1, 1), "{case}");
        fs::remove_file(&session).expect("it is there");
        // Whoever writes a journal without a session need not know of checksums.
        assert!(read().contains(id(2)), "{case}");
    }
}

#[test]
fn records_that_differ_in_what_the_run_is_or_in_its_course_disagree() {
    use evogrid_results::trace::{Point, Trace, Trigger};
    let point =
        |evaluations| Point { evaluations, generation: 1, best_fitness: 2.0, mean_fitness: None, diversity: None };
    let traced = |trigger, evaluations: &[u64]| {
        let points = evaluations.iter().copied().map(point).collect();
        Record { trace: Some(Trace { trigger, points }), ..record(1, Stop::Target, 1) }
    };
    let first = traced(Trigger::Improvements, &[1, 2]);
    let changed = |change: fn(&mut Record)| {
        let mut record = first.clone();
        change(&mut record);
        record
    };
    for (second, field) in [
        (
            changed(|record| record.settings = [("population".to_owned(), 200.into())].into_iter().collect()),
            Some("settings"),
        ),
        (
            changed(|record| record.settings = [("elitism".to_owned(), 1.into())].into_iter().collect()),
            Some("settings"),
        ),
        (changed(|record| record.settings = RecordedSettings::default()), Some("settings")),
        (changed(|record| record.key.problem = "latin".into()), Some("problem")),
        (changed(|record| record.key.seed = 2), Some("seed")),
        (changed(|record| record.key.repetition = 2), Some("repetition")),
        (traced(Trigger::Improvements, &[1, 3]), Some("trace")),
        (traced(Trigger::Improvements, &[1]), Some("trace")),
        (traced(Trigger::Every(2), &[1, 3]), None),
        (changed(|record| record.trace = None), None),
        (changed(|record| record.key.instance = "renamed".into()), None),
        (changed(|record| record.key.bucket = "hard".into()), None),
        (changed(|record| record.key.algorithm = "renamed".into()), None),
        (changed(|record| record.outcome.wall_ms = 7.0), None),
    ] {
        let (_folder, index) = index(&[("a.jsonl", lines(&[first.clone(), second]).as_bytes())]);
        let conflict = index.conflict().expect("it is read");
        assert_eq!(conflict.is_some(), field.is_some(), "{conflict:?}");
        let named = |field: &str| conflict.as_ref().is_some_and(|text| text.contains(&format!(": `{field}` is ")));
        assert!(field.is_none_or(named), "{field:?}: {conflict:?}");
    }
}

#[cfg(unix)]
fn make_pipe(path: &std::path::Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().expect("it starts").success());
}

#[cfg(unix)]
#[test]
fn links_pipes_and_devices_in_a_journal_are_errors_that_come_at_once() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.jsonl");
    fs::write(folder.path().join("there"), lines(&[record(1, Stop::Target, 1)])).expect("a file");
    let makers: [(&str, &dyn Fn()); 4] = [
        ("it is a device, a pipe or a socket", &|| make_pipe(&path)),
        ("it is a link", &|| symlink("/dev/zero", &path).expect("a link")),
        ("it is a link", &|| symlink("there", &path).expect("a link")),
        ("it is a directory", &|| fs::create_dir(&path).expect("a folder")),
    ];
    for (expected, make) in makers {
        make();
        let error = Index::read(folder.path()).expect_err("it is not a file");
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(cause.starts_with(expected), "{error}: {cause}");
        fs::remove_file(&path).or_else(|_| fs::remove_dir(&path)).expect("it goes");
    }
}

#[test]
fn a_file_that_is_mostly_a_hole_is_read_once_and_one_larger_than_any_disk_not_at_all() {
    let (folder, _) = index(&[("a.jsonl", lines(&[record(1, Stop::Target, 1)]).as_bytes())]);
    let path = folder.path().join("a.jsonl");
    let grow = |length| {
        let file = fs::OpenOptions::new().write(true).open(&path).expect("the file");
        file.set_len(length)
    };
    // Each of its pieces would look for the end of the line in all the others.
    grow(1 << 30).expect("a hole");
    let index = Index::read(folder.path()).expect("a journal");
    assert_eq!((index.len(), index.n_damages), (1, 1));
    // Where the file system allows it.
    if grow(2 << 40).is_ok() {
        let error = Index::read(folder.path()).expect_err("it is too large").to_string();
        assert!(error.contains("above a terabyte"), "{error}");
    }
}
