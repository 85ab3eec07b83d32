#![doc = include_str!("../README.md")]
//!
//! [`main`] is the entry point of the binary `runner`. [`arguments`] reads the arguments, and [`commands`] executes the command. To use
//! your own operators, algorithms and problems, write a short `main.rs`. The function in `main.rs` makes the catalogue, adds your members,
//! and passes the catalogue to [`main`].
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
#[cfg_attr(not(feature = "charts"), expect(dead_code, reason = "charts and the report use this module"))]
mod intake;
mod live;
mod manifest_outline;
mod messages;
#[cfg_attr(not(feature = "charts"), expect(dead_code, reason = "charts and the report use this module"))]
mod opened;
mod planned_analysis;
#[cfg(feature = "charts")]
mod report;
mod usage_error;

use std::process::ExitCode;

use evogrid_core::catalogue::Catalogue;
use evogrid_runner::engine::experiment_error::{self, ExperimentError};
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::{external, system};

use crate::messages::line;

/// Returns the catalogue of everything that ships with Evogrid. The catalogue contains the algorithms of the core, external programs,
/// operators and problem families. With the feature `solvers`, the catalogue also contains exact solvers. A researcher can add members to
/// the returned catalogue.
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

/// Runs the command line with this catalogue, and returns the exit status. The exit status 0 means success. The exit status 1 means failed
/// runs or a system error. The exit status 2 means wrong usage or an invalid file. After an interruption, the exit status is 129, 130 or
/// 143.
pub fn main(catalogue: Catalogue) -> ExitCode {
    system::platform::survive_the_limit_on_file_size();
    // A researcher may have added an algorithm after the families.
    catalogue.check_names();
    let arguments: Vec<_> = std::env::args_os().collect();
    arguments.first().inspect(|path| system::program::called(path.as_ref()));
    let cli = arguments::Cli::read(arguments, &catalogue);
    match commands::execute(cli, catalogue) {
        Ok(status) => status,
        Err(error) => {
            let (is_usage_error, help) = usage_error::correction(&error);
            match error.downcast_ref::<Diagnostics>() {
                Some(diagnostics) => line(diagnostics.to_string().trim_end()),
                None => line(&format!("error: {}", experiment_error::describe(&error))),
            }
            let failed = error.downcast_ref::<ExperimentError>();
            if let Some(help) = failed.map(|failed| failed.help.clone()).or(help) {
                line(&format!("  {help}"));
            }
            ExitCode::from(if is_usage_error { 2 } else { 1 })
        }
    }
}
