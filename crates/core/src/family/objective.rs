//! Objectives: a family's own measures of solutions, and the best values that are known of an instance.

/// A family's own measure of solutions, minimised. Whatever fitness a search minimises, its best solution has an objective, so that runs of
/// different fitness functions can be compared by it.
#[derive(Debug)]
pub struct Objective {
    /// What it counts: `digits missing`, `tour length`.
    pub name: &'static str,
    /// Its value for a solved instance, if there is such a value.
    pub solved: Option<f64>,
    /// The objective of a solution ([described](crate::problem::Problem::describe) in one line) of the instance of a
    /// [content](super::Instance::content). It fails with the first thing for which the text is not a candidate solution, for a person:
    /// for example that it changes what is given.
    pub measure: fn(content: &str, solution: &str) -> Result<f64, String>,
}

/// The best value that is known of an instance's objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestKnown {
    /// The value, finite.
    pub value: f64,
    /// Whether a better one may exist.
    pub status: BestKnownStatus,
}

/// Whether a better value may exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BestKnownStatus {
    /// It is proven that no solution is better.
    Optimal,
    /// The best that anybody has found.
    Best,
}

impl BestKnownStatus {
    /// Both, by name.
    pub const NAMES: [(&'static str, Self); 2] = [("optimal", Self::Optimal), ("best", Self::Best)];

    /// The name in a data set and a manifest.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// The status of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, status)| status)
    }
}

impl BestKnown {
    /// A value, and whether it is proven to be optimal.
    #[must_use]
    pub fn new(value: f64, is_optimal: bool) -> Self {
        Self { value, status: if is_optimal { BestKnownStatus::Optimal } else { BestKnownStatus::Best } }
    }

    /// The largest objective that is at most so many per cent above this value.
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
