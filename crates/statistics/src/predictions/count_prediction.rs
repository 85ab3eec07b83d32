//! Predictions of the number of solved runs among further runs, from the present runs.
//!
//! A published rate comes from a few other runs. Do not ask whether the published rate lies in the interval of our rate. The published rate
//! is also uncertain. The right question is about a second experiment of the published size. Which numbers of solved runs could it have
//! with our true rate? The answer is the beta-binomial predictive distribution with Jeffreys' prior. If `s` of `n` runs are solved, the
//! true rate has the distribution `Beta(s + 1/2, n - s + 1/2)`. For this rate, the count of solved runs among `m` further runs is binomial.

use std::ops::RangeInclusive;

use crate::interval::TAIL;

/// Predicts the number of solved runs among new runs. The parameter `further` is the number of new runs. The prediction is made from an
/// experiment: `runs` is the number of its runs, and `solved` is the number of its solved runs. Returns the central 95 % range of the
/// number of solved runs.
///
/// Let `K` be the predicted count. The range begins at the highest count `low` with `P(K < low) <= 2.5 %`. The range ends at the lowest
/// count `high` with `P(K > high) <= 2.5 %`. `K` is beta-binomial with the parameters `solved + 1/2` and `runs - solved + 1/2` (Jeffreys'
/// prior). All runs must be independent and have the same rate. If the runs are on few instances of very different difficulty, the range is
/// too narrow. The time and memory of the function are proportional to `further`.
///
/// Source of the prior: L. D. Brown, T. T. Cai and A. DasGupta, "Interval estimation for a binomial proportion", Statistical Science
/// 16(2), 2001, doi:10.1214/ss/1009213286.
///
/// # Panics
/// If `solved` exceeds `runs`.
///
/// # Example
/// ```
/// use evogrid_statistics::predict_count;
///
/// // scipy.stats.betabinom(10, 85.5, 15.5).ppf([0.025, 0.975])
/// let range = predict_count(85, 100, 10);
/// assert_eq!(range, 6..=10);
/// ```
pub fn predict_count(solved: u64, runs: u64, further: u64) -> RangeInclusive<u64> {
    let (a, b) = posterior(solved, runs);
    let weights = weights(a, b, further);
    let tail = TAIL * weights.iter().sum::<f64>();
    let low = n_within(weights.iter(), tail).min(further);
    low..=further - n_within(weights.iter().rev(), tail).min(further)
}

/// Computes the two-sided p-value, in `[0, 1]`, of a comparison between another experiment and our experiment. The hypothesis is that the
/// runs of both experiments have the same success rate. In the other experiment, `further` is the number of runs, and `seen` is the number
/// of solved runs. In our experiment, `runs` is the number of runs, and `solved` is the number of solved runs.
///
/// Let `K` be distributed as in [`predict_count`]. The p-value is twice the smaller of `P(K <= seen)` and `P(K >= seen)`. If twice the
/// smaller probability is above 1, the p-value is 1. The p-value is also 1 if `further` is 0. The function takes time and memory in
/// proportion to `further`.
///
/// # Panics
/// If `solved` exceeds `runs`, or if `seen` exceeds `further`.
///
/// # Example
/// ```
/// // 2 * scipy.stats.betabinom(10, 85.5, 15.5).cdf(5)
/// let p_value = evogrid_statistics::count_p_value(85, 100, 10, 5);
/// assert!((p_value - 0.0299036).abs() < 1e-7);
/// ```
pub fn count_p_value(solved: u64, runs: u64, further: u64, seen: u64) -> f64 {
    assert!(seen <= further, "the number of solved runs, {seen}, exceeds the number of runs, {further}");
    let (a, b) = posterior(solved, runs);
    let weights = weights(a, b, further);
    let (at, sum) = (seen as usize, weights.iter().sum::<f64>());
    let lower: f64 = weights[..=at].iter().sum();
    let upper: f64 = weights[at..].iter().rev().sum();
    (2.0 * lower.min(upper) / sum).min(1.0)
}

/// The parameters of the beta distribution of the rate, if `solved` is the number of solved runs and `runs` is the number of all runs.
pub(crate) fn posterior(solved: u64, runs: u64) -> (f64, f64) {
    assert!(solved <= runs, "the number of solved runs, {solved}, exceeds the number of runs, {runs}");
    (solved as f64 + 0.5, (runs - solved) as f64 + 0.5)
}

/// The largest number of weights, from the first weight on, whose sum is at most `tail`.
fn n_within<'a>(weights: impl Iterator<Item = &'a f64>, tail: f64) -> u64 {
    let sums = weights.scan(0.0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    });
    sums.take_while(|&sum| sum <= tail).count() as u64
}

/// The probabilities of 0, 1, ... `m` successes under a beta-binomial distribution, up to a common factor.
///
/// Each probability is computed from the previous probability: `P(k+1) / P(k) = (m-k)(k+a) / ((k+1)(m-k-1+b))`. So no gamma function is
/// needed, and the common factor cancels when the probabilities are normalised.
pub(crate) fn weights(a: f64, b: f64, m: u64) -> Vec<f64> {
    /// If a weight is above this number, all weights are divided by this number.
    const LARGEST_WEIGHT: f64 = 1e250;
    let mut weights = vec![1.0];
    let mut weight = 1.0;
    for k in 0..m {
        let (k, left) = (k as f64, (m - k) as f64);
        weight *= left * (k + a) / ((k + 1.0) * (left - 1.0 + b));
        if weight > LARGEST_WEIGHT {
            // What becomes 0 here is too small to change any sum.
            weights.iter_mut().for_each(|earlier| *earlier /= LARGEST_WEIGHT);
            weight /= LARGEST_WEIGHT;
        }
        weights.push(weight);
    }
    weights
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_probabilities_agree_with_scipy() {
        // scipy.stats.betabinom.pmf(k, 4, 2.5, 1.5), scipy 1.17.1.
        let golden = [0.0703125, 0.15625, 0.234375, 0.28125, 0.2578125];
        let weights = weights(2.5, 1.5, 4);
        let sum: f64 = weights.iter().sum();
        for (weight, golden) in weights.iter().zip(golden) {
            assert!((weight / sum - golden).abs() < 1e-14, "{weight} / {sum} is not {golden}");
        }
    }

    #[test]
    fn no_further_runs_say_nothing_and_thousands_agree_with_scipy() {
        assert_eq!((predict_count(3, 4, 0), count_p_value(3, 4, 0, 0)), (0..=0, 1.0));
        // scipy.stats.betabinom(10_000, 500_000.5, 500_000.5): ppf([0.025, 0.975]), and twice its cdf(4890), scipy 1.17.1.
        assert_eq!(predict_count(500_000, 1_000_000, 10_000), 4902..=5098);
        let p_value = count_p_value(500_000, 1_000_000, 10_000, 4890);
        assert!((p_value / 0.02931674648457215 - 1.0).abs() < 1e-8, "{p_value}");
    }

    proptest! {
        #[test]
        fn a_count_outside_the_range_has_a_p_value_below_five_percent(
            runs in 0u64..500, part in 0.0..=1.0f64, further in 1u64..300, other in 0.0..=1.0f64,
        ) {
            let [solved, seen] = [(runs, part), (further, other)].map(|(n, part)| ((n as f64 * part) as u64).min(n));
            let (p_value, mirror) =
                (count_p_value(solved, runs, further, seen), count_p_value(runs - solved, runs, further, further - seen));
            prop_assert!((0.0..=1.0).contains(&p_value) && (p_value - mirror).abs() < 1e-9);
            // Where a tail is 2.5 % exactly, rounding decides.
            let is_inside = predict_count(solved, runs, further).contains(&seen);
            prop_assert!(is_inside == (p_value > 0.05) || (p_value - 0.05).abs() < 1e-9, "{}", p_value);
        }

        #[test]
        fn the_range_is_ordered_and_mirrors_itself(runs in 0u64..5000, part in 0.0..=1.0f64, further in 0u64..3000) {
            let solved = ((runs as f64 * part) as u64).min(runs);
            let (range, mirror) = (predict_count(solved, runs, further), predict_count(runs - solved, runs, further));
            prop_assert!(range.start() <= range.end() && *range.end() <= further);
            // Rounding may move an end by one where a sum of probabilities meets 2.5 % exactly.
            prop_assert!(range.start().abs_diff(further - mirror.end()) <= 1);
        }
    }
}
