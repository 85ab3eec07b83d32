//! The permutation distribution of the mean A12 over strata. The distribution is computed exactly if this takes little time.

use crate::distributions::normal;
use crate::hypothesis::ranks::{cubed_less_itself, ranks};

/// The largest number of additions for an exact p-value. These additions take a few milliseconds. With more runs, the normal distribution
/// suffices.
const MOST_WORK: u64 = 4_000_000;

/// The largest common denominator of scores. If the denominator is larger, scores are hardly ever equal.
const MOST_STEPS: u64 = 1 << 20;

/// All exchanges of numbers between the two samples of each stratum. No sample is empty.
pub(super) struct Exchanges(Vec<Stratum>);

impl Exchanges {
    pub(super) fn new(strata: &[[&[f64]; 2]]) -> Self {
        Self(strata.iter().map(|&[first, second]| Stratum::new(first, second)).collect())
    }

    /// Computes the two-sided p-value of the hypothesis that, in each stratum, both samples come from the same distribution. The statistic
    /// is the distance of the mean A12 from one half.
    pub(super) fn p_value(&self) -> f64 {
        exact(&self.0).unwrap_or_else(|| by_normal(&self.0))
    }

    /// The variance of the A12 of a stratum under these exchanges, averaged over strata.
    pub(super) fn variance(&self) -> f64 {
        self.0.iter().map(Stratum::variance).sum::<f64>() / self.0.len() as f64
    }

    /// Half of the step between two possible values of `2 A12 - 1` in a stratum, reduced by the share of ties, averaged over strata.
    pub(super) fn half_step(&self) -> f64 {
        self.0.iter().map(|stratum| stratum.untied() / stratum.pairs() as f64).sum::<f64>() / self.0.len() as f64
    }
}

/// The doubled ranks of a stratum's numbers. So the ranks of ties are also whole numbers.
struct Stratum {
    /// All doubled ranks. The ranks of the first sample come first.
    ranks: Vec<u32>,
    /// The sizes of the samples.
    sizes: [usize; 2],
    /// The sum of `t³ - t` over groups of `t` equal numbers.
    ties: f64,
}

impl Stratum {
    fn new(first: &[f64], second: &[f64]) -> Self {
        let ranked = ranks(&[first, second].concat());
        let ranks = ranked.ranks.iter().map(|rank| (2.0 * rank).round() as u32).collect();
        Self { ranks, sizes: [first.len(), second.len()], ties: ranked.ties }
    }

    /// Twice the distance of U from its mean: the doubled rank sum of the first sample minus its mean.
    fn score(&self) -> i64 {
        let sum: i64 = self.ranks[..self.sizes[0]].iter().map(|&rank| i64::from(rank)).sum();
        sum - self.mean()
    }

    fn mean(&self) -> i64 {
        (self.sizes[0] * (self.ranks.len() + 1)) as i64
    }

    fn pairs(&self) -> u64 {
        (self.sizes[0] * self.sizes[1]) as u64
    }

    /// The variance of A12 under all exchanges.
    fn variance(&self) -> f64 {
        let (all, pairs) = (self.ranks.len(), self.pairs() as f64);
        let of_u = pairs / 12.0 * (cubed_less_itself(all) - self.ties) / (all as f64 * (all - 1) as f64);
        of_u.max(0.0) / (pairs * pairs)
    }

    /// The share of all pairs of numbers that are not equal.
    fn untied(&self) -> f64 {
        let mut sorted = self.ranks.clone();
        sorted.sort_unstable();
        let n = sorted.len() as f64;
        let equal: f64 =
            sorted.chunk_by(|one, other| one == other).map(|group| (group.len() * (group.len() - 1)) as f64).sum();
        1.0 - equal / (n * (n - 1.0))
    }

    /// Whether there are at most two different numbers. In this case the samples are rates.
    fn is_binary(&self) -> bool {
        let least = self.ranks.iter().min();
        let mut others = self.ranks.iter().filter(|&rank| Some(rank) != least);
        let other = others.next();
        others.all(|rank| Some(rank) == other)
    }

    /// The number of additions for computing the distribution.
    fn work(&self) -> u64 {
        let [m, n] = self.sizes.map(|size| size as u64);
        if self.is_binary() { m.min(n) + 1 } else { (m + n) * m.min(n) * m * n * 2 }
    }

    /// The possible scores under exchanges, with their probabilities.
    fn distribution(&self) -> Vec<(i64, f64)> {
        if self.is_binary() { self.hypergeometric() } else { self.rank_sums() }
    }

    /// The probabilities of the number of larger numbers in the first sample.
    fn hypergeometric(&self) -> Vec<(i64, f64)> {
        let (all, m) = (self.ranks.len(), self.sizes[0]);
        let largest = *self.ranks.iter().max().expect("the samples are not empty");
        let least = *self.ranks.iter().min().expect("the samples are not empty");
        let large = self.ranks.iter().filter(|&&rank| rank == largest).count();
        if large == all {
            return vec![(0, 1.0)];
        }
        let (lowest, highest) = ((m + large).saturating_sub(all), m.min(large));
        let choose = |n: usize, k: usize| (1..=k).map(|i| ((n - k + i) as f64 / i as f64).ln()).sum::<f64>();
        let total = choose(all, m);
        let score = |k: usize| k as i64 * i64::from(largest) + (m - k) as i64 * i64::from(least) - self.mean();
        let log = |k: usize| choose(large, k) + choose(all - large, m - k) - total;
        (lowest..=highest).map(|k| (score(k), log(k).exp())).collect()
    }

    /// The sums of ranks of all samples of this size, counted by the number of ranks in the sample and by their sum.
    fn rank_sums(&self) -> Vec<(i64, f64)> {
        let m = self.sizes[0].min(self.sizes[1]);
        let mut sorted = self.ranks.clone();
        sorted.sort_unstable_by(|one, other| other.cmp(one));
        let most: usize = sorted[..m].iter().map(|&rank| rank as usize).sum();
        // The share of all subsets that have `j` ranks with this sum, among those drawn from the ranks seen so far.
        let width = most + 1;
        let mut counts = vec![0.0; (m + 1) * width];
        counts[0] = 1.0;
        for (seen, &rank) in sorted.iter().enumerate() {
            let rank = rank as usize;
            for j in (0..m.min(seen + 1)).rev() {
                let (from, to) = counts.split_at_mut((j + 1) * width);
                for (into, out) in to[rank..width].iter_mut().zip(&from[j * width..]) {
                    *into += out;
                }
            }
        }
        let row = &counts[m * width..];
        let total: f64 = row.iter().sum();
        let mean = (m * (self.ranks.len() + 1)) as i64;
        // If the smaller sample has a lower sum, the other sample has a higher sum.
        let sign = if self.sizes[0] == m { 1 } else { -1 };
        let scores = row.iter().enumerate().filter(|&(_, &count)| count > 0.0);
        scores.map(|(sum, &count)| (sign * (sum as i64 - mean), count / total)).collect()
    }
}

/// The share of all exchanges whose score is at least as far from the mean as the observed score; `None` if counting them takes too long.
fn exact(strata: &[Stratum]) -> Option<f64> {
    let denominator = strata.iter().try_fold(1, |common, stratum| {
        let next = common / gcd(common, stratum.pairs()) * stratum.pairs();
        (next <= MOST_STEPS).then_some(next)
    })?;
    if strata.iter().map(Stratum::work).sum::<u64>() > MOST_WORK {
        return None;
    }
    let mut observed = 0;
    let mut factors = Vec::new();
    for stratum in strata {
        let weight = (denominator / stratum.pairs()) as i64;
        observed += weight * stratum.score();
        let scores: Vec<(i64, f64)> = stratum.distribution().iter().map(|&(score, p)| (weight * score, p)).collect();
        factors.push(scores);
    }
    // All scores lie on a lattice of this step.
    let step = factors
        .iter()
        .fold(0, |step, scores| scores.iter().fold(step, |step, (score, _)| gcd(step, score.abs_diff(scores[0].0))));
    if step == 0 {
        return Some(1.0);
    }
    let (mut lowest, mut sums) = (0, vec![1.0]);
    let mut work = 0;
    for scores in &factors {
        let base = scores.iter().map(|(score, _)| *score).min().expect("at least one exchange is possible");
        let place = |score: i64| (score.abs_diff(base) / step) as usize;
        let width = scores.iter().map(|&(score, _)| place(score)).max().expect("at least one exchange is possible");
        work += (sums.len() * scores.len()) as u64;
        if work > MOST_WORK {
            return None;
        }
        let mut next = vec![0.0; sums.len() + width];
        for &(score, p) in scores {
            next[place(score)..].iter_mut().zip(&sums).for_each(|(into, sum)| *into += p * sum);
        }
        (lowest, sums) = (lowest + base, next);
    }
    let distance = |at: usize| (lowest + at as i64 * step as i64).abs();
    let beyond = sums.iter().enumerate().filter(|&(at, _)| distance(at) >= observed.abs()).map(|(_, p)| p);
    Some(beyond.sum::<f64>().min(1.0))
}

/// The p-value by the normal distribution with the variance of the exchanges.
fn by_normal(strata: &[Stratum]) -> f64 {
    let distance = |stratum: &Stratum| stratum.score() as f64 / 2.0 / stratum.pairs() as f64;
    let sum: f64 = strata.iter().map(distance).sum();
    let variance: f64 = strata.iter().map(Stratum::variance).sum();
    if variance > 0.0 { (2.0 * normal::at_most(-sum.abs() / variance.sqrt())).min(1.0) } else { 1.0 }
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn p_value(strata: &[[&[f64]; 2]]) -> f64 {
        Exchanges::new(strata).p_value()
    }

    #[test]
    fn single_pairs_are_the_exact_sign_test() {
        let strata: Vec<[&[f64]; 2]> = vec![[&[2.0], &[1.0]]; 4];
        assert_eq!(p_value(&strata), 0.125);
        let many: Vec<[&[f64]; 2]> = vec![[&[2.0], &[1.0]]; 20];
        assert_eq!(p_value(&many), 2.0 / f64::from(1 << 20));
    }

    #[test]
    fn a_fourfold_table_is_tested_as_by_fisher() {
        // scipy.stats.fisher_exact([[8, 2], [3, 7]]).pvalue; the samples are of one size, so that both sides count alike.
        let rate = |solved: usize| (0..10).map(|at| f64::from(u8::from(at < solved))).collect::<Vec<f64>>();
        let p = p_value(&[[&rate(8), &rate(3)]]);
        assert!((p - 0.069_778_518_7).abs() < 1e-9, "{p}");
        // All of 300 against none: 2 / choose(100, 50)^6.
        let (all, none) = ([1.0; 50], [0.0; 50]);
        let p = p_value(&[[&all[..], &none[..]]; 6]);
        assert!(p > 0.0 && (p.log10() + 173.722_1).abs() < 1e-3, "{}", p.log10());
    }

    #[test]
    fn unequal_samples_and_ties_agree_with_every_exchange() {
        let strata: [[&[f64]; 2]; 2] = [[&[1.0, 5.0, 5.0], &[2.0, 7.0]], [&[3.0], &[1.0, 3.0, 4.0]]];
        let mean = |strata: &[[Vec<f64>; 2]]| -> f64 {
            strata.iter().map(|[one, two]| crate::vargha_delaney(one, two).a12 - 0.5).sum()
        };
        let exchanges = |[first, second]: [&[f64]; 2]| -> Vec<[Vec<f64>; 2]> {
            let all = [first, second].concat();
            let chosen = |bits: u32, is_in: bool| -> Vec<f64> {
                all.iter()
                    .enumerate()
                    .filter(|(at, _)| (bits >> at & 1 == 1) == is_in)
                    .map(|(_, &number)| number)
                    .collect()
            };
            let subsets = (0..1u32 << all.len()).filter(|bits| bits.count_ones() as usize == first.len());
            subsets.map(|bits| [chosen(bits, true), chosen(bits, false)]).collect()
        };
        let observed = mean(&strata.map(|sides| sides.map(<[f64]>::to_vec))).abs();
        let (mut all, mut beyond) = (0, 0);
        for one in exchanges(strata[0]) {
            for other in exchanges(strata[1]) {
                all += 1;
                beyond += u32::from(mean(&[one.clone(), other]).abs() >= observed - 1e-12);
            }
        }
        let exact = f64::from(beyond) / f64::from(all);
        assert!((p_value(&strata) - exact).abs() < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_normal_distribution_comes_near(first in prop::collection::vec(0u8..30, 12..16), second in prop::collection::vec(0u8..30, 12..16)) {
            let numbers = |values: &[u8]| values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>();
            let (first, second) = (numbers(&first), numbers(&second));
            let strata = [Stratum::new(&first, &second), Stratum::new(&second, &first)];
            let one = &strata[..1];
            let exact_p = exact(one).expect("few runs");
            prop_assert!((exact_p - by_normal(one)).abs() < 0.04, "{} {}", exact_p, by_normal(one));
            // What one stratum says for the first the other says for the second.
            prop_assert!((exact(&strata).expect("few runs") - 1.0).abs() < 1e-9);
        }
    }
}
