//! `runner verify`: whether a results folder holds what it claims.

use std::process::ExitCode;

use anyhow::{Context, Result};
use evogrid_core::budget::Stop;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::random::RandomStream;
use evogrid_results::columns::differences;
use evogrid_results::journal::Index;
use evogrid_results::runs::{Reader, Row};
use evogrid_results::{Record, RunOutcome};
use rayon::prelude::*;

use super::compare::runs_of;
use super::output::print;
use super::usage_error::{UsageError, unreadable};
use crate::cli::VerifyArgs;
use crate::diagnostic::in_one_line;
use crate::execute::describe_failure;
use crate::numbers::counted;
use crate::outputs::Folder;
use crate::replay::{Difference, Instances, Unrepeatable, family, find_instance, identity, read_instances, replay};
use crate::signals::Signals;

/// Faults that are shown.
const FAULTS_SHOWN: usize = 20;

/// What was found so far.
#[derive(Default)]
struct Findings {
    runs: u64,
    /// Solutions that were checked.
    solutions: u64,
    /// Runs with a solution whose family has no objective.
    unchecked: u64,
    /// Runs that cannot be checked or done again by this program on this machine, and why the first cannot.
    unrepeatable: u64,
    first_unrepeatable: Option<String>,
    faults: Vec<String>,
    n_faults: u64,
}

/// Checks every row of `runs.csv` and every solution, and does a sample of the runs again. Exit status 1 if anything is wrong, 2
/// if nothing is and runs cannot be repeated here.
pub(super) fn verify(args: &VerifyArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    Signals::end_process()?;
    if !args.results.is_dir() {
        return Err(UsageError(format!("{} is no results folder", args.results.display())).into());
    }
    let instances = read_instances(&args.results)?;
    let index = Index::read(&Folder::new(args.results.clone()).journal())?;
    let mut found = Findings::default();
    for damage in index.damages() {
        found.fault(format!("{damage}"));
    }
    let path = runs_of(&args.results)?;
    let mut reader = Reader::open(&path).map_err(unreadable)?;
    let (mut row, mut sample) = (Row::default(), Sample::new(args.sample, args.seed));
    while reader.read_over(&mut row).map_err(unreadable)? {
        found.runs += 1;
        let id = row.key.run_id;
        let Some(record) = index.get(id).context("the journal cannot be read")? else {
            found.fault(format!("{id} is in runs.csv and not in the journal"));
            continue;
        };
        let n_faults = found.n_faults;
        check_row(&row, &record, &mut found);
        if let Err(wrong) = check_record(&record, &instances, catalogue, &mut found) {
            if found.is_unrepeatable(&record, &wrong) {
                continue;
            }
            found.fault(format!("{id} on {}: {wrong:#}", record.key.instance));
        }
        // What is known to be wrong is not done again: its settings may be anything, and take any memory and time.
        if record.outcome.stop != Stop::Failed && found.n_faults == n_faults {
            sample.offer(record);
        }
    }
    let repeated: Vec<Result<Vec<Difference>>> =
        sample.kept.par_iter().map(|record| replay(record, &instances, catalogue)).collect();
    let mut again = 0;
    for (record, repeated) in sample.kept.iter().zip(repeated) {
        again += u64::from(repeated.is_ok());
        let what = match repeated {
            Ok(differences) => {
                differences.first().map(|first| format!("{} was {}, now {}", first.column, first.recorded, first.found))
            }
            Err(error) if found.is_unrepeatable(record, &error) => None,
            Err(error) => Some(format!("{error:#}")),
        };
        if let Some(what) = what {
            found.fault(format!("{} on {}, done again: {what}", record.key.run_id, record.key.instance));
        }
    }
    report(&found, again)
}

/// Whether a row says what its record says, but for its times, which it has with three decimals.
fn check_row(row: &Row, record: &Record, found: &mut Findings) {
    let is_same = differences(&row.outcome, &record.outcome).next().is_none();
    if !is_same || row.key.seed != record.key.seed || row.key.repetition != record.key.repetition {
        found.fault(format!("{}: its row in runs.csv is not what the journal says", record.key.run_id));
    }
}

/// Whether a record's identity is that of its settings, instance and seed, and its solution is one.
fn check_record(record: &Record, instances: &Instances, catalogue: &Catalogue, found: &mut Findings) -> Result<()> {
    let stored = find_instance(record, instances)?;
    let id = identity(record, stored, catalogue)?;
    if id != record.key.run_id {
        found.fault(format!("{}: its settings, instance and seed are those of {id}", record.key.run_id));
    }
    let RunOutcome { solved, objective: recorded, .. } = record.outcome;
    let Some(solution) = &record.solution else {
        match (solved, recorded) {
            (true, _) => found.fault(format!("{id}: it is solved and has no solution")),
            (false, Some(_)) => found.fault(format!("{id}: it has an objective and no solution")),
            (false, None) => {}
        }
        return Ok(());
    };
    let Some(objective) = family(stored, catalogue)?.objective() else {
        found.unchecked += 1;
        return Ok(());
    };
    let name = objective.name;
    let wrong = match (objective.measure)(stored.content, solution) {
        Err(wrong) => Some(format!("no solution: {wrong}")),
        Ok(value) if recorded.is_some_and(|recorded| recorded != value) => {
            Some(format!("its solution has {value} {name}, not {}", recorded.unwrap_or_default()))
        }
        // A target that the experiment sets is one of its fitness.
        Ok(value)
            if solved
                && !record.settings.contains_key("budget.target")
                && objective.solved.is_some_and(|at| at != value) =>
        {
            Some(format!("no solution: it has {value} {name}"))
        }
        Ok(_) => None,
    };
    match wrong {
        Some(wrong) => found.fault(format!("{id} on {}: {wrong}", stored.id)),
        None => found.solutions += 1,
    }
    Ok(())
}

fn report(found: &Findings, again: u64) -> Result<ExitCode> {
    let mut text = format!(
        "{} checked: {}, {} done again\n",
        counted(found.runs, "run"),
        counted(found.solutions, "solution"),
        counted(again, "run")
    );
    if found.unchecked > 0 {
        text += &format!("the problem of {} has no check of solutions\n", counted(found.unchecked, "run"));
    }
    for fault in &found.faults {
        text += &format!("wrong: {}\n", in_one_line(fault));
    }
    if found.n_faults > found.faults.len() as u64 {
        text += &format!("and {} more\n", found.n_faults - found.faults.len() as u64);
    }
    if let Some(first) = &found.first_unrepeatable {
        let runs = counted(found.unrepeatable, "run");
        text += &format!("{runs} cannot be repeated here, the first was {}\n", in_one_line(first));
    }
    text += if found.n_faults == 0 { "nothing is wrong\n" } else { "" };
    print(&text)?;
    Ok(ExitCode::from(match (found.n_faults, found.unrepeatable) {
        (0, 0) => 0,
        (0, _) => 2,
        _ => 1,
    }))
}

impl Findings {
    /// Counts a run that cannot be repeated here, if that is what the error says.
    fn is_unrepeatable(&mut self, record: &Record, error: &anyhow::Error) -> bool {
        let Some(Unrepeatable(why)) = error.downcast_ref() else { return false };
        self.unrepeatable += 1;
        self.first_unrepeatable.get_or_insert_with(|| describe_failure(record.key.run_id, &record.key.instance, why));
        true
    }

    fn fault(&mut self, fault: String) {
        self.n_faults += 1;
        if self.faults.len() < FAULTS_SHOWN {
            self.faults.push(fault);
        }
    }
}

/// Some of the records that are offered, each equally likely (Vitter, "Random Sampling with a Reservoir", 1985, algorithm R).
struct Sample {
    size: usize,
    offered: usize,
    kept: Vec<Record>,
    random: RandomStream,
}

impl Sample {
    fn new(size: usize, seed: u64) -> Self {
        Self { size, offered: 0, kept: Vec::new(), random: RandomStream::from_seed(seed) }
    }

    fn offer(&mut self, record: Record) {
        self.offered += 1;
        if self.kept.len() < self.size {
            self.kept.push(record);
            return;
        }
        let place = self.random.below(self.offered);
        if place < self.size {
            self.kept[place] = record;
        }
    }
}
