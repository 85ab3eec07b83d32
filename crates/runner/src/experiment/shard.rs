//! Shards: divides the runs of a plan among processes. The processes do not communicate with each other.
//!
//! The plan is shuffled first. Then the runs are assigned to the shards in turn. In the plan of a grid, the values of a setting repeat
//! after a fixed number of runs. Without the shuffle, one shard might therefore have all runs with the largest population size. The
//! shuffled order is not stored: each place in the order is computed when it is needed.

use std::fmt;
use std::str::FromStr;

/// The maximum number of shards of an experiment.
pub const MAX_SHARDS: u64 = 1_000_000;

/// One of several shards. For example, `3/8` is the third of eight shards.
///
/// ```
/// use evogrid_runner::experiment::shard::{Shard, ShardAssignment};
///
/// let shard: Shard = "3/8".parse()?;
/// assert_eq!(shard.n_runs(100), 13);
/// let assignment = ShardAssignment::new(2016, 100);
/// assert_eq!((0..100).filter(|&number| shard.holds(&assignment, number)).count(), 13);
/// # Ok::<(), evogrid_runner::experiment::shard::ShardParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// The error for a text that does not describe a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `I/N`, with 1 <= I <= N <= {MAX_SHARDS}: for example, `--shard 3/8` does the third of eight shards")]
pub struct ShardParseError;

impl FromStr for Shard {
    type Err = ShardParseError;

    fn from_str(text: &str) -> Result<Self, ShardParseError> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let (index, count) = numbers.ok_or(ShardParseError)?;
        let is_valid = (1..=count).contains(&index) && count <= MAX_SHARDS;
        is_valid.then_some(Self { index, count }).ok_or(ShardParseError)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index, self.count)
    }
}

impl Shard {
    /// The number of runs in the shard for a plan of `n_runs` runs.
    pub fn n_runs(self, n_runs: u64) -> u64 {
        n_runs / self.count + u64::from(self.index <= n_runs % self.count)
    }

    /// Whether the run with this number belongs to the shard.
    pub fn holds(self, assignment: &ShardAssignment, number: u64) -> bool {
        assignment.index(number, self.count) == self.index
    }
}

/// The assignment of runs to shards. This assignment is a permutation of the run numbers. The seed of the experiment determines the
/// permutation.
///
/// A Feistel network of four rounds permutes a range of numbers. This range may contain more numbers than the plan has runs. If the network
/// gives a number outside the plan, it permutes this number again, until the result is in the plan (cycle walking: Black and Rogaway,
/// "Ciphers with Arbitrary Finite Domains", CT-RSA 2002). The computation uses only whole numbers, so the assignment is the same on every
/// machine.
#[derive(Clone, Copy, Debug)]
pub struct ShardAssignment {
    n_runs: u64,
    seed: u64,
    /// Each number of the domain has two halves with this number of bits.
    half: u32,
}

impl ShardAssignment {
    /// The assignment for a plan with `n_runs` runs.
    pub fn new(seed: u64, n_runs: u64) -> Self {
        let bits = u64::BITS - n_runs.saturating_sub(1).leading_zeros();
        Self { n_runs, seed, half: bits.div_ceil(2).max(1) }
    }

    /// Returns the number of the run's shard, from 1 to `count`.
    ///
    /// # Panics
    /// If the plan has no such run.
    pub fn index(&self, number: u64, count: u64) -> u64 {
        self.place(number) % count + 1
    }

    /// The position of a run in the shuffled plan.
    fn place(&self, number: u64) -> u64 {
        assert!(number < self.n_runs, "the plan has no run {number}");
        let mut place = self.permute(number);
        while place >= self.n_runs {
            place = self.permute(place);
        }
        place
    }

    fn permute(&self, number: u64) -> u64 {
        let mask = (1u64 << self.half) - 1;
        let (mut left, mut right) = (number >> self.half, number & mask);
        for round in 0..4 {
            (left, right) = (right, left ^ (mix(mix(self.seed ^ round) ^ right) & mask));
        }
        left << self.half | right
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
fn mix(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shard(index: u64, count: u64) -> Shard {
        format!("{index}/{count}").parse().expect("a shard")
    }

    proptest! {
        #[test]
        fn every_run_is_assigned_to_exactly_one_shard(seed: u64, n_runs in 1u64..3000, count in 1u64..50) {
            let assignment = ShardAssignment::new(seed, n_runs);
            let mut places: Vec<u64> = (0..n_runs).map(|number| assignment.place(number)).collect();
            places.sort_unstable();
            prop_assert!(places.into_iter().eq(0..n_runs), "it is a permutation");
            for index in 1..=count {
                let held = (0..n_runs).filter(|&number| shard(index, count).holds(&assignment, number)).count() as u64;
                prop_assert_eq!(held, shard(index, count).n_runs(n_runs));
            }
        }
    }

    #[test]
    fn a_shard_follows_no_period_of_the_grid() {
        // Ten configurations of 100 runs, and ten shards: a plain remainder would give each shard one repetition of each instance.
        let assignment = ShardAssignment::new(2016, 1000);
        for index in 1..=10 {
            let mut of_remainder = [0; 10];
            for number in (0..1000).filter(|&number| shard(index, 10).holds(&assignment, number)) {
                of_remainder[(number % 10) as usize] += 1;
            }
            assert!(of_remainder.iter().all(|&held| (2..=22).contains(&held)), "{of_remainder:?}");
        }
    }

    #[test]
    fn the_assignment_never_changes() {
        // Shards of one experiment may be done years and releases apart.
        let places = |seed, n_runs: u64| {
            (0..12).map(|number| ShardAssignment::new(seed, n_runs).place(number)).collect::<Vec<_>>()
        };
        assert_eq!(places(2016, 12), [2, 1, 7, 0, 11, 10, 6, 4, 8, 9, 5, 3]);
        let expected = [2_013_780, 373_404, 6_062_254, 7_338_792, 2_729_575, 7_589_744, 5_253_444, 1_504_161];
        assert_eq!(places(1, 10_000_000)[..8], expected);
    }

    #[test]
    fn a_shard_is_written_as_it_is_read_and_anything_else_is_refused() {
        assert_eq!(shard(3, 8).to_string(), "3/8");
        for wrong in ["", "3", "/", "3/", "0/8", "9/8", "-1/8", "3/8/9", "1/1000001", "a/b", " 1/2"] {
            assert_eq!(wrong.parse::<Shard>(), Err(ShardParseError), "{wrong}");
        }
    }
}
