//! What external programs print: the standard output, and after a line of four dashes the standard error, of one that ends normally
//! or, if a third part holds anything, at the end of the budget's time.
//!
//! Whatever it is, the run has an outcome within its budget, and only what can be computed here counts as solved. Its record is
//! written to a journal and read back the same, and nothing is wrong for `runner verify`, which does it again with the same output.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use evogrid_cli::arguments::{Cli, Command};
use evogrid_cli::commands::examine;
use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::Stop;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::parameter::Declaration;
use evogrid_core::problem::DynProblem;
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;
use evogrid_core::search::Search;
use evogrid_fuzz::{assert_harmless, parts, scratch};
use evogrid_results::Record;
use evogrid_results::journal::{Index, Writer};
use evogrid_results::record::MESSAGE_LIMIT;
use evogrid_results::runs::Reader;
use evogrid_runner::engine::execute::{Tally, perform};
use evogrid_runner::engine::folder::manifest::complete;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::diagnostic::in_one_line;
use evogrid_runner::experiment::document::Document;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::spec::Spec;
use evogrid_runner::external::outcome_of_output;
use libfuzzer_sys::fuzz_target;

/// The budget, in evaluations.
const EVALUATIONS: u64 = 1000;

const EXPERIMENT: &str = "
experiment   = { name = \"printed\", seed = 1, repetitions = 1 }
instances    = [{ problem = \"sudoku\", path = \"boards.csv\" }]
algorithms.a = { kind = \"printed\" }
algorithms.b = { kind = \"printed\", fitness = \"collisions\" }
budget       = { evaluations = 1000 }
";

/// What the program prints, writes to standard error, and whether it is late.
static OUTPUT: Mutex<(Vec<u8>, Vec<u8>, bool)> = Mutex::new((Vec::new(), Vec::new(), false));

/// A program that prints [`OUTPUT`].
struct Printed;

impl Search for Printed {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        let (printed, errors, is_late) = OUTPUT.lock().expect("no other thread").clone();
        outcome_of_output(&printed, &errors, is_late, evaluator)
    }
}

static PROGRAMS: LazyLock<Arc<Catalogue>> = LazyLock::new(|| {
    let mut catalogue = evogrid_cli::catalogue();
    let declaration = Declaration { name: "printed", doc: "-", source: "-", version: 1, needs: &[], parameters: &[] };
    let build = |_: &_, _: &_| Ok(Box::new(Algorithm::Custom(Box::new(Printed))));
    catalogue.add_self_terminating(Member { declaration, build });
    Arc::new(catalogue)
});

static FOLDER: LazyLock<PathBuf> =
    LazyLock::new(|| scratch("reply", &[("boards.csv", "id,puzzle\none,12..34......4..1\ntwo,1...........4...\n")]));

static PLAN: LazyLock<Arc<Plan>> = LazyLock::new(|| {
    let document = Document::parse("experiment.toml", EXPERIMENT.to_owned()).expect("it is TOML");
    let spec = Spec::from_document(document, &FOLDER, &[], &PROGRAMS).unwrap_or_else(|wrong| panic!("{wrong}"));
    Arc::new(Plan::new(spec, Arc::clone(&PROGRAMS)))
});

/// `runner verify` of the results.
static VERIFY: LazyLock<Cli> = LazyLock::new(|| {
    let results = FOLDER.join("results");
    let words = ["runner", "verify", results.to_str().expect("UTF-8"), "--seed", "1"];
    Cli::read(words.map(Into::into).to_vec(), &PROGRAMS)
});

fuzz_target!(|bytes: &[u8]| {
    let [printed, errors, late] = parts(bytes);
    *OUTPUT.lock().expect("no other thread") = (printed.to_vec(), errors.to_vec(), !late.is_empty());
    let records: Vec<Record> = PLAN.runs().map(|run| perform(&PLAN, &run, |budget| budget)).collect();
    for (run, record) in PLAN.runs().zip(&records) {
        check_outcome(&run, record);
    }
    if records.iter().any(|record| record.outcome.stop != Stop::Failed) {
        check_files(&records);
    }
});

/// What a run comes to is within its budget, and what it claims is so.
fn check_outcome(run: &Run, record: &Record) {
    let outcome = &record.outcome;
    let message = record.message.as_deref();
    assert_eq!(outcome.stop == Stop::Failed, message.is_some());
    assert!(message.is_none_or(|message| !message.is_empty() && message.len() < MESSAGE_LIMIT));
    assert_harmless(&in_one_line(message.unwrap_or_default()));
    assert!(outcome.evaluations <= EVALUATIONS && outcome.evaluations_to_best <= outcome.evaluations);
    assert!(outcome.best_fitness.is_none_or(f64::is_finite));
    assert_eq!(outcome.is_solved(), outcome.stop == Stop::Target);
    assert!(!outcome.is_solved() || record.solution.is_some(), "solved without a solution");
    let content = PLAN.instance(run).content;
    let objective = PLAN.family(run).and_then(|family| family.objective(content)).expect("a measure of solutions");
    let measured = record
        .solution
        .as_deref()
        .map(|solution| objective.measure(content, solution).expect("computed").expect("a solution"));
    assert_eq!(measured, outcome.objective);
    assert!(!outcome.is_solved() || measured == objective.solved, "solved by a solution that solves nothing");
}

fn check_files(records: &[Record]) {
    let folder = Folder::new(FOLDER.join("results"));
    let mut journal = Writer::create(&folder.journal()).expect("a journal");
    journal.append(records).expect("the records are written");
    journal.finish().expect("the records are written");
    let index = Index::read(&folder.journal()).expect("our own journal");
    assert_eq!((index.damages.as_slice(), index.len() + index.n_failed), (&[][..], records.len()));
    for record in records {
        assert_eq!(index.get(record.key.run_id).expect("our own journal").as_ref(), Some(record));
    }
    let written = folder.write_indexed(&PLAN, &index, &Signals::default()).expect("our own journal");
    let rows = Reader::open(&folder.path().join("runs.csv")).expect("our own file");
    let rows: Vec<_> = rows.map(|row| row.expect("our own row")).collect();
    assert_eq!((written.runs, rows.len()), (records.len() as u64, records.len()));
    for (row, record) in rows.iter().zip(records) {
        let (mut read, mut expected) = (row.outcome, record.outcome);
        for outcome in [&mut read, &mut expected] {
            // Times are written with three decimals.
            (outcome.wall_ms, outcome.cpu_ms) = (0.0, None);
        }
        assert_eq!((row.key.run_id, read), (record.key.run_id, expected));
    }
    let experiment = Experiment::new(&PLAN, Path::new("experiment.toml"), &[]);
    complete(&folder, &PLAN, &experiment, &written, (&Tally::default(), None)).expect("a manifest");
    let Command::Verify(verify) = &VERIFY.command else { panic!("another command") };
    let made = FOLDER.join("made");
    let (report, status) = examine(verify, &PROGRAMS, &made).expect("our own folder");
    fs::remove_dir_all(made).expect("our own folder");
    assert_harmless(&report);
    assert_eq!(status, 0, "{report}");
    fs::remove_dir_all(folder.path()).expect("our own folder");
}
