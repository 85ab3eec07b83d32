//! Why runs stopped, in a cell of a table.

use evogrid_core::budget::Stop;
use evogrid_results::summary::Figures;

/// Why unsolved runs stopped, the commonest reason first: `stagnation 25, time 3`.
pub(super) fn stops(figures: &Figures) -> String {
    let counts = Stop::all().zip(figures.stops).filter(|&(stop, count)| stop != Stop::Target && count > 0);
    let mut counts: Vec<(Stop, u64)> = counts.collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts.iter().map(|(stop, count)| format!("{stop} {count}")).collect::<Vec<_>>().join(", ")
}
