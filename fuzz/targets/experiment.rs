//! Experiment files: from bytes to a plan, or to diagnostics that can be shown.
//!
//! Of every accepted one: it has as many runs as it says, and each run can be told again from what a journal keeps of it.
//! Lines such as `#set experiment.seed=1` are options of the command line as well as comments.
#![no_main]

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use evogrid_fuzz::{CATALOGUE, check_or_refuse, scratch, stored_instance};
use evogrid_results::Record;
use evogrid_runner::engine::replay::identity;
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::document::{Document, read_from};
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::spec::Spec;
use libfuzzer_sys::fuzz_target;

/// Plans up to here are gone through to their end.
const SMALL: u64 = 2000;

/// A folder for experiments beside one with the data sets that they name.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let files = [
        ("datasets/sudoku/printed.csv", include_str!("../../datasets/sudoku/printed.csv")),
        ("datasets/sudoku/6x6.csv", include_str!("../../datasets/sudoku/6x6.csv")),
        ("datasets/published/huke.csv", include_str!("../../datasets/published/huke.csv")),
        ("experiments/small.csv", "id,bucket,puzzle\na,easy,12..34......4..1\nb,hard,1...........4...\n"),
    ];
    scratch("experiment", &files).join("experiments")
});

fuzz_target!(|bytes: &[u8]| check_or_refuse(read(bytes), check));

fn read(bytes: &[u8]) -> Result<Spec, Diagnostics> {
    let text = read_from("experiment.toml", bytes, 1 << 20)?;
    let sets: Vec<String> = text.lines().filter_map(|line| line.strip_prefix("#set ")).map(str::to_owned).collect();
    Spec::from_document(Document::parse("experiment.toml", text)?, &FOLDER, &sets, &CATALOGUE)
}

fn check(spec: Spec) {
    let plan = Arc::new(Plan::new(spec, Arc::clone(&CATALOGUE)));
    let n_runs = plan.n_runs();
    plan.runs().take(20).for_each(|run| {
        assert_eq!(plan.run(run.number).map(|same| same.id), Some(run.id));
        check_run(&plan, &run);
    });
    assert!(n_runs > 0 && plan.run(n_runs - 1).is_some());
    if n_runs <= SMALL {
        assert_eq!(plan.runs().count() as u64, n_runs);
        assert_eq!(plan.run(n_runs - 1).map(|run| run.id), plan.runs().last().map(|run| run.id));
        assert!(plan.run(n_runs).is_none());
    }
}

/// What a journal and a manifest keep of a run is all that its identity is made of.
fn check_run(plan: &Plan, run: &Run) {
    let stored = stored_instance(plan, run);
    let record = Record { key: plan.run_key(run), settings: plan.recorded(run), ..Record::default() };
    let line = serde_json::to_string(&record).expect("a record is JSON");
    let read: Record = serde_json::from_str(&line).expect("its own line");
    assert_eq!(read, record);
    assert_eq!(identity(&read, stored, &CATALOGUE).expect("its own settings"), run.id);
}
