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
    configuration: Option<Arc<Configuration>>,
    /// How many runs of the present configuration are made; where configurations take turns, how many of each.
    within: u64,
    /// The number of the next run; where configurations take turns, of the first run of the next configuration.
    number: u64,
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
            within: 0,
            number: 0,
        }
    }

    /// The same runs with alternating configurations.
    pub(super) fn interleaved(self) -> Self {
        Self { is_interleaved: true, ..self }
    }

    /// The run of the next configuration in the alternation.
    fn next_in_turn(&mut self) -> Option<Block> {
        let spec = &self.plan.spec;
        let (n_instances, per_configuration) = (spec.instances.len() as u64, self.plan.runs_per_configuration());
        if self.cursor.step(spec).is_none() {
            (self.cursor, self.number) = (Cursor::default(), 0);
            self.within += 1;
            self.cursor.step(spec)?;
        }
        if self.within >= per_configuration {
            return None;
        }
        let within = self.within % n_instances * spec.repetitions + self.within / n_instances;
        let configuration = self.plan.configuration(self.cursor.algorithm, &self.cursor.points);
        let block = self.block(Arc::new(configuration), self.number + within, within..within + 1);
        self.number += per_configuration;
        Some(block)
    }

    fn block(&self, configuration: Arc<Configuration>, number: u64, within: Range<u64>) -> Block {
        Block { plan: Arc::clone(&self.plan), configuration, share: self.share, number, within }
    }
}

impl Iterator for Blocks {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        if self.is_interleaved {
            return self.next_in_turn();
        }
        let per_configuration = self.plan.runs_per_configuration();
        if self.configuration.is_none() || self.within == per_configuration {
            self.cursor.step(&self.plan.spec)?;
            self.configuration = Some(Arc::new(self.plan.configuration(self.cursor.algorithm, &self.cursor.points)));
            self.within = 0;
        }
        let end = per_configuration.min(self.within.saturating_add(self.size));
        let block = self.block(Arc::clone(self.configuration.as_ref()?), self.number, self.within..end);
        self.number += end - self.within;
        self.within = end;
        Some(block)
    }
}

/// Consecutive runs of one configuration.
pub struct Block {
    plan: Arc<Plan>,
    configuration: Arc<Configuration>,
    share: Option<(Shard, ShardAssignment)>,
    number: u64,
    within: Range<u64>,
}

impl Iterator for Block {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        loop {
            let within = self.within.next()?;
            let number = self.number;
            self.number += 1;
            if self.share.is_none_or(|(shard, assignment)| shard.holds(&assignment, number)) {
                return Some(self.plan.run_in(&self.configuration, number, within));
            }
        }
    }
}
