//! A file of claims together with two experiments that it may name, `first.toml` and `second.toml`, between lines of four dashes:
//! `runner reproduce` with runs that are made up, in the full form and the quick one.
//!
//! A claim that fits its experiment before anything is run can be judged when all runs are there, unless their figures are in different
//! units; twice in the same way. The page has a heading for each claim, and can be shown.
#![no_main]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use evogrid_analysis::compare::Criteria;
use evogrid_analysis::samples::Samples;
use evogrid_claims::document::{ClaimExperiment, Claims};
use evogrid_claims::judge::page::{Chapter, Entry, render};
use evogrid_claims::judge::{ClaimKind, ExperimentLink, Finding};
use evogrid_core::budget::Stop;
use evogrid_fuzz::{CATALOGUE, assert_harmless, check_or_refuse, parts, scratch};
use evogrid_results::RunOutcome;
use evogrid_results::runs::{Reader, Writer};
use evogrid_results::trace::{self, Point, Trigger};
use evogrid_runner::experiment::diagnostic::{Diagnostics, printable};
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::spec::Spec;
use libfuzzer_sys::fuzz_target;

/// Runs are made up for plans up to here.
const RUNS: u64 = 200;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let files =
        [("boards.csv", include_str!("small/boards.csv")), ("published.csv", include_str!("small/published.csv"))];
    scratch("reproduce", &files)
});

fuzz_target!(|bytes: &[u8]| {
    let files: [&[u8]; 3] = parts(bytes);
    let [claims, ..] = ["claims.toml", "first.toml", "second.toml"].map(|name| FOLDER.join(name));
    for (name, file) in ["claims.toml", "first.toml", "second.toml"].into_iter().zip(files) {
        fs::write(FOLDER.join(name), file).expect("a file");
    }
    for is_quick in [false, true] {
        check_or_refuse(Claims::load(&claims, &CATALOGUE), |claims| {
            check_or_refuse(plans(&claims, is_quick), |plans| {
                if plans.iter().all(|plan| plan.n_runs() <= RUNS) {
                    check(&claims, &plans);
                }
            })
        });
    }
});

fn plans(claims: &Claims, is_quick: bool) -> Result<Vec<Arc<Plan>>, Diagnostics> {
    let plan = |asked: &ClaimExperiment| {
        let quick: &[String] = if is_quick { &asked.quick } else { &[] };
        let spec = Spec::load(&asked.path, &[&asked.sets, quick].concat(), &CATALOGUE)?;
        Ok(Arc::new(Plan::new(spec, Arc::clone(&CATALOGUE))))
    };
    claims.experiments.iter().map(plan).collect()
}

fn check(claims: &Claims, plans: &[Arc<Plan>]) {
    let rosters: Vec<_> = plans.iter().map(|plan| plan.roster()).collect();
    let generations: BTreeSet<u64> = claims.claims.iter().filter_map(|claim| claim.kind.diversity_at()).collect();
    let samples: Vec<Samples> = plans.iter().map(|plan| made_up(plan, &generations)).collect();
    let judge = |kind: &ClaimKind, experiment: usize| match kind.check(&rosters[experiment]) {
        Err(wrong) => Err(wrong),
        Ok(()) => {
            let finding = kind.judge(&samples[experiment]);
            assert_eq!(finding, kind.judge(&samples[experiment]));
            let is_mixed = finding.as_ref().is_err_and(|error| error.message.starts_with("cannot compare"));
            assert!(finding.is_ok() || is_mixed, "it fits, and then: {finding:?}");
            let ClaimExperiment { path, sets, .. } = &claims.experiments[experiment];
            let experiment = Some(ExperimentLink { path: path.display().to_string(), sets: sets.clone() });
            let mut finding: Finding = finding?;
            finding.experiment = experiment;
            Ok(finding)
        }
    };
    let mut entries = Vec::new();
    for claim in &claims.claims {
        let confirming = claim.kind.judged_by(Criteria::default(), true);
        let again = claim.confirmation.map(|again| judge(&confirming, again)).transpose();
        let (finding, confirmation) = match judge(&claim.kind, claim.experiment).and_then(|found| Ok((found, again?))) {
            Ok(findings) => findings,
            Err(wrong) => {
                let wrong = claims.document.diagnostic(&claim.span, wrong.to_string(), wrong.help());
                assert_harmless(&wrong.to_string());
                continue;
            }
        };
        entries.push(Entry { statement: claim.statement.clone(), finding, confirmation, ..Entry::default() });
    }
    let headings: Vec<String> = entries.iter().map(|entry| format!("### {}", entry.statement.id)).collect();
    let chapter =
        Chapter { title: claims.title.clone(), source: claims.source.clone(), text: claims.text.clone(), entries };
    let page = render("", "", &[chapter]);
    assert_harmless(&printable(&page));
    assert!(headings.iter().all(|heading| page.lines().any(|line| line == heading)), "{page}");
}

/// The runs of a plan, and their diversity at these generations, as they would be read from its files.
fn made_up(plan: &Arc<Plan>, generations: &BTreeSet<u64>) -> Samples {
    let mut csv = Vec::new();
    let writer = Writer::new(&mut csv, plan.varied()).expect("writing to memory cannot fail");
    let fractions: Vec<bool> = plan.varied_types().iter().map(|varied| varied.may_be_fraction).collect();
    let mut writer = writer.with_fractions(&fractions);
    let path = FOLDER.join("trace.csv.gz");
    let mut traces = trace::Writer::new(fs::File::create(&path).expect("a file"), Trigger::Every(1)).expect("a file");
    for run in plan.runs() {
        writer.write(&plan.row(&run, outcome(&run))).expect("writing to memory cannot fail");
        let point = |&generation: &u64| Point {
            evaluations: generation,
            generation,
            best_fitness: 1.0,
            mean_fitness: Some(2.0),
            diversity: Some(f64::from(run.id.to_string().as_bytes()[5]) / 256.0),
        };
        traces.write(run.number, &generations.iter().map(point).collect::<Vec<_>>()).expect("a file");
    }
    writer.finish().expect("writing to memory cannot fail");
    traces.finish().expect("a file");
    let reader = Reader::new("runs.csv", csv.as_slice()).expect("our own columns");
    let mut samples = Samples::read(reader).expect("our own rows");
    let generations: Vec<u64> = generations.iter().copied().collect();
    samples.read_diversity(&path, &generations).expect("our own trace");
    samples
}

/// An outcome that depends on nothing but the run: a third are solved, a few fail.
fn outcome(run: &Run) -> RunOutcome {
    let drawn = u64::from(crc32fast::hash(run.id.to_string().as_bytes()));
    if drawn.is_multiple_of(50) {
        return RunOutcome::default();
    }
    let solved = drawn.is_multiple_of(3);
    let evaluations = 1 + drawn % 1000;
    RunOutcome {
        solved: Some(solved),
        best_fitness: Some(if solved { 0.0 } else { (drawn % 7) as f64 + 0.5 }),
        objective: Some(if solved { 0.0 } else { (drawn % 5) as f64 + 1.0 }),
        evaluations,
        generations: evaluations / 10,
        restarts: drawn % 2,
        evaluations_to_best: evaluations / 2,
        stop: if solved { Stop::Target } else { Stop::Generations },
        wall_ms: (drawn % 100) as f64 / 8.0,
        cpu_ms: Some((drawn % 90) as f64 / 8.0),
    }
}
