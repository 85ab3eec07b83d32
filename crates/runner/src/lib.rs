//! Experiments: one TOML file becomes a plan, the plan becomes runs over all cores, and the runs become files.
//!
//! A researcher's own operators, algorithms and problems need a `main.rs` of a few lines: make the catalogue, add to it, and
//! hand it to [`main`].
//!
//! ```no_run
//! # use evogrid_operators::mutation::rotation::MEMBER as MY_MUTATION;
//! fn main() -> std::process::ExitCode {
//!     let mut catalogue = evogrid_runner::catalogue();
//!     catalogue.operators.mutations.add(MY_MUTATION);
//!     evogrid_runner::main(catalogue)
//! }
//! ```

pub mod claims;
pub mod cli;
pub mod clock;
pub mod commands;
pub mod data_set;
pub mod diagnostic;
pub mod document;
pub mod execute;
pub mod experiment;
pub mod experiment_error;
pub mod external;
pub mod instances;
pub mod manifest;
mod numbers;
pub mod outputs;
pub mod plan;
pub mod progress;
mod queue;
pub mod replay;
pub mod report;
pub mod settings_json;
pub mod shard;
mod shell;
pub mod signals;
pub mod spec;
pub mod steps;
pub mod trace;
pub mod watch;

use std::process::ExitCode;

use evogrid_core::catalogue::Catalogue;

use crate::diagnostic::Diagnostics;

/// Everything that ships: the core's algorithms and external programs, exact solvers (with the feature `solvers`), operators and
/// families of problems. A researcher adds his own to it.
#[must_use]
pub fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::new();
    #[cfg(feature = "solvers")]
    evogrid_solvers::register(&mut catalogue);
    external::register(&mut catalogue);
    evogrid_operators::register(&mut catalogue.operators);
    for family in evogrid_problems::families() {
        catalogue.add_family(family);
    }
    catalogue
}

/// Runs the command line with what this catalogue holds, and says how it went: 0 done, 1 some runs failed or the system
/// failed us, 2 bad usage or a bad file, 130 or 143 interrupted.
#[must_use]
pub fn main(catalogue: Catalogue) -> ExitCode {
    let cli = cli::Cli::read(std::env::args_os().collect(), &catalogue);
    match commands::execute(cli, catalogue) {
        Ok(status) => status,
        Err(error) => {
            let is_misuse = error.is::<Diagnostics>() || error.is::<commands::UsageError>();
            match error.downcast_ref::<Diagnostics>() {
                Some(diagnostics) => progress::line(diagnostics.to_string().trim_end()),
                None => progress::line(&format!("error: {error:#}")),
            }
            if let Some(failed) = error.downcast_ref::<experiment_error::ExperimentError>() {
                progress::line(&format!("  {}", failed.help));
            }
            ExitCode::from(if is_misuse { 2 } else { 1 })
        }
    }
}
