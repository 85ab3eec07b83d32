#![doc = include_str!("../README.md")]
//!
//! Each step needs only the results of the previous step:
//!
//! 1. a finished run becomes a [`Record`], and a [`journal::Writer`] appends it to the journal;
//! 2. a [`journal::Index`] finds a run's record again, so that no run is done twice;
//! 3. a [`runs::Writer`] writes the records in plan order to `runs.csv`, each as a [`Row`], and a [`trace::Writer`] writes the [`Trace`]s
//!    of traced runs to `trace.csv.gz`;
//! 4. a [`runs::Reader`] reads `runs.csv`, or any CSV with some of its columns; an [`export`] converts it.
//!
//! The columns of a run are declared once, in [`columns`]. The crate `evogrid-analysis` computes statistics from runs, such as the success
//! rates in `summary.csv`.
//!
//! ```
//! use evogrid_core::budget::Stop;
//! use evogrid_results::runs::{Reader, Writer};
//! use evogrid_results::{Record, Row, RunKey, RunOutcome, files, journal};
//!
//! # let directory = tempfile::tempdir()?;
//! # let results = directory.path();
//! let key = RunKey {
//!     run_id: "r392a0433103064a0".parse()?,
//!     algorithm: "huke".into(),
//!     instance: "huke-01".into(),
//!     bucket: "easy".into(),
//!     seed: 2016,
//!     ..RunKey::default()
//! };
//! let outcome = RunOutcome { solved: Some(true), evaluations: 4200, stop: Stop::Target, ..RunOutcome::default() };
//! let record = Record { key, outcome, settings: [("population".into(), 100.into())].into_iter().collect(), ..Record::default() };
//! let mut writer = journal::Writer::create(&results.join("journal"))?;
//! writer.append(std::slice::from_ref(&record))?;
//! writer.finish()?;
//!
//! let index = journal::Index::read(&results.join("journal"))?;
//! files::replace(&results.join("runs.csv"), |output| -> Result<(), Box<dyn std::error::Error>> {
//!     let mut writer = Writer::new(output, &["population".to_owned()])?;
//!     // The plan knows the runs and their order; here it has one.
//!     if let Some(Record { key, outcome, .. }) = index.get(record.key.run_id)? {
//!         writer.write(&Row { run: 0, key, varied: vec!["100".into()], outcome, ..Row::default() })?;
//!     }
//!     Ok(writer.finish()?)
//! })?;
//!
//! let rows: Vec<Row> = Reader::open(&results.join("runs.csv"))?.collect::<Result<_, _>>()?;
//! assert_eq!((rows[0].key.bucket.as_str(), rows[0].outcome.solved), ("easy", Some(true)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The index needs 16 bytes per run. Apart from the index, memory does not grow with the number of runs. This crate prints nothing. The
//! crate does not trust the files that it reads. A damaged file causes an error or a report, never a panic.

pub mod columns;
pub mod export;
pub mod files;
pub mod format;
pub mod import;
pub mod journal;
mod json;
pub mod metadata;
pub mod names;
mod platform;
pub mod points;
pub mod record;
mod run;
pub mod runs;
pub mod sheet;
pub mod solution;
pub mod trace;

pub use record::Record;
pub use run::{ALL_BUCKETS, Row, RunKey, RunOutcome, gap, is_work_unknown};
pub use sheet::ReadError;
pub use trace::Trace;
