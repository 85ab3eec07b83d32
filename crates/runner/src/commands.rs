//! Commands: what each word on the command line does.

mod arguments;
mod check;
mod compare;
mod completions;
mod export;
mod generate;
mod init;
mod list;
mod live;
mod man;
mod merge;
mod missing;
mod output;
mod plan;
#[cfg(feature = "charts")]
mod plot;
mod rate;
mod replay;
#[cfg(feature = "charts")]
mod report;
mod reproduce;
mod run;
mod schema;
mod slurm;
mod solve;
mod table;
mod usage_error;
mod verify;
#[cfg(not(feature = "charts"))]
mod without_charts;

pub use usage_error::UsageError;
pub use verify::examine;

use std::process::ExitCode;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;

use crate::cli::{Cli, Command};
#[cfg(not(feature = "charts"))]
use {without_charts as plot, without_charts as report};

/// Does what the command line asks.
///
/// # Errors
/// What went wrong. [`Diagnostics`](crate::diagnostic::Diagnostics) and [`UsageError`] are the user's to mend (exit status 2),
/// everything else is not.
pub fn execute(cli: Cli, catalogue: Catalogue) -> Result<ExitCode> {
    match cli.command {
        Command::Init(args) => init::init(&args, &catalogue),
        Command::Run(args) => run::run(&args, catalogue),
        Command::Check(args) => check::check(&args, catalogue),
        Command::Plan(args) => plan::plan(&args, catalogue),
        Command::Compare(args) => compare::compare(&args, &catalogue),
        Command::Table(args) => table::table(&args, &catalogue),
        Command::Plot(args) => plot::plot(&args, &catalogue),
        Command::Export(args) => export::export(&args, &catalogue),
        Command::List(args) => list::list(&args, &catalogue),
        Command::Generate(args) => generate::generate(&args, &catalogue),
        Command::Solve(args) => solve::solve(&args, &catalogue),
        Command::Rate(args) => rate::rate(&args, &catalogue),
        Command::Live(args) => live::live(&args, catalogue),
        Command::Merge(args) => merge::merge(&args, catalogue),
        Command::Missing(args) => missing::missing(&args, catalogue),
        Command::Replay(args) => replay::replay(&args, &catalogue),
        Command::Verify(args) => verify::verify(&args, catalogue),
        Command::Report(args) => report::report(&args, &catalogue),
        Command::Reproduce(args) => reproduce::reproduce(&args, catalogue),
        Command::Slurm(args) => slurm::slurm(&args, catalogue),
        Command::Schema(args) => schema::schema(&args, &catalogue),
        Command::Completions(args) => completions::completions(&args, &catalogue),
        Command::Man(args) => man::man(&args, &catalogue),
    }
}
