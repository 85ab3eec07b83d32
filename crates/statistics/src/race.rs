//! A race: configurations run in blocks. A configuration is dropped when the runs show that it is worse than others.
//!
//! A block is one run of every configuration in the race. All runs of a block have the same instance and the same seed. The cost of a run
//! may be any number, and a smaller cost is better. The cost of a failed run is infinite.

use crate::hypothesis::rank_evidence::RankEvidence;

/// A configuration is dropped when the evidence against it reaches this number. A configuration that is as good as the best is dropped with
/// a probability of at most 5 %. This limit of 5 % holds for the whole race.
pub const DROPPED_AT: f64 = 20.0;

/// Each estimate is moved towards the mean of the race. The effect is as if the configuration also had this number of blocks with average
/// costs. Suppose that two configurations have the same mean, and this mean is better than the mean of the race. Then the configuration
/// with more blocks leads.
const AVERAGE_BLOCKS: f64 = 5.0;

/// The number of times that effects of configurations and blocks are fitted in turn.
const FITTING_ROUNDS: usize = 30;

/// A race.
///
/// ```
/// use evogrid_statistics::{Fate, Race};
///
/// let mut race = Race::default();
/// race.enter(3);
/// while race.n_alive() > 1 && race.n_blocks() < 20 {
///     race.add_blocks(&[&[1.0, 2.0, 3.0][..race.n_alive()]]);
/// }
/// assert_eq!(race.standing(), [0]);
/// assert!(matches!(race.entries()[2].fate, Fate::Dropped { block, .. } if block < 10));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Race {
    entries: Vec<RaceEntry>,
    /// The numbers of the configurations still in the race, in ascending order.
    alive: Vec<usize>,
    n_blocks: u64,
}

/// A configuration in a race.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceEntry {
    /// The number of the configuration's first block, counted from 0.
    pub first_block: u64,
    /// The costs of the configuration's runs. The first cost belongs to the block [`first_block`](RaceEntry::first_block). Each later block
    /// with this configuration adds one cost.
    pub costs: Vec<f64>,
    /// Whether the configuration is still in the race.
    pub fate: Fate,
    evidence: RankEvidence,
    /// The sum of its ranks in all blocks. The best rank is 0, and the worst rank is 1.
    ranks: f64,
}

/// Whether a configuration is still in the race, or why it left the race.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    /// The configuration is in the race.
    Alive,
    /// The configuration was dropped after this block. When the configuration was dropped, the runs showed that it was worse than other
    /// configurations.
    Dropped {
        /// The number of the block, counted from 0.
        block: u64,
    },
    /// The configuration was removed after this block to make room for new configurations. The configuration was not among the leaders, but
    /// the runs did not show that it was worse.
    SetAside {
        /// The number of the block, counted from 0.
        block: u64,
    },
}

impl RaceEntry {
    /// Returns the evidence that the configuration is worse than others. The value 1 means no evidence. When the evidence reaches
    /// [`DROPPED_AT`], the configuration is dropped.
    pub fn evidence(&self) -> f64 {
        self.evidence.value()
    }

    /// Whether the configuration has at least one run.
    pub fn has_run(&self) -> bool {
        !self.costs.is_empty()
    }

    /// Returns the number of failed runs of the configuration.
    pub fn n_failed(&self) -> usize {
        self.costs.iter().filter(|cost| cost.is_infinite()).count()
    }

    /// Returns the mean cost of the configuration's runs without failures. Returns `None` if all runs failed.
    pub fn mean_cost(&self) -> Option<f64> {
        let (sum, n) =
            self.costs.iter().filter(|cost| cost.is_finite()).fold((0.0, 0.0), |(sum, n), cost| (sum + cost, n + 1.0));
        (n > 0.0).then_some(sum / n)
    }

    fn cost_in(&self, block: u64) -> Option<f64> {
        self.costs.get(block.checked_sub(self.first_block)? as usize).copied()
    }

    /// The mean rank, from 0 to 1, moved towards one half.
    fn mean_rank(&self) -> f64 {
        (self.ranks + AVERAGE_BLOCKS / 2.0) / (self.costs.len() as f64 + AVERAGE_BLOCKS)
    }
}

impl Race {
    /// All configurations that entered the race, in the order of their entry.
    pub fn entries(&self) -> &[RaceEntry] {
        &self.entries
    }

    /// The numbers of the configurations that are still in the race, in ascending order.
    pub fn alive(&self) -> &[usize] {
        &self.alive
    }

    /// The number of configurations in the race.
    pub fn n_alive(&self) -> usize {
        self.alive.len()
    }

    /// Returns the number of blocks that were added to the race.
    pub fn n_blocks(&self) -> u64 {
        self.n_blocks
    }

    /// Adds `n` new configurations to the race. The new configurations take part from the next block on.
    pub fn enter(&mut self, n: usize) {
        self.alive.extend(self.entries.len()..self.entries.len() + n);
        let entry = RaceEntry {
            first_block: self.n_blocks,
            costs: Vec::new(),
            fate: Fate::Alive,
            evidence: RankEvidence::default(),
            ranks: 0.0,
        };
        self.entries.extend(std::iter::repeat_n(entry, n));
    }

    /// Adds blocks. A block lists the costs of all configurations in the race, in the order of [`alive`](Self::alive). After the last
    /// block, configurations that are shown to be worse are dropped.
    ///
    /// # Panics
    /// If a block and the race have different numbers of configurations.
    pub fn add_blocks(&mut self, blocks: &[impl AsRef<[f64]>]) {
        // The leaders are chosen before the blocks are seen.
        let mut order: Vec<usize> = (0..self.alive.len()).collect();
        order.sort_by(|&one, &other| {
            let rank = |at: usize| self.entries[self.alive[at]].mean_rank();
            rank(one).total_cmp(&rank(other))
        });
        blocks.iter().for_each(|block| self.add_costs(block.as_ref(), &order));
        for &number in &self.alive {
            let entry = &mut self.entries[number];
            if entry.evidence.value() >= DROPPED_AT {
                entry.fate = Fate::Dropped { block: self.n_blocks - 1 };
            }
        }
        self.forget();
    }

    fn add_costs(&mut self, costs: &[f64], order: &[usize]) {
        assert_eq!(costs.len(), self.alive.len(), "every block has one cost per configuration in the race");
        for (at, &number) in self.alive.iter().enumerate() {
            let leaders: Vec<f64> = order.iter().filter(|&&other| other != at).map(|&other| costs[other]).collect();
            let better = costs.iter().filter(|&&other| other < costs[at]).count();
            let equal = costs.iter().filter(|&&other| other == costs[at]).count() - 1;
            let entry = &mut self.entries[number];
            entry.evidence.add(costs[at], &leaders);
            entry.ranks += match costs.len() {
                1 => 0.5,
                n => (better as f64 + equal as f64 / 2.0) / (n - 1) as f64,
            };
            entry.costs.push(costs[at]);
        }
        self.n_blocks += 1;
    }

    /// Keeps only the best configurations in the race, at most `most` of them. All others are set aside.
    pub fn set_aside_all_but(&mut self, most: usize) {
        for number in self.standing().into_iter().skip(most) {
            self.entries[number].fate = Fate::SetAside { block: self.n_blocks - 1 };
        }
        self.forget();
    }

    fn forget(&mut self) {
        self.alive.retain(|&number| self.entries[number].fate == Fate::Alive);
    }

    /// Returns the numbers of the configurations in the race, from best to worst. Of two configurations, the configuration with the smaller
    /// share of failed runs is better. If both have the same share of failed runs, the configuration with the lower
    /// [estimate](Self::estimates) is better. Configurations without a run come last.
    pub fn standing(&self) -> Vec<usize> {
        let mut standing: Vec<(usize, f64)> = self.alive.iter().copied().zip(self.estimates()).collect();
        let failures = |number: usize| {
            let entry = &self.entries[number];
            entry.n_failed() as f64 / entry.costs.len().max(1) as f64
        };
        standing.sort_by(|&(one, estimate), &(other, other_estimate)| {
            let by_runs = self.entries[other].has_run().cmp(&self.entries[one].has_run());
            let by_failures = by_runs.then(failures(one).total_cmp(&failures(other)));
            let by_evidence = || self.entries[one].evidence().total_cmp(&self.entries[other].evidence());
            by_failures.then(estimate.total_cmp(&other_estimate)).then_with(by_evidence)
        });
        standing.into_iter().map(|(number, _)| number).collect()
    }

    /// Estimates the cost of each configuration in the race. Each estimate is relative to the mean over all configurations in the race.
    /// Some configurations may have no cost in some blocks. Because of these missing costs, effects of configurations and of blocks are
    /// fitted together to all costs, by least squares. Each estimate is moved towards 0. The effect is as if the configuration also had a
    /// few blocks with average costs.
    pub fn estimates(&self) -> Vec<f64> {
        let blocks = || 0..self.n_blocks;
        let cost = |at: usize, block| self.entries[self.alive[at]].cost_in(block).filter(|cost| cost.is_finite());
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let (mut sum, mut n) = (0.0, 0.0_f64);
            values.for_each(|value| (sum, n) = (sum + value, n + 1.0));
            (sum / n.max(1.0), n)
        };
        let mut effects = vec![0.0; self.n_alive()];
        let mut weights = vec![0.0; self.n_alive()];
        for _ in 0..FITTING_ROUNDS {
            let block_effects: Vec<f64> = blocks()
                .map(|block| mean(&mut (0..effects.len()).filter_map(|at| Some(cost(at, block)? - effects[at]))).0)
                .collect();
            for at in 0..effects.len() {
                (effects[at], weights[at]) =
                    mean(&mut blocks().filter_map(|block| Some(cost(at, block)? - block_effects[block as usize])));
            }
        }
        let (middle, _) = mean(&mut effects.iter().copied());
        effects.iter().zip(weights).map(|(effect, n)| (effect - middle) * n / (n + AVERAGE_BLOCKS)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn estimates_take_out_what_blocks_cost() {
        let mut race = Race::default();
        race.enter(2);
        race.add_blocks(&[&[1.0, 3.0]]);
        race.add_blocks(&[&[11.0, 13.0]]);
        race.enter(1);
        race.add_blocks(&[&[101.0, 103.0, 102.0]]);
        // Effects of -1, 1 and 0, from 3, 3 and 1 blocks, beside 5 average ones.
        let estimates = race.estimates();
        for (estimate, expected) in estimates.iter().zip([-0.375, 0.375, 0.0]) {
            assert!((estimate - expected).abs() < 1e-6, "{estimates:?}");
        }
        assert_eq!(race.standing(), [0, 2, 1]);
    }

    #[test]
    fn what_fails_stands_behind_what_does_not() {
        let mut race = Race::default();
        race.enter(2);
        race.add_blocks(&[&[1.0, 50.0]]);
        race.add_blocks(&[&[f64::INFINITY, 50.0]]);
        assert_eq!(race.standing(), [1, 0]);
        assert_eq!(race.entries()[0].n_failed(), 1);
    }

    #[test]
    fn those_set_aside_are_not_dropped() {
        let mut race = Race::default();
        race.enter(4);
        race.add_blocks(&[&[4.0, 3.0, 2.0, 1.0]]);
        race.set_aside_all_but(2);
        assert_eq!(race.alive(), [2, 3]);
        assert_eq!(race.entries()[0].fate, Fate::SetAside { block: 0 });
    }

    proptest! {
        #[test]
        fn somebody_is_left_and_has_run_in_every_block(
            blocks in prop::collection::vec(prop::collection::vec(0_u8..6, 6), 1..40),
        ) {
            let mut race = Race::default();
            race.enter(6);
            for block in &blocks {
                let costs: Vec<f64> = race.alive().iter().map(|&at| f64::from(block[at])).collect();
                race.add_blocks(&[&costs]);
            }
            prop_assert!(race.n_alive() > 0);
            let ends: Vec<u64> = race.entries().iter().map(|entry| entry.costs.len() as u64).collect();
            prop_assert_eq!(ends.iter().max(), Some(&race.n_blocks()));
        }
    }
}
