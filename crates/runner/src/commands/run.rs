//! `runner run`: an experiment, or what is left of it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::Published;
use evogrid_results::journal::{Index, Writer};
use evogrid_results::table::{self, Format, Layout};

use super::{counted, jobs, load, print, word};
use crate::cli::RunArgs;
use crate::clock::utc_now;
use crate::execute::{Tally, execute};
use crate::manifest::{self, Session};
use crate::outputs::{Folder, Written};
use crate::plan::Plan;
use crate::progress::{Progress, line};
use crate::signals::{Signal, Signals};

/// The most rows of a summary that are printed unasked.
const SHOWN: usize = 60;

/// Runs an experiment.
pub(super) fn run(args: &RunArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let started = utc_now();
    let spec = load(&args.experiment, &catalogue)?;
    // Read before anything runs, so that a fault in it is found at once.
    let published = spec.published.as_deref().map(Published::open).transpose().map_err(super::misused)?;
    let folder = Folder::new(args.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&spec.name)));
    let plan = Arc::new(Plan::new(spec, catalogue));
    let say = |text: &str| {
        if !args.quiet {
            line(text);
        }
    };

    if args.fresh
        && let Some(aside) = folder.set_journal_aside()?
    {
        say(&format!("the earlier runs are set aside in {}", aside.display()));
    }
    let index = Index::read(&folder.journal())?;
    for damage in index.damages() {
        line(&format!("warning: {damage}; its run is done again"));
    }
    let jobs = jobs(args.jobs);
    let n_runs = plan.n_runs();
    say(&format!("{}: {} on {}", plan.spec().name, counted(n_runs, "run"), counted(jobs as u64, "thread")));

    let signals = Signals::listen()?;
    let mut progress = Progress::of_runs(n_runs, args.quiet);
    let journal = Writer::create(&folder.journal())?;
    let tally = execute(&plan, index, journal, jobs, &signals, &mut progress)?;
    progress.finish();
    if let Some(signal) = tally.interrupted {
        return Ok(interrupted(signal, tally, n_runs, args));
    }

    let written = folder.write(&plan).context("the runs are safe in the journal; run the same command again")?;
    let ended = utc_now();
    let session = Session { experiment: &args.experiment.experiment, jobs, started: &started, ended: &ended, tally };
    manifest::write(&folder, &plan, &written, &session)?;
    if written.untraced > 0 {
        let runs = counted(written.untraced, "earlier run");
        line(&format!(
            "warning: no trace, or another one, was recorded of {runs}; `--fresh` does all runs again, with it"
        ));
    }
    say(&format!(
        "{} done, {} found in the journal; see {}",
        counted(tally.done, "run"),
        tally.found,
        folder.path().join("runs.csv").display()
    ));
    if !args.quiet {
        show(&written, published.as_ref(), &folder)?;
    }
    Ok(verdict(&written))
}

/// Prints the table, unless it is too long to be read.
fn show(written: &Written, published: Option<&Published>, folder: &Folder) -> Result<()> {
    if written.summary.rows.len() > SHOWN {
        line(&format!("the table has {} rows: runner table {}", written.summary.rows.len(), word(folder.path())));
        return Ok(());
    }
    Ok(print(&table::render(&written.summary, Layout::Buckets, Format::Text, published))?)
}

fn verdict(written: &Written) -> ExitCode {
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
