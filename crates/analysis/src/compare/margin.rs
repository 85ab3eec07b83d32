//! What comparisons are judged by: a margin, within which a difference is not relevant, and a confidence.

use evogrid_statistics::{Confidence, Interval, ObservedTime, instance_log_ratios};

/// What a comparison is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Criteria {
    /// What counts as no relevant difference.
    pub margin: Margin,
    /// Of intervals, and of the tests beside them.
    pub confidence: Confidence,
}

/// A difference within this of none, absolute and as a ratio, is none worth the name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// Of rates: their difference, as a fraction, in `(0, 0.5)`.
    pub points: f64,
    /// Of rates the ratio of the odds, of work the ratio of expected work; above 1.
    pub ratio: f64,
    /// Whether the experiment declares it; if not, it is the program's.
    pub is_declared: bool,
}

/// Of other figures: the distance of A12 from one half. Below 0.56 an effect is less than small (A. Vargha and H. D. Delaney, "A critique and
/// improvement of the CL common language effect size statistics", Journal of Educational and Behavioral Statistics 25(2), 2000).
pub(super) const SHARE_POINTS: f64 = 0.06;

impl Default for Margin {
    /// Five points of a rate; a quarter more of odds or expected work, which is as much as five points are near one half.
    fn default() -> Self {
        Self { points: 0.05, ratio: 1.25, is_declared: false }
    }
}

impl Margin {
    /// Whether differences of rates lie within it, around rates as found: 0.3 against 3 % are 3 points apart, but ten times the odds.
    pub(super) fn holds_rates(self, differences: Interval, [first, second]: [f64; 2]) -> bool {
        let middle = (first + second) / 2.0;
        let odds = |rate: f64| rate / (1.0 - rate);
        let holds = |difference: f64| {
            let rates = [middle + difference / 2.0, middle - difference / 2.0];
            let ratio = odds(rates[0]) / odds(rates[1]);
            rates.iter().all(|rate| (0.0..1.0).contains(rate))
                && difference.abs() < self.points
                && self.holds_ratio(ratio)
        };
        holds(differences.low) && holds(differences.high)
    }

    /// Whether probabilities to do better lie near one half.
    pub(super) fn holds_shares(self, shares: Interval) -> bool {
        0.5 - SHARE_POINTS < shares.low && shares.high < 0.5 + SHARE_POINTS
    }

    pub(super) fn holds_ratios(self, ratios: Interval) -> bool {
        self.holds_ratio(ratios.low) && self.holds_ratio(ratios.high)
    }

    fn holds_ratio(self, ratio: f64) -> bool {
        1.0 / self.ratio < ratio && ratio < self.ratio
    }
}

/// The interval of the ratio of expected work, as a geometric mean over instances, for instances like these (for a single one, for that);
/// `None` if a side solves no run of an instance.
pub(super) fn work_ratio<'a>(
    instances: impl Iterator<Item = [&'a [ObservedTime]; 2]>,
    confidence: Confidence,
) -> Option<Interval> {
    instance_log_ratios(instances, confidence).map(|logs| Interval { low: logs.low.exp(), high: logs.high.exp() })
}
