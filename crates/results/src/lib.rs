//! What runs leave behind, from the journal to the printed table.
//!
//! There is one road, and each step is made from the one before alone:
//!
//! 1. a finished run becomes a [`Record`], and a [`journal::Writer`] appends it to the journal: the truth;
//! 2. a [`journal::Index`] finds a run's record again, so that nothing is ever run twice;
//! 3. the records in plan order, each as a [`Row`], become `runs.csv` ([`runs::Writer`]),
//!    and their [`Trace`]s, where they left some, `trace.csv.gz` ([`trace::Writer`]);
//! 4. any CSV with those columns ([`runs::Reader`]) becomes a [`Summary`]: one row for each algorithm, cell and bucket;
//! 5. a summary becomes a [`table`], with published figures beside it where there are some ([`Published`]); and the runs
//!    themselves, where a paper claims something of them, a verdict ([`claim`]).
//!
//! ```
//! use evogrid_core::budget::Stop;
//! use evogrid_results::runs::{Reader, Writer};
//! use evogrid_results::{Record, Row, RunKey, RunOutcome, Summary, files, journal};
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
//! let outcome = RunOutcome { solved: true, evaluations: 4200, stop: Stop::Target, ..RunOutcome::default() };
//! let record = Record { key, outcome, settings: [("population".into(), 100.into())].into(), ..Record::default() };
//! let mut writer = journal::Writer::create(&results.join("journal"))?;
//! writer.append(std::slice::from_ref(&record))?;
//! writer.finish()?;
//!
//! let index = journal::Index::read(&results.join("journal"))?;
//! files::replace(&results.join("runs.csv"), |output| -> Result<(), Box<dyn std::error::Error>> {
//!     let mut writer = Writer::new(output, &["population".to_owned()])?;
//!     // The plan knows the runs and their order; here it has one.
//!     if let Some(Record { key, outcome, .. }) = index.get(record.key.run_id)? {
//!         writer.write(&Row { run: 0, key, varied: vec!["100".into()], outcome })?;
//!     }
//!     Ok(writer.finish()?)
//! })?;
//!
//! let summary = Summary::of_runs(Reader::open(&results.join("runs.csv"))?)?;
//! assert_eq!((summary.rows[0].bucket.as_str(), summary.rows[0].figures.solved), ("easy", 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Memory never grows with the number of runs, but for 16 bytes a run in the index, 8 bytes a solved run in a summary, and
//! [`Samples`](samples::Samples), which hold the runs themselves and refuse too many.
//! This crate prints nothing, and takes every file that it reads for hostile: a damaged one is an error or a reported
//! damage, never a panic.

pub mod columns;
pub mod export;
pub mod files;
pub mod format;
pub mod journal;
mod json;
pub mod record;
mod run;
pub mod runs;
pub mod sheet;
pub mod summary;
pub mod trace;

pub use record::Record;
pub use run::{Row, RunKey, RunOutcome};
pub use sheet::ReadError;
pub use summary::Summary;
pub use trace::Trace;
