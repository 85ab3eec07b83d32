//! `runner run`: an experiment, or what is left of it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::Published;
use evogrid_results::table::{self, Format, Layout};

use super::{counted, jobs, load, print, word};
use crate::cli::RunArgs;
use crate::execute::Tally;
use crate::experiment::{Ended, Manner, carry_out};
use crate::outputs::{Folder, Written};
use crate::plan::Plan;
use crate::progress::line;
use crate::signals::{Signal, Signals};

/// The most rows of a summary that are printed unasked.
const SHOWN: usize = 60;

/// Runs an experiment.
pub(super) fn run(args: &RunArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let spec = load(&args.experiment, &catalogue)?;
    // Read before anything runs, so that a fault in it is found at once.
    let published = spec.published.as_deref().map(Published::open).transpose().map_err(super::misused)?;
    let folder = Folder::new(args.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&spec.name)));
    let plan = Arc::new(Plan::new(spec, catalogue));
    let manner = Manner {
        file: &args.experiment.experiment,
        folder: &folder,
        jobs: jobs(args.jobs),
        quiet: args.quiet,
        fresh: args.fresh,
        signals: &Signals::listen()?,
    };
    match carry_out(&plan, &manner)? {
        Ended::Interrupted(signal, tally) => Ok(interrupted(signal, tally, plan.n_runs(), args)),
        Ended::Done(written) => {
            if !args.quiet {
                show(&written, published.as_ref(), &folder)?;
            }
            Ok(verdict(&written))
        }
    }
}

/// Prints the table, unless it is too long to be read.
fn show(written: &Written, published: Option<&Published>, folder: &Folder) -> Result<()> {
    if written.summary.rows.len() > SHOWN {
        line(&format!("the table has {} rows: runner table {}", written.summary.rows.len(), word(folder.path())));
        return Ok(());
    }
    Ok(print(&table::render(&written.summary, Layout::Buckets, Format::Text, published))?)
}

/// Says whether runs failed, in words and as an exit status.
pub(super) fn verdict(written: &Written) -> ExitCode {
    let Some(first) = &written.first_failure else { return ExitCode::SUCCESS };
    let failed = counted(written.failed, "run");
    line(&format!(
        "error: {failed} failed, the first was {first}\n  the others are kept; run again to try these again"
    ));
    ExitCode::from(1)
}

fn interrupted(signal: Signal, tally: Tally, n_runs: u64, args: &RunArgs) -> ExitCode {
    let mut command = format!("runner run {}", word(&args.experiment.experiment));
    for set in &args.experiment.sets {
        command.push_str(&format!(" --set {}", word(set.as_ref())));
    }
    if let Some(out) = &args.out {
        command.push_str(&format!(" --out {}", word(out)));
    }
    let kept = counted(tally.found + tally.done, "finished run");
    line(&format!("interrupted: {kept} of {n_runs} kept; go on with\n  {command}"));
    ExitCode::from(signal.exit_status())
}
