//! The schedule of a plan lists which runs each configuration has. A plan needs a schedule if some configurations have fewer runs than
//! others, as in a race. A plan has no schedule if every configuration has a run on each instance in each repetition.

use serde::{Deserialize, Serialize};

/// The runs of each configuration in a race. A block is a pair of an instance and a repetition. A configuration has one run in each of
/// several consecutive blocks. Each repetition goes through the instances in the same order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The numbers of the instances in the order of the blocks.
    pub instances: Vec<usize>,
    /// For each configuration: the number of its first block, and the number of the block after its last block.
    pub blocks: Vec<[u64; 2]>,
}

impl Schedule {
    /// Returns the command that does the runs of a plan. The command is `tune` if the plan has a schedule, and `run` otherwise.
    pub fn command(schedule: Option<&Self>) -> &'static str {
        if schedule.is_some() { "tune" } else { "run" }
    }

    /// Returns the instance number and the repetition of a block.
    pub fn place(&self, block: u64) -> (usize, u64) {
        let n_instances = self.instances.len() as u64;
        (self.instances[(block % n_instances) as usize], block / n_instances)
    }

    /// The number of the first run of each configuration, and the number of runs.
    pub(crate) fn first_runs(&self) -> Vec<u64> {
        let ends = self.blocks.iter().scan(0, |end, [from, to]| {
            *end += to - from;
            Some(*end)
        });
        std::iter::once(0).chain(ends).collect()
    }

    /// Returns the number of repetitions that the schedule has begun.
    pub fn repetitions(&self) -> u64 {
        let end = self.blocks.iter().map(|[_, to]| *to).max().unwrap_or(0);
        end.div_ceil(self.instances.len().max(1) as u64).max(1)
    }

    /// Checks that the schedule fits this number of configurations and instances.
    ///
    /// # Errors
    /// If the schedule does not fit.
    pub(crate) fn check(&self, n_configurations: u64, n_instances: usize) -> Result<(), String> {
        let mut instances = self.instances.clone();
        instances.sort_unstable();
        if !instances.into_iter().eq(0..n_instances) {
            return Err("the list of instances must contain each instance exactly once".to_owned());
        }
        // The limit also prevents an overflow of the numbers of runs.
        let is_range = |[from, to]: &[u64; 2]| from <= to && *to <= u64::from(u32::MAX);
        if self.blocks.len() as u64 != n_configurations || !self.blocks.iter().all(is_range) {
            return Err("expected one range of block numbers for each configuration".to_owned());
        }
        Ok(())
    }
}
