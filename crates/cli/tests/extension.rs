//! A researcher's own search, registered under a name: the whole harness works on it, also when it fails.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;

use evogrid_cli::arguments::Cli;
use evogrid_cli::commands;
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
    catalogue
        .algorithms
        .add(Member { declaration: Declaration { version, ..FAILING_SEARCH.declaration }, ..FAILING_SEARCH });
    catalogue
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
    assert_eq!(error.to_string(), "cannot be repeated here: this is version 2 of `failing`, and the run is of another");
}

#[test]
fn a_folder_of_a_search_of_another_version_cannot_be_repeated_and_is_not_wrong() {
    let folder = TempDir::new().expect("a temporary folder");
    let results = Folder::new(folder.path().join("results"));
    carry_out(&plan(folder.path()), &results);
    let verify = |version| {
        let catalogue = catalogue_of_version(version);
        let arguments = ["runner", "verify", &*results.path().to_string_lossy()].map(Into::into).to_vec();
        let status = commands::execute(Cli::read(arguments, &catalogue), catalogue).expect("it is checked");
        format!("{status:?}")
    };
    assert_eq!(verify(1), format!("{:?}", ExitCode::SUCCESS));
    assert_eq!(verify(2), format!("{:?}", ExitCode::from(2)));
    // Runs that are missing are missing in any version.
    fs::remove_dir_all(results.journal()).expect("it is there");
    assert_eq!(verify(2), format!("{:?}", ExitCode::from(1)));
}

#[test]
fn a_folder_of_a_search_that_is_not_here_cannot_be_repeated_and_is_not_wrong() {
    let folder = TempDir::new().expect("a temporary folder");
    let results = Folder::new(folder.path().join("results"));
    carry_out(&plan(folder.path()), &results);
    let told = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
        let output = command.args(arguments).current_dir(folder.path()).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
    };
    let verified = told(&["verify", "results"]);
    assert!(verified.contains("6 runs cannot be repeated here, the first was r"), "{verified}");
    assert!(verified.contains("kind: unknown algorithm `failing`") && !verified.contains("wrong:"), "{verified}");
    let replayed = told(&["replay", "results", "0"]);
    assert_eq!(replayed, "error: cannot be repeated here: kind: unknown algorithm `failing`\n");
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
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        std::thread::sleep(std::time::Duration::from_secs(60));
        evaluator.finish(Stop::Exhausted)
    }
}

#[test]
fn plan_answers_although_a_search_never_evaluates() {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("boards.csv"), "id,puzzle\na,1...............\n").expect("it is written");
    let file = folder.path().join("test.toml");
    let text = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = \"sudoku\"\n\
                path = \"boards.csv\"\n[algorithms.a]\nkind = \"silent\"\n[budget]\nseconds = 1\n";
    fs::write(&file, text).expect("it is written");
    let mut catalogue = evogrid_cli::catalogue();
    let declaration =
        Declaration { name: "silent", doc: "says nothing", source: "", version: 1, needs: &[], parameters: &[] };
    let build = |_: &_, _: &_| Ok(Box::new(Algorithm::Custom(Box::new(SilentSearch))));
    catalogue.algorithms.add(Member { declaration, build });
    let arguments = ["runner".into(), "plan".into(), file.into_os_string()];
    let started = std::time::Instant::now();
    let status = commands::execute(Cli::read(arguments.to_vec(), &catalogue), catalogue).expect("it answers");
    assert_eq!(format!("{status:?}"), format!("{:?}", std::process::ExitCode::SUCCESS));
    assert!(started.elapsed() < std::time::Duration::from_mins(1), "{:?}", started.elapsed());
}
