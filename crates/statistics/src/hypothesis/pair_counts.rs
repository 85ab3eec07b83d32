//! Counts how often the first side of a pair of runs was better, how often the second side was better, and how often neither side was
//! better.

use crate::interval::{Interval, Z};

/// Counts of pairs of runs. Each pair compares two sides (for example, two algorithms).
///
/// A pair has one run of each side, with the same instance and the same seed. For success rates, a pair is a win if only the first side
/// succeeds. A pair is a loss if only the second side succeeds. All other pairs are ties. Instead of success, another criterion can be
/// used. The criterion must say whether the run of the first side is better than, worse than, or equal to the run of the second side. The
/// pairs must be independent.
///
/// # Example
/// ```
/// use evogrid_statistics::PairCounts;
///
/// let pairs = PairCounts { wins: 8, losses: 2, ties: 10 };
/// assert_eq!(pairs.n(), 20);
/// let interval = pairs.interval();
/// assert!((interval.low + 0.01407).abs() < 1e-5 && (interval.high - 0.55953).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// The number of pairs in which the run of the first side is better.
    pub wins: u64,
    /// The number of pairs in which the run of the second side is better.
    pub losses: u64,
    /// The number of pairs in which neither run was better.
    pub ties: u64,
}

impl PairCounts {
    /// The number of pairs.
    pub fn n(&self) -> u64 {
        self.wins + self.losses + self.ties
    }

    /// Computes the 95 % interval of the difference of the two rates. The difference is `(wins - losses) / n`.
    ///
    /// The interval is `d ± 1.96 √((p + q - d²)/(n + 2))`, cut off at `[-1, 1]`. Here `p = (wins + 1)/(n + 2)`, `q = (losses + 1)/(n + 2)`
    /// and `d = p - q`. Even if all pairs are ties, the width of the interval is above 0. If there are no pairs, the interval is `[-1, 1]`.
    ///
    /// Source: D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of binomial proportions based on
    /// paired data", Journal of Educational and Behavioral Statistics 37(4), 2012, doi:10.3102/1076998611411915.
    pub fn interval(&self) -> Interval {
        self.interval_within(Z)
    }

    /// The interval of the difference with `reach` standard errors on each side.
    pub(super) fn interval_within(&self, reach: f64) -> Interval {
        let n = self.n() as f64 + 2.0;
        let (won, lost) = ((self.wins as f64 + 1.0) / n, (self.losses as f64 + 1.0) / n);
        let difference = won - lost;
        let half = reach * ((won + lost - difference * difference) / n).sqrt();
        Interval { low: (difference - half).max(-1.0), high: (difference + half).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pairs_without_a_difference_have_an_interval() {
        assert_eq!(PairCounts::default().interval(), Interval { low: -1.0, high: 1.0 });
        let ties = PairCounts { ties: 50, ..PairCounts::default() }.interval();
        assert!((ties.low + ties.high).abs() < 1e-14 && (ties.high - 0.053303993244218376).abs() < 1e-14, "{ties:?}");
    }

    proptest! {
        #[test]
        fn the_other_side_sees_the_mirror(wins in 0u64..100_000, losses in 0u64..100_000, ties in 0u64..1_000_000) {
            let (pairs, mirror) = (PairCounts { wins, losses, ties }, PairCounts { wins: losses, losses: wins, ties });
            let (interval, mirrored) = (pairs.interval(), mirror.interval());
            let net = (wins as f64 - losses as f64) / pairs.n().max(1) as f64;
            prop_assert!(interval.contains(net) && -1.0 <= interval.low && interval.high <= 1.0);
            prop_assert!((interval.low + mirrored.high).abs() < 1e-12);
        }
    }
}
