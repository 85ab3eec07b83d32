//! `runner missing`: prints the shards that still have runs to do.

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

/// The count of missing runs may go on for this long after every shard is known to have missing runs. The result of the command is the
/// list of shards; the count is only information.
const COUNTING_TIME: Duration = Duration::from_secs(2);

/// A thread looks up this many runs at a time.
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

/// The missing runs of a plan.
#[derive(Debug, PartialEq)]
struct OpenRuns {
    /// The number of missing runs.
    n_runs: u64,
    /// Whether `n_runs` is exact. The exact number may be larger.
    is_exact: bool,
    /// The shards with missing runs, in order.
    shards: Vec<u64>,
}

impl OpenRuns {
    /// Counts the runs of a plan that are missing in all indices. This computes the hash of every run on all cores, which takes about 120 ns
    /// for each run on one core, so 10^9 runs take minutes. The count ends after `patience` if every shard is known to have missing runs.
    fn count(plan: &Arc<Plan>, indices: &[Index], n_shards: u64, patience: Duration) -> Self {
        let n_runs = plan.n_runs();
        // The other shards have no runs.
        let n_shards_with_runs = n_shards.min(n_runs);
        let n_done: u64 = indices.iter().map(|index| index.len() as u64).sum();
        if n_done == 0 {
            return Self { n_runs, is_exact: true, shards: (1..=n_shards_with_runs).collect() };
        }
        let started = Instant::now();
        let assignment = plan.shard_assignment();
        let n_open = AtomicU64::new(0);
        let is_open: Vec<AtomicBool> = (0..n_shards_with_runs).map(|_| AtomicBool::new(false)).collect();
        let are_all_open = || is_open.iter().all(|is_open| is_open.load(Ordering::Relaxed));
        let count_block = |block: Block| {
            if started.elapsed() >= patience && are_all_open() {
                return None;
            }
            for run in block.filter(|run| !indices.iter().any(|index| index.contains(run.id))) {
                n_open.fetch_add(1, Ordering::Relaxed);
                is_open[assignment.index(run.number, n_shards) as usize - 1].store(true, Ordering::Relaxed);
            }
            Some(())
        };
        let is_exact = plan.blocks(None, RUNS_PER_BLOCK).par_bridge().try_for_each(count_block).is_some();
        let is_open = is_open.into_iter().map(AtomicBool::into_inner);
        Self {
            // A journal may also have runs of larger plans.
            n_runs: if is_exact { n_open.into_inner() } else { n_runs.saturating_sub(n_done) },
            is_exact,
            shards: (1..=n_shards).zip(is_open).filter(|(_, is_open)| *is_open).map(|(shard, _)| shard).collect(),
        }
    }
}

/// Writes numbers as ranges: `2,5-7` for 2, 5, 6 and 7.
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
