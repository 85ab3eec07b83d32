//! Runs in pairs: how often only one side solved.

use crate::distributions::binomial;
use crate::interval::{Interval, Z};

/// Pairs of runs, counted by which side did better.
///
/// A pair is one run of either side on the same instance with the same seed. For success rates a win is a pair that only the first
/// side solved, a loss one that only the second solved, and all others are ties. Any other comparison that says better, worse
/// or equal can be counted in the same way. The pairs must be independent of one another.
///
/// # Example
/// ```
/// use evogrid_statistics::PairCounts;
///
/// let pairs = PairCounts { wins: 8, losses: 2, ties: 10 };
/// assert_eq!((pairs.n(), pairs.net()), (20, 0.3));
/// // scipy.stats.binomtest(8, 10).pvalue
/// assert!((pairs.p_value() - 0.109375).abs() < 1e-12);
/// assert!((pairs.mid_p_value() - 0.0654296875).abs() < 1e-12);
/// let interval = pairs.interval();
/// assert!((interval.low + 0.01407).abs() < 1e-5 && (interval.high - 0.55953).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs in which the first side was better.
    pub wins: u64,
    /// Pairs in which the second side was better.
    pub losses: u64,
    /// Pairs in which neither was.
    pub ties: u64,
}

impl PairCounts {
    /// The number of pairs.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.wins + self.losses + self.ties
    }

    /// The difference of the two rates: `(wins - losses) / n`, in `[-1, 1]`; 0 for no pairs.
    #[must_use]
    pub fn net(&self) -> f64 {
        let n = self.n();
        if n == 0 { 0.0 } else { (self.wins as f64 - self.losses as f64) / n as f64 }
    }

    /// The 95 % interval of [`net`](Self::net).
    ///
    /// With `p = (wins + 1)/(n + 2)`, `q = (losses + 1)/(n + 2)` and `d = p - q`: `d ± 1.96 √((p + q - d²)/(n + 2))`, cut off at
    /// `[-1, 1]`. It has a width also where all pairs are tied, and is `[-1, 1]` for no pairs.
    ///
    /// Source: D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of binomial proportions based on
    /// paired data", Journal of Educational and Behavioral Statistics 37(4), 2012, doi:10.3102/1076998611411915.
    #[must_use]
    pub fn interval(&self) -> Interval {
        let n = self.n() as f64 + 2.0;
        let (won, lost) = ((self.wins as f64 + 1.0) / n, (self.losses as f64 + 1.0) / n);
        let difference = won - lost;
        let half = Z * ((won + lost - difference * difference) / n).sqrt();
        Interval { low: (difference - half).max(-1.0), high: (difference + half).min(1.0) }
    }

    /// The two-sided p-value of the hypothesis that wins and losses are equally likely, in `[0, 1]`.
    ///
    /// The exact sign test, which for success rates is McNemar's exact test: twice the smaller tail of the binomial distribution
    /// of `wins + losses` at rate 1/2, at most 1. Ties have no part in it. It is 1 where there are neither wins nor losses,
    /// and 0 where it is below the smallest `f64`.
    ///
    /// Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
    /// Psychometrika 12(2), 1947, doi:10.1007/BF02295996.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        let (fewer, n) = (self.wins.min(self.losses), self.wins + self.losses);
        (2.0 * binomial::at_most(fewer, n, 0.5)).min(1.0)
    }

    /// The mid-p-value of the same test, in `[0, 1]`: [`p_value`](Self::p_value) minus the probability of the counts observed.
    ///
    /// It exceeds its level hardly ever and finds more differences than the exact test. It is 1 where there are neither wins nor
    /// losses.
    ///
    /// Source: M. W. Fagerland, S. Lydersen and P. Laake, "The McNemar test for binary matched-pairs data: mid-p and asymptotic are
    /// better than exact conditional", BMC Medical Research Methodology 13:91, 2013, doi:10.1186/1471-2288-13-91.
    #[must_use]
    pub fn mid_p_value(&self) -> f64 {
        let (fewer, n) = (self.wins.min(self.losses), self.wins + self.losses);
        let mid = 2.0 * binomial::at_most(fewer, n, 0.5) - binomial::probability(fewer, n, 0.5);
        mid.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_p_value_reaches_from_one_to_nothing() {
        assert_eq!(PairCounts { wins: 0, losses: 0, ties: 3 }.p_value(), 1.0);
        // scipy.stats.binomtest, the last digits by mpmath.
        let small = PairCounts { wins: 100, losses: 1000, ties: 3 }.p_value();
        assert!((small / 2.3274498138259826e-187 - 1.0).abs() < 1e-11, "{small}");
        assert_eq!(PairCounts { wins: 1_000_000, losses: 0, ties: 0 }.p_value(), 0.0);
    }

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
            prop_assert!(interval.contains(pairs.net()) && -1.0 <= interval.low && interval.high <= 1.0);
            prop_assert!((interval.low + mirrored.high).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&pairs.p_value()));
            prop_assert_eq!(pairs.p_value(), mirror.p_value());
            prop_assert_eq!(pairs.mid_p_value(), mirror.mid_p_value());
            prop_assert!((0.0..=pairs.p_value()).contains(&pairs.mid_p_value()));
            prop_assert_eq!(pairs.net(), -mirror.net());
        }
    }
}
