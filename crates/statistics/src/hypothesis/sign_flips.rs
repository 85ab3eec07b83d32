//! Tests of several means by random sign flips of blocks, such as instances.

use crate::confidence::Confidence;
use crate::distributions::draws::Draws;

/// The number of random flips, and the seed of their draws: the same data give the same p-values.
const FLIPS: usize = 1999;
const SEED: u64 = 1;

/// Sums that differ by less than this share are equal except for rounding errors.
const ROUNDING: f64 = 1e-12;

/// The number of statistics that are computed at once, by vector instructions if the machine has them.
const LANES: usize = 8;

/// The random signs of the blocks in each flip.
fn flips(blocks: usize) -> impl Iterator<Item = Vec<f64>> {
    let mut draws = Draws::from_seed(SEED);
    (0..FLIPS).map(move |_| {
        let mut bits = 0;
        let sign = |at: usize| {
            if at.is_multiple_of(64) {
                bits = draws.bits();
            }
            let sign = if bits & 1 == 1 { 1.0 } else { -1.0 };
            bits >>= 1;
            sign
        };
        (0..blocks).map(sign).collect()
    })
}

/// The p-value of the observed statistic, compared with the statistics of the flips.
fn p_value(observed: f64, flipped: impl Iterator<Item = f64>) -> f64 {
    let as_large = flipped.filter(|&statistic| statistic >= observed - ROUNDING).count();
    (1 + as_large) as f64 / (1 + FLIPS) as f64
}

/// Computes the two-sided p-value of the hypothesis that every contrast has the mean 0. Each contrast has one value per block. The
/// statistic is the largest studentised mean. The distribution of this statistic under the hypothesis is computed by changing signs at
/// random. All values in a block change signs together. Therefore the changes of signs keep the correlations between contrasts. The p-value
/// is 1 if there are no contrasts, or if all values are 0.
///
/// Source: J. P. Romano and M. Wolf, "Exact and approximate stepdown methods for multiple hypothesis testing", Journal of the American
/// Statistical Association 100(469), 2005, doi:10.1198/016214504000000539 (the largest statistic, by randomisation).
///
/// # Panics
/// If contrasts have different numbers of blocks.
///
/// # Example
/// ```
/// let differ = [vec![1.0, 1.2, 0.9, 1.1, 1.3, 0.8, 1.0, 1.1], vec![0.1, -0.1, 0.2, -0.2, 0.1, 0.0, 0.1, -0.1]];
/// // All eight values have one sign: 2 of the 256 possible flips are as extreme.
/// assert!((evogrid_statistics::contrast_test(&differ[..1]) - 2.0 / 256.0).abs() < 0.005);
/// assert!(evogrid_statistics::contrast_test(&differ[1..]) > 0.2);
/// ```
pub fn contrast_test(contrasts: &[Vec<f64>]) -> f64 {
    let blocks = contrasts.first().map_or(0, Vec::len);
    assert!(contrasts.iter().all(|contrast| contrast.len() == blocks), "all contrasts have the same number of blocks");
    let lengths: Vec<f64> =
        contrasts.iter().map(|values| values.iter().map(|value| value * value).sum::<f64>().sqrt()).collect();
    let known = || contrasts.iter().zip(&lengths).filter(|(_, length)| **length > 0.0);
    if known().next().is_none() {
        return 1.0;
    }
    // A mean divided by the root of the sum of squares, which no flip changes, grows with Student's t.
    let largest = |signs: &[f64]| {
        let sum = |values: &[f64]| values.iter().zip(signs).map(|(value, sign)| value * sign).sum::<f64>();
        known().map(|(values, length)| sum(values).abs() / length).fold(0.0, f64::max)
    };
    p_value(largest(&vec![1.0; blocks]), flips(blocks).map(|signs| largest(&signs)))
}

/// Returns for each configuration whether it may be the best (a confidence set). The best configuration has the lowest mean cost. Each
/// configuration has one cost per block (instance), and all configurations have the same blocks. Each configuration is tested for the
/// hypothesis that no other configuration has a lower mean. If the test rejects the hypothesis for a configuration, the configuration is
/// excluded from the confidence set. For each of the other configurations, the test computes a difference: the mean cost of the tested
/// configuration minus the mean cost of the other configuration. Each difference is studentised. The statistic is the largest of the
/// studentised differences. The test changes the signs of whole blocks at random many times, and computes the statistic each time. Then the
/// test compares the observed statistic with all statistics that were computed with changed signs. So the test excludes the best
/// configuration with a probability of at most the significance level, for any number of configurations.
///
/// Source: J. P. Romano and M. Wolf (2005), as for [`contrast_test`]; for the set, J. C. Hsu, "Constrained simultaneous confidence intervals
/// for multiple comparisons with the best", Annals of Statistics 12(3), 1984, doi:10.1214/aos/1176346732.
///
/// # Panics
/// If configurations have different numbers of blocks.
///
/// # Example
/// ```
/// use evogrid_statistics::{Confidence, best_set};
///
/// let costs = [vec![1.0, 2.0, 3.0, 1.0, 2.0, 3.0], vec![1.5, 1.5, 3.0, 1.5, 1.5, 3.0], vec![4.0, 6.0, 5.0, 4.0, 6.0, 5.0]];
/// assert_eq!(best_set(&costs, Confidence::PERCENT_95), [true, true, false]);
/// ```
pub fn best_set(costs: &[Vec<f64>], confidence: Confidence) -> Vec<bool> {
    let blocks = costs.first().map_or(0, Vec::len);
    assert!(costs.iter().all(|cost| cost.len() == blocks), "all configurations have the same number of blocks");
    // The sum of flipped differences is the difference of flipped sums, so that each configuration is summed once a flip.
    let padded = costs.len().next_multiple_of(LANES);
    let sums = |signs: &[f64]| -> Vec<f64> {
        let sum = |cost: &Vec<f64>| cost.iter().zip(signs).map(|(cost, sign)| cost * sign).sum();
        costs.iter().map(sum).chain(std::iter::repeat(0.0)).take(padded).collect()
    };
    let observed = sums(&vec![1.0; blocks]);
    let flipped: Vec<Vec<f64>> = flips(blocks).map(|signs| sums(&signs)).collect();
    let may_be_best = |own: usize| {
        // A tiny difference of costs is a rounding error.
        let square = |(one, other): (&f64, &f64)| {
            let difference = one - other;
            if difference.abs() <= ROUNDING * one.abs().max(other.abs()) { 0.0 } else { difference * difference }
        };
        let length = |other: &Vec<f64>| costs[own].iter().zip(other).map(square).sum::<f64>().sqrt();
        // Equal configurations have the statistic 0, and no configuration is excluded by 0.
        let inverse = |length: f64| if length > 0.0 { length.recip() } else { 0.0 };
        let mut inverses: Vec<f64> = costs.iter().map(|other| inverse(length(other))).collect();
        inverses.resize(padded, 0.0);
        let largest = |all: &Vec<f64>| {
            let mut largest = [f64::NEG_INFINITY; LANES];
            for (sums, inverses) in all.as_chunks::<LANES>().0.iter().zip(inverses.as_chunks::<LANES>().0) {
                for ((largest, sum), inverse) in largest.iter_mut().zip(sums).zip(inverses) {
                    let statistic = (all[own] - sum) * inverse;
                    *largest = if statistic > *largest { statistic } else { *largest };
                }
            }
            largest.into_iter().fold(f64::NEG_INFINITY, f64::max)
        };
        let observed = largest(&observed);
        observed <= ROUNDING || p_value(observed, flipped.iter().map(largest)) > confidence.level()
    };
    (0..costs.len()).map(may_be_best).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_differs_where_all_is_equal() {
        assert_eq!(contrast_test(&[]), 1.0);
        assert_eq!(contrast_test(&[vec![0.0; 9], vec![0.0; 9]]), 1.0);
        assert_eq!(best_set(&[vec![2.0; 9], vec![2.0; 9], vec![3.0; 9]], Confidence::PERCENT_95), [true, true, false]);
        assert_eq!(best_set(&[], Confidence::PERCENT_95), [false; 0]);
        let rounded = [vec![0.1 + 0.2 + 0.3; 9], vec![0.3 + 0.2 + 0.1; 9]];
        assert_eq!(best_set(&rounded, Confidence::PERCENT_95), [true, true], "they differ by the rounding of sums");
        assert_eq!(
            best_set(&[vec![1.0; 4], vec![3.0; 4]], Confidence::PERCENT_95),
            [true, true],
            "four blocks do not suffice"
        );
    }

    #[test]
    fn p_values_are_those_of_all_flips_but_for_the_draws() {
        // By itertools.product of Python, over all 1024 signs of two contrasts at once: 22 are as extreme.
        let contrasts = [
            vec![3.0, 1.0, 2.0, -1.0, 4.0, 2.0, 0.5, 1.5, 3.0, -0.5],
            vec![1.0, -2.0, 1.0, 0.0, 2.0, -1.0, 1.0, 0.0, -1.0, 1.0],
        ];
        let exact = {
            let length = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>().sqrt();
            let largest = |signs: u32| {
                let sum = |values: &[f64]| {
                    values
                        .iter()
                        .enumerate()
                        .map(|(at, value)| if signs >> at & 1 == 1 { -value } else { *value })
                        .sum::<f64>()
                };
                contrasts.iter().map(|values| sum(values).abs() / length(values)).fold(0.0, f64::max)
            };
            (0..1024).filter(|&signs| largest(signs) >= largest(0) - 1e-12).count() as f64 / 1024.0
        };
        assert!((contrast_test(&contrasts) - exact).abs() < 0.01, "{} {exact}", contrast_test(&contrasts));
    }

    proptest! {
        #[test]
        fn the_set_holds_the_lowest_mean_and_does_not_depend_on_order_or_unit(
            costs in (2usize..6, 2usize..9).prop_flat_map(|(n, blocks)| prop::collection::vec(prop::collection::vec(0i32..20, blocks), n)),
        ) {
            let costs: Vec<Vec<f64>> = costs.iter().map(|cost| cost.iter().map(|&cost| f64::from(cost)).collect()).collect();
            let set = best_set(&costs, Confidence::PERCENT_95);
            let mean = |at: &usize| costs[*at].iter().sum::<f64>();
            let best = (0..costs.len()).min_by(|one, other| mean(one).total_cmp(&mean(other))).expect("there are some");
            prop_assert!(set[best]);
            let turned: Vec<Vec<f64>> = costs.iter().rev().map(|cost| cost.iter().map(|cost| 4.0 * cost + 8.0).collect()).collect();
            let again: Vec<bool> = best_set(&turned, Confidence::PERCENT_95).into_iter().rev().collect();
            prop_assert_eq!(set, again);
        }
    }
}
