//! A researcher's own search, registered under a name: the whole harness works on it, also when it fails.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::Stop;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;
use evogrid_core::search::Search;
use evogrid_results::journal::{Index, Writer};
use evogrid_results::record::Record;
use evogrid_runner::execute::{ExecutionOptions, Tally, execute};
use evogrid_runner::outputs::Folder;
use evogrid_runner::plan::Plan;
use evogrid_runner::progress::Progress;
use evogrid_runner::signals::Signals;
use evogrid_runner::spec::Spec;
use tempfile::TempDir;

/// Random search that panics on boards with a certain first digit.
struct FailingSearch {
    refuses: usize,
}

impl Search for FailingSearch {
    fn search(&self, evaluator: Evaluator<'_, dyn Problem>, random: &mut RandomStream) -> Outcome {
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
        parameters: &[Parameter::integer("refuses", 0, 3, 3, "first digit on which it panics, from 0")],
    },
    build: |settings, _| Box::new(Algorithm::Custom(Box::new(FailingSearch { refuses: settings.count("refuses") }))),
};

fn plan(folder: &Path) -> Arc<Plan> {
    let boards = "id,puzzle\nfirst,1234341221434321\nsecond,4.........1.....\nthird,1...............\n";
    fs::write(folder.join("boards.csv"), boards).expect("the boards are written");
    let experiment = "[experiment]\nname = \"failing\"\nseed = 1\nrepetitions = 2\n[[instances]]\nproblem = \"sudoku\"\n\
                      path = \"boards.csv\"\n[algorithms.mine]\nkind = \"failing\"\n[budget]\nevaluations = 50\n";
    let path = folder.join("failing.toml");
    fs::write(&path, experiment).expect("the experiment is written");
    let mut catalogue: Catalogue = evogrid_runner::catalogue();
    catalogue.algorithms.add(FAILING_SEARCH);
    let spec = Spec::load(&path, &[], &catalogue).expect("the experiment is right");
    Arc::new(Plan::new(spec, catalogue))
}

/// Does what its results folder does not have.
fn run(plan: &Arc<Plan>, results: &Folder, jobs: usize, is_fail_fast: bool) -> Tally {
    let index = Index::read(&results.journal()).expect("the journal is read");
    let journal = Writer::create(&results.journal()).expect("a journal");
    let options = ExecutionOptions { jobs, shard: None, is_fail_fast };
    let mut progress = Progress::new(plan.n_runs(), true);
    execute(plan, index, journal, options, &Signals::default(), &mut progress).expect("it goes on")
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
        let written = results.write(&plan, &Signals::default()).expect("the outputs are written");
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
