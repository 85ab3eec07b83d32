//! The runs of an experiment in memory, for analyses of single runs.
//!
//! A [`Roster`] lists the configurations and instances. A [`Selector`] selects some runs. [`pairs`] matches the runs of two configurations.

mod pairing;
mod roster;
mod row_selection;
mod sample;
mod selection;

pub use pairing::pairs;
pub use roster::{Configuration, Key, Roster, RosterInstance, SelectionError};
pub(crate) use roster::{bucket_titles, same_value};
pub use row_selection::{Condition, InstanceSizes, RowSelection};
pub use sample::{MAX_SAMPLES, Sample, Samples, SamplesBuilder, n_failed, n_solved};
pub use selection::{Selection, Selector};
