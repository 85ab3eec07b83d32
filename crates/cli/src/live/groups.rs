//! Cells taken together where there are more than can be shown.

use super::cells::CellName;
use super::state::LiveState;
use evogrid_runner::system::numbers::grouped;

/// Cells that are shown as one; most often a single one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellGroup {
    /// The number of its first cell, and how many there are.
    pub(crate) first: usize,
    pub(crate) n_cells: usize,
    pub(crate) planned: u64,
    pub(crate) done: u64,
    pub(crate) failed: u64,
    pub(crate) running: u64,
    /// Whether runs came since the last look, and more are to come.
    pub(crate) is_active: bool,
}

/// The cells of a state in at most so many groups, in their order: no group has cells of two algorithms unless there are too many of these.
pub(crate) fn groups(state: &LiveState<'_>, most: usize) -> Vec<CellGroup> {
    let names = state.names;
    let mut size = names.len().div_ceil(most.max(1)).max(1);
    let mut bounds = bounds(names, size, true);
    while bounds.len() > most && size < names.len() {
        size += size.div_ceil(8);
        bounds = self::bounds(names, size, true);
    }
    if bounds.len() > most {
        bounds = self::bounds(names, names.len().div_ceil(most.max(1)), false);
    }
    bounds.into_iter().map(|(first, n_cells)| group(state, first, n_cells)).collect()
}

/// The first cell and the size of each group of at most `size` cells.
fn bounds(names: &[CellName], size: usize, is_by_algorithm: bool) -> Vec<(usize, usize)> {
    let mut bounds: Vec<(usize, usize)> = Vec::new();
    for (number, name) in names.iter().enumerate() {
        match bounds.last_mut() {
            Some((first, n)) if *n < size && (!is_by_algorithm || names[*first].algorithm == name.algorithm) => {
                *n += 1;
            }
            _ => bounds.push((number, 1)),
        }
    }
    bounds
}

fn group(state: &LiveState<'_>, first: usize, n_cells: usize) -> CellGroup {
    let mut group = CellGroup { first, n_cells, planned: state.runs_a_cell * n_cells as u64, ..CellGroup::default() };
    for (tally, running) in state.tallies[first..].iter().zip(&state.running[first..]).take(n_cells) {
        let done = tally.done.min(state.runs_a_cell);
        group.done += done;
        group.failed += tally.failed.min(state.runs_a_cell - done);
        group.running += running;
        group.is_active |= tally.is_active && tally.present(state.runs_a_cell) < state.runs_a_cell;
    }
    group
}

impl CellGroup {
    /// Runs that are there.
    pub(crate) fn present(&self) -> u64 {
        self.done + self.failed
    }

    /// `40 of 100, 2 failed, 3 running`.
    pub(crate) fn counts(&self) -> String {
        let mut text = format!("{} of {}", grouped(self.present()), grouped(self.planned));
        if self.failed > 0 {
            text += &format!(", {} failed", grouped(self.failed));
        }
        match (self.running, self.is_active) {
            (0, true) => text += ", at work",
            (0, false) => {}
            (running, _) => text += &format!(", {} running", grouped(running)),
        }
        text
    }

    /// Whether any of its runs is in flight, as far as that is known.
    pub(crate) fn is_running(&self) -> bool {
        self.running > 0 || self.is_active
    }

    /// The share of its runs that is there, in whole per cent; 100 only where all are.
    pub(crate) fn percent(&self) -> u64 {
        (100 * self.present()).checked_div(self.planned).unwrap_or(0)
    }
}
