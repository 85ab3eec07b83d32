//! `runner verify`: checks a results folder and every result in it.

mod findings;
mod manifest;
mod record;
mod repetition;
mod rows;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::BestKnownStatus;
use evogrid_results::Record;
use evogrid_results::files::{list_folder, random_bits};
use evogrid_results::journal::{Index, SESSION_SUFFIX};

use crate::arguments::VerifyArgs;
use crate::intake::runs_of;
use crate::messages::{UsageError, counted, grouped, print};
use evogrid_runner::engine::folder::comparison::differences;
use evogrid_runner::engine::folder::manifest::Manifest;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::replay::Unrepeatable;
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::{Plan, Run, has_time_limit};
use evogrid_runner::external::{self, ProgramPolicy};

use findings::Findings;
use record::check_record;
use repetition::Sample;

/// If a plan has this many times more runs than records, its runs are not checked one by one, since the plan is unfinished or forged.
const PLAN_EXCESS: u64 = 1000;

/// If a plan has at most this many runs, each of its runs is always checked.
const SMALL_PLAN: u64 = 50_000_000;

/// The longest time for repeating runs: a century, which every clock can count.
const LONGEST_SECONDS: u64 = 100 * 366 * 24 * 3600;

/// Examines a results folder and prints the findings. The exit status is 1 if something is wrong. The exit status is 2 if nothing is wrong,
/// but some runs were not repeated or cannot be repeated.
pub(crate) fn verify(args: &VerifyArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let made = std::env::temp_dir().join(format!("evogrid-verify-{:016x}", random_bits()));
    let removed = made.clone();
    Signals::end_process(move || drop(fs::remove_dir_all(&removed)))?;
    let examined = examine(args, &Arc::new(catalogue), &made);
    let _ = fs::remove_dir_all(&made);
    let (report, status) = examined?;
    print(&report)?;
    Ok(ExitCode::from(status))
}

/// Examines a results folder. The function uses the manifest and the journal to make the files of the results folder again. The function
/// writes the new files to the folder `made`. After this, the function compares the old files with the new files. The function also checks
/// every record, and repeats a sample of the runs. Returns the text to print, and the exit status.
///
/// # Errors
/// Returns an error if the folder cannot be examined, or if a signal interrupts the process.
pub fn examine(args: &VerifyArgs, catalogue: &Arc<Catalogue>, made: &Path) -> Result<(String, u8)> {
    let results = &args.results;
    ensure!(results.is_dir(), UsageError(format!("{} is not a results folder", results.display())));
    let experiment = Manifest::open(results)?.experiment;
    let journal = Folder::new(results.clone()).journal();
    let mut index = Index::read(&journal)?;
    let runs = runs_of(results)?;
    let mut found = Findings::default();
    let unreadable = rows::prefer_recorded(&runs, &mut index, &mut found)?;
    let index = Arc::new(index);
    let (plan, unknown) = experiment
        .plan_known(Arc::clone(catalogue))
        .with_context(|| format!("{} cannot be planned", results.join("manifest.json").display()))?;
    let plan = Arc::new(plan);
    if let Some(conflict) = index.conflict()? {
        found.faults.add(conflict);
    } else {
        check_journal(&plan, &index, args, unknown.is_none(), &mut found)?;
        if let Some(why) = unknown {
            rows::compare(&runs, (&plan, &why.to_string()), &index, &mut found)?;
        } else {
            if found.is_of_other_version {
                rows::compare(&runs, (&plan, ""), &index, &mut found)?;
            } else if found.runs > 0 || !found.is_unfinished {
                check_files(&plan, &index, [results, made], &mut found)?;
            }
            manifest::check_experiment(&experiment, &plan, &mut found);
        }
    }
    note_foreign_files(&journal, &mut found)?;
    // The comparison with the files written again describes such a fault better.
    if let Some(error) = unreadable.filter(|_| found.faults.n_lines == 0) {
        found.faults.add(error);
    }
    Ok((found.report(), found.exit_status()))
}

/// Checks every record of the plan, and repeats a sample of the runs.
fn check_journal(
    plan: &Arc<Plan>,
    index: &Arc<Index>,
    args: &VerifyArgs,
    is_all_known: bool,
    found: &mut Findings,
) -> Result<()> {
    let (n_runs, n_known) = (plan.n_runs(), index.n_known() as u64);
    if n_runs > SMALL_PLAN && n_runs / PLAN_EXCESS > n_known {
        let runs = counted(n_runs, "run");
        found.unfinished(format!("unfinished: at most {} of {runs} are in the journal", grouped(n_known)));
        return Ok(());
    }
    // A forger must not know which runs are repeated.
    let seed = args.seed.unwrap_or_else(|| random_bits() >> 32);
    let mut sample = Sample::new(args.sample, seed);
    let mut is_planned = vec![false; index.n_known()];
    // If a component has a version above 1, the journal may have its runs under the identities of another version.
    let (mut n_missing, mut first_missing, mut is_of_versions) = (0, None, true);
    for run in plan.runs() {
        let (Some(number), Some(record)) =
            (index.number(run.id), index.get(run.id).context("cannot read the journal")?)
        else {
            n_missing += 1;
            is_of_versions &= !versions(plan, &run).is_empty();
            first_missing.get_or_insert(run);
            continue;
        };
        is_of_versions &= versions(plan, &run).is_empty();
        is_planned[number] = true;
        found.runs += 1;
        // A wrong record is not repeated: its run may need any amount of memory and time.
        let (recorded, policy) = ((&record, index.is_of_session(run.id)), args.programs.policy());
        let is_right = check_record(plan, &run, recorded, policy, found);
        if is_right && found.may_be_repeated(&run, &record, policy) {
            sample.offer(run);
        }
    }
    let n_foreign = is_planned.iter().filter(|is_planned| is_all_known && !**is_planned).count() as u64;
    drop(is_planned);
    if let Some(run) = first_missing.filter(|_| n_foreign > 0 && is_of_versions) {
        let Unrepeatable(why) = Unrepeatable::because_of(&versions(plan, &run));
        found.is_of_other_version = true;
        found.unrepeatable(n_missing, (run.id, plan.instance(&run).id), &why);
    } else if n_missing > 0 {
        let runs = counted(n_runs, "run");
        found.unfinished(format!("unfinished: {} of {runs} are in the journal", grouped(n_runs - n_missing)));
    }
    found.count_records(index, n_foreign);
    if args.sample > 0 {
        found.drawn_seed = Some(seed).filter(|_| args.seed.is_none() && sample.offered > sample.runs.len());
        repetition::repeat_sample(
            (plan, index),
            &sample,
            Duration::from_secs(args.seconds.min(LONGEST_SECONDS)),
            found,
        );
    }
    Ok(())
}

/// The components of a run that have a version above 1, with these versions.
fn versions(plan: &Plan, run: &Run) -> Vec<(String, u32)> {
    let family = plan.family(run).map(|family| family.declaration().versions()).unwrap_or_default();
    [family, plan.catalogue().versions(&run.projection().settings)].concat()
}

/// Writes the files again into the folder `again`, and compares the files of the results folder with them.
fn check_files(plan: &Arc<Plan>, index: &Index, [results, again]: [&Path; 2], found: &mut Findings) -> Result<()> {
    fs::create_dir(again).with_context(|| format!("cannot create {}", again.display()))?;
    let made = Folder::new(again.to_owned()).write_indexed(plan, index, &Signals::default())?;
    for difference in differences(results, again)? {
        found.faults.add(difference);
    }
    if made.untraced > 0 {
        let runs = counted(made.untraced, "run");
        found.notes.add(format!("for {runs}, the trace is missing or lacks points that the experiment records"));
    }
    made.beaten.lines(plan, BestKnownStatus::Best).into_iter().for_each(|news| found.notes.add(news));
    manifest::check_facts(results, (plan, index), &made, found)
}

/// Notes journal files without a session file.
fn note_foreign_files(journal: &Path, found: &mut Findings) -> Result<()> {
    let files = match list_folder(journal) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            found.faults.add(format!("{} is missing", journal.display()));
            return Ok(());
        }
        files => files.with_context(|| format!("cannot read {}", journal.display()))?,
    };
    let is_foreign = |path: &PathBuf| {
        let is_journal = path.extension().is_some_and(|extension| extension == "jsonl");
        is_journal && path.with_extension(SESSION_SUFFIX).symlink_metadata().is_err()
    };
    let foreign: Vec<PathBuf> = files.into_iter().filter(is_foreign).collect();
    if let Some(first) = foreign.first() {
        let files = counted(foreign.len() as u64, "journal file");
        found.notes.add(format!(
            "it is unknown which program wrote {files}, because the session file is missing; the first of these files is {}",
            first.display()
        ));
    }
    Ok(())
}

impl Findings {
    /// Whether a run may be drawn for the sample of repeated runs. If a failed run is repeated, it could end this process. The outcome of a
    /// run with a time limit differs between machines.
    fn may_be_repeated(&mut self, run: &Run, record: &Record, policy: ProgramPolicy) -> bool {
        if record.message.is_some() {
            return false;
        }
        if let (Some(command), ProgramPolicy::Refuse) = (external::command(&run.projection().settings), policy) {
            self.unasked(command);
            return false;
        }
        let depends_on_speed = has_time_limit(&run.projection().settings);
        self.timed += u64::from(depends_on_speed);
        !depends_on_speed
    }
}
