//! Why runs stopped, for a cell of a table.

use crate::summary::Figures;
use evogrid_core::budget::Stop;

/// Why unsolved runs stopped, the most frequent reason first: `stagnation 25, time 3`. If any run had a target, only runs with a target
/// count.
pub(super) fn unsolved_stops(figures: &Figures) -> String {
    let stops = if figures.is_judged_in_part() { figures.judged_stops } else { figures.stops };
    text(stops, |stop| stop != Stop::Target)
}

/// Why all runs stopped.
pub(super) fn stops(figures: &Figures) -> String {
    text(figures.stops, |_| true)
}

fn text(stops: [u64; Stop::N_REASONS], is_counted: impl Fn(Stop) -> bool) -> String {
    let all = Stop::CHOICES.iter().map(|&(_, stop)| stop);
    let mut counts: Vec<(Stop, u64)> = all.zip(stops).filter(|&(stop, count)| is_counted(stop) && count > 0).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts.iter().map(|(stop, count)| format!("{stop} {count}")).collect::<Vec<_>>().join(", ")
}
