#![doc = include_str!("../README.md")]
//!
//! The input is a `runs.csv` or another CSV ([`evogrid_results::runs::Reader`]). A CSV that is not a `runs.csv` needs the columns
//! `algorithm`, `instance` and `solved`. The functions use the input in two ways:
//!
//! * Rows are read one by one into a [`Summary`]. A [`Summary`] needs little memory for any number of runs. A [`table`] shows the summary.
//!   If there are [`Published`] values, the table shows them beside our values.
//! * All runs are kept in memory as [`Samples`](samples::Samples). Comparisons of configurations ([`compare`]) and charts ([`charts`]) need
//!   these samples.
//!
//! The result of each function depends only on its arguments. The functions do not measure times, print text, or write files. Every rate
//! and every median has an interval. Every figure includes the unsolved runs. If runs are ordered by time or by work, an unsolved run ranks
//! after all solved runs.
//!
//! ```
//! use evogrid_analysis::compare::{CompareOptions, compare};
//! use evogrid_analysis::metric::Metric;
//! use evogrid_analysis::samples::Samples;
//! use evogrid_analysis::table::{ColumnSet, Format, Layout, render_by};
//! use evogrid_results::runs::Reader;
//! use evogrid_analysis::summary::Summary;
//!
//! let mut csv = "algorithm,instance,bucket,repetition,solved,evaluations\n".to_owned();
//! for repetition in 0..10 {
//!     csv += &format!("genetic,tour,easy,{repetition},true,{}\n", 100 + repetition);
//!     csv += &format!("random,tour,easy,{repetition},{},{}\n", repetition < 2, 900 + repetition);
//! }
//!
//! let summary = Summary::from_runs(Reader::new("runs.csv", csv.as_bytes())?)?;
//! let table = render_by(&summary, (None, ColumnSet::All), Layout::Buckets, Format::Text { width: None }, None, &[]);
//! let random = table.split_once("\nrandom\n").expect("a block for each algorithm").1;
//! assert!(random.lines().any(|line| line.starts_with("easy   20 ")), "{random}");
//!
//! let samples = Samples::read(Reader::new("runs.csv", csv.as_bytes())?)?;
//! let comparison = compare(&samples, Metric::Solved, CompareOptions::default())?;
//! assert_eq!(
//!     comparison.sentences()[0],
//!     "On this instance genetic solves more than random: 80 points (95 % 38.4 to 94.4, p = 0.0007)."
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod charts;
pub mod compare;
pub mod cross;
pub mod effects;
pub mod metric;
pub mod published;
pub mod race;
pub mod ranking;
mod responses;
pub mod samples;
pub mod summary;
pub mod table;
#[cfg(test)]
mod test_runs;
pub mod truncation;

pub use published::Published;
pub use summary::Summary;
