//! `runner replay`: one run of a results folder done again.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::identity::RunId;
use evogrid_results::journal::Index;
use evogrid_results::record::Record;
use evogrid_results::runs::Reader;

use crate::arguments::ReplayArgs;
use crate::intake::runs_of;
use crate::messages::{UsageError, grouped, in_one_line, print};
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::replay::{find_instance, read_instances, replay as replay_run, settings};
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::has_time_limit;

/// Repeats the run, and reports whether the result is the same. The exit status is 1 if it differs, unless a time limit may be the
/// reason.
pub(crate) fn replay(args: &ReplayArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    Signals::end_process(|| ())?;
    let folder = args.results.display();
    ensure!(args.results.is_dir(), UsageError(format!("{folder} is not a results folder")));
    let record = find(&args.results, &args.run)?;
    let instances = read_instances(&args.results)?;
    let differences = replay_run(&record, &instances, catalogue, args.programs.policy())?;
    // By the name that the instance has now.
    let instance = find_instance(&record, &instances, catalogue)?.id;
    let (name, instance) = (in_one_line(&record.key.algorithm), in_one_line(instance));
    let mut text = format!(
        "{}: {name} on {instance}, repetition {}, seed {}: ",
        record.key.run_id, record.key.repetition, record.key.seed
    );
    if differences.is_empty() {
        text += &format!(
            "the outcome is the same\n  stop {}, best fitness {}, evaluations {}, generations {}, restarts {}\n",
            record.outcome.stop,
            record.outcome.best_fitness.map_or_else(|| "none".to_owned(), |best| best.to_string()),
            grouped(record.outcome.evaluations),
            grouped(record.outcome.generations),
            grouped(record.outcome.restarts),
        );
        if let Some(solution) = &record.solution {
            text += &format!("  {}\n", in_one_line(solution));
        }
        print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_timed = settings(&record, &record.key.problem, catalogue).is_ok_and(|settings| has_time_limit(&settings));
    text += if is_timed {
        "the result differs, possibly because of its time limit, whose effect depends on the machine\n"
    } else {
        "the result differs\n"
    };
    for difference in &differences {
        let (recorded, found) = (in_one_line(&difference.recorded), in_one_line(&difference.found));
        text += &format!("  {}: recorded {recorded}, now {found}\n", difference.column);
    }
    print(&text)?;
    Ok(if is_timed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The record of a run, by its id or its number in `runs.csv`.
pub(crate) fn find(results: &Path, run: &str) -> Result<Record> {
    let folder = Folder::new(results.to_owned());
    let index = Index::read(&folder.journal())?;
    let id: RunId = match (run.parse(), run.parse::<u64>()) {
        (Ok(id), _) => id,
        (Err(_), Ok(number)) => numbered(results, number)?,
        (Err(wrong), Err(_)) => return Err(UsageError(format!("{wrong}, or a run number from `runs.csv`")).into()),
    };
    let record = index.get(id).context("cannot read the journal")?;
    record.ok_or_else(|| UsageError(format!("{} has no run {id}", folder.journal().display())).into())
}

/// The id of the run with this number in `runs.csv`.
fn numbered(results: &Path, number: u64) -> Result<RunId> {
    let path = runs_of(results)?;
    for row in Reader::open(&path)? {
        let row = row?;
        if row.run == number {
            return Ok(row.key.run_id);
        }
    }
    Err(UsageError(format!("{} has no run {number}", path.display())).into())
}
