//! `runner merge`: joins shards of an experiment, from any folders, into one results folder.

use std::cmp::Ordering;
use std::fs;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::files::{FilePlace, list_folder, make_folder, open_regular, replace};
use evogrid_results::journal::{Index, SOLUTIONS_SUFFIX};

use crate::arguments::MergeArgs;
use crate::commands::experiment::run;
use crate::messages::{UsageError, counted, going_on, grouped, line, rendered};
use evogrid_runner::engine::carry_out::report_damages;
use evogrid_runner::engine::execute::Tally;
use evogrid_runner::engine::folder::manifest::{self, Manifest};
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::folder::session::{self, is_session};
use evogrid_runner::engine::signals::{Interruption, Signals};
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::schedule::Schedule;
use serde_json::json;

/// A message names at most this many groups of missing runs.
const GAPS_NAMED: usize = 10;

/// Joins the folders. The exit status is 1 if runs are missing or failed.
pub(crate) fn merge(args: &MergeArgs, catalogue: Catalogue) -> Result<ExitCode> {
    join(args, catalogue).or_else(|error| match error.downcast_ref() {
        Some(Interruption(signal)) => {
            line("interrupted: every file is unchanged or complete; run the same command again");
            Ok(ExitCode::from(signal.exit_status()))
        }
        None => Err(error),
    })
}

fn join(args: &MergeArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let out = match (&args.out, args.folders.as_slice()) {
        (Some(out), _) => out,
        (None, [alone]) => alone,
        (None, _) => {
            return Err(UsageError("to merge several folders, name a new folder with `--out`".to_owned()).into());
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

/// Returns the common experiment of all folders.
pub(crate) fn common(folders: &[PathBuf]) -> Result<Experiment> {
    let open = |folder: &PathBuf| {
        let message = || UsageError(format!("{} is not a results folder: it has no manifest.json", folder.display()));
        ensure!(folder.join("manifest.json").exists(), message());
        Ok(Manifest::open(folder)?.experiment)
    };
    let first = open(&folders[0])?;
    folders[1..].iter().try_for_each(|folder| same(&folders[0], &first, folder, &open(folder)?))?;
    Ok(first)
}

fn same(first: &Path, one: &Experiment, second: &Path, other: &Experiment) -> Result<()> {
    let Some(difference) = one.difference(other) else { return Ok(()) };
    let (first, second) = (first.display(), second.display());
    bail!(UsageError(format!("{first} and {second} belong to different experiments: {difference}")))
}

/// The journals of the folders.
pub(crate) fn journals(folders: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
    folders.iter().map(|folder| Folder::new(folder.clone()).journal())
}

/// Copies the files of a journal to another journal: journal files with their solutions, and sessions. A path that is not a regular file is
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
            // Solutions are copied before the lines, so each copied line has its solution.
            if solutions.symlink_metadata().is_ok() {
                copy(&solutions, &copied_solutions, u64::MAX)?;
            }
            copy(&source, &target, length)?;
        } else if is_session(&source) {
            // The file is small, so it is checked before it is copied.
            open_regular(FilePlace::in_subfolder(&source)).with_context(|| named("read", &source))?;
            let session = session::read_session(&source)?;
            replace(FilePlace::in_subfolder(&target), |output| -> Result<()> {
                Ok(output.write_all(session.as_bytes())?)
            })?;
        }
    }
    Ok(())
}

/// Copies at most `limit` bytes of a file that only grows. A file at the target is an earlier copy, perhaps of a shorter file.
fn copy(source: &Path, target: &Path, limit: u64) -> Result<()> {
    let named = |what: &str| format!("cannot {what} {}", source.display());
    if target.exists() {
        match growth(target, source).with_context(|| named("compare"))? {
            Some(Ordering::Greater) => {}
            Some(Ordering::Less | Ordering::Equal) => return Ok(()),
            None => bail!(
                "{} and {} have the same name but different contents: rename one of these two files; \
                 if its folder also contains a file with the same name and another extension, rename this file in the same way; \
                 then merge again",
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

/// Compares the length of a file, which only grows, with the length of an earlier copy. Returns `None` if the contents differ.
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

/// Reports the missing runs of each configuration and instance, and the command that does the missing runs. Returns true if no run is
/// missing.
///
/// # Errors
/// If a signal arrives. The search may take long, since a plan may have any number of runs.
fn name_missing(
    plan: &Arc<Plan>,
    index: &Index,
    (folder, experiment): (&Path, &Experiment),
    signals: &Signals,
) -> Result<bool> {
    // The missing runs of one configuration on one instance are a gap: its numbers, its name, and its number of runs.
    let (mut gaps, mut others) = (Vec::new(), 0);
    for run in plan.runs() {
        signals.check()?;
        if index.knows(run.id) {
            continue;
        }
        let place = (run.configuration_number, run.instance);
        let has_room = gaps.len() < GAPS_NAMED;
        match gaps.last_mut() {
            Some((other, _, n_runs)) if *other == place => *n_runs += 1,
            _ if has_room => gaps.push((place, name(plan, &run), 1)),
            _ => others += 1,
        }
    }
    let n_missing = others + gaps.iter().map(|(.., n_runs)| n_runs).sum::<u64>();
    if n_missing == 0 {
        return Ok(true);
    }
    let (command, file) = (Schedule::command(plan.spec().schedule.as_ref()), Path::new(&experiment.file));
    let values = json!({
        "n_missing": grouped(n_missing),
        "n_runs": plan.n_runs(),
        "gaps": gaps.iter().map(|(_, name, n_runs)| (name, n_runs)).collect::<Vec<_>>(),
        "others": others,
        "go_on": going_on(command, file, &experiment.sets, Some(folder)),
        "folder": folder,
    });
    line(rendered!("merge/missing.txt", values).trim_end());
    Ok(false)
}

/// The name of a run's configuration and instance: `huke, population = 100 on huke-01`.
fn name(plan: &Plan, run: &Run) -> String {
    let varied = plan.varied().iter().zip(&run.projection().varied).filter(|(_, value)| !value.is_empty());
    let varied: String = varied.map(|(path, value)| format!(", {path} = {value}")).collect();
    format!("{}{varied} on {}", run.configuration.algorithm, plan.instance(run).id)
}
