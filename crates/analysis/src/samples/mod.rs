//! The runs of an experiment, held in memory for whatever needs each of them.
//!
//! A [`Roster`] holds what tells runs apart, a [`Selector`] chooses some of them, a [`Metric`] is a figure of a run, and [`pairs`]
//! matches the runs of two settings.

mod comparable;
mod default_metric;
mod error;
mod gap;
mod metric;
mod pairing;
mod rate;
mod roster;
mod sample;
mod selection;

pub(crate) use default_metric::default_metric;
pub use error::{MixedFigures, SelectionError};
pub use gap::MeanGap;
pub(crate) use gap::gap_ends;
pub use metric::figure_text;
pub use metric::{METRICS, Metric};
pub use pairing::pairs;
pub(crate) use rate::effective_counts;
pub use rate::{FEW_RUNS, Rate};
pub(crate) use roster::same_value;
pub use roster::{Configuration, Key, Roster, RosterInstance};
pub use sample::{MAX_SAMPLES, Sample, Samples};
pub use sample::{n_failed, n_judged, n_solved};
pub use selection::{Selection, Selector};
