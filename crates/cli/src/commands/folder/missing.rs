//! `runner missing`: which shards still have runs to do.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::journal::Index;
use rayon::prelude::*;

use super::merge;
use crate::arguments::MissingArgs;
use crate::messages::{counted, line, print};
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::{Block, Plan};

/// How long the missing runs are still counted once every shard is known to have some: the count is for people, the command's result is the
/// list of shards.
const COUNTING_TIME: Duration = Duration::from_secs(2);

/// Number of runs that a thread looks up at a time.
const RUNS_PER_BLOCK: u64 = 1 << 14;

/// Prints the indices of the shards with missing runs in the form of a job array: `2,5-7`. Prints nothing if all runs are done.
pub(crate) fn missing(args: &MissingArgs, catalogue: Catalogue) -> Result<()> {
    Signals::end_process(|| ())?;
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
    Ok(())
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

impl OpenRuns {
    /// Counts the runs of a plan that are missing in all indices. It computes the hash of every run on all cores, about 120 ns each on
    /// one core: 10^9 runs take minutes. Therefore it ends after `patience` if every shard is known to have missing runs.
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
        let n_open = AtomicU64::new(0);
        let is_open: Vec<AtomicBool> = (0..n_shards).map(|_| AtomicBool::new(false)).collect();
        let n_open_shards = AtomicU64::new(0);
        let count_block = |block: Block| {
            if n_open_shards.load(Ordering::Relaxed) == n_shards_with_runs && started.elapsed() >= patience {
                return None;
            }
            for run in block.filter(|run| !indices.iter().any(|index| index.contains(run.id))) {
                n_open.fetch_add(1, Ordering::Relaxed);
                let shard = assignment.index(run.number, n_shards) as usize - 1;
                if !is_open[shard].load(Ordering::Relaxed) && !is_open[shard].swap(true, Ordering::Relaxed) {
                    n_open_shards.fetch_add(1, Ordering::Relaxed);
                }
            }
            Some(())
        };
        let is_exact = plan.blocks(None, RUNS_PER_BLOCK).par_bridge().try_for_each(count_block).is_some();
        let is_open = is_open.into_iter().map(AtomicBool::into_inner);
        Self {
            // A journal may have runs of wider plans, too.
            n_runs: if is_exact { n_open.into_inner() } else { n_runs.saturating_sub(n_done) },
            is_exact,
            shards: (1..=n_shards).zip(is_open).filter(|(_, is_open)| *is_open).map(|(shard, _)| shard).collect(),
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
