//! `runner missing`: which shards have runs left to do.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::journal::Index;

use super::merge;
use super::output::print;
use crate::cli::MissingArgs;
use crate::numbers::counted;
use crate::progress::line;
use crate::signals::Signals;

/// Prints the indices of the shards that have runs left, as a job array takes them: `2,5-7`. Nothing if all is done.
pub(super) fn missing(args: &MissingArgs, catalogue: Catalogue) -> Result<ExitCode> {
    Signals::end_process()?;
    let plan = Arc::new(merge::common(&args.folders)?.plan(catalogue)?);
    let indices: Vec<Index> = merge::journals(&args.folders).map(|dir| Index::read(&dir)).collect::<Result<_, _>>()?;
    let assignment = plan.shard_assignment();
    let (mut open, mut shards) = (0, BTreeSet::new());
    for run in plan.runs().filter(|run| !indices.iter().any(|index| index.contains(run.id))) {
        open += 1;
        shards.insert(assignment.index(run.number, args.shards));
    }
    line(&format!(
        "{} of {} left to do, in {}",
        open,
        counted(plan.n_runs(), "run"),
        counted(shards.len() as u64, "shard")
    ));
    if !shards.is_empty() {
        print(&format!("{}\n", ranges(shards)))?;
    }
    Ok(ExitCode::SUCCESS)
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
