//! `runner run`: does the missing runs of an experiment, and prints its table.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use evogrid_analysis::Published;
use evogrid_analysis::effects;
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::Samples;
use evogrid_analysis::table::{self, ColumnSet, Format, Layout};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::BestKnownStatus;
use evogrid_results::runs::Reader;

use crate::arguments::{ExecutionArgs, ExperimentArgs, RunArgs};
use crate::commands::arguments::{jobs, load_plan, print_plan_notes, published, results_folder};
use crate::manifest_outline::outline;
use crate::messages::warnings::warnings;
use crate::messages::{
    UsageError, counted, counted_are, going_on, line, print_as_it_is, program, shell_word, wall_times,
};
use crate::opened::Needs;
use evogrid_runner::engine::carry_out::{ExperimentOptions, ExperimentOutcome, carry_out};
use evogrid_runner::engine::execute::{ExecutionOptions, Tally};
use evogrid_runner::engine::folder::outputs::{Folder, OutputReport};
use evogrid_runner::engine::memory;
use evogrid_runner::engine::signals::{Signal, Signals};
use evogrid_runner::engine::timing::Timing;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::spec::AnalysisPlan;
use evogrid_runner::system::terminal::output_width;

/// At the end of `run`, the summary is printed if it has at most this many rows.
const PRINTED_ROWS: usize = 60;

/// For more runs than this, `run` does not print the effects of settings, because it would have to read all runs again.
const MOST_RUNS: u64 = 500_000;

/// Runs an experiment.
pub(crate) fn run(args: &RunArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let plan = load_plan(&args.experiment, catalogue)?;
    let published = published(&plan)?;
    let timing = args.timing.then(|| Timing::new(args.execution.jobs.map(usize::from), jobs(None))).transpose();
    let timing = timing.map_err(|error| UsageError(error.to_string()))?;
    let jobs = timing.as_ref().map_or_else(|| jobs(args.execution.jobs), Timing::n_threads);
    let folder = Folder::new(results_folder(args.out.as_deref(), &plan.spec().name));
    if !args.execution.quiet {
        print_plan_notes(&plan);
    }
    memory::warn(&plan, jobs);
    let execution = ExecutionOptions { jobs, shard: args.shard, is_fail_fast: args.fail_fast, timing };
    let signals = Signals::listen()?;
    let options = options(&args.experiment, &args.execution, execution, &folder, &signals);
    let options = ExperimentOptions { reuse: &args.reuse, ..options };
    match carry_out(&plan, &options)? {
        ExperimentOutcome::Interrupted(signal, tally) => Ok(interrupted(signal, &tally, &command(args))),
        ExperimentOutcome::FailedFast(tally) => {
            let first = tally.first_failure.unwrap_or_default();
            line(&format!("error: stopped at the first run that failed: {first}"));
            line(&format!(
                "  finished runs are kept; to continue the experiment and retry the failed run, use\n  {}",
                command(args)
            ));
            Ok(ExitCode::from(1))
        }
        ExperimentOutcome::Shard(tally) => {
            if !args.execution.quiet {
                let runner = program::name();
                line(&format!("when all shards are done, join them: {runner} merge {}", shell_word(folder.path())));
            }
            Ok(failures(tally.failed, tally.first_failure.as_deref()))
        }
        ExperimentOutcome::Done(written) => {
            if !args.execution.quiet {
                show(&written, published.as_ref(), &folder, &plan)?;
            }
            Ok(verdict(&written, &plan))
        }
    }
}

/// Prints the table, unless it is too long.
pub(crate) fn show(written: &OutputReport, published: Option<&Published>, folder: &Folder, plan: &Plan) -> Result<()> {
    written.beaten.lines(plan, BestKnownStatus::Best).iter().for_each(|news| line(news));
    let format = Format::Text { width: output_width() };
    let planned = plan.spec().analysis.as_ref().and_then(AnalysisPlan::metric);
    let manifest = outline(folder.path())?;
    let mut notes = warnings(&written.summary, manifest.as_ref(), plan.catalogue());
    let runs = folder.path().join("runs.csv");
    if written.summary.rows.len() > PRINTED_ROWS {
        let (n_rows, runner) = (written.summary.rows.len(), program::name());
        print_as_it_is(&after_run(plan, &runs, planned, (format, &notes))?.unwrap_or_default())?;
        line(&format!("the table has {n_rows} rows; to print the table: {runner} table {}", shell_word(folder.path())));
        return Ok(());
    }
    let metric = planned.filter(|metric| Needs::Summary.metrics().contains(metric));
    // Beside published values, times are among the columns of `--columns all`.
    if published.is_none() && table::shows_wall_times(&written.summary, metric, Layout::Buckets) {
        notes.extend(wall_times::notes(&written.summary, manifest.as_ref()));
    }
    let table =
        table::render_by(&written.summary, (metric, ColumnSet::Few), Layout::Buckets, format, published, &notes);
    let effects = after_run(plan, &runs, planned, (format, &[]))?;
    let effects = effects.map(|effects| format!("\n{effects}")).unwrap_or_default();
    Ok(print_as_it_is(&(table + &effects))?)
}

/// The effects of the settings, if at least two settings vary. Returns `None` if fewer than two settings vary, if there are too many runs,
/// or if the effects cannot be computed.
fn after_run(
    plan: &Plan,
    runs: &Path,
    metric: Option<Metric>,
    (format, notes): (Format, &[String]),
) -> Result<Option<String>> {
    if plan.spec().varied().len() < 2 || plan.n_runs() > MOST_RUNS {
        return Ok(None);
    }
    let samples = Samples::read(Reader::open(runs)?)?;
    let metric = metric.unwrap_or_else(|| samples.default_metric());
    Ok(effects::effects(&samples, metric).ok().map(|found| effects::render(&found, format, notes)))
}

/// Reports failed runs, and runs whose objective is better than a known optimum. Returns the exit status.
pub(crate) fn verdict(written: &OutputReport, plan: &Plan) -> ExitCode {
    let errors = written.beaten.lines(plan, BestKnownStatus::Optimal);
    errors.iter().for_each(|error| line(error));
    let failures = failures(written.failed, written.first_failure.as_deref());
    if errors.is_empty() { failures } else { ExitCode::from(1) }
}

fn failures(failed: u64, first: Option<&str>) -> ExitCode {
    let Some(first) = first else { return ExitCode::SUCCESS };
    let failed = counted(failed, "run");
    line(&format!(
        "error: {failed} failed; the first failure was {first}\n  all other runs are kept; repeat the command to retry \
         the failed runs"
    ));
    ExitCode::from(1)
}

/// Reports an interruption, and the command that continues. Returns the exit status.
pub(super) fn interrupted(signal: Signal, tally: &Tally, command: &str) -> ExitCode {
    // The number of finished runs is unknown until the runs are counted.
    let kept = match tally.found + tally.done {
        0 => "all finished runs are".to_owned(),
        kept => counted_are(kept, "finished run"),
    };
    line(&format!("interrupted: {kept} kept; continue with\n  {command}"));
    ExitCode::from(signal.exit_status())
}

/// The command that continues.
fn command(args: &RunArgs) -> String {
    let reuse = args.reuse.iter().map(|folder| format!(" --reuse {}", shell_word(folder)));
    let shard = args.shard.map(|shard| format!(" --shard {shard}"));
    let options: String = reuse.chain(shard).chain(args.timing.then(|| " --timing".to_owned())).collect();
    going_on("run", &args.experiment.experiment, &args.experiment.sets, args.out.as_deref()) + &options
}

/// The options of `run` and `tune` for carrying out an experiment.
pub(super) fn options<'a>(
    experiment: &'a ExperimentArgs,
    args: &ExecutionArgs,
    execution: ExecutionOptions,
    folder: &'a Folder,
    signals: &'a Signals,
) -> ExperimentOptions<'a> {
    ExperimentOptions {
        file: &experiment.experiment,
        sets: &experiment.sets,
        folder,
        execution,
        quiet: args.quiet,
        fresh: args.fresh,
        overwrite: args.overwrite,
        reuse: &[],
        signals,
    }
}
