//! Confidence: the probability that an interval contains the true value.

use std::fmt;

use crate::distributions::normal;
use crate::distributions::student::{student_quantile, student_quantile_975};
use crate::interval::Z;

/// The probability that an interval contains the true value, as a share (0.95 by default). A test finds a difference if the p-value of the
/// test is below [`level`](Self::level).
///
/// # Example
/// ```
/// use evogrid_statistics::Confidence;
///
/// let confidence = Confidence::new(0.99).expect("between 0.5 and 0.9999");
/// assert_eq!((confidence.level(), confidence.to_string().as_str()), (0.01, "99 %"));
/// assert_eq!(Confidence::default().level(), 0.05);
/// assert_eq!(Confidence::new(99.0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence(f64);

/// A level is rounded to this fraction, so 1 - 0.95 is 0.05.
const DECIMALS: f64 = 1e12;

impl Default for Confidence {
    fn default() -> Self {
        Self::PERCENT_95
    }
}

impl Confidence {
    /// A confidence of 95 %.
    pub const PERCENT_95: Self = Self(0.95);

    /// Creates a `Confidence` from a share. For example, the share 0.95 stands for a confidence of 95 %. The share must lie in
    /// `[0.5, 0.9999]`; otherwise the function returns `None`.
    pub fn new(share: f64) -> Option<Self> {
        (0.5..=0.9999).contains(&share).then_some(Self(share))
    }

    /// Returns the significance level of a test: 1 minus the confidence, as a share. A p-value below the level shows a difference.
    pub fn level(self) -> f64 {
        ((1.0 - self.0) * DECIMALS).round() / DECIMALS
    }

    /// Returns the significance level of a test, in per cent.
    pub fn level_percent(self) -> f64 {
        ((1.0 - self.0) * DECIMALS).round() / (DECIMALS / 100.0)
    }

    /// The number of standard errors from the middle to an end of an interval, by the standard normal distribution.
    pub(crate) fn normal_reach(self) -> f64 {
        if self == Self::PERCENT_95 { Z } else { -normal::quantile(self.level() / 2.0) }
    }

    /// The number of standard errors from the middle to an end of an interval, by Student's t with this number of degrees of freedom (at
    /// least 1).
    pub(crate) fn student_reach(self, degrees: usize) -> f64 {
        if self == Self::PERCENT_95 { student_quantile_975(degrees) } else { student_quantile(self.level(), degrees) }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} %", (self.0 * DECIMALS).round() / (DECIMALS / 100.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_percentages_are_those_that_were_meant() {
        for (share, level, percent, text) in [
            (0.5, 0.5, 50.0, "50 %"),
            (0.57, 0.43, 43.0, "57 %"),
            (0.95, 0.05, 5.0, "95 %"),
            (0.975, 0.025, 2.5, "97.5 %"),
            (0.999, 0.001, 0.1, "99.9 %"),
            (0.9999, 0.0001, 0.01, "99.99 %"),
        ] {
            let confidence = Confidence::new(share).expect("in range");
            assert_eq!((confidence.level(), confidence.level_percent()), (level, percent));
            assert_eq!(confidence.to_string(), text);
        }
        for share in [0.499, 0.99991, 1.0, 95.0, -0.95, f64::NAN] {
            assert_eq!(Confidence::new(share), None, "{share}");
        }
    }

    #[test]
    fn reaches_agree_with_scipy() {
        // scipy.stats.norm.isf((1 - share) / 2), scipy.stats.t.isf((1 - share) / 2, 4)
        for (share, normal, student) in
            [(0.5, 0.67448975, 0.74069708), (0.99, 2.5758293, 4.60409487), (0.9999, 3.89059189, 15.54410058)]
        {
            let confidence = Confidence::new(share).expect("in range");
            let near = |found: f64, golden: f64| (found / golden - 1.0).abs() < 1e-8;
            assert!(near(confidence.normal_reach(), normal) && near(confidence.student_reach(4), student), "{share}");
        }
        let [usual, next] = [0.95, 0.95 + 1e-9].map(|share| Confidence::new(share).expect("in range"));
        assert!((usual.normal_reach() - next.normal_reach()).abs() < 1e-6);
        assert!((usual.student_reach(9) - next.student_reach(9)).abs() < 1e-6, "no step beside the table");
    }
}
