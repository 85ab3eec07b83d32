//! Races of configurations, and the tables that show races.

mod recorded;
mod table;

pub use evogrid_statistics::{DROPPED_AT, Fate, Race, RaceEntry};
pub use recorded::{RecordedCandidate, RecordedFate, RecordedRace};
pub use table::{RaceNames, render, rounded};
