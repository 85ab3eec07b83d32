//! An interval of numbers, and the quantile that the 95 % of this crate hang on.

/// The 97.5 % point of the standard normal distribution.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// What may lie beyond either end of 95 %.
pub(super) const TAIL: f64 = 0.025;

/// An interval of numbers, both ends included.
///
/// Which numbers, and so what ends it can have, says the function that returns it: a rate lies in `[0, 1]`, a difference of
/// rates in `[-1, 1]`, and a running time may have no upper end (`f64::INFINITY`). `low` is never above `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the number is neither lower nor higher.
    #[must_use]
    pub fn contains(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}
