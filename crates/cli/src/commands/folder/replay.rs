//! `runner replay`: repeats one run of a results folder.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::identity::RunId;
use evogrid_results::journal::Index;
use evogrid_results::record::Record;

use crate::arguments::ReplayArgs;
use crate::intake::{run_ids, runs_of};
use crate::messages::{UsageError, grouped, print, rendered};
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::replay::{find_instance, read_instances, replay as replay_run, settings};
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::has_time_limit;
use serde_json::json;

/// Repeats the run, and reports whether the result is the same. The exit status is 1 if the result differs, unless a time limit may be the
/// reason.
pub(crate) fn replay(args: &ReplayArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    Signals::end_process(|| ())?;
    let folder = args.results.display();
    ensure!(args.results.is_dir(), UsageError(format!("{folder} is not a results folder")));
    let record = find(&args.results, &args.run)?;
    let instances = read_instances(&args.results)?;
    let differences = replay_run(&record, &instances, catalogue, args.programs.policy())?;
    // The instance may have another name now.
    let instance = find_instance(&record, &instances, catalogue)?.id;
    let is_timed = settings(&record, &record.key.problem, catalogue).is_ok_and(|settings| has_time_limit(&settings));
    let (key, outcome) = (&record.key, &record.outcome);
    print(&rendered!(
        "replay/outcome.txt",
        json!({
            "run_id": key.run_id.to_string(),
            "algorithm": key.algorithm,
            "instance": instance,
            "repetition": key.repetition,
            "seed": key.seed,
            "stop": outcome.stop.to_string(),
            "best_fitness": outcome.best_fitness.map_or_else(|| "none".to_owned(), |best| best.to_string()),
            "evaluations": grouped(outcome.evaluations),
            "generations": grouped(outcome.generations),
            "restarts": grouped(outcome.restarts),
            "solution": record.solution,
            "differences": differences,
            "is_timed": is_timed,
        }),
    ))?;
    Ok(if differences.is_empty() || is_timed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Finds the record of a run by its id or its number in `runs.csv`.
pub(crate) fn find(results: &Path, run: &str) -> Result<Record> {
    let folder = Folder::new(results.to_owned());
    let index = Index::read(&folder.journal())?;
    let id: RunId = match (run.parse(), run.parse::<u64>()) {
        (Ok(id), _) => id,
        (Err(_), Ok(number)) => numbered(results, number)?,
        (Err(wrong), Err(_)) => return Err(UsageError(format!("{wrong}, or the number of a run in `runs.csv`")).into()),
    };
    let record = index.get(id).context("cannot read the journal")?;
    record.ok_or_else(|| UsageError(format!("{} has no run {id}", folder.journal().display())).into())
}

/// Finds the id of the run with this number in `runs.csv`.
fn numbered(results: &Path, number: u64) -> Result<RunId> {
    let path = runs_of(results)?;
    let id = run_ids(&path, [number].into())?.remove(&number);
    id.ok_or_else(|| UsageError(format!("{} has no run {number}", path.display())).into())
}
