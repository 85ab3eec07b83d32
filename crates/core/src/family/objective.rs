//! Objectives: a family's own measures of solutions, and the best values that are known of an instance.

/// A measure of solutions that belongs to the family and is minimised. Every search reports it for its best solution, whatever fitness it
/// minimised, so that runs with different fitness functions can be compared.
#[derive(Debug)]
pub struct Objective {
    /// What it counts: `digits missing`, `tour length`.
    pub name: &'static str,
    /// The value of a solved instance, if there is such a value.
    pub solved: Option<f64>,
    /// Computes the objective of a solution ([described](crate::problem::Problem::describe) in one line) of the instance with this
    /// [content](super::Instance::content). The error says in words why the text is not a candidate solution, for example because it
    /// changes a given part.
    pub measure: fn(content: &str, solution: &str) -> Result<f64, String>,
}

/// The best value that is known of an instance's objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestKnown {
    /// The value, finite.
    pub value: f64,
    /// Whether a better value may exist.
    pub status: BestKnownStatus,
}

/// Whether a better value may exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BestKnownStatus {
    /// It is proven that no solution is better.
    Optimal,
    /// It is the best value found so far by anybody.
    Best,
}

impl BestKnownStatus {
    /// Both statuses with their names.
    pub const NAMES: [(&'static str, Self); 2] = [("optimal", Self::Optimal), ("best", Self::Best)];

    /// The name of the status in a data set and a manifest.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// The status with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, status)| status)
    }
}

impl BestKnown {
    /// A value and whether it is proven optimal.
    #[must_use]
    pub fn new(value: f64, is_optimal: bool) -> Self {
        Self { value, status: if is_optimal { BestKnownStatus::Optimal } else { BestKnownStatus::Best } }
    }

    /// The largest objective that is at most this percentage above the value.
    ///
    /// ```
    /// use evogrid_core::family::{BestKnown, BestKnownStatus};
    ///
    /// let known = BestKnown { value: 1200.0, status: BestKnownStatus::Optimal };
    /// assert_eq!(known.within(1.0), 1212.0);
    /// ```
    #[must_use]
    pub fn within(&self, gap: f64) -> f64 {
        self.value + self.value.abs() * (gap / 100.0)
    }
}
