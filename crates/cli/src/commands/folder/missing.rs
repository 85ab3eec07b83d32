//! `runner missing`: prints the shards that still have runs to do.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::journal::Index;
use rayon::prelude::*;

use super::merge;
use crate::messages::{counted, line, print};
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::{Block, Plan, Run};

/// The count of missing runs may go on for this long after every shard is known to have missing runs. The result of the command is the
/// list of shards; the count is only information.
const COUNTING_TIME: Duration = Duration::from_secs(2);

/// A thread looks up this many runs at a time.
const RUNS_PER_BLOCK: u64 = 1 << 14;

/// Prints the indices of the shards with missing runs in the form of a job array: `2,5-7`. Prints nothing if all runs are done.
pub(crate) fn missing(folders: &[PathBuf], n_shards: u64, catalogue: Catalogue) -> Result<()> {
    Signals::end_process(|| ())?;
    let plan = Arc::new(merge::common(folders)?.plan(catalogue)?);
    let indices: Vec<Index> = merge::journals(folders).map(|dir| Index::read(&dir)).collect::<Result<_, _>>()?;
    let (n_open, is_exact, shards) = count(&plan, &indices, n_shards, COUNTING_TIME);
    line(&format!(
        "{}{} of {} left to do, in {}",
        if is_exact { "" } else { "at least " },
        n_open,
        counted(plan.n_runs(), "run"),
        counted(shards.len() as u64, "shard")
    ));
    if !shards.is_empty() {
        print(&format!("{}\n", ranges(shards)))?;
    }
    Ok(())
}

/// Counts the missing runs of a plan, which are in no index. Returns their number, whether the number is exact or only a lower limit, and
/// the shards with missing runs in order.
///
/// This computes the hash of every run, on all cores. A hash takes about 120 ns on one core, so 10^9 runs take minutes. The count ends
/// after `patience` if every shard is known to have missing runs.
fn count(plan: &Arc<Plan>, indices: &[Index], n_shards: u64, patience: Duration) -> (u64, bool, Vec<u64>) {
    let n_runs = plan.n_runs();
    // The other shards have no runs.
    let n_shards_with_runs = n_shards.min(n_runs);
    let n_done: u64 = indices.iter().map(|index| index.len() as u64).sum();
    if n_done == 0 {
        return (n_runs, true, (1..=n_shards_with_runs).collect());
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
        let missing = block.filter(|run| !indices.iter().any(|index| index.contains(run.id)));
        let mark =
            |run: Run| is_open[assignment.index(run.number, n_shards) as usize - 1].store(true, Ordering::Relaxed);
        n_open.fetch_add(missing.map(mark).count() as u64, Ordering::Relaxed);
        Some(())
    };
    let is_exact = plan.blocks(None, RUNS_PER_BLOCK).par_bridge().try_for_each(count_block).is_some();
    // A journal may also have runs of larger plans.
    let n_open = if is_exact { n_open.into_inner() } else { n_runs.saturating_sub(n_done) };
    let is_open = is_open.into_iter().map(AtomicBool::into_inner);
    (n_open, is_exact, (1..=n_shards).zip(is_open).filter(|(_, is_open)| *is_open).map(|(shard, _)| shard).collect())
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
