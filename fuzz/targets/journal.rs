//! Journals: up to three files, between lines of four dashes, read as those of a small experiment.
//!
//! Every line that is a record is found again, the one that counts where a run stands several times; every other line is left
//! out. What is made of the journal, `runs.csv`, `summary.csv` and the trace, is read back as what the records say.
#![no_main]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use evogrid_analysis::Summary;
use evogrid_analysis::table::{ColumnSet, Format, Layout, render_by};
use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;
use evogrid_fuzz::{CATALOGUE, assert_harmless, parts, scratch, spec};
use evogrid_results::Record;
use evogrid_results::journal::Index;
use evogrid_results::runs::Reader;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::Plan;
use flate2::read::GzDecoder;
use libfuzzer_sys::fuzz_target;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = scratch("journal", &[("boards.csv", include_str!("small/boards.csv"))]);
    fs::create_dir(folder.join("journal")).expect("a folder");
    folder
});

static PLAN: LazyLock<Arc<Plan>> = LazyLock::new(|| {
    let spec = spec(include_str!("small/experiment.toml"), &FOLDER);
    Arc::new(Plan::new(spec, Arc::clone(&CATALOGUE)))
});

fuzz_target!(|bytes: &[u8]| {
    let files: [&[u8]; 3] = parts(bytes);
    let folder = Folder::new(FOLDER.clone());
    for (number, file) in files.iter().enumerate() {
        fs::write(folder.journal().join(format!("{number}.jsonl")), file).expect("a file");
    }
    let index = Index::read(&folder.journal()).expect("files that can be read");
    index.damages.iter().for_each(|damage| assert_harmless(&damage.to_string()));
    let records = records(&files);
    assert_eq!(index.len() + index.n_failed, records.len());
    for (&id, record) in &records {
        assert_eq!(index.contains(id), record.outcome.stop != Stop::Failed);
        assert_eq!(index.get(id).expect("a record").as_ref(), Some(record));
        let skimmed = index.skim(id).expect("a record").expect("it was found");
        assert_eq!(
            (skimmed.outcome, skimmed.message, skimmed.trace),
            (record.outcome, record.message.clone(), record.trace.clone())
        );
    }
    match index.conflict().expect("records") {
        Some(conflict) => assert_harmless(&conflict),
        None => check_outputs(&folder, &index, &records),
    }
});

/// The record of each run that counts: the first that did not fail, else the last.
fn records(files: &[&[u8]]) -> BTreeMap<RunId, Record> {
    let mut records: BTreeMap<RunId, Record> = BTreeMap::new();
    let lines = files.iter().flat_map(|file| file.split(|&byte| byte == b'\n')).filter(|line| is_sealed(line));
    let lines = lines.filter_map(|line| str::from_utf8(line).ok());
    for record in lines.filter_map(|line| serde_json::from_str::<Record>(line).ok()) {
        let is_better = |other: &Record| other.outcome.stop == Stop::Failed;
        if records.get(&record.key.run_id).is_none_or(is_better) {
            records.insert(record.key.run_id, record);
        }
    }
    records
}

/// Whether a line has no checksum, or its own.
fn is_sealed(line: &[u8]) -> bool {
    const SEAL: usize = ",\"crc32\":\"01234567\"}".len();
    let Some((content, seal)) = line.len().checked_sub(SEAL).map(|at| line.split_at(at)) else { return true };
    let digits = seal.strip_prefix(b",\"crc32\":\"").and_then(|seal| seal.strip_suffix(b"\"}"));
    digits.is_none_or(|digits| digits == format!("{:08x}", crc32fast::hash(content)).as_bytes())
}

fn check_outputs(folder: &Folder, index: &Index, records: &BTreeMap<RunId, Record>) {
    let written = folder.write_indexed(&PLAN, index, &Signals::default()).expect("files that can be written");
    let rows = Reader::open(&folder.path().join("runs.csv")).expect("our own file");
    let rows: Vec<_> = rows.map(|row| row.expect("our own row")).collect();
    let planned = PLAN.runs().filter(|run| records.contains_key(&run.id)).count();
    assert_eq!((written.runs, rows.len()), (planned as u64, planned));
    for row in rows {
        let mut outcome = records[&row.key.run_id].outcome;
        // Times are written with three decimals.
        (outcome.wall_ms, outcome.cpu_ms) = (row.outcome.wall_ms, row.outcome.cpu_ms);
        assert_eq!(row.outcome, outcome);
    }
    let read = Summary::open(&folder.path().join("summary.csv")).expect("our own file");
    for summary in [written.summary, read] {
        assert_harmless(&render_by(
            &summary,
            (None, ColumnSet::All),
            Layout::Buckets,
            Format::Text { width: None },
            None,
            &[],
        ));
    }
    let trace = File::open(folder.path().join("trace.csv.gz")).expect("our own file");
    let trace = io::read_to_string(GzDecoder::new(trace)).expect("our own file");
    assert!(trace.lines().all(|line| line.matches(',').count() == 5));
}
