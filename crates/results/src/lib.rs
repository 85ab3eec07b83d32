//! What runs leave behind, from the journal to the printed table.
//!
//! There is one road, and each step is made from the one before alone:
//!
//! 1. a finished run becomes a [`Record`], and a [`journal::Writer`] appends it to the journal: the truth;
//! 2. a [`journal::Index`] finds a run's record again, so that nothing is ever run twice;
//! 3. the records in plan order, each behind its [`Lead`](runs::Lead), become `runs.csv` ([`runs::Writer`]),
//!    and their [`Trace`]s, where they left some, `trace.csv.gz` ([`trace::Writer`]);
//! 4. any CSV with those columns ([`runs::Reader`]) becomes a [`Summary`]: one row for each algorithm, cell and bucket;
//! 5. a summary becomes a [`table`], with published figures beside it where there are some ([`Published`]); and the runs
//!    themselves, where a paper claims something of them, a verdict ([`claim`]).
//!
//! ```
//! use evogrid_core::budget::Stop;
//! use evogrid_results::runs::{self, Lead, Row};
//! use evogrid_analysis::table::{Format, Layout, render};
//! use evogrid_results::{Record, Summary, files, journal};
//!
//! # let directory = tempfile::tempdir()?;
//! # let results = directory.path();
//! let record = Record {
//!     run_id: "r392a0433103064a0".parse()?,
//!     algorithm: "huke".into(),
//!     settings: [("population".to_owned(), 100.into())].into(),
//!     problem: "sudoku".into(),
//!     instance: "huke-01".into(),
//!     bucket: "easy".into(),
//!     repetition: 0,
//!     seed: 2016,
//!     solved: true,
//!     best_fitness: Some(0.0),
//!     evaluations: 4200,
//!     generations: 42,
//!     restarts: 0,
//!     evaluations_to_best: 4200,
//!     stop: Stop::Target,
//!     wall_ms: 1.25,
//!     cpu_ms: None,
//!     solution: None,
//!     message: None,
//!     trace: None,
//! };
//! let mut writer = journal::Writer::create(&results.join("journal"))?;
//! writer.append(std::slice::from_ref(&record))?;
//! writer.finish()?;
//!
//! let index = journal::Index::read(&results.join("journal"))?;
//! let varied = ["population".to_owned()];
//! files::replace(&results.join("runs.csv"), |output| -> Result<(), Box<dyn std::error::Error>> {
//!     let mut writer = runs::Writer::new(output, &varied)?;
//!     // The plan knows the runs and their order; here it has one.
//!     if let Some(found) = index.get(record.run_id)? {
//!         writer.write(&Row { lead: Lead::of(0, &found, vec!["100".into()]), outcome: found.outcome() })?;
//!     }
//!     Ok(writer.finish()?)
//! })?;
//!
//! let summary = Summary::of_runs(runs::Reader::open(&results.join("runs.csv"))?)?;
//! let table = render(&summary, Layout::Buckets, Format::Text, None);
//! assert!(table.starts_with("huke, population = 100\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Memory never grows with the number of runs, but for 16 bytes a run in the index, 8 bytes a solved run in a summary, and
//! [`Samples`](samples::Samples), which hold the runs themselves and refuse too many.
//! This crate prints nothing, and takes every file that it reads for hostile: a damaged one is an error or a reported
//! damage, never a panic.

pub mod export;
pub mod files;
pub mod format;
pub mod journal;
pub mod record;
pub mod runs;
pub mod sheet;
pub mod summary;
pub mod trace;

pub use record::{Outcome, Record};
pub use sheet::ReadError;
pub use summary::Summary;
pub use trace::Trace;
