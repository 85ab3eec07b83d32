//! A figure of a group of runs, as a chart shows it.

use evogrid_statistics::Interval;

/// A value of a group of runs.
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) interval: Interval,
    /// The value in words.
    pub(super) text: String,
}
