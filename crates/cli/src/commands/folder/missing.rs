//! `runner missing`: which shards have runs left to do.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::journal::Index;

use super::merge;
use crate::arguments::MissingArgs;
use crate::commands::output::print;
use evogrid_runner::engine::progress::line;
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::{Blocks, Plan, Run};
use evogrid_runner::system::numbers::counted;

/// How long runs are counted although every shard is known to have some left: the count is for people, the shards are what is asked.
const COUNTING_TIME: Duration = Duration::from_secs(2);

/// Runs that a thread looks up at a time.
const RUNS_PER_BLOCK: u64 = 1 << 14;

/// Prints the indices of the shards that have runs left, as a job array takes them: `2,5-7`. Nothing if all is done.
pub(crate) fn missing(args: &MissingArgs, catalogue: Catalogue) -> Result<ExitCode> {
    Signals::end_process()?;
    let plan = Arc::new(merge::common(&args.folders)?.plan(catalogue)?);
    let indices: Vec<Index> = merge::journals(&args.folders).map(|dir| Index::read(&dir)).collect::<Result<_, _>>()?;
    let open = OpenRuns::count(&plan, &indices, args.shards, COUNTING_TIME);
    line(&format!(
        "{}{} of {} left to do, in {}",
        if open.is_exact { "" } else { "at least " },
        open.n_runs,
        counted(plan.n_runs(), "run"),
        counted(open.shards.len() as u64, "shard")
    ));
    if !open.shards.is_empty() {
        print(&format!("{}\n", ranges(open.shards)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The runs of a plan that are left to do.
#[derive(Debug, PartialEq)]
struct OpenRuns {
    /// How many there are.
    n_runs: u64,
    /// Whether there are just so many, or at least.
    is_exact: bool,
    /// The shards that have some, in order.
    shards: Vec<u64>,
}

/// What several threads have counted together.
struct Count {
    blocks: Blocks,
    n_open: u64,
    /// By number of the shard, from 0.
    is_open: Vec<bool>,
    n_open_shards: u64,
}

impl OpenRuns {
    /// Counts the runs of a plan that no index has. It takes the hash of every run, some 120 ns on one core, on all cores: of
    /// 10^9 runs minutes. So it ends after `patience` where every shard is known to have runs left.
    fn count(plan: &Arc<Plan>, indices: &[Index], n_shards: u64, patience: Duration) -> Self {
        let n_runs = plan.n_runs();
        // Others have no runs at all.
        let n_shards_with_runs = n_shards.min(n_runs);
        let n_done: u64 = indices.iter().map(|index| index.len() as u64).sum();
        if n_done == 0 {
            return Self { n_runs, is_exact: true, shards: (1..=n_shards_with_runs).collect() };
        }
        let started = Instant::now();
        let assignment = plan.shard_assignment();
        let blocks = plan.blocks(None, RUNS_PER_BLOCK);
        let count = Count { blocks, n_open: 0, is_open: vec![false; n_shards as usize], n_open_shards: 0 };
        let (count, is_cut) = (Mutex::new(count), AtomicBool::new(false));
        let look = || {
            let mut open: Vec<u64> = Vec::new();
            loop {
                let block = {
                    let mut count = count.lock().expect("no thread fails while it counts");
                    count.add(&open);
                    let Some(block) = count.blocks.next() else { return };
                    if count.n_open_shards == n_shards_with_runs && started.elapsed() >= patience {
                        is_cut.store(true, Ordering::Relaxed);
                        return;
                    }
                    block
                };
                let is_open = |run: &Run| !indices.iter().any(|index| index.contains(run.id));
                open.clear();
                open.extend(block.filter(is_open).map(|run| assignment.index(run.number, n_shards)));
            }
        };
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| (0..n_threads).for_each(|_| drop(scope.spawn(look))));
        let is_exact = !is_cut.into_inner();
        let Count { n_open, is_open, .. } = count.into_inner().expect("no thread failed");
        Self {
            // A journal may have runs of wider plans, too.
            n_runs: if is_exact { n_open } else { n_runs.saturating_sub(n_done) },
            is_exact,
            shards: (1..=n_shards).zip(is_open).filter(|(_, is_open)| *is_open).map(|(shard, _)| shard).collect(),
        }
    }
}

impl Count {
    /// Adds runs that are open, each by its shard.
    fn add(&mut self, open: &[u64]) {
        self.n_open += open.len() as u64;
        for &shard in open {
            if !std::mem::replace(&mut self.is_open[shard as usize - 1], true) {
                self.n_open_shards += 1;
            }
        }
    }
}

/// `2,5-7` of 2, 5, 6 and 7.
fn ranges(numbers: impl IntoIterator<Item = u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let range = |(first, last): (u64, u64)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.into_iter().map(range).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_become_ranges() {
        assert_eq!(ranges([2, 5, 6, 7]), "2,5-7");
        assert_eq!(ranges([1, 2]), "1-2");
        assert_eq!(ranges([]), "");
    }
}
