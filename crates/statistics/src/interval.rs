//! Intervals of numbers, and the two constants of 95 % intervals.

/// The 97.5 % point of the standard normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The probability outside each end of a central 95 % interval.
pub(crate) const TAIL: f64 = 0.025;

/// An interval of real numbers that includes its two ends. `low` is never above `high`.
///
/// Both ends of the interval lie in the range of the possible values of the estimated quantity. For a rate, both ends lie in `[0, 1]`. For
/// a difference of rates, both ends lie in `[-1, 1]`. The interval of a running time may have no upper end (`f64::INFINITY`).
///
/// # Example
/// ```
/// let interval = evogrid_statistics::wilson(5, 10);
/// assert!(interval.low < 0.24 && interval.high > 0.76 && interval.contains(0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Default for Interval {
    /// The interval of an unknown rate: from 0 to 1.
    fn default() -> Self {
        Self { low: 0.0, high: 1.0 }
    }
}

impl Interval {
    /// Whether `low <= number <= high`.
    pub fn contains(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}
