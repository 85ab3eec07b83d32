//! A researcher's own search, registered under a name: the whole harness works on it, also when it fails.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::Stop;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::problem::DynProblem;
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;
use evogrid_core::search::Search;
use evogrid_results::journal::{Index, Writer};
use evogrid_results::record::Record;
use evogrid_runner::engine::carry_out::{self, ExperimentOptions, ExperimentOutcome};
use evogrid_runner::engine::execute::{ExecutionOptions, Tally, execute};
use evogrid_runner::engine::folder::outputs::{Folder, OutputReport};
use evogrid_runner::engine::progress::Progress;
use evogrid_runner::engine::replay;
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::spec::Spec;
use evogrid_runner::external::ProgramPolicy;
use tempfile::TempDir;

use crate::own_runner::own_runner;
use crate::test_folder::{command, report};

/// Random search that panics on boards with a certain first digit.
struct FailingSearch {
    refuses: usize,
}

impl Search for FailingSearch {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let layout = evaluator.problem().layout();
        assert!(usize::from(layout.template()[0]) != self.refuses, "this first digit is refused");
        let mut genome = layout.template().to_vec();
        evaluator.run_trials(|evaluator| {
            loop {
                evaluator.problem().randomise(&mut genome, random);
                if let Err(stop) = evaluator.evaluate(&genome) {
                    return stop;
                }
            }
        })
    }
}

const FAILING_SEARCH: Member<Algorithm> = Member {
    declaration: Declaration {
        name: "failing",
        doc: "random search that panics on some boards",
        source: "",
        version: 1,
        needs: &[],
        parameters: &[Parameter::integer("refuses", 0, 3, 3, "first digit on which it panics, from 0")],
    },
    build: |settings, _| {
        Ok(Box::new(Algorithm::Custom(Box::new(FailingSearch { refuses: settings.count("refuses") }))))
    },
};

fn plan(folder: &Path) -> Arc<Plan> {
    plan_of_version(folder, 1)
}

/// The plan of an experiment on three boards, with the search in this version.
fn plan_of_version(folder: &Path, version: u32) -> Arc<Plan> {
    let boards = "id,puzzle\nfirst,1234341221434321\nsecond,4.........1.....\nthird,1...............\n";
    fs::write(folder.join("boards.csv"), boards).expect("the boards are written");
    let experiment = "[experiment]\nname = \"failing\"\nseed = 1\nrepetitions = 2\n[[instances]]\nproblem = \"sudoku\"\n\
                      path = \"boards.csv\"\n[algorithms.mine]\nkind = \"failing\"\n[budget]\nevaluations = 50\n";
    let path = folder.join("failing.toml");
    fs::write(&path, experiment).expect("the experiment is written");
    let catalogue = catalogue_of_version(version);
    let spec = Spec::load(&path, &[], &catalogue).expect("the experiment is right");
    Arc::new(Plan::new(spec, catalogue))
}

/// What ships, and the search in this version.
fn catalogue_of_version(version: u32) -> Catalogue {
    let mut catalogue: Catalogue = evogrid_cli::catalogue();
    add_failing(&mut catalogue, version);
    catalogue
}

/// Adds the search in this version.
pub(crate) fn add_failing(catalogue: &mut Catalogue, version: u32) {
    let declaration = Declaration { version, ..FAILING_SEARCH.declaration };
    catalogue.algorithms.add(Member { declaration, ..FAILING_SEARCH });
}

/// Does what its results folder does not have.
fn run(plan: &Arc<Plan>, results: &Folder, jobs: usize, is_fail_fast: bool) -> Tally {
    let index = Index::read(&results.journal()).expect("the journal is read");
    let journal = Writer::create(&results.journal()).expect("a journal");
    let options = ExecutionOptions { jobs, shard: None, is_fail_fast, timing: None };
    let mut progress = Progress::new(plan.n_runs(), true);
    execute(plan, index, journal, &options, &Signals::default(), &mut progress).expect("it goes on")
}

#[test]
fn a_run_that_panics_is_a_record_and_the_others_go_on() {
    let folder = TempDir::new().expect("a temporary folder");
    let plan = plan(folder.path());
    let results = Folder::new(folder.path().join("results"));
    // A second attempt tries the failed ones again, and only those.
    for expected in [(6, 2, 0), (2, 2, 4)] {
        let tally = run(&plan, &results, 2, false);
        assert_eq!((tally.done, tally.failed, tally.found), expected);
        let written = results
            .write_indexed(&plan, &results.index(&Signals::default()).expect("a journal"), &Signals::default())
            .expect("the outputs are written");
        assert_eq!((written.runs, written.failed), (6, 2));
    }
    let index = Index::read(&results.journal()).expect("the journal is read");
    let records: Vec<Record> =
        plan.runs().map(|run| index.get(run.id).expect("it is read").expect("it is there")).collect();
    let stops: Vec<Stop> = records.iter().map(|record| record.outcome.stop).collect();
    assert_eq!(stops[..4], [Stop::Target, Stop::Target, Stop::Failed, Stop::Failed]);
    assert_eq!(records[0].solution.as_deref(), Some("1234341221434321"));
    assert_eq!(records[2].message.as_deref(), Some("this first digit is refused"));
    assert!(records.iter().all(|record| record.outcome.evaluations <= 50));
}

/// Carries the plan out.
fn carry_out(plan: &Arc<Plan>, folder: &Folder) -> OutputReport {
    let options = ExperimentOptions {
        file: Path::new("failing.toml"),
        sets: &[],
        folder,
        execution: ExecutionOptions { jobs: 1, shard: None, is_fail_fast: false, timing: None },
        quiet: true,
        fresh: false,
        overwrite: false,
        reuse: &[],
        signals: &Signals::default(),
    };
    let ExperimentOutcome::Done(written) = carry_out::carry_out(plan, &options).expect("it goes on") else {
        panic!("nothing stopped it")
    };
    *written
}

#[test]
fn a_search_of_another_version_is_not_answered_by_what_the_old_one_found() {
    let folder = TempDir::new().expect("a temporary folder");
    let results = Folder::new(folder.path().join("results"));
    let ids = |plan: &Arc<Plan>| plan.runs().map(|run| run.id).collect::<Vec<_>>();
    let (first, second) = (plan(folder.path()), plan_of_version(folder.path(), 2));
    carry_out(&first, &results);
    let tally = run(&first, &results, 1, false);
    assert_eq!((tally.found, tally.done), (4, 2), "those that failed are tried again");
    let tally = run(&second, &results, 1, false);
    assert_eq!((tally.found, tally.done), (0, 6));
    assert!(ids(&first).iter().all(|id| !ids(&second).contains(id)));
    assert_ne!(ids(&second), ids(&plan_of_version(folder.path(), 3)));

    // The runs of the old version say nothing about the new one.
    let instances = replay::read_instances(results.path()).expect("the manifest has them");
    let index = Index::read(&results.journal()).expect("the journal is read");
    let record = index.get(ids(&first)[0]).expect("it is read").expect("it is there");
    let replayed = |plan: &Arc<Plan>| replay::replay(&record, &instances, plan.catalogue(), ProgramPolicy::Refuse);
    assert_eq!(replayed(&first).expect("it is done again"), []);
    let error = replayed(&second).expect_err("the code has changed");
    assert_eq!(
        error.to_string(),
        "this run cannot be repeated here: this program has version 2 of `failing`, but another version did the run"
    );
}

#[test]
fn a_folder_of_a_search_of_another_version_cannot_be_repeated_and_is_not_wrong() {
    let folder = TempDir::new().expect("a temporary folder");
    let results = Folder::new(folder.path().join("results"));
    carry_out(&plan(folder.path()), &results);
    let verify = |extension| report(&mut own_runner(extension, folder.path(), &["verify", "results"]), "").0;
    assert_eq!(verify("failing"), Some(0));
    assert_eq!(verify("failing, version 2"), Some(2));
    // Runs that are missing are missing in any version.
    fs::remove_dir_all(results.journal()).expect("it is there");
    assert_eq!(verify("failing, version 2"), Some(1));
}

#[test]
fn a_folder_of_a_search_that_is_not_here_cannot_be_repeated_and_is_not_wrong() {
    let folder = TempDir::new().expect("a temporary folder");
    let results = Folder::new(folder.path().join("results"));
    carry_out(&plan(folder.path()), &results);
    let told = |arguments: &[&str]| {
        let (status, printed, messages) = report(&mut command(folder.path(), arguments), "");
        assert_eq!(status, Some(2), "{printed}{messages}");
        printed + &messages
    };
    let verified = told(&["verify", "results"]);
    assert!(verified.contains("6 runs cannot be repeated here; the first is r"), "{verified}");
    assert!(verified.contains("kind: unknown algorithm `failing`") && !verified.contains("wrong:"), "{verified}");
    let replayed = told(&["replay", "results", "0"]);
    assert_eq!(replayed, "error: this run cannot be repeated here: kind: unknown algorithm `failing`\n");
}

#[test]
fn the_first_failed_run_ends_it_where_that_is_asked_for() {
    let folder = TempDir::new().expect("a temporary folder");
    let plan = plan(folder.path());
    let results = Folder::new(folder.path().join("results"));
    let tally = run(&plan, &results, 1, true);
    assert!(tally.failed >= 1, "{tally:?}");
    let first = tally.first_failure.expect("it is told");
    assert!(first.ends_with(" on second: this first digit is refused"), "{first}");
    // All that is counted as done is in the journal.
    let index = Index::read(&results.journal()).expect("the journal is read");
    assert_eq!(index.len() as u64 + tally.failed, tally.done);
}

/// A search that never asks its evaluator, and so cannot be stopped.
struct SilentSearch;

impl Search for SilentSearch {
    fn search(&self, _: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        loop {
            std::thread::sleep(Duration::MAX);
        }
    }
}

/// Adds it.
pub(crate) fn add_silent(catalogue: &mut Catalogue) {
    let declaration =
        Declaration { name: "silent", doc: "says nothing", source: "", version: 1, needs: &[], parameters: &[] };
    let build = |_: &_, _: &_| Ok(Box::new(Algorithm::Custom(Box::new(SilentSearch))));
    catalogue.algorithms.add(Member { declaration, build });
}

#[test]
fn plan_answers_although_a_search_never_evaluates() {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("boards.csv"), "id,puzzle\na,1...............\n").expect("it is written");
    let text = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = \"sudoku\"\n\
                path = \"boards.csv\"\n[algorithms.a]\nkind = \"silent\"\n[budget]\nseconds = 1\n";
    fs::write(folder.path().join("test.toml"), text).expect("it is written");
    // The search itself would never end.
    let (status, _, messages) = report(&mut own_runner("silent", folder.path(), &["plan", "test.toml"]), "");
    assert_eq!(status, Some(0), "{messages}");
}

/// The fitness of this family is too small by two, or 0.
#[test]
fn a_fitness_that_disagrees_with_the_objective_fails_the_run() {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("lists.csv"), "id,list\nsix,6 0\n").expect("it is written");
    let text = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 2\n[[instances]]\nproblem = \"wide\"\n\
                path = \"lists.csv\"\n[algorithms.a]\nkind = \"random-search\"\n[budget]\nevaluations = 1\n";
    fs::write(folder.path().join("test.toml"), text).expect("it is written");
    let run = &["run", "test.toml", "--out", "o"];
    let (status, _, said) = report(&mut own_runner("wide, wrong fitness", folder.path(), run), "");
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("numbers out of place, but the problem family computes "), "{said}");
    assert!(said.contains("error: 2 runs failed"), "{said}");
}
