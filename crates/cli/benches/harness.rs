//! What the harness itself costs: a run that does nothing, from the plan to the journal.

use std::path::Path;
use std::sync::Arc;

use divan::counter::ItemsCount;
use evogrid_core::algorithm::Algorithm;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::parameter::Declaration;
use evogrid_core::problem::DynProblem;
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;
use evogrid_core::search::Search;
use evogrid_results::journal::{Index, Writer};
use evogrid_runner::engine::execute::{ExecutionOptions, execute};
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::progress::Progress;
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::spec::Spec;
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// Evaluates one genome and gives up.
struct Nothing;

impl Search for Nothing {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        let genome = evaluator.problem().layout().template().to_vec();
        evaluator.run_trials(|evaluator| {
            loop {
                if let Err(stop) = evaluator.evaluate(&genome) {
                    return stop;
                }
            }
        })
    }
}

const RUNS: u64 = 40_000;

fn plan(folder: &Path) -> Arc<Plan> {
    let mut catalogue: Catalogue = evogrid_cli::catalogue();
    let problem = catalogue.families().next().expect("a family").declaration().name;
    let text = format!(
        "[experiment]\nname = \"nothing\"\nseed = 1\nrepetitions = {}\n[[instances]]\nproblem = \"{problem}\"\n\
         path = \"{}/../../datasets/{problem}/huke-40.csv\"\n[algorithms.nothing]\nkind = \"nothing\"\n\
         [budget]\nevaluations = 1\n",
        RUNS / 40,
        env!("CARGO_MANIFEST_DIR"),
    );
    let path = folder.join("nothing.toml");
    std::fs::write(&path, text).expect("the experiment is written");
    catalogue.algorithms.add(Member {
        declaration: Declaration {
            name: "nothing",
            doc: "gives up at once",
            source: "",
            version: 1,
            needs: &[],
            parameters: &[],
        },
        build: |_, _| Ok(Box::new(Algorithm::Custom(Box::new(Nothing)))),
    });
    let spec = Spec::load(&path, &[], &catalogue).unwrap_or_else(|faults| panic!("{faults}"));
    Arc::new(Plan::new(spec, catalogue))
}

/// From the plan to the journal; divide by the items for one run.
#[divan::bench(args = [1, 2], sample_count = 10, sample_size = 1)]
fn run_that_does_nothing(bencher: divan::Bencher<'_, '_>, jobs: usize) {
    let folder = TempDir::new().expect("a temporary folder");
    let plan = plan(folder.path());
    let fresh = || TempDir::new_in(folder.path()).expect("a temporary folder");
    bencher.with_inputs(fresh).counter(ItemsCount::new(RUNS)).bench_values(|results| {
        let journal = results.path().join("journal");
        let index = Index::read(&journal).expect("there is none yet");
        let writer = Writer::create(&journal).expect("a journal");
        let mut progress = Progress::new(RUNS, true);
        let tally = execute(&plan, index, writer, &options(jobs), &Signals::default(), &mut progress).expect("it runs");
        assert_eq!(tally.done, RUNS);
    });
}

/// `runs.csv` and `summary.csv` from the journal.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn outputs_from_the_journal(bencher: divan::Bencher<'_, '_>) {
    let folder = TempDir::new().expect("a temporary folder");
    let plan = plan(folder.path());
    let results = Folder::new(folder.path().join("results"));
    let writer = Writer::create(&results.journal()).expect("a journal");
    let mut progress = Progress::new(RUNS, true);
    execute(
        &plan,
        Index::read(&results.journal()).expect("it is read"),
        writer,
        &options(2),
        &Signals::default(),
        &mut progress,
    )
    .expect("it runs");
    bencher.counter(ItemsCount::new(RUNS)).bench_local(|| {
        results
            .write_indexed(&plan, &results.index(&Signals::default()).expect("a journal"), &Signals::default())
            .expect("it is written")
            .runs
    });
}

fn options(jobs: usize) -> ExecutionOptions {
    ExecutionOptions { jobs, shard: None, is_fail_fast: false, timing: None }
}
