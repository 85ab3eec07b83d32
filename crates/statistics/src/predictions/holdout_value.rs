//! Holdout values: the best configuration's value with further runs, estimated from the present runs.
//!
//! If the same runs choose and judge the best of many configurations, its value is too good. A lucky configuration is more likely to be
//! chosen. So one half of the instances chooses the configuration, and the other half judges it.

/// The maximum number of parts into which instances are divided.
pub const SPLIT_PARTS: usize = 10;

/// The sum of a configuration's costs on a part of the instances. If there is only one instance, the part consists of repetitions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartCosts {
    /// The number of instances that belong to this part. If there is only one instance, `n` is the number of repetitions in the part.
    pub n: u64,
    /// The sum of the configuration's costs on the instances of the part. The sum must be finite. A smaller sum is better.
    pub sum: f64,
}

/// The cost of the best configuration on instances that were not used to choose it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldoutValue {
    /// The mean cost.
    pub mean: f64,
    /// The number of ways to split the parts into two halves.
    pub splits: usize,
}

impl PartCosts {
    /// Adds the costs of several parts.
    pub fn of_all<'p>(parts: impl IntoIterator<Item = &'p Self>) -> Self {
        parts.into_iter().fold(Self::default(), |all, part| Self { n: all.n + part.n, sum: all.sum + part.sum })
    }

    /// Returns the mean cost per instance; `None` if there are no instances.
    pub fn mean(self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / self.n as f64)
    }
}

/// Returns the index of the lowest mean cost. If several configurations have the lowest mean, the function returns the first index. Returns
/// `None` if there is no cost.
pub fn least_cost(costs: impl IntoIterator<Item = PartCosts>) -> Option<usize> {
    let means = costs.into_iter().map(PartCosts::mean).enumerate();
    let least = means.filter_map(|(at, mean)| Some((at, mean?))).min_by(|one, other| one.1.total_cmp(&other.1));
    least.map(|(at, _)| at)
}

/// Chooses the best of several configurations on one half of the instances. Returns the mean cost of the chosen configuration on the other
/// half of the instances. All configurations must have costs on the same parts of the instances. The caller assigns the instances to the
/// parts in turn: one instance to the first part, the next instance to the second part, and so on. Parts may be empty.
///
/// All splits of the parts into two halves are used. Ten parts can be split into two halves in 126 ways. If the number of parts is odd, one
/// half has one part more. For each split, the configuration with the lowest mean cost on one half is chosen. The result uses the costs of
/// the chosen configuration on the other half. After that, the two halves exchange their roles, so each split uses the costs on every
/// instance once. If several configurations have the lowest mean, their costs on the other half have equal weights in the result. So the
/// order of configurations does not matter. The costs on the two halves are independent. Therefore, if all configurations are equal, the
/// expected value of the result is their common mean. If the configurations are not equally good, the result estimates the mean cost of a
/// configuration that was chosen on only half of the instances. A configuration that was chosen on half of the instances is, on average, a
/// little worse than a configuration that was chosen on all instances.
///
/// Returns `None` if there are fewer than two configurations, or fewer than two parts with costs. The time of the function is proportional
/// to the number of configurations.
///
/// # Example
/// ```
/// use evogrid_statistics::{PartCosts, SPLIT_PARTS, holdout_value};
///
/// // Costs of two configurations on two instances: either is the best on one of them, and has the cost 2 on the other.
/// let configuration = |costs: [f64; 2]| {
///     let mut parts = [PartCosts::default(); SPLIT_PARTS];
///     (parts[0], parts[1]) = (PartCosts { n: 1, sum: costs[0] }, PartCosts { n: 1, sum: costs[1] });
///     parts
/// };
/// let split = holdout_value(&[configuration([1.0, 2.0]), configuration([2.0, 1.0])]).expect("two of each");
/// assert_eq!((split.mean, split.splits), (2.0, 1));
/// ```
pub fn holdout_value(configurations: &[[PartCosts; SPLIT_PARTS]]) -> Option<HoldoutValue> {
    holdout_values(configurations, 1).pop()
}

/// Computes a holdout value for each rank from the first to the `n`-th. The configurations are ranked by their mean costs on one half of the
/// instances. For each rank, the function takes the configuration with this rank, and computes its mean cost on the other half of the
/// instances. If [`holdout_value`] returns `None`, the result is empty. If a rank has no configuration, this rank and all later ranks are
/// omitted.
pub fn holdout_values(configurations: &[[PartCosts; SPLIT_PARTS]], n: usize) -> Vec<HoldoutValue> {
    let used = (0..SPLIT_PARTS).filter(|&at| configurations.iter().any(|parts| parts[at].n > 0));
    let used = used.fold(0u32, |used, at| used | 1 << at);
    let n_used = used.count_ones();
    if configurations.len() < 2 || n_used < 2 {
        return Vec::new();
    }
    // With an even number of parts, the halves have equal size. Only the half with the first part is listed.
    let first = if n_used % 2 == 0 { 1 << used.trailing_zeros() } else { 0 };
    let is_half = |half: &u32| half & !used == 0 && half & first == first && half.count_ones() == n_used / 2;
    let on = |parts: &[PartCosts; SPLIT_PARTS], half: u32| {
        PartCosts::of_all(parts.iter().enumerate().filter(|(at, _)| half >> at & 1 == 1).map(|(_, part)| part))
    };
    let (mut shown, mut splits) = (vec![(0.0, 0.0); n], 0);
    for half in (0..1u32 << SPLIT_PARTS).filter(is_half) {
        splits += 1;
        for [choosing, other] in [[half, used & !half], [used & !half, half]] {
            let means = configurations.iter().filter_map(|parts| Some((on(parts, choosing).mean()?, parts)));
            let mut ranked: Vec<(f64, &[PartCosts; SPLIT_PARTS])> = means.collect();
            ranked.sort_by(|one, other| one.0.total_cmp(&other.0));
            let mut rank = 0;
            for equal in ranked.chunk_by(|one, other| is_equal(one.0, other.0)) {
                let costs: Vec<PartCosts> = equal.iter().map(|(_, parts)| on(parts, other)).collect();
                let all = PartCosts::of_all(&costs);
                for (runs, sum) in shown.iter_mut().skip(rank).take(equal.len()) {
                    *runs += all.n as f64 / costs.len() as f64;
                    *sum += all.sum / costs.len() as f64;
                }
                rank += equal.len();
                if rank >= n {
                    break;
                }
            }
        }
    }
    let figures = shown.into_iter().take_while(|&(runs, _)| runs > 0.0);
    figures.map(|(runs, sum)| HoldoutValue { mean: sum / runs, splits }).collect()
}

/// Whether two means are equal except for the rounding of their sums.
fn is_equal(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * one.abs().max(other.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(costs: &[(u64, f64)]) -> [PartCosts; SPLIT_PARTS] {
        let mut parts = [PartCosts::default(); SPLIT_PARTS];
        costs.iter().zip(&mut parts).for_each(|(&(n, sum), part)| *part = PartCosts { n, sum });
        parts
    }

    #[test]
    fn a_holdout_value_is_what_the_definition_says() {
        let configurations = [
            parts(&[(2, 3.0), (1, 5.0), (3, 4.0), (1, 1.0), (2, 6.0)]),
            parts(&[(2, 5.0), (1, 2.0), (3, 9.0), (1, 2.0), (2, 4.0)]),
            parts(&[(2, 4.0), (0, 0.0), (3, 6.0), (1, 3.0), (2, 3.0)]),
        ];
        // By itertools.combinations and fractions.Fraction of Python.
        let split = holdout_value(&configurations).expect("three on five instances");
        assert_eq!((split.mean, split.splits), (418.0 / 173.0, 10));
        let ten = [parts(&[(1, 1.0); 10]), parts(&[(1, 2.0); 10])];
        assert_eq!(holdout_value(&ten), Some(HoldoutValue { mean: 1.0, splits: 126 }));
        let tied = [parts(&[(1, 1.0), (1, 1.0)]), parts(&[(1, 1.0), (1, 4.0)])];
        assert_eq!(
            holdout_value(&tied),
            Some(HoldoutValue { mean: 1.75, splits: 1 }),
            "of equals all count, by halves"
        );
        assert_eq!(holdout_value(&[tied[1], tied[0]]), holdout_value(&tied), "in any order");
        let second = holdout_values(&ten, 3);
        assert_eq!(second.iter().map(|figure| figure.mean).collect::<Vec<_>>(), [1.0, 2.0], "there is no third");
        assert_eq!(holdout_values(&tied, 2)[1], HoldoutValue { mean: 1.75, splits: 1 }, "equal ones share their ranks");
        // 0.1 + 0.2 + 0.3 in two orders: sums that differ by their rounding alone.
        let rounded = [parts(&[(3, 0.1 + 0.2 + 0.3), (1, 1.0)]), parts(&[(3, 0.3 + 0.2 + 0.1), (1, 5.0)])];
        assert!((holdout_value(&rounded).expect("two parts").mean - (3.0 + 0.6) / 4.0).abs() < 1e-12);
        assert_eq!(holdout_value(&configurations[..1]), None, "nothing to choose from");
        assert_eq!(holdout_value(&[parts(&[(9, 1.0)]), parts(&[(9, 2.0)])]), None, "one part has no halves");
    }

    #[test]
    fn of_equal_configurations_the_best_flatters_itself_and_the_holdout_value_does_not() {
        // Three configurations toss a coin on each of four instances: all 4096 outcomes, each as likely.
        let (mut best, mut split) = (0.0, 0.0);
        for outcome in 0..1u32 << 12 {
            let toss = |at: u32| (1, f64::from(outcome >> at & 1));
            let configurations = [0, 4, 8].map(|from| parts(&[0, 1, 2, 3].map(|at| toss(from + at))));
            let means = configurations.map(|parts| PartCosts::of_all(&parts).mean().expect("there are costs"));
            best += means.into_iter().fold(1.0, f64::min) / 4096.0;
            split += holdout_value(&configurations).expect("three on four instances").mean / 4096.0;
        }
        assert!((split - 0.5).abs() < 1e-12 && best < 0.32, "{split} {best}");
    }
}
