#![doc = include_str!("../README.md")]
//!
//! # How an experiment runs
//!
//! | step | module | what it does |
//! | --- | --- | --- |
//! | document | [`document`] | parses the TOML, and keeps the place of every key and value for messages |
//! | spec | [`spec`] | reads what the file asks for, loads its instances, resolves the settings of its algorithms; all errors at once |
//! | plan | [`plan`] | numbers the runs and makes each when it is asked for; ten million of them take no memory |
//! | queue | `queue` | finds the runs that the journal does not hold yet |
//! | execution | [`execute`](mod@execute) | does them on all cores; each finished run is a record in the journal at once |
//! | outputs | [`outputs`] | makes `runs.csv`, `summary.csv` and the traces from the journal |
//!
//! [`experiment::carry_out`] goes from the plan to the outputs, and writes the [`manifest`]: what was asked, by which code, on which
//! machine. A run is known by the hash of all that determines its outcome, so the same call again does only what is left. A
//! [`shard`] is the part of a plan that one of several processes does.
//!
//! ```
//! use std::{fs, sync::Arc};
//!
//! use evogrid_runner::execute::ExecutionOptions;
//! use evogrid_runner::experiment::{ExperimentOptions, ExperimentOutcome, carry_out};
//! use evogrid_runner::{outputs::Folder, plan::Plan, signals::Signals, spec::Spec};
//!
//! # fn main() -> anyhow::Result<()> {
//! let catalogue = evogrid_runner::catalogue();
//! let family = catalogue.families().next().expect("a family of problems");
//! let (problem, column, preset) = (family.declaration().name, family.text_column(), family.presets()[0].0);
//! let folder = tempfile::tempdir()?;
//! fs::write(folder.path().join("instances.csv"), format!("id,{column}\nsmall,1...............\n"))?;
//! let file = folder.path().join("experiment.toml");
//! fs::write(&file, format!(r#"
//!     experiment = {{ name = "first", seed = 1, repetitions = 3 }}
//!     instances = [{{ problem = "{problem}", path = "instances.csv" }}]
//!     algorithms.published = {{ preset = "{preset}" }}
//! "#))?;
//!
//! let spec = Spec::load(&file, &[], &catalogue)?;
//! let plan = Arc::new(Plan::new(spec, catalogue));
//! let options = ExperimentOptions {
//!     file: &file,
//!     sets: &[],
//!     folder: &Folder::new(folder.path().join("results")),
//!     execution: ExecutionOptions { jobs: 2, shard: None, is_fail_fast: false, timing: None },
//!     quiet: true,
//!     fresh: false,
//!     overwrite: false,
//!     signals: &Signals::default(),
//! };
//! let ExperimentOutcome::Done(written) = carry_out(&plan, &options)? else { panic!("nothing stopped it") };
//! assert_eq!((written.runs, written.failed), (3, 0));
//! assert_eq!(fs::read_to_string(folder.path().join("results/runs.csv"))?.lines().count(), 1 + 3);
//! # Ok(())
//! # }
//! ```
//!
//! # The command line
//!
//! [`main`] is the binary `runner`: [`cli`] reads its arguments, and each of [`commands`] does one of them. A researcher's own
//! operators, algorithms and problems need a `main.rs` of a few lines: make the catalogue, add to it, and hand it to [`main`].
//!
//! ```no_run
//! # use evogrid_operators::mutation::rotation::MEMBER as MY_MUTATION;
//! fn main() -> std::process::ExitCode {
//!     let mut catalogue = evogrid_runner::catalogue();
//!     catalogue.operators.mutations.add(MY_MUTATION);
//!     evogrid_runner::main(catalogue)
//! }
//! ```

mod abnormal_ends;
pub mod beaten;
mod build_id;
pub mod claims;
pub mod cli;
mod clock;
pub mod commands;
mod comparison;
pub mod data_set;
pub mod diagnostic;
pub mod document;
pub mod execute;
pub mod experiment;
pub mod experiment_error;
pub mod external;
mod finished_runs;
mod first_generation;
mod html;
pub mod instance_list;
pub mod instances;
mod limits;
mod live;
mod machine;
pub mod manifest;
mod memory;
mod numbers;
pub mod outputs;
pub mod plan;
mod platform;
mod predecessor;
pub mod progress;
mod queue;
pub mod replay;
#[cfg(feature = "charts")]
pub mod report;
mod repository;
pub mod results_folder;
mod screen;
pub mod session;
pub mod settings_json;
pub mod shard;
mod shell;
pub mod signals;
pub mod spec;
mod steps;
mod terminal;
pub mod timing;
mod trace;
mod wall_times;
mod warnings;
mod watch;

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
/// failed us, 2 bad usage or a bad file, 129, 130 or 143 interrupted.
#[must_use]
pub fn main(catalogue: Catalogue) -> ExitCode {
    platform::survive_the_limit_on_file_size();
    // A researcher's algorithm may have come after the families.
    catalogue.check_names();
    let cli = cli::Cli::read(std::env::args_os().collect(), &catalogue);
    match commands::execute(cli, catalogue) {
        Ok(status) => status,
        Err(error) => {
            let is_usage_error = error.is::<Diagnostics>()
                || error.is::<commands::UsageError>()
                || error.is::<replay::Unrepeatable>()
                || error.is::<replay::UnaskedProgram>();
            match error.downcast_ref::<Diagnostics>() {
                Some(diagnostics) => progress::line(diagnostics.to_string().trim_end()),
                None => progress::line(&format!("error: {}", experiment_error::describe(&error))),
            }
            if let Some(failed) = error.downcast_ref::<experiment_error::ExperimentError>() {
                progress::line(&format!("  {}", failed.help));
            }
            ExitCode::from(if is_usage_error { 2 } else { 1 })
        }
    }
}
