//! The commands of the command line.

mod arguments;
mod experiment;
mod folder;
mod instance;
mod reference;
mod results;

pub use crate::usage_error::UsageError;
pub use folder::verify::examine;

use std::process::ExitCode;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;

use crate::arguments::{Cli, Command, ExternalCommand};

/// The error message of `plot` and `report` in a program that was built without charts.
#[cfg(not(feature = "charts"))]
const WITHOUT_CHARTS: &str = "this program was built without charts and reports\n  add `features = \
    [\"charts\"]` to the dependency `evogrid` in the program's Cargo.toml, or draw the results with `runner`";

/// Executes the command that the arguments name.
///
/// # Errors
/// Returns an error if the command fails. Some errors, such as [`Diagnostics`](evogrid_runner::experiment::diagnostic::Diagnostics) and
/// [`UsageError`], have a cause that the user can correct. If the user can correct the cause of an error, the exit status is 2.
pub fn execute(cli: Cli, catalogue: Catalogue) -> Result<ExitCode> {
    match cli.command {
        Command::Init(args) => experiment::init::init(&args, &catalogue)?,
        Command::Run(args) => return experiment::run::run(&args, catalogue),
        Command::Tune(args) => return experiment::tune::tune(&args, catalogue),
        Command::Check(args) => experiment::check::check(&args, catalogue)?,
        Command::Plan(args) => experiment::plan::plan(&args, catalogue)?,
        Command::External(ExternalCommand::Show(args)) => experiment::external::show(&args, catalogue)?,
        Command::External(ExternalCommand::Test(args)) => return experiment::external::test(&args, catalogue),
        Command::Space(args) => experiment::space::space(&args, catalogue)?,
        Command::Target(args) => return experiment::target::target(&args, catalogue),
        Command::Answer(args) => results::answer::answer(&args, &catalogue)?,
        Command::Compare(args) => results::table::compare(&args, &catalogue)?,
        Command::Effects(args) => results::table::effects(&args, &catalogue)?,
        Command::Table(args) => results::table::table(&args, &catalogue)?,
        #[cfg(feature = "charts")]
        Command::Plot(args) => results::plot::plot(&args, &catalogue)?,
        Command::Export(args) => results::export::export(&args, &catalogue)?,
        Command::Import { folders, out } => results::export::import(&folders, &out)?,
        Command::List(args) => reference::list::list(&args, &catalogue)?,
        Command::Generate(args) => instance::generate::generate(&args, &catalogue)?,
        Command::Solve(args) => return instance::solve::solve(&args, &catalogue),
        Command::Rate(args) => instance::rate::rate(&args, &catalogue)?,
        Command::Live(args) => return results::live::live(&args, catalogue),
        Command::Merge(args) => return folder::merge::merge(&args, catalogue),
        Command::Clean { results, yes } => return folder::clean::clean(results, yes, catalogue),
        Command::Missing { folders, shards } => folder::missing::missing(&folders, shards, catalogue)?,
        Command::Replay(args) => return folder::replay::replay(&args, &catalogue),
        Command::Verify(args) => return folder::verify::verify(&args, catalogue),
        #[cfg(feature = "charts")]
        Command::Report(args) => crate::report::report(&args, &catalogue)?,
        #[cfg(not(feature = "charts"))]
        Command::Plot(_) | Command::Report(_) => return Err(UsageError(WITHOUT_CHARTS.to_owned()).into()),
        Command::Reproduce(args) => return experiment::reproduce::reproduce(&args, catalogue),
        Command::Slurm(args) => experiment::slurm::slurm(&args, catalogue)?,
        Command::Schema { format } => reference::schema::schema(format, &catalogue)?,
        Command::Completions { shell } => reference::installation::completions(shell, &catalogue)?,
        Command::Man { out } => reference::installation::man(&out, &catalogue)?,
    }
    Ok(ExitCode::SUCCESS)
}
