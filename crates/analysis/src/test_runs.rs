//! Runs and summaries for the tests of this crate.

use std::convert::Infallible;

use evogrid_core::budget::Stop;
use evogrid_results::Summary;
use evogrid_results::runs::{Row, RunKey, RunOutcome};

/// A run of `huke` at a population: bucket, solved, milliseconds, generations, evaluations.
pub(crate) fn run(population: u64, bucket: &str, solved: bool, ms: f64, generations: u64, evaluations: u64) -> Row {
    let key = RunKey {
        algorithm: "huke".to_owned(),
        instance: "huke-01".to_owned(),
        bucket: bucket.to_owned(),
        ..RunKey::default()
    };
    let outcome = RunOutcome {
        solved,
        best_fitness: Some(if solved { 0.0 } else { 3.0 }),
        evaluations,
        generations,
        stop: if solved { Stop::Target } else { Stop::Stagnation },
        wall_ms: ms,
        cpu_ms: Some(1.125),
        ..RunOutcome::default()
    };
    Row { run: 0, key, varied: vec![population.to_string()], outcome }
}

/// The summary of runs that vary the population.
pub(crate) fn summary(rows: Vec<Row>) -> Summary {
    let Ok(summary) = Summary::from_rows(&["population".to_owned()], rows.into_iter().map(Ok::<_, Infallible>));
    summary
}
