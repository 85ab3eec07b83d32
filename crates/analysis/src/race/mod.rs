//! Races of configurations, and their tables.

mod recorded;
mod table;

pub use evogrid_statistics::{Fate, Race, RaceEntry};
pub use recorded::{RecordedCandidate, RecordedFate, RecordedRace};
pub use table::{RaceNames, render, rounded};

/// A configuration is dropped at this evidence.
pub const DROPPED_AT: f64 = evogrid_statistics::DROPPED_AT;
