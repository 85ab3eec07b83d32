#![doc = include_str!("../README.md")]
//!
//! # How an experiment runs
//!
//! | step | module | what it does |
//! | --- | --- | --- |
//! | document | [`experiment::document`] | parses the TOML, and keeps the place of every key and value for messages |
//! | spec | [`experiment::spec`] | reads the file, loads its instances, and resolves the settings of its algorithms; reports all errors together |
//! | plan | [`experiment::plan`] | numbers the runs, and makes each run when it is needed, so that ten million runs take no memory |
//! | queue | `engine::queue` | finds the runs that are not in the journal yet |
//! | execution | [`engine::execute`] | does the runs on all cores; each finished run is written to the journal immediately |
//! | outputs | [`engine::folder::outputs`] | makes `runs.csv`, `summary.csv` and the traces from the journal |
//!
//! [`engine::carry_out::carry_out`] does all steps from the plan to the outputs. The function also writes the
//! [`manifest`](engine::folder::manifest), which describes the experiment, the code and the machine. The identity of a run is a hash of
//! everything that determines its outcome. If the user repeats a command, the identities show which runs are missing, and the command does
//! only these runs. A [`shard`](experiment::shard) is the part of a plan that one of several processes does.
//!
//! ```
//! use std::{fs, sync::Arc};
//!
//! use evogrid_runner::engine::execute::ExecutionOptions;
//! use evogrid_runner::engine::carry_out::{ExperimentOptions, ExperimentOutcome, carry_out};
//! use evogrid_runner::engine::{folder::outputs::Folder, signals::Signals};
//! use evogrid_runner::experiment::{plan::Plan, spec::Spec};
//!
//! # fn main() -> anyhow::Result<()> {
//! let mut catalogue = evogrid_core::catalogue::Catalogue::new();
//! evogrid_operators::register(&mut catalogue.operators);
//! evogrid_problems::families().into_iter().for_each(|family| catalogue.add_family(family));
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
//!     reuse: &[],
//!     signals: &Signals::default(),
//! };
//! let ExperimentOutcome::Done(written) = carry_out(&plan, &options)? else { panic!("nothing stopped it") };
//! assert_eq!((written.runs, written.failed), (3, 0));
//! assert_eq!(fs::read_to_string(folder.path().join("results/runs.csv"))?.lines().count(), 1 + 3);
//! # Ok(())
//! # }
//! ```

pub mod engine;
pub mod experiment;
pub mod external;
pub mod system;
pub mod tuning;
