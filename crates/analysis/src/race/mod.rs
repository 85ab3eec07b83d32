//! Races of configurations, and their tables.

mod table;

pub use evogrid_statistics::{Fate, Race, RaceEntry};
pub use table::{RaceNames, render, rounded};

/// A configuration is dropped at this evidence.
pub const DROPPED_AT: f64 = evogrid_statistics::DROPPED_AT;
