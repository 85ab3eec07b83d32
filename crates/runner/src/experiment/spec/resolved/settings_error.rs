//! Faults of settings.

use evogrid_core::catalogue::Fault;

/// The maximum number of combinations of axes at which settings of an algorithm are resolved.
pub(in crate::experiment::spec) const RESOLUTION_LIMIT: usize = 100_000;

/// A fault of an algorithm's settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A setting is not valid in combination with these points of the axes.
    #[error("{}: {}; {}", fault.path, fault.message, fault.expected)]
    Fault {
        /// The fault.
        fault: Fault,
        /// For each axis, the index of the chosen point. If the algorithm has designs, the list begins with the index of a design. The list
        /// then contains, for each dimension, the index of the chosen value.
        points: Vec<usize>,
    },
    /// The axes with these numbers have too many combinations to check. Together, the axes vary one operator and its settings.
    #[error("more than {RESOLUTION_LIMIT} combinations of values have to be checked")]
    TooMany(Vec<usize>),
}
