//! What a report shows of the journal: why runs failed, and the best solution of each instance.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::{Sample, Samples};
use evogrid_core::identity::RunId;
use evogrid_results::format::shortest;
use evogrid_results::journal::Index;
use evogrid_results::runs::Reader;
use evogrid_runner::engine::folder::outputs::Folder;
use serde::Serialize;

use crate::opened::OpenedResults;

/// The journal of more runs than this is not read.
const MOST_RUNS: usize = 100_000;

/// The most failed runs whose messages are read, and the most reasons that are shown.
const MOST_FAILURES: usize = 1000;
const MOST_REASONS: usize = 10;

/// The most bytes of a solution, and of all.
const LONGEST_SOLUTION: usize = 20_000;
const MOST_BYTES: usize = 300_000;

/// What the journal adds to a report.
#[derive(Default, Serialize)]
pub(super) struct JournalData {
    /// Reasons of failures, the most frequent first: each with its number of runs and one of these.
    pub(super) failures: Vec<(String, usize, u64)>,
    /// Instances with the best run, its solution, and what it is.
    pub(super) solutions: Vec<(usize, u64, String, String)>,
}

impl JournalData {
    /// Reads the journal of a results folder; nothing of other results or of very many runs.
    pub(super) fn read(opened: &OpenedResults<'_>) -> Result<Self> {
        let samples = &opened.samples;
        // Several results have no path in common.
        let journal = Folder::new(opened.path.clone()).journal();
        if samples.runs.len() > MOST_RUNS || opened.path.as_os_str().is_empty() || !journal.is_dir() {
            return Ok(Self::default());
        }
        let best = best_runs(samples);
        let failed = samples.runs.iter().filter(|run| run.outcome.has_failed()).take(MOST_FAILURES);
        let ids = ids(opened, best.values().copied().chain(failed.clone()))?;
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
            // A target that was set after the runs changes the row, not what was found.
            let told = format!("objective {}", shortest(record.outcome.objective));
            solutions.push((instance, run.run, solution, told));
        }
        Ok(Self { failures, solutions })
    }
}

/// The run with the best objective on each instance, the first of several.
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

/// The identities of some runs, by their numbers.
fn ids<'r>(opened: &OpenedResults<'_>, runs: impl Iterator<Item = &'r Sample>) -> Result<BTreeMap<u64, RunId>> {
    let wanted: std::collections::BTreeSet<u64> = runs.map(|run| run.run).collect();
    let mut ids = BTreeMap::new();
    for row in Reader::open(&opened.file)? {
        let row = row?;
        if wanted.contains(&row.run) {
            ids.insert(row.run, row.key.run_id);
        }
    }
    Ok(ids)
}
