//! The effect size of Vargha and Delaney. A12 is the share of pairs in which the number from the first sample is larger.

use crate::distributions::bisection::bisect;
use crate::hypothesis::ranks::ranks;
use crate::interval::{Interval, Z};

/// The effect size A12 with its interval, as [`vargha_delaney`] returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarghaDelaney {
    /// A12, in `[0, 1]`. Each number from the first sample is paired with each number from the second sample. A12 is the share of pairs in
    /// which the number from the first sample is larger. A pair of equal numbers adds one half.
    pub a12: f64,
    /// The 95 % interval of the probability estimated by `a12`, in `[0, 1]`.
    pub interval: Interval,
}

/// Computes the effect size A12 of Vargha and Delaney. A12 is the share of pairs in which the number from the first sample is larger.
///
/// The value 1/2 means that neither sample tends to have larger numbers. If smaller numbers are better (for example, evaluations), the
/// value 0 means that the first sample always wins. If A12 is above 1/2, Vargha and Delaney call a difference small if A12 is at least
/// 0.56, medium if A12 is at least 0.64, and large if A12 is at least 0.71. If A12 is below 1/2, Vargha and Delaney call a difference small
/// if A12 is at most 0.44, medium if A12 is at most 0.36, and large if A12 is at most 0.29.
///
/// The interval is computed by method 5 of Newcombe's paper. Newcombe recommends method 5. The interval has the right coverage even if
/// there are few runs. The width is above 0 even for an effect size of 0 or 1. The two ends of the interval are the solutions `p` of the
/// equation `|p - a12| = 1.96 √(p(1-p) (1 + s (1-p)/(2-p) + s p/(1+p)) / (m n))`. Here `s = (m + n)/2 - 1`. The term under the root is the
/// variance of A12, computed for samples from exponential distributions. If there are many ties, the interval is somewhat too wide.
///
/// An unsolved run may have the value `f64::INFINITY`. For an empty sample, the effect size is 1/2 and the interval is `[0, 1]`.
///
/// Sources: A. Vargha and H. D. Delaney, "A critique and improvement of the CL common language effect size statistics of McGraw and
/// Wong", Journal of Educational and Behavioral Statistics 25(2), 2000, doi:10.3102/10769986025002101; R. G. Newcombe, "Confidence
/// intervals for an effect size measure based on the Mann-Whitney statistic. Part 2: Asymptotic methods and evaluation",
/// Statistics in Medicine 25(4), 2006, doi:10.1002/sim.2324.
///
/// # Example
/// ```
/// // scipy.stats.mannwhitneyu(first, second).statistic / 30 is the effect.
/// let effect = evogrid_statistics::vargha_delaney(&[12.0, 15.0, 18.0, 21.0, 30.0], &[14.0, 20.0, 25.0, 28.0, 31.0, 40.0]);
/// assert!((effect.a12 - 0.2666667).abs() < 1e-7);
/// assert!(effect.interval.contains(0.5), "so few runs do not tell the two samples apart");
/// ```
pub fn vargha_delaney(first: &[f64], second: &[f64]) -> VarghaDelaney {
    vargha_delaney_within(Z, first, second)
}

/// The effect size, with an interval of `reach` standard deviations on each side.
pub(super) fn vargha_delaney_within(reach: f64, first: &[f64], second: &[f64]) -> VarghaDelaney {
    let (m, n) = (first.len() as f64, second.len() as f64);
    if m * n == 0.0 {
        return VarghaDelaney { a12: 0.5, interval: Interval::default() };
    }
    let share = |first, second| u(first, second) / (m * n);
    let (less, more) = (share(second, first), share(first, second));
    // The lower end of the interval: the probability that is `reach` of its standard deviations below the observed share.
    let below = |share: f64| bisect(0.0, share, |p| share - p > reach * method_5_variance(p, m, n).sqrt()).0;
    VarghaDelaney { a12: more, interval: Interval { low: below(more), high: 1.0 - below(less) } }
}

/// Mann and Whitney's U: the number of pairs in which the first sample has the larger number; a pair of equal numbers counts as half.
fn u(first: &[f64], second: &[f64]) -> f64 {
    let m = first.len();
    let rank_sum: f64 = ranks(&[first, second].concat()).ranks[..m].iter().sum();
    rank_sum - m as f64 * (m + 1) as f64 / 2.0
}

/// The variance of A12 at a true value `p`, for samples of `m` and `n` numbers: Newcombe's method 5.
pub(super) fn method_5_variance(p: f64, m: f64, n: f64) -> f64 {
    let scale = (m + n) / 2.0 - 1.0;
    p * (1.0 - p) * (1.0 + scale * (1.0 - p) / (2.0 - p) + scale * p / (1.0 + p)) / (m * n)
}

/// The variance of A12, computed from the placements of the numbers of one sample among the numbers of the other sample (DeLong). To keep
/// the variance above 0, each sample gets one more number, with the most different placement from half of the others.
pub(super) fn placement_variance(first: &[f64], second: &[f64]) -> f64 {
    // The share of a sorted sample that a number exceeds, equal ones counted by half.
    let placement = |number: f64, sorted: &[f64]| {
        let (below, up_to) =
            (sorted.partition_point(|&other| other < number), sorted.partition_point(|&other| other <= number));
        (below + up_to) as f64 / (2 * sorted.len()) as f64
    };
    let of_side = |sample: &[f64], other: &[f64]| {
        let mut sorted = other.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sample.len() as f64;
        let (sum, squares) = sample
            .iter()
            .map(|&number| placement(number, &sorted))
            .fold((0.0, 0.0), |(sum, squares), one| (sum + one, squares + one * one));
        let unbiased = if sample.len() > 1 { (squares - sum * sum / n).max(0.0) / (n - 1.0) } else { 0.0 };
        let succession = (n + 1.0) / ((n + 2.0) * (n + 2.0)) / 4.0;
        unbiased.max(succession) / n
    };
    of_side(first, second) + of_side(second, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_effect_has_a_width() {
        let found = vargha_delaney(&[4.0, 5.0, f64::INFINITY], &[1.0, 2.0, 3.0]);
        assert!(found.a12 == 1.0 && found.interval.high == 1.0 && found.interval.low > 0.3 && found.interval.low < 0.6);
        let nothing = VarghaDelaney { a12: 0.5, interval: Interval { low: 0.0, high: 1.0 } };
        assert_eq!((vargha_delaney(&[], &[1.0]), vargha_delaney(&[1.0], &[])), (nothing, nothing));
        assert_eq!(vargha_delaney(&[7.0; 20], &[7.0; 30]).a12, 0.5);
    }
}
