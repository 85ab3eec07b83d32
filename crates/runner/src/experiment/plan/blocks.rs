//! The runs of a plan in blocks, one after the other.

use std::iter::Flatten;
use std::ops::Range;
use std::sync::Arc;

use super::cursor::Cursor;
use super::{Configuration, Plan, Run};
use crate::experiment::shard::{Shard, ShardAssignment};

/// The runs of a plan, one after the other.
pub type Runs = Flatten<Blocks>;

/// The runs of a plan in blocks, which threads can expand in parallel: the identity of a run is a hash, which takes longer to compute
/// than the next run takes to find.
pub struct Blocks {
    plan: Arc<Plan>,
    share: Option<(Shard, ShardAssignment)>,
    size: u64,
    /// Whether the configurations take turns.
    is_interleaved: bool,
    cursor: Cursor,
    /// The present configuration, and the number of the next one.
    configuration: Option<Arc<Configuration>>,
    next_configuration: u64,
    /// The runs of the present configuration that are not made yet.
    left: Range<u64>,
    /// Where configurations take turns, how many runs of each are made.
    turn: u64,
}

impl Blocks {
    /// All runs of a plan, or those of a shard, in order; a block has at most `size` of them.
    pub(super) fn new(plan: &Arc<Plan>, shard: Option<Shard>, size: u64) -> Self {
        Self {
            plan: Arc::clone(plan),
            share: shard.map(|shard| (shard, plan.shard_assignment())),
            size,
            is_interleaved: false,
            cursor: Cursor::default(),
            configuration: None,
            next_configuration: 0,
            left: 0..0,
            turn: 0,
        }
    }

    /// The same runs with alternating configurations.
    pub(super) fn interleaved(self) -> Self {
        Self { is_interleaved: true, ..self }
    }

    /// Goes on to the next configuration; `None` after the last one.
    fn step(&mut self) -> Option<()> {
        self.cursor.step(&self.plan.spec)?;
        self.configuration = Some(Arc::new(self.plan.configuration(self.cursor.algorithm, &self.cursor.points)));
        self.left = self.plan.runs_of(self.next_configuration);
        self.next_configuration += 1;
        Some(())
    }

    /// The run of the next configuration in the alternation.
    fn next_in_turn(&mut self) -> Option<Block> {
        let (n_instances, repetitions) = (self.plan.spec.instances.len() as u64, self.plan.spec.repetitions);
        if self.step().is_none() {
            (self.cursor, self.next_configuration) = (Cursor::default(), 0);
            self.turn += 1;
            self.step()?;
        }
        let number = self.left.start + self.turn % n_instances * repetitions + self.turn / n_instances;
        (self.turn < n_instances * repetitions).then(|| self.block(number..number + 1)).flatten()
    }

    fn block(&self, numbers: Range<u64>) -> Option<Block> {
        Some(Block {
            plan: Arc::clone(&self.plan),
            configuration: Arc::clone(self.configuration.as_ref()?),
            configuration_number: self.next_configuration - 1,
            share: self.share,
            numbers,
        })
    }
}

impl Iterator for Blocks {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        if self.is_interleaved {
            return self.next_in_turn();
        }
        while self.left.is_empty() {
            self.step()?;
        }
        let end = self.left.end.min(self.left.start.saturating_add(self.size));
        let block = self.block(self.left.start..end);
        self.left.start = end;
        block
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
        loop {
            let number = self.numbers.next()?;
            if self.share.is_none_or(|(shard, assignment)| shard.holds(&assignment, number)) {
                return Some(self.plan.run_of((&self.configuration, self.configuration_number), number));
            }
        }
    }
}
