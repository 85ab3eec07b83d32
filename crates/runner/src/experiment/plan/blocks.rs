//! The runs of a plan in blocks, one after the other.

use std::iter::Flatten;
use std::ops::Range;
use std::sync::Arc;

use super::{Configuration, Plan, Run};
use crate::experiment::shard::{Shard, ShardAssignment};

/// The runs of a plan, one after the other.
pub type Runs = Flatten<Blocks>;

/// An iterator over blocks of runs of a plan. Several threads can compute the runs of different blocks in parallel. The identity of a run
/// is a hash that takes long to compute. So this saves time.
pub struct Blocks {
    plan: Arc<Plan>,
    share: Option<(Shard, ShardAssignment)>,
    /// The maximum number of runs in a block.
    size: u64,
    /// The number of finished turns. In a turn, each configuration has one run. `None` if all runs of a configuration are consecutive.
    turn: Option<u64>,
    /// The current configuration, and the number of the next configuration.
    configuration: Option<Arc<Configuration>>,
    next_configuration: u64,
    /// The runs of the current configuration that were not put into a block yet.
    left: Range<u64>,
}

impl Blocks {
    /// All runs of a plan, or the runs of a shard, in order; a block has at most `size` runs.
    pub(super) fn new(plan: &Arc<Plan>, shard: Option<Shard>, size: u64) -> Self {
        let share = shard.map(|shard| (shard, plan.shard_assignment()));
        Self { plan: Arc::clone(plan), share, size, turn: None, configuration: None, next_configuration: 0, left: 0..0 }
    }

    /// The same runs with alternating configurations.
    pub(super) fn interleaved(self) -> Self {
        Self { turn: Some(0), ..self }
    }

    /// Moves to the next configuration; returns `None` after the last one.
    fn step(&mut self) -> Option<()> {
        let configuration = self.plan.configuration(self.next_configuration)?;
        self.left = self.plan.runs_of(self.next_configuration);
        if let Some(turn) = self.turn {
            let (n_instances, repetitions) = (self.plan.spec.instances.len() as u64, self.plan.spec.repetitions);
            let number = self.left.start + turn % n_instances * repetitions + turn / n_instances;
            self.left = (turn < n_instances * repetitions).then_some(number..number + 1)?;
        }
        self.configuration = Some(Arc::new(configuration));
        self.next_configuration += 1;
        Some(())
    }
}

impl Iterator for Blocks {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        while self.left.is_empty() {
            if self.step().is_none() {
                *self.turn.as_mut()? += 1;
                self.next_configuration = 0;
                self.step()?;
            }
        }
        let end = self.left.end.min(self.left.start.saturating_add(self.size));
        let numbers = self.left.start..end;
        self.left.start = end;
        Some(Block {
            plan: Arc::clone(&self.plan),
            configuration: Arc::clone(self.configuration.as_ref()?),
            configuration_number: self.next_configuration - 1,
            share: self.share,
            numbers,
        })
    }
}

/// Consecutive runs of one configuration.
pub struct Block {
    plan: Arc<Plan>,
    configuration: Arc<Configuration>,
    configuration_number: u64,
    share: Option<(Shard, ShardAssignment)>,
    numbers: Range<u64>,
}

impl Iterator for Block {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let is_held = |number: &u64| self.share.is_none_or(|(shard, assignment)| shard.holds(&assignment, *number));
        let number = self.numbers.by_ref().find(is_held)?;
        Some(self.plan.run_of((&self.configuration, self.configuration_number), number))
    }
}
