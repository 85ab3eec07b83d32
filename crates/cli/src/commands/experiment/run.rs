//! `runner run`: an experiment, or what is left of it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use evogrid_analysis::Published;
use evogrid_analysis::effects;
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::Samples;
use evogrid_analysis::table::{self, ColumnSet, Format, Layout};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::BestKnownStatus;
use evogrid_results::runs::Reader;
use evogrid_runner::system::program;

use crate::arguments::RunArgs;
use crate::commands::arguments::{jobs, load_spec};
use crate::commands::output::print_as_it_is;
use crate::manifest_outline::outline;
use crate::messages::plan_notes;
use crate::messages::shell::{shell_text, shell_word};
use crate::messages::wall_times;
use crate::messages::warnings::warnings;
use crate::opened::Needs;
use crate::usage_error::{UsageError, unreadable};
use evogrid_runner::engine::carry_out::{ExperimentOptions, ExperimentOutcome, carry_out};
use evogrid_runner::engine::execute::{ExecutionOptions, Tally};
use evogrid_runner::engine::folder::outputs::{Folder, OutputReport};
use evogrid_runner::engine::memory;
use evogrid_runner::engine::progress::line;
use evogrid_runner::engine::signals::{Signal, Signals};
use evogrid_runner::engine::timing::Timing;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::spec::AnalysisPlan;
use evogrid_runner::system::numbers::{counted, counted_are};
use evogrid_runner::system::terminal::output_width;

/// The most rows of a summary that are printed without being asked for.
const PRINTED_ROWS: usize = 60;

/// Above this number of runs, `run` does not read them again to end with their effects.
const MOST_RUNS: u64 = 500_000;

/// Runs an experiment.
pub(crate) fn run(args: &RunArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let spec = load_spec(&args.experiment, &catalogue)?;
    // Read before anything runs, so that a fault in it is found at once.
    let published = spec.published.as_deref().map(Published::open).transpose().map_err(unreadable)?;
    let timing = args.timing.then(|| Timing::new(args.execution.jobs.map(usize::from), jobs(None))).transpose();
    let timing = timing.map_err(|error| UsageError(error.to_string()))?;
    let jobs = timing.as_ref().map_or_else(|| jobs(args.execution.jobs), Timing::n_threads);
    let folder = Folder::new(args.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&spec.name)));
    let plan = Arc::new(Plan::new(spec, catalogue));
    if !args.execution.quiet {
        plan_notes::tell(&plan);
    }
    memory::warn(&plan, jobs);
    let options = ExperimentOptions {
        file: &args.experiment.experiment,
        sets: &args.experiment.sets,
        folder: &folder,
        execution: ExecutionOptions { jobs, shard: args.shard, is_fail_fast: args.fail_fast, timing },
        quiet: args.execution.quiet,
        fresh: args.execution.fresh,
        overwrite: args.execution.overwrite,
        reuse: &args.reuse,
        signals: &Signals::listen()?,
    };
    match carry_out(&plan, &options)? {
        ExperimentOutcome::Interrupted(signal, tally) => Ok(interrupted(signal, &tally, args)),
        ExperimentOutcome::FailedFast(tally) => {
            let first = tally.first_failure.unwrap_or_default();
            line(&format!("error: stopped at the first run that failed: {first}"));
            line(&format!("  finished runs are kept; continue and retry this run with\n  {}", command(args)));
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
        line(&format!("the table has {n_rows} rows: {runner} table {}", shell_word(folder.path())));
        return Ok(());
    }
    let metric = planned.filter(|metric| Needs::Summary.metrics().contains(metric));
    // Beside published figures times are columns of `--columns all`.
    if published.is_none() && table::shows_wall_times(&written.summary, metric, Layout::Buckets) {
        notes.extend(wall_times::notes(&written.summary, manifest.as_ref()));
    }
    let table =
        table::render_by(&written.summary, (metric, ColumnSet::Few), Layout::Buckets, format, published, &notes);
    let effects = after_run(plan, &runs, planned, (format, &[]))?;
    let effects = effects.map(|effects| format!("\n{effects}")).unwrap_or_default();
    Ok(print_as_it_is(&(table + &effects))?)
}

/// The effects that end a run of an experiment in which two settings vary and more; `None` for others, if there are too many runs, or if
/// effects cannot be told.
fn after_run(
    plan: &Plan,
    runs: &Path,
    metric: Option<Metric>,
    (format, notes): (Format, &[String]),
) -> Result<Option<String>> {
    if plan.spec().varied().len() < 2 || plan.n_runs() > MOST_RUNS {
        return Ok(None);
    }
    let samples = Samples::read(Reader::open(runs).map_err(unreadable)?).map_err(unreadable)?;
    let metric = metric.unwrap_or_else(|| samples.default_metric());
    Ok(effects::effects(&samples, metric).ok().map(|found| effects::render(&found, format, notes)))
}

/// Reports whether runs failed or are better than possible, in words and as an exit status.
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
        "error: {failed} failed; the first failure was {first}\n  the other runs are kept; repeat the command to retry \
         the failed ones"
    ));
    ExitCode::from(1)
}

fn interrupted(signal: Signal, tally: &Tally, args: &RunArgs) -> ExitCode {
    // Before the runs were looked at, how many are finished is not known.
    let kept = match tally.found + tally.done {
        0 => "all that was finished is".to_owned(),
        kept => counted_are(kept, "finished run"),
    };
    line(&format!("interrupted: {kept} kept; continue with\n  {}", command(args)));
    ExitCode::from(signal.exit_status())
}

/// The command that continues.
fn command(args: &RunArgs) -> String {
    let shard = args.shard.map(|shard| format!(" --shard {shard}")).unwrap_or_default();
    let timing = if args.timing { " --timing" } else { "" };
    let reuse: String = args.reuse.iter().map(|folder| format!(" --reuse {}", shell_word(folder))).collect();
    going_on("run", &args.experiment.experiment, &args.experiment.sets, args.out.as_deref()) + &reuse + &shard + timing
}

/// The command that continues an experiment.
pub(crate) fn going_on(command: &str, file: &Path, sets: &[String], out: Option<&Path>) -> String {
    let sets: String = sets.iter().map(|set| format!(" --set {}", shell_text(set))).collect();
    let out = out.map(|out| format!(" --out {}", shell_word(out))).unwrap_or_default();
    format!("{} {command} {}{sets}{out}", program::name(), shell_word(file))
}
