//! Effects: how much better one configuration does than another, how sure that is, and whether it can be told.
//!
//! An effect is judged on two grounds. The *instances'* differences, one each, say what other instances of their kind would show: they
//! are tested by exchanging the two sides of each ([`sign_flip`]). The *runs* say what other runs on these very instances would show:
//! McNemar's test of pairs for rates, the stratified test of Mann and Whitney for other figures. The p-value is the larger of the two,
//! and the interval covers both, so that an effect counts only where it shows on either ground. Fewer than six instances cannot
//! speak for others: then the runs alone decide, and the effect is one of these instances.

use evogrid_statistics::{
    Interval, PairCounts, SignFlipTest, instances_needed, newcombe, newcombe_paired, repetitions_needed_paired,
    sign_flip, stratified_mann_whitney,
};

/// The difference of two configurations, positive where the first does better.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// For rates the difference of both, from -1 to 1. For other figures the probability that a run of the first does better than
    /// one of the second on the same instance (ties count by half), from 0 to 1. A mean over instances, but for paired rates on too
    /// few of them to speak for others: there it is over all pairs.
    pub size: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The two-sided p-value.
    pub p_value: f64,
    /// For which instances interval and p-value speak.
    pub scope: Scope,
    /// Instances that both have.
    pub instances: usize,
    /// Runs of both on them.
    pub runs: [u64; 2],
    /// Pairs of runs, where runs are paired: won by the first, by the second, by neither.
    pub pairs: Option<PairCounts>,
    /// Mean and variance of the instances' differences, from -1 to 1.
    mean_difference: f64,
    variance: f64,
    /// Whether the effect is one of rates.
    pub is_of_rates: bool,
}

/// For which instances an effect speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For instances like these.
    LikeThese,
    /// For these alone: there are too few to speak for others.
    TheseAlone,
}

/// Whether a difference can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The first does better.
    First,
    /// The second does better.
    Second,
    /// The interval lies so near to none that there is no relevant difference.
    Alike,
    /// There are too few runs or instances.
    Open,
}

/// The costs of the runs of both sides on an instance: less is better. Where runs are paired, both sides have them in the same order.
pub type InstanceCosts = [Vec<f64>; 2];

/// The fewest instances that can speak for others: with five, no exchange of sides is rarer than one in sixteen.
pub const MIN_INSTANCES: usize = 6;

/// The level of a test, before it is corrected.
const LEVEL: f64 = 0.05;

/// The power for which runs that would be needed are counted.
const POWER: f64 = 0.8;

impl Effect {
    /// The effect over instances, none of which lacks runs of a side. Costs of rates are -1 for solved and 0 for not.
    pub fn new(is_of_rates: bool, is_paired: bool, instances: &[InstanceCosts]) -> Self {
        let count = |side: usize| instances.iter().map(|costs| costs[side].len() as u64).sum();
        let differences: Vec<f64> = instances.iter().map(|costs| difference(is_of_rates, costs)).collect();
        let pairs = is_paired.then(|| pair_counts(instances));
        let (p_here, here) = if is_of_rates { rates_here(instances, pairs) } else { figures_here(instances) };
        let by_instances = sign_flip(&differences);
        // A mean of differences around 0, from -1 to 1, as what the effect is called.
        let shown = |difference: f64| if is_of_rates { difference } else { (difference + 1.0) / 2.0 };
        let (scope, p_value, interval) = if instances.len() < MIN_INSTANCES {
            (Scope::TheseAlone, p_here, here)
        } else {
            let SignFlipTest { interval, p_value, .. } = by_instances;
            let (low, high) = (shown(interval.low).min(here.low), shown(interval.high).max(here.high));
            (Scope::LikeThese, p_value.max(p_here), Interval { low, high })
        };
        Self {
            size: match (scope, pairs) {
                (Scope::TheseAlone, Some(pairs)) if is_of_rates => pairs.net(),
                _ => shown(by_instances.mean),
            },
            interval,
            p_value,
            scope,
            instances: instances.len(),
            runs: [count(0), count(1)],
            pairs,
            mean_difference: by_instances.mean,
            variance: variance(&differences, by_instances.mean),
            is_of_rates,
        }
    }

    /// The size of no difference.
    pub(super) fn none(&self) -> f64 {
        if self.is_of_rates { 0.0 } else { 0.5 }
    }

    /// A difference within this of none is none worth the name: 5 points of a rate; of other figures 6 points of a probability, since
    /// an A12 below 0.56 is less than small (Vargha and Delaney, 2000).
    #[must_use]
    pub fn margin(&self) -> f64 {
        if self.is_of_rates { 0.05 } else { 0.06 }
    }

    /// Whether the difference can be told, by a p-value, which may be corrected.
    #[must_use]
    pub fn conclusion(&self, p_value: f64) -> Conclusion {
        let (none, margin) = (self.none(), self.margin());
        if none - margin < self.interval.low && self.interval.high < none + margin {
            Conclusion::Alike
        } else if p_value >= LEVEL || self.interval.contains(none) {
            Conclusion::Open
        } else if self.size > none {
            Conclusion::First
        } else {
            Conclusion::Second
        }
    }

    /// What would tell an effect as large as this one in 80 of 100 cases, at the level of so many tests together, in words: so many
    /// instances where the effect speaks of others, so many pairs of runs of rates on these alone. None if the effect is 0, or
    /// there are that many.
    #[must_use]
    pub fn needed(&self, tests: usize) -> Option<String> {
        let level = LEVEL / tests.max(1) as f64;
        if self.scope == Scope::LikeThese {
            let needed = instances_needed(self.mean_difference, self.variance, POWER, level)?;
            return (needed > self.instances as u64)
                .then(|| format!("some {needed} instances like these would tell, not {}", self.instances));
        }
        let pairs = self.pairs_needed(tests)?;
        (pairs > self.runs[0]).then(|| format!("some {pairs} pairs of runs would tell, not {}", self.runs[0]))
    }

    fn pairs_needed(&self, tests: usize) -> Option<u64> {
        let pairs = self.pairs.filter(|pairs| self.is_of_rates && pairs.n() > 0)?;
        let [first, second] = [pairs.wins, pairs.losses].map(|count| count as f64 / pairs.n() as f64);
        repetitions_needed_paired(first, second, POWER, LEVEL / tests.max(1) as f64)
    }

    /// The same, seen from the other side.
    pub(super) fn mirrored(&self) -> Self {
        let mirror = |value: f64| 2.0 * self.none() - value;
        let interval = Interval { low: mirror(self.interval.high), high: mirror(self.interval.low) };
        Self { size: mirror(self.size), interval, ..self.clone() }
    }

    /// The test of runs.
    pub fn test_here(&self) -> &'static str {
        match (self.is_of_rates, self.pairs.is_some(), self.instances) {
            (true, true, _) => "McNemar's exact test on pairs of runs",
            (_, _, 1) => "the Mann-Whitney test on runs",
            _ => "the Mann-Whitney test on runs, stratified by instance",
        }
    }
}

/// The variance of the differences of two instances or more.
fn variance(differences: &[f64], mean: f64) -> f64 {
    let sum: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
    sum / (differences.len().max(2) - 1) as f64
}

/// How much better the first side does on an instance, from -1 to 1.
fn difference(is_of_rates: bool, [first, second]: &InstanceCosts) -> f64 {
    if is_of_rates {
        let mean = |costs: &[f64]| costs.iter().sum::<f64>() / costs.len() as f64;
        return mean(second) - mean(first);
    }
    2.0 * evogrid_statistics::vargha_delaney(second, first).a12 - 1.0
}

fn pair_counts(instances: &[InstanceCosts]) -> PairCounts {
    let mut pairs = PairCounts { wins: 0, losses: 0, ties: 0 };
    for (first, second) in instances.iter().flat_map(|[first, second]| first.iter().zip(second)) {
        match first.total_cmp(second) {
            std::cmp::Ordering::Less => pairs.wins += 1,
            std::cmp::Ordering::Equal => pairs.ties += 1,
            std::cmp::Ordering::Greater => pairs.losses += 1,
        }
    }
    pairs
}

/// p-value and interval of a difference of rates on these instances.
fn rates_here(instances: &[InstanceCosts], pairs: Option<PairCounts>) -> (f64, Interval) {
    let solved =
        |side: usize| instances.iter().flat_map(|costs| &costs[side]).filter(|&&cost| cost < 0.0).count() as u64;
    if let Some(pairs) = pairs {
        let both = solved(0) - pairs.wins;
        let interval = newcombe_paired(both, pairs.wins, pairs.losses, pairs.ties - both);
        return (pairs.p_value(), interval);
    }
    // Runs that cannot be paired are compared on each instance by itself: instances differ, and so may the numbers of runs on them.
    let (mut size, mut below, mut above) = (0.0, 0.0, 0.0);
    for costs in instances {
        let [(first, one), (second, two)] = [0, 1].map(|side: usize| {
            (costs[side].iter().filter(|&&cost| cost < 0.0).count() as u64, costs[side].len() as u64)
        });
        let (own, interval) = (difference(true, costs), newcombe(first, one, second, two));
        size += own;
        below += (own - interval.low).powi(2);
        above += (interval.high - own).powi(2);
    }
    let n = instances.len().max(1) as f64;
    let interval = Interval { low: (size - below.sqrt()) / n, high: (size + above.sqrt()) / n };
    (stratified_mann_whitney(&strata(instances)).p_value, interval)
}

/// p-value and interval of the probability to do better on these instances.
fn figures_here(instances: &[InstanceCosts]) -> (f64, Interval) {
    let test = stratified_mann_whitney(&strata(instances));
    (test.p_value, test.interval)
}

/// Costs turned round: what is better is larger in the first.
fn strata(instances: &[InstanceCosts]) -> Vec<[&[f64]; 2]> {
    instances.iter().map(|[first, second]| [second.as_slice(), first.as_slice()]).collect()
}
