//! The runs of a plan in blocks, one after the other.

use std::iter::Flatten;
use std::ops::Range;
use std::sync::Arc;

use super::{Configuration, Plan, Run};
use crate::experiment::shard::{Shard, ShardAssignment};

/// The runs of a plan, one after the other.
pub type Runs = Flatten<Blocks>;

/// An iterator over blocks of runs of a plan. Several threads can compute the runs of different blocks in parallel. Blocks save time. To
/// compute the identity of a run, a hash, takes long.
pub type Blocks = Box<dyn Iterator<Item = Block> + Send>;

/// All runs of a plan, or the runs of a shard, in order; a block has at most `size` runs.
pub(super) fn in_order(plan: &Arc<Plan>, shard: Option<Shard>, size: u64) -> Blocks {
    let first = Arc::clone(plan);
    let share = shard.map(|shard| (shard, plan.shard_assignment()));
    Box::new((0..plan.n_configurations()).flat_map(move |number| {
        let (block, runs) = (Block::new(&first, number, share), first.runs_of(number));
        let starts = runs.clone().step_by(size as usize);
        starts.map(move |start| Block { numbers: start..runs.end.min(start.saturating_add(size)), ..block.clone() })
    }))
}

/// The same runs with alternating configurations. In a turn, each configuration has one run.
pub(super) fn interleaved(plan: &Arc<Plan>, shard: Option<Shard>) -> Blocks {
    let plan = Arc::clone(plan);
    let share = shard.map(|shard| (shard, plan.shard_assignment()));
    let (n_instances, repetitions) = (plan.spec.instances.len() as u64, plan.spec.repetitions);
    Box::new((0..n_instances * repetitions).flat_map(move |turn| {
        let plan = Arc::clone(&plan);
        (0..plan.n_configurations()).map(move |number| {
            let run = plan.runs_of(number).start + turn % n_instances * repetitions + turn / n_instances;
            Block { numbers: run..run + 1, ..Block::new(&plan, number, share) }
        })
    }))
}

/// Consecutive runs of one configuration.
#[derive(Clone)]
pub struct Block {
    plan: Arc<Plan>,
    configuration: Arc<Configuration>,
    configuration_number: u64,
    share: Option<(Shard, ShardAssignment)>,
    numbers: Range<u64>,
}

impl Block {
    /// A block without runs.
    fn new(plan: &Arc<Plan>, configuration_number: u64, share: Option<(Shard, ShardAssignment)>) -> Self {
        let configuration = plan.configuration(configuration_number).expect("the plan has the configuration").into();
        Self { plan: Arc::clone(plan), configuration, configuration_number, share, numbers: 0..0 }
    }
}

impl Iterator for Block {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let is_held = |number: &u64| self.share.is_none_or(|(shard, assignment)| shard.holds(&assignment, *number));
        let number = self.numbers.by_ref().find(is_held)?;
        Some(self.plan.run_of((&self.configuration, self.configuration_number), number))
    }
}
