//! `runner merge`: joins shards of an experiment, from any folders, into one results folder.

use std::cmp::Ordering;
use std::fs;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::files::{FilePlace, list_folder, make_folder, open_regular, replace};
use evogrid_results::journal::{Index, SOLUTIONS_SUFFIX};

use crate::arguments::MergeArgs;
use crate::commands::experiment::run;
use crate::messages::{UsageError, counted, grouped, line, program, shell_word};
use evogrid_runner::engine::carry_out::report_damages;
use evogrid_runner::engine::execute::Tally;
use evogrid_runner::engine::folder::manifest::{self, Manifest};
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::folder::session::{self, is_session};
use evogrid_runner::engine::signals::{Interruption, Signals};
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::schedule::Schedule;

/// The most groups of missing runs that a message names.
const GAPS_NAMED: usize = 10;

/// Joins the folders. Exit status 1 if runs are missing or failed.
pub(crate) fn merge(args: &MergeArgs, catalogue: Catalogue) -> Result<ExitCode> {
    match join(args, catalogue) {
        Err(error) => match error.downcast_ref() {
            Some(Interruption(signal)) => {
                line("interrupted: every file is either unchanged or complete; run the same command again");
                Ok(ExitCode::from(signal.exit_status()))
            }
            None => Err(error),
        },
        merged => merged,
    }
}

fn join(args: &MergeArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let out = match (&args.out, args.folders.as_slice()) {
        (Some(out), _) => out,
        (None, [alone]) => alone,
        (None, _) => {
            return Err(UsageError(
                "several folders need a new folder to be merged into: name it with `--out`".to_owned(),
            )
            .into());
        }
    };
    let experiment = common(&args.folders)?;
    if let Ok(there) = Manifest::open(out) {
        same(&args.folders[0], &experiment, out, &there.experiment)?;
    }
    let plan = Arc::new(experiment.plan(catalogue)?);
    let (folder, signals) = (Folder::new(out.clone()), Signals::listen()?);
    for journal in journals(&args.folders) {
        gather(&journal, &folder.journal())?;
    }
    let index = folder.index(&signals)?;
    report_damages(&index, &folder);
    let written = folder.write_indexed(&plan, &index, &signals)?;
    let tally = Tally { found: written.runs, ..Tally::default() };
    manifest::complete(&folder, &plan, &experiment, &written, (&tally, None))?;
    if !args.quiet {
        let twice = match index.n_repeated() as u64 {
            0 => String::new(),
            n => format!(", {} done more than once", counted(n, "record")),
        };
        line(&format!(
            "{} of {}{twice}; see {}",
            written.runs,
            counted(plan.n_runs(), "run"),
            out.join("runs.csv").display()
        ));
        run::show(&written, None, &folder, &plan)?;
    }
    let is_whole = name_missing(&plan, &index, (out, &experiment), &signals)?;
    let verdict = run::verdict(&written, &plan);
    Ok(if is_whole { verdict } else { ExitCode::from(1) })
}

/// The common experiment of all folders.
pub(crate) fn common(folders: &[PathBuf]) -> Result<Experiment> {
    let mut common: Option<Experiment> = None;
    for folder in folders {
        if !folder.join("manifest.json").exists() {
            bail!(UsageError(format!("{} is not a results folder: it has no manifest.json", folder.display())));
        }
        let experiment = Manifest::open(folder)?.experiment;
        match &common {
            Some(first) => same(&folders[0], first, folder, &experiment)?,
            None => common = Some(experiment),
        }
    }
    Ok(common.expect("the command line asks for a folder"))
}

fn same(first: &Path, one: &Experiment, second: &Path, other: &Experiment) -> Result<()> {
    let Some(difference) = one.difference(other) else { return Ok(()) };
    let (first, second) = (first.display(), second.display());
    bail!(UsageError(format!("{first} and {second} are of different experiments: {difference}")))
}

/// The journals of the folders.
pub(crate) fn journals(folders: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
    folders.iter().map(|folder| Folder::new(folder.clone()).journal())
}

/// Copies the files of a journal to another: journal files with their solutions, and sessions. Anything that is not a regular file is
/// refused.
fn gather(from: &Path, to: &Path) -> Result<()> {
    let named = |what: &str, path: &Path| format!("cannot {what} {}", path.display());
    let sources = match list_folder(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        sources => sources.with_context(|| named("read", from))?,
    };
    make_folder(FilePlace::in_subfolder(to))?;
    if fs::canonicalize(from)? == fs::canonicalize(to)? {
        return Ok(());
    }
    for source in sources {
        let target = to.join(source.file_name().unwrap_or_default());
        if source.extension().is_some_and(|extension| extension == "jsonl") {
            let length = fs::symlink_metadata(&source).with_context(|| named("read", &source))?.len();
            let [solutions, copied_solutions] = [&source, &target].map(|path| path.with_extension(SOLUTIONS_SUFFIX));
            // Before the lines: those that are there by now have their solutions, and no copy of a line is ever without.
            if solutions.symlink_metadata().is_ok() {
                copy(&solutions, &copied_solutions, u64::MAX)?;
            }
            copy(&source, &target, length)?;
        } else if is_session(&source) {
            // A small file, which is checked before it is anywhere else; what is not a file is the folder's fault, and no bad input.
            open_regular(FilePlace::in_subfolder(&source)).with_context(|| named("read", &source))?;
            let session = session::read_session(&source)?;
            replace(FilePlace::in_subfolder(&target), |output| -> Result<()> {
                Ok(output.write_all(session.as_bytes())?)
            })?;
        }
    }
    Ok(())
}

/// Copies at most so many bytes of a file that only ever grows. A file with this name in the target was copied earlier, perhaps while it
/// was still growing.
fn copy(source: &Path, target: &Path, limit: u64) -> Result<()> {
    let named = |what: &str| format!("cannot {what} {}", source.display());
    if target.exists() {
        match growth(target, source).with_context(|| named("compare"))? {
            Some(Ordering::Greater) => {}
            Some(Ordering::Less | Ordering::Equal) => return Ok(()),
            None => bail!(
                "{} and {} have the same name but different contents: rename one of them and the other files with its \
                 name, then merge again",
                source.display(),
                target.display()
            ),
        }
    }
    let mut input = open_regular(FilePlace::in_subfolder(source)).with_context(|| named("read"))?.take(limit);
    replace(FilePlace::in_subfolder(target), |output| -> Result<()> {
        io::copy(&mut input, output).map(drop).with_context(|| named("copy"))
    })
}

/// How the length of a file compares with that of an earlier copy, given that files only ever grow; `None` if they are different files.
fn growth(copy: &Path, source: &Path) -> io::Result<Option<Ordering>> {
    let (copied, there) = (fs::symlink_metadata(copy)?.len(), fs::symlink_metadata(source)?.len());
    let open = |path| {
        Ok::<_, io::Error>(BufReader::new(open_regular(FilePlace::in_subfolder(path))?).take(copied.min(there)).bytes())
    };
    for (one, other) in open(copy)?.zip(open(source)?) {
        if one? != other? {
            return Ok(None);
        }
    }
    Ok(Some(there.cmp(&copied)))
}

/// Runs of one configuration on one instance that are not there.
struct Gap {
    /// Which configuration and instance, by their numbers.
    group: (u64, usize),
    name: String,
    runs: u64,
}

/// Reports the missing runs by configuration and instance, and how to do them. True if all are.
///
/// # Errors
/// If a signal came: a plan may have any number of runs.
fn name_missing(
    plan: &Arc<Plan>,
    index: &Index,
    (folder, experiment): (&Path, &Experiment),
    signals: &Signals,
) -> Result<bool> {
    let (mut gaps, mut others): (Vec<Gap>, u64) = (Vec::new(), 0);
    for run in plan.runs() {
        signals.check()?;
        if index.knows(run.id) {
            continue;
        }
        let group = (run.configuration_number, run.instance);
        let has_room = gaps.len() < GAPS_NAMED;
        match gaps.last_mut() {
            Some(gap) if gap.group == group => gap.runs += 1,
            _ if has_room => gaps.push(Gap { group, name: name(plan, &run), runs: 1 }),
            _ => others += 1,
        }
    }
    let n_missing = others + gaps.iter().map(|gap| gap.runs).sum::<u64>();
    if n_missing == 0 {
        return Ok(true);
    }
    line(&format!("error: {} of {} missing", grouped(n_missing), counted(plan.n_runs(), "run")));
    for gap in &gaps {
        line(&format!("  {}: {}", gap.name, counted(gap.runs, "run")));
    }
    if others > 0 {
        line(&format!("  and {} elsewhere", counted(others, "run")));
    }
    let command = run::going_on(
        Schedule::command(plan.spec().schedule.as_ref()),
        Path::new(&experiment.file),
        &experiment.sets,
        Some(folder),
    );
    line(&format!("  do them with\n  {command}"));
    let runner = program::name();
    line(&format!("  or list the missing ones of N shards with `{runner} missing {} --shards N`", shell_word(folder)));
    Ok(false)
}

/// A run's configuration and instance: `huke, population = 100 on huke-01`.
fn name(plan: &Plan, run: &Run) -> String {
    let varied = plan.varied().iter().zip(&run.projection().varied).filter(|(_, value)| !value.is_empty());
    let varied: String = varied.map(|(path, value)| format!(", {path} = {value}")).collect();
    format!("{}{varied} on {}", run.configuration.algorithm, plan.instance(run).id)
}
