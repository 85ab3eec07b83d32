//! Commands: what each word on the command line does.

mod check;
mod compare;
mod completions;
mod export;
mod generate;
mod list;
mod merge;
mod missing;
mod plan;
mod plot;
mod rate;
mod replay;
mod report;
mod reproduce;
mod run;
mod schema;
mod slurm;
mod solve;
mod table;
mod verify;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use evogrid_core::suggestion::one_of;
use evogrid_results::ReadError;

use crate::cli::{Cli, Command, ExperimentArgs};
use crate::diagnostic::{Diagnostics, printable};
use crate::spec::Spec;
use crate::words::{counted, grouped, stand, word};

/// Does what the command line asks.
///
/// # Errors
/// What went wrong. [`Diagnostics`] and [`UsageError`] are the user's to mend (exit status 2), everything else is not.
pub fn execute(cli: Cli, catalogue: Catalogue) -> Result<ExitCode> {
    match cli.command {
        Command::Run(args) => run::run(&args, catalogue),
        Command::Check(args) => check::check(&args, &catalogue),
        Command::Plan(args) => plan::plan(&args, catalogue),
        Command::Compare(args) => compare::compare(&args),
        Command::Table(args) => table::table(&args),
        Command::Plot(args) => plot::plot(&args),
        Command::Export(args) => export::export(&args, &catalogue),
        Command::List(args) => list::list(&args, &catalogue),
        Command::Generate(args) => generate::generate(&args, &catalogue),
        Command::Solve(args) => solve::solve(&args, &catalogue),
        Command::Rate(args) => rate::rate(&args, &catalogue),
        Command::Merge(args) => merge::merge(&args, catalogue),
        Command::Missing(args) => missing::missing(&args, catalogue),
        Command::Replay(args) => replay::replay(&args, &catalogue),
        Command::Verify(args) => verify::verify(&args, &catalogue),
        Command::Report(args) => report::report(&args, &catalogue),
        Command::Reproduce(args) => reproduce::reproduce(&args, catalogue),
        Command::Slurm(args) => slurm::slurm(&args, catalogue),
        Command::Schema => schema::schema(&catalogue),
        Command::Completions(args) => completions::completions(&args, &catalogue),
    }
}

/// A request that cannot be met as it stands.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// A file that the user named cannot be read as what it should be.
fn unreadable(error: ReadError) -> UsageError {
    UsageError(format!("{:#}", anyhow::Error::from(error)))
}

/// A results folder whose files were not made yet.
fn unmade(results: &Path, lacks: &str) -> UsageError {
    let (folder, word) = (results.display(), word(results));
    UsageError(format!(
        "{folder} has {lacks}\n  an experiment that was interrupted is run to its end; `runner merge {word}` makes the files of what is \
         there"
    ))
}

/// The family of that name; the first one where none is named.
fn family<'c>(name: Option<&str>, catalogue: &'c Catalogue) -> Result<&'c dyn Family, UsageError> {
    let Some(name) = name else {
        return catalogue.families().next().ok_or_else(|| UsageError("there is no family of problems here".to_owned()));
    };
    catalogue.family(name).ok_or_else(|| {
        let names: Vec<&str> = catalogue.families().map(|family| family.declaration().name).collect();
        UsageError(format!("unknown problem `{name}`\n  {}", one_of(name, &names)))
    })
}

fn load(args: &ExperimentArgs, catalogue: &Catalogue) -> Result<Spec, Diagnostics> {
    Spec::load(&args.experiment, &args.sets, catalogue)
}

/// Threads to use: `--jobs`, else what a scheduler grants, else the cores there are.
fn jobs(asked: Option<u16>) -> usize {
    let granted = |name: &str| std::env::var(name).ok()?.parse().ok().filter(|&jobs: &usize| jobs > 0);
    asked
        .map(usize::from)
        .or_else(|| granted("SLURM_CPUS_PER_TASK"))
        .or_else(|| granted("SLURM_CPUS_ON_NODE"))
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Writes text for people to standard output, whatever stands in it made [printable].
fn print(text: &str) -> io::Result<()> {
    print_as_it_is(&printable(text))
}

/// Writes to standard output what cannot steer a terminal, or does so on purpose: tables, colours, files for other programs. A
/// reader who has seen enough and closed it is no error.
fn print_as_it_is(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
