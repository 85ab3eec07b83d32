//! Comparisons of two independent samples in several strata. There are the mean effect, its interval, and a permutation test.

use crate::confidence::Confidence;
use crate::hypothesis::pair_counts::PairCounts;
use crate::hypothesis::permutation::Exchanges;
use crate::hypothesis::vargha_delaney::{method_5_variance, placement_variance, vargha_delaney, vargha_delaney_within};
use crate::interval::Interval;
use crate::intervals::wilson::wilson_score;

/// The minimum variance of instances' differences, as a share of the variance that the runs imply. A share of 1 would lose up to a third of
/// the power with three or four instances. With a share of an eighth, the size of tests of rates is at most 5.5 %. A12 needs a share of a
/// half, because the differences of single runs are only signs. The shares are from the simulations of docs/STATISTICS.md.
pub(crate) const LEAST_SHARE_OF_RATES: f64 = 0.125;
const LEAST_SHARE_OF_A12: f64 = 0.5;

/// The comparison of two samples over several strata.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StratifiedTest {
    /// The mean of A12 over the strata, in `[0, 1]`. The value is 1/2 if there are no strata. For A12, each number from the first sample is
    /// paired with each number from the second sample. A12 is the share of pairs in which the number from the first sample is larger.
    pub a12: f64,
    /// A12 is the estimate of a probability. This field is the interval of the probability. The interval holds only for these strata.
    pub interval: Interval,
    /// The two-sided p-value. The hypothesis is that, in each stratum, both samples come from the same distribution.
    pub p_value: f64,
    /// The variance of `2 A12 - 1` in a stratum, averaged over the strata. The function assumes that both samples come from the same
    /// distribution.
    pub variance: f64,
    /// The minimum variance of such a difference for [`instance_differences`](crate::instance_differences): half of `variance`.
    pub least_variance: f64,
    /// Half of the step between two neighbouring values of the mean difference. If there are ties, the step between two neighbouring values
    /// is smaller.
    pub half_step: f64,
}

/// Tests whether the first sample tends to have larger or smaller numbers than the second. Each stratum is compared separately, and all
/// strata have equal weight. For example, the samples are runs of two algorithms, and each stratum is an instance.
///
/// In each stratum, the test permutes the numbers of the two samples, in all possible ways. For each permutation of the numbers, the test
/// computes the mean A12 over the strata. The p-value is the share of permutations whose mean A12 is at least as far from 1/2 as the
/// observed mean A12. The p-value is exact if the function can compute it with at most a few million additions. For example, the p-value is
/// exact for 28 strata with samples of 10 different numbers. If all numbers are 0 or 1, the p-value is exact even for larger samples, for
/// example for 40 strata with samples of 50 numbers. If the exact computation needs more additions, the p-value comes from a normal
/// distribution. Each possible permutation of the numbers gives one mean A12. The variance of the normal distribution is the variance of
/// all these means. If there is one stratum, the interval is the interval of [`vargha_delaney`]. If each stratum contains only one pair of
/// numbers, the interval equals the interval of [`PairCounts`]. If there are several strata, and at least one of them contains more than
/// one pair of numbers, the interval is Wilson's interval for `m` independent pairs. The function chooses `m` so that the A12 of `m`
/// independent pairs has the same variance as the mean A12 over the strata. The variance of the mean A12 over the strata is the smaller of
/// two estimates. The first estimate is DeLong's variance. To keep DeLong's variance above 0, each sample gets one additional number, which
/// differs from the other numbers. The second estimate is the variance that Newcombe's method 5 gives for the mean A12.
///
/// Sources: E. L. Lehmann, "Nonparametrics: Statistical Methods Based on Ranks", 1975, section 3.3; E. R. DeLong, D. M. DeLong and
/// D. L. Clarke-Pearson, "Comparing the areas under two or more correlated receiver operating characteristic curves", Biometrics 44(3), 1988,
/// doi:10.2307/2531595.
///
/// # Panics
/// If a sample is empty. Omit such strata.
///
/// # Example
/// ```
/// use evogrid_statistics::{Confidence, stratified_test};
///
/// let first = [[1.0, 2.0, 3.0, 4.0], [11.0, 12.0, 13.0, 14.0]];
/// let second = [[3.0, 5.0, 6.0, 7.0], [13.0, 15.0, 16.0, 17.0]];
/// let strata: Vec<[&[f64]; 2]> = (0..2).map(|at| [&second[at][..], &first[at][..]]).collect();
/// let test = stratified_test(&strata, Confidence::PERCENT_95);
/// assert!((test.a12 - 14.5 / 16.0).abs() < 1e-12 && test.p_value < 0.02);
/// // Four pairs that agree: 2 of 16 exchanges.
/// assert_eq!(stratified_test(&[[&[2.0][..], &[1.0]]; 4], Confidence::PERCENT_95).p_value, 0.125);
/// ```
pub fn stratified_test(strata: &[[&[f64]; 2]], confidence: Confidence) -> StratifiedTest {
    let n = strata.len() as f64;
    if strata.is_empty() {
        let (interval, variance, least_variance) = (Interval::default(), 1.0, LEAST_SHARE_OF_A12);
        return StratifiedTest { a12: 0.5, interval, p_value: 1.0, variance, least_variance, half_step: 0.0 };
    }
    assert!(
        strata.iter().flatten().all(|sample| !sample.is_empty()),
        "in each stratum, both samples contain at least one value"
    );
    let effects: Vec<f64> = strata.iter().map(|[first, second]| vargha_delaney(first, second).a12).collect();
    let a12 = effects.iter().sum::<f64>() / n;
    let by_placement = strata.iter().map(|[first, second]| placement_variance(first, second)).sum::<f64>() / n;
    let reach = confidence.normal_reach();
    let interval = match strata {
        [[first, second]] => vargha_delaney_within(reach, first, second).interval,
        _ if strata.iter().flatten().all(|sample| sample.len() == 1) => {
            let count = |share: f64| effects.iter().filter(|&&effect| effect == share).count() as u64;
            let pairs = PairCounts { wins: count(1.0), losses: count(0.0), ties: count(0.5) };
            let interval = pairs.interval_within(reach);
            Interval { low: (interval.low + 1.0) / 2.0, high: (interval.high + 1.0) / 2.0 }
        }
        _ => {
            let at_mean: f64 = strata
                .iter()
                .map(|[first, second]| method_5_variance(a12, first.len() as f64, second.len() as f64))
                .sum();
            let least = if strata.iter().flatten().any(|sample| sample.len() == 1) {
                at_mean / n
            } else {
                by_placement.min(at_mean / n)
            };
            // At 0 and at 1 there is no variance. Then the runs of the smaller side count as independent pairs.
            let pairs = strata.iter().map(|[first, second]| first.len().min(second.len()) as f64).sum();
            let effective = if least > 0.0 { n * a12 * (1.0 - a12) / least } else { pairs };
            wilson_score(a12, effective, reach)
        }
    };
    let exchanges = Exchanges::new(strata);
    StratifiedTest {
        a12,
        interval,
        p_value: exchanges.p_value(),
        variance: 4.0 * exchanges.variance(),
        least_variance: 4.0 * LEAST_SHARE_OF_A12 * exchanges.variance(),
        half_step: exchanges.half_step() / n,
    }
}

/// The difference between two success rates, averaged over strata, with its interval and its variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateDifference {
    /// The first rate minus the second rate, averaged over the strata.
    pub difference: f64,
    /// The interval of the mean difference for these strata, in `[-1, 1]`.
    pub interval: Interval,
    /// The variance of the difference in a stratum, averaged over the strata. This variance comes from the randomness of the runs.
    pub variance: f64,
    /// The minimum variance of a difference for [`instance_differences`](crate::instance_differences): an eighth of `variance`.
    pub least_variance: f64,
}

/// Computes the difference between the success rates of two sides, averaged over strata. All strata have equal weight. Each side of a
/// stratum is given by two numbers: its solved runs and all its runs. Each side of each stratum must have at least one run.
///
/// If there is one stratum, the interval is Newcombe's interval. If each stratum contains only one pair of runs, the interval equals the
/// interval of [`PairCounts`]. If there are several strata, and at least one of them contains more than one pair of runs, the interval is
/// Newcombe's interval for independent runs. For each side, Newcombe's interval needs the mean rate and a number `m` of independent runs.
/// The mean rate of a side is the mean of its success rates in all strata. The function chooses `m` so that the success rate of `m`
/// independent runs has the same variance as the mean rate. The variance of the mean rate is the larger of two estimates. The first
/// estimate of the variance is the unbiased variance. The second estimate of the variance uses the success rates by the rule of succession,
/// `(solved + 1) / (runs + 2)`.
///
/// Source: R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17(8), 1998,
/// method 10.
///
/// # Panics
/// If a side of a stratum has no runs. If the number of solved runs of a side exceeds the number of all runs of this side.
///
/// # Example
/// ```
/// // Two instances: 9 against 2 of ten, 6 against 3 of ten.
/// use evogrid_statistics::{Confidence, stratified_rates};
///
/// let found = stratified_rates(&[[(9, 10), (2, 10)], [(6, 10), (3, 10)]], Confidence::PERCENT_95);
/// assert!((found.difference - 0.5).abs() < 1e-12 && found.interval.low > 0.1);
/// ```
pub fn stratified_rates(strata: &[[(u64, u64); 2]], confidence: Confidence) -> RateDifference {
    let n = strata.len() as f64;
    if strata.is_empty() {
        let (interval, variance) = (Interval { low: -1.0, high: 1.0 }, 0.5);
        return RateDifference { difference: 0.0, interval, variance, least_variance: LEAST_SHARE_OF_RATES * variance };
    }
    assert!(
        strata.iter().flatten().all(|&(solved, runs)| runs > 0 && solved <= runs),
        "each side of a stratum has runs, and the number of solved runs is at most the number of runs"
    );
    let [first, second] = [0, 1].map(|side: usize| MeanRate::new(strata.iter().map(|sides| sides[side])));
    let reach = confidence.normal_reach();
    let interval = match strata {
        [sides] => newcombe(sides.map(|(solved, runs)| (solved as f64 / runs as f64, runs as f64)), reach),
        _ if strata.iter().flatten().all(|&(_, runs)| runs == 1) => {
            let count = |wanted| strata.iter().filter(|[one, other]| one.0.cmp(&other.0) == wanted).count() as u64;
            let [losses, ties, wins] =
                [std::cmp::Ordering::Less, std::cmp::Ordering::Equal, std::cmp::Ordering::Greater].map(count);
            PairCounts { wins, losses, ties }.interval_within(reach)
        }
        _ => newcombe([&first, &second].map(|side| (side.rate, side.effective_runs)), reach),
    };
    let variance = n * (first.variance + second.variance);
    RateDifference {
        difference: first.rate - second.rate,
        interval,
        variance,
        least_variance: LEAST_SHARE_OF_RATES * variance,
    }
}

/// Newcombe's interval of the difference between the first and the second success rate, from independent runs. Each side has its rate and
/// its number of runs, which need not be whole. `reach` is the half width in standard errors: 1.96 for 95 %.
///
/// With the rates `p₁`, `p₂` and their Wilson intervals `[l₁, u₁]`, `[l₂, u₂]`:
/// from `p₁ - p₂ - √((p₁ - l₁)² + (u₂ - p₂)²)` to `p₁ - p₂ + √((u₁ - p₁)² + (p₂ - l₂)²)`. The interval lies in `[-1, 1]`. It has a width
/// also if all runs or no runs are solved.
///
/// Source: R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven
/// methods", Statistics in Medicine 17(8), 1998, pages 873 to 890, method 10.
fn newcombe(sides: [(f64, f64); 2], reach: f64) -> Interval {
    let [(first, one), (second, other)] = sides.map(|(rate, runs)| (rate, wilson_score(rate, runs, reach)));
    let middle = first - second;
    Interval {
        low: (middle - (first - one.low).hypot(other.high - second)).max(-1.0),
        high: (middle + (second - other.low).hypot(one.high - first)).min(1.0),
    }
}

/// The mean of the rates of several strata.
struct MeanRate {
    rate: f64,
    /// The variance of the mean rate that the randomness of the runs implies.
    variance: f64,
    /// The number of independent runs that would give the same variance. It is not below the number that results if all strata have one
    /// common rate.
    effective_runs: f64,
}

impl MeanRate {
    fn new(strata: impl Iterator<Item = (u64, u64)>) -> Self {
        let (mut n, mut rates, mut unbiased, mut smoothed, mut reciprocals) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (solved, runs) in strata {
            let (solved, runs) = (solved as f64, runs as f64);
            let (own, succession) = (solved / runs, (solved + 1.0) / (runs + 2.0));
            n += 1.0;
            rates += own;
            unbiased += if runs > 1.0 { own * (1.0 - own) / (runs - 1.0) } else { 0.0 };
            smoothed += succession * (1.0 - succession) / runs;
            reciprocals += 1.0 / runs;
        }
        let (rate, variance) = (rates / n, f64::max(unbiased, smoothed) / (n * n));
        let effective_runs = f64::max(n * n / reciprocals, rate * (1.0 - rate) / variance);
        Self { rate, variance, effective_runs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C95: Confidence = Confidence::PERCENT_95;

    #[test]
    fn one_stratum_has_the_intervals_of_two_samples() {
        let (first, second) = ([12.0, 15.0, 18.0, 21.0, 30.0], [14.0, 20.0, 25.0, 28.0, 31.0, 40.0]);
        let (test, single) = (stratified_test(&[[&first, &second]], C95), vargha_delaney(&first, &second));
        assert_eq!((test.a12, test.interval), (single.a12, single.interval));
        // scipy.stats.mannwhitneyu(first, second, method="exact").pvalue
        assert!((test.p_value - 0.2467532).abs() < 1e-7, "{test:?}");
        // Newcombe 1998, table II, comparison (a): 0.0524 to 0.3339.
        let interval = stratified_rates(&[[(56, 70), (48, 80)]], C95).interval;
        assert!((interval.low - 0.0524).abs() < 5e-5 && (interval.high - 0.3339).abs() < 5e-5, "{interval:?}");
    }

    #[test]
    fn intervals_of_another_confidence_agree_with_independent_code() {
        let expect = |found: Interval, low: f64, high: f64| {
            assert!((found.low - low).abs() < 1e-8 && (found.high - high).abs() < 1e-8, "{found:?}");
        };
        let c99 = Confidence::new(0.99).expect("in range");
        // statsmodels' confint_proportions_2indep(56, 70, 48, 80, method="newcomb", alpha=0.01)
        expect(stratified_rates(&[[(56, 70), (48, 80)]], c99).interval, 0.005_370_869_25, 0.371_808_431_78);
        // By scipy.optimize.brentq: Newcombe's method 5 at scipy.stats.norm.isf(0.005).
        let (first, second) = ([12.0, 15.0, 18.0, 21.0, 30.0], [14.0, 20.0, 25.0, 28.0, 31.0, 40.0]);
        expect(stratified_test(&[[&first, &second]], c99).interval, 0.059_877_057_55, 0.694_371_505_95);
        // Bonett and Price's formula in Python: four pairs won, one lost and one tied.
        let pairs = [(1, 0), (1, 0), (1, 0), (1, 0), (0, 1), (1, 1)].map(|(one, other)| [(one, 1), (other, 1)]);
        expect(stratified_rates(&pairs, c99).interval, -0.405_424_739_43, 1.0);
        let several = [[(9, 10), (2, 10)], [(6, 10), (3, 10)]];
        let [usual, wide] = [C95, c99].map(|confidence| stratified_rates(&several, confidence).interval);
        assert!(wide.low < usual.low && usual.high < wide.high, "{wide:?} and {usual:?}");
        let several: [[&[f64]; 2]; 2] = [[&first, &second], [&second, &first]];
        let [usual, wide] = [C95, c99].map(|confidence| stratified_test(&several, confidence).interval);
        assert!(wide.low < usual.low && usual.high < wide.high, "{wide:?} and {usual:?}");
    }

    #[test]
    fn nothing_and_equal_numbers_tell_nothing() {
        assert_eq!(stratified_test(&[], C95).p_value, 1.0);
        assert_eq!(stratified_rates(&[], C95).interval, Interval { low: -1.0, high: 1.0 });
        let equal = stratified_test(&[[&[1.0; 5][..], &[1.0; 7][..]]; 4], C95);
        assert!(equal.p_value == 1.0 && equal.interval.contains(0.5), "{equal:?}");
    }

    #[test]
    fn strata_count_alike_whatever_their_size() {
        let found = stratified_rates(&[[(320, 400), (98, 100)], [(5, 100), (80, 400)]], C95);
        assert!((found.difference + 0.165).abs() < 1e-12 && found.interval.high < 0.0, "{found:?}");
    }

    #[test]
    fn certain_runs_keep_a_width() {
        let all = stratified_rates(&[[(50, 50), (0, 50)]; 6], C95);
        assert!(all.interval.high == 1.0 && all.interval.low > 0.97 && all.interval.low < 1.0, "{all:?}");
        let all = stratified_test(&[[&[2.0; 50][..], &[1.0; 50][..]]; 6], C95);
        assert!(all.interval.high == 1.0 && all.interval.low > 0.97 && all.interval.low < 1.0, "{all:?}");
    }
}
