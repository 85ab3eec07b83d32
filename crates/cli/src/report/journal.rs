//! The data of the journal in a report: the reasons of failures, and the best solution of each instance.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::{Sample, Samples};
use evogrid_results::format::shortest;
use evogrid_results::journal::Index;
use evogrid_runner::engine::folder::outputs::Folder;
use serde::Serialize;

use crate::intake::run_ids;
use crate::opened::OpenedResults;

/// If there are more runs than this, the journal is not read.
const MOST_RUNS: usize = 100_000;

/// The messages of at most this many failed runs are read, and at most this many reasons are shown.
const MOST_FAILURES: usize = 1000;
const MOST_REASONS: usize = 10;

/// The largest size of a solution, and of all solutions, in bytes.
const LONGEST_SOLUTION: usize = 20_000;
const MOST_BYTES: usize = 300_000;

/// The data that a report takes from the journal.
#[derive(Default, Serialize)]
pub(super) struct JournalData {
    /// The reasons of failures. Each reason has a count of runs and the run number of one example. The most frequent reason comes first.
    pub(super) failures: Vec<(String, usize, u64)>,
    /// The best solution of each instance: instance, run, solution, and its objective as a text.
    pub(super) solutions: Vec<(usize, u64, String, String)>,
}

impl JournalData {
    /// Reads the journal of a results folder. Returns no data for other results, or if there are too many runs.
    pub(super) fn read(opened: &OpenedResults<'_>) -> Result<Self> {
        let samples = &opened.samples;
        // Several results have no common path.
        let journal = Folder::new(opened.path.clone()).journal();
        if samples.runs.len() > MOST_RUNS || opened.path.as_os_str().is_empty() || !journal.is_dir() {
            return Ok(Self::default());
        }
        let best = best_runs(samples);
        let failed = samples.runs.iter().filter(|run| run.outcome.has_failed()).take(MOST_FAILURES);
        let ids = run_ids(&opened.file, best.values().copied().chain(failed.clone()).map(|run| run.run).collect())?;
        let index = Index::read(&journal).context("cannot read the journal")?;
        let record = |run: &Sample| ids.get(&run.run).map_or(Ok(None), |&id| index.get(id));
        let mut reasons: BTreeMap<String, (usize, u64)> = BTreeMap::new();
        for run in failed {
            let message = record(run)?.and_then(|record| record.message).unwrap_or_default();
            let first = message.lines().next().filter(|line| !line.is_empty()).unwrap_or("no reason is recorded");
            reasons.entry(first.to_owned()).or_insert((0, run.run)).0 += 1;
        }
        let mut failures: Vec<(String, usize, u64)> =
            reasons.into_iter().map(|(reason, (count, run))| (reason, count, run)).collect();
        failures.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
        failures.truncate(MOST_REASONS);
        let (mut solutions, mut bytes) = (Vec::new(), 0);
        for (instance, run) in best {
            let Some(record) = record(run)? else { continue };
            let solution = record.solution.filter(|solution| solution.len() <= LONGEST_SOLUTION);
            let Some(solution) = solution else { continue };
            bytes += solution.len();
            if bytes > MOST_BYTES {
                break;
            }
            // The record is used, because a target that was set after the runs changes the row.
            let told = format!("objective {}", shortest(record.outcome.objective));
            solutions.push((instance, run.run, solution, told));
        }
        Ok(Self { failures, solutions })
    }
}

/// The first run with the best objective on each instance.
fn best_runs(samples: &Samples) -> BTreeMap<usize, &Sample> {
    let mut best: BTreeMap<usize, (f64, &Sample)> = BTreeMap::new();
    for run in &samples.runs {
        let Some(cost) = Metric::Objective.cost(samples, run).filter(|cost| cost.is_finite()) else { continue };
        let known = best.entry(run.instance()).or_insert((cost, run));
        if cost < known.0 {
            *known = (cost, run);
        }
    }
    best.into_iter().map(|(instance, (_, run))| (instance, run)).collect()
}
