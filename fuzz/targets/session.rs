//! What lies beside journal files: sessions and runs in flight, of two processes, between lines of four dashes: a session, the runs
//! in flight beside it, and the same of the other.
//!
//! `PROCESS` stands for what identifies a process that lives, `RUN0` to `RUN3` for the runs. Whatever the files hold, the experiment is carried out, its folder stays its
//! own, and a run is given up only where two processes that have ended were doing it.
#![no_main]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use evogrid_core::identity::RESULTS_VERSION;
use evogrid_fuzz::{CATALOGUE, assert_harmless, parts, scratch, spec};
use evogrid_results::journal::{Index, Writer, runs_in_flight};
use evogrid_runner::engine::carry_out::{ExperimentOptions, ExperimentOutcome, carry_out};
use evogrid_runner::engine::execute::{ExecutionOptions, perform};
use evogrid_runner::engine::folder::manifest::Manifest;
use evogrid_runner::engine::folder::outputs::{Folder, OutputReport};
use evogrid_runner::engine::folder::session::{Session, is_living, living, sessions};
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::diagnostic::printable;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, from_str};

const EXPERIMENT: &str = "
experiment   = { name = \"small\", seed = 1, repetitions = 1 }
instances    = [{ problem = \"sudoku\", path = \"boards.csv\" }]
algorithms.a = { preset = \"huke\", grid = { population = [10, 20] } }
budget       = { generations = 1 }
";

static FOLDER: LazyLock<PathBuf> =
    LazyLock::new(|| scratch("session", &[("boards.csv", include_str!("small/boards.csv"))]));

static PLAN: LazyLock<Arc<Plan>> =
    LazyLock::new(|| Arc::new(Plan::new(spec(EXPERIMENT, &FOLDER), Arc::clone(&CATALOGUE))));

/// The process that started this one: it lives as long.
static PARENT: LazyLock<String> = LazyLock::new(|| {
    let session =
        Session::begin(&FOLDER.join("parent.jsonl"), Path::new("none"), (1, None), None, &PLAN).expect("a session");
    let mut process = session.end(0).expect("a session")["process"].take();
    let id = std::os::unix::process::parent_id();
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("a process");
    let began: u64 =
        stat.rsplit_once(") ").and_then(|(_, fields)| fields.split(' ').nth(19)?.parse().ok()).expect("a time");
    (process["id"], process["began"]) = (id.into(), began.into());
    process.to_string()
});

fuzz_target!(|bytes: &[u8]| {
    let files: [&[u8]; 4] = parts(bytes);
    let results = Folder::new(FOLDER.join("results"));
    let journal = results.journal();
    fs::create_dir_all(&journal).expect("a folder");
    for (name, file) in ["a.session.json", "a.in-flight", "b.session.json", "b.in-flight"].into_iter().zip(files) {
        let text = str::from_utf8(file).map_or_else(|_| file.to_vec(), |text| filled(text).into());
        fs::write(journal.join(name), text).expect("a file");
    }
    let alive = check_sessions(&journal);
    let in_flight: Vec<_> = runs_in_flight(&journal).expect("a folder");
    let ended = in_flight.iter().filter(|(file, _)| !alive.contains(file));
    let ended: Vec<BTreeSet<_>> = ended.map(|(_, runs)| runs.iter().map(|run| run.id).collect()).collect();
    let [first, second] = [0, 1].map(|at| ended.get(at).cloned().unwrap_or_default());
    // One run is there already.
    let done = PLAN.run(0).expect("a run");
    let mut writer = Writer::create(&journal).expect("a journal");
    writer.append(&[perform(&PLAN, &done, |budget| budget)]).expect("a journal");
    writer.finish().expect("a journal");
    let given_up = PLAN.runs().filter(|run| run.id != done.id && first.contains(&run.id) && second.contains(&run.id));
    let given_up: BTreeSet<_> = given_up.map(|run| run.id).collect();

    let Some(written) = carried_out(&results) else { return remove(&results) };
    assert_eq!((written.runs, written.failed), (PLAN.n_runs(), given_up.len() as u64));
    let index = Index::read(&journal).expect("our own journal");
    for run in PLAN.runs() {
        assert_eq!(index.contains(run.id), !given_up.contains(&run.id));
    }
    let planned: BTreeSet<_> = PLAN.runs().map(|run| run.id).filter(|&id| id != done.id).collect();
    let is_forgotten = |runs: &BTreeSet<_>| runs.iter().all(|run| planned.contains(run) || *run == done.id);
    if is_forgotten(&first) || is_forgotten(&second) {
        assert!(carried_out(&results).is_none_or(|written| written.failed == 0), "what was given up is tried again");
    }
    remove(&results);
});

fn remove(results: &Folder) {
    fs::remove_dir_all(results.path()).expect("our own folder");
}

/// A text with what its placeholders stand for.
fn filled(text: &str) -> String {
    let runs = PLAN.runs().map(|run| (format!("RUN{}", run.number), run.id.to_string()));
    runs.fold(text.replace("PROCESS", &PARENT), |text, (name, run)| text.replace(&name, &run))
}

/// The journal files whose processes live.
fn check_sessions(journal: &Path) -> BTreeSet<PathBuf> {
    let is_json = |name: &&str| {
        let text = fs::read_to_string(journal.join(name)).unwrap_or_default();
        from_str::<Value>(text.trim_start_matches('\u{feff}')).is_ok()
    };
    let n_sessions = ["a.session.json", "b.session.json"].iter().filter(|name| is_json(name)).count();
    assert_eq!(sessions(journal).len(), n_sessions);
    let living = living(journal);
    for (words, path) in &living {
        assert_harmless(&printable(words));
        assert!(!words.contains('\n'), "{words:?}");
        assert!(path.is_file());
    }
    ["a.jsonl", "b.jsonl"].map(|name| journal.join(name)).into_iter().filter(|file| is_living(file)).collect()
}

/// What carrying out the experiment in a folder wrote, whose manifest says so afterwards. None where a session is of another version of
/// this program: then a message may say so.
fn carried_out(results: &Folder) -> Option<OutputReport> {
    let file = Path::new("experiment.toml");
    let options = ExperimentOptions {
        file,
        sets: &[],
        folder: results,
        execution: ExecutionOptions { jobs: 1, shard: None, is_fail_fast: false, timing: None },
        quiet: true,
        fresh: false,
        overwrite: false,
        reuse: &[],
        signals: &Signals::default(),
    };
    let is_of_another_version = sessions(&results.journal()).iter().any(|session| {
        session["evogrid"]["results_version"].as_u64().is_some_and(|version| version != u64::from(RESULTS_VERSION))
    });
    let outcome = match carry_out(&PLAN, &options) {
        Ok(outcome) => outcome,
        Err(error) if is_of_another_version => {
            assert_harmless(&printable(&format!("{error:#}")));
            return None;
        }
        Err(error) => panic!("{error:#}"),
    };
    let ExperimentOutcome::Done(written) = outcome else { panic!("nothing stops it") };
    let manifest = Manifest::open(results.path());
    if !is_of_another_version {
        assert_eq!(manifest.expect("our own manifest").experiment, Experiment::new(&PLAN, file, &[]));
    }
    Some(*written)
}
