#![doc = include_str!("../README.md")]
//!
//! [`main`] is the binary `runner`: [`arguments`] reads its arguments, and each of [`commands`] does one of them. A researcher's own
//! operators, algorithms and problems need a `main.rs` of a few lines: make the catalogue, add to it, and pass it to [`main`].
//!
//! ```no_run
//! # use evogrid_operators::mutation::rotation::MEMBER as MY_MUTATION;
//! fn main() -> std::process::ExitCode {
//!     let mut catalogue = evogrid_cli::catalogue();
//!     catalogue.operators.mutations.add(MY_MUTATION);
//!     evogrid_cli::main(catalogue)
//! }
//! ```

pub mod arguments;
pub mod commands;
mod intake;
mod live;
mod manifest_outline;
mod messages;
pub mod opened;
mod opened_runs;
mod planned_analysis;
#[cfg(feature = "charts")]
pub mod report;
mod usage_error;

use std::process::ExitCode;

use evogrid_core::catalogue::Catalogue;
use evogrid_runner::engine::{experiment_error, progress::line, replay};
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::{external, system};

/// Everything that ships with Evogrid: the algorithms of the core, external programs, exact solvers (with the feature `solvers`),
/// operators and families of problems. Researchers can add their own members.
pub fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::new();
    #[cfg(feature = "solvers")]
    evogrid_solvers::register(&mut catalogue);
    external::register(&mut catalogue);
    evogrid_operators::register(&mut catalogue.operators);
    for family in evogrid_problems::families() {
        catalogue.add_family(family);
    }
    catalogue.add_family(Box::new(external::ExternalFamily));
    catalogue
}

/// Runs the command line with this catalogue, and returns the exit status: 0 done; 1 some runs failed, or a system error; 2 wrong usage
/// or an invalid file; 129, 130 or 143 interrupted.
pub fn main(catalogue: Catalogue) -> ExitCode {
    system::platform::survive_the_limit_on_file_size();
    // A researcher's algorithm may have come after the families.
    catalogue.check_names();
    let arguments: Vec<_> = std::env::args_os().collect();
    arguments.first().inspect(|path| system::program::called(path.as_ref()));
    let cli = arguments::Cli::read(arguments, &catalogue);
    match commands::execute(cli, catalogue) {
        Ok(status) => status,
        Err(error) => {
            let is_usage_error = error.is::<Diagnostics>()
                || error.is::<commands::UsageError>()
                || error.is::<replay::Unrepeatable>()
                || error.is::<replay::UnaskedProgram>();
            match error.downcast_ref::<Diagnostics>() {
                Some(diagnostics) => line(diagnostics.to_string().trim_end()),
                None => line(&format!("error: {}", experiment_error::describe(&error))),
            }
            if let Some(failed) = error.downcast_ref::<experiment_error::ExperimentError>() {
                line(&format!("  {}", failed.help));
            }
            ExitCode::from(if is_usage_error { 2 } else { 1 })
        }
    }
}
