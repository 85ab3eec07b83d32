//! The journal as its users see it: what was appended is found again, whatever happened to the files.

use std::fs;
use std::path::Path;

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;
use evogrid_results::journal::{Index, LINE_LIMIT, Writer};
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
        settings: [("population".to_owned(), 100.into())].into(),
        outcome: RunOutcome {
            objective: None,
            solved: stop == Stop::Target,
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
    assert_eq!((index.len(), index.n_failed(), index.n_damages()), (300, 0, 0));
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
    assert!(index.is_empty() && index.damages().is_empty());
}

#[test]
fn a_run_that_only_failed_is_tried_again_but_its_failure_is_told() {
    let text = lines(&[record(1, Stop::Failed, 1), record(2, Stop::Failed, 2), record(2, Stop::Target, 3)]);
    let (_folder, index) = index(&[("a.jsonl", text.as_bytes())]);
    assert_eq!((index.len(), index.n_failed()), (1, 1));
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
fn a_torn_last_line_is_dropped_and_a_whole_one_without_its_end_is_kept() {
    let text = lines(&[record(1, Stop::Target, 1), record(2, Stop::Target, 2)]);
    for cut in text.len() / 2 + 1..text.len() - 1 {
        let (_folder, index) = index(&[("a.jsonl", &text.as_bytes()[..cut])]);
        assert_eq!((index.len(), index.n_damages()), (1, 0), "cut at byte {cut}");
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
    assert_eq!((index.len(), index.n_damages()), (1, 7));
    assert!(index.get(id(1)).expect("a record").is_some());
    let path = folder.path().to_string_lossy().into_owned();
    let told: Vec<String> = index.damages().iter().map(|damage| damage.to_string().replace(&path, "journal")).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_line_with_a_time_below_zero_is_damaged() {
    let good = lines(&[record(1, Stop::Target, 1)]);
    let text = [good.replace("1.25", "-1.25"), good.replace("\"cpu_ms\":null", "\"cpu_ms\":-1.0")].concat();
    let (_folder, index) = index(&[("a.jsonl", text.as_bytes())]);
    let told: Vec<&str> = index.damages().iter().map(|damage| damage.reason.as_str()).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    expected milliseconds from 0, found -1.25
    expected milliseconds from 0, found -1
    ");
}

#[test]
fn a_file_that_changed_since_is_an_error() {
    let (folder, index) = index(&[("a.jsonl", lines(&[record(1, Stop::Target, 1)]).as_bytes())]);
    fs::write(folder.path().join("a.jsonl"), lines(&[record(2, Stop::Target, 1)])).expect("a file");
    let error = index.get(id(1)).expect_err("another run").to_string();
    let path = folder.path().to_string_lossy().into_owned();
    insta::assert_snapshot!(error.replace(&path, "journal"), @"`journal/a.jsonl`: the line at byte 0 is no record of run r0000000000000001: it is of run r0000000000000002; remove the line, and the run is run again");
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
