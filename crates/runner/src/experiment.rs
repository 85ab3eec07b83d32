//! An experiment carried out: what is left of its plan is run, and its files are made from the journal.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use evogrid_results::journal::{Index, Writer};

use crate::clock::utc_now;
use crate::commands::counted;
use crate::execute::{Tally, execute};
use crate::manifest::{self, Session};
use crate::outputs::{Folder, Written};
use crate::plan::Plan;
use crate::progress::{Progress, line};
use crate::signals::{Signal, Signals};

/// How an experiment is carried out.
pub struct Manner<'a> {
    /// Its file, for the manifest.
    pub file: &'a Path,
    /// Where its results go.
    pub folder: &'a Folder,
    /// Threads.
    pub jobs: usize,
    /// Whether nothing but warnings and errors is said.
    pub quiet: bool,
    /// Whether the journal of earlier runs is set aside first.
    pub fresh: bool,
    /// The wish to stop.
    pub signals: &'a Signals,
}

/// How it ended.
pub enum Ended {
    /// All runs are there.
    Done(Box<Written>),
    /// A signal came; what had finished is in the journal.
    Interrupted(Signal, Tally),
}

/// Carries an experiment out.
///
/// # Errors
/// If the journal or a file cannot be read or written.
pub fn carry_out(plan: &Arc<Plan>, manner: &Manner<'_>) -> Result<Ended> {
    let started = utc_now();
    let folder = manner.folder;
    let say = |text: &str| {
        if !manner.quiet {
            line(text);
        }
    };
    if manner.fresh
        && let Some(aside) = folder.set_journal_aside()?
    {
        say(&format!("the earlier runs are set aside in {}", aside.display()));
    }
    let index = Index::read(&folder.journal())?;
    for damage in index.damages() {
        line(&format!("warning: {damage}; its run is done again"));
    }
    let n_runs = plan.n_runs();
    say(&format!("{}: {} on {}", plan.spec().name, counted(n_runs, "run"), counted(manner.jobs as u64, "thread")));

    let mut progress = Progress::of_runs(n_runs, manner.quiet);
    let journal = Writer::create(&folder.journal())?;
    let tally = execute(plan, index, journal, manner.jobs, manner.signals, &mut progress)?;
    progress.finish();
    if let Some(signal) = tally.interrupted {
        return Ok(Ended::Interrupted(signal, tally));
    }

    let written = folder.write(plan).context("the runs are safe in the journal; run the same command again")?;
    let ended = utc_now();
    let (experiment, fresh, jobs) = (manner.file, manner.fresh, manner.jobs);
    let session = Session { experiment, fresh, jobs, started: &started, ended: &ended, tally };
    manifest::write(folder, plan, &written, &session)?;
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
    Ok(Ended::Done(Box::new(written)))
}
