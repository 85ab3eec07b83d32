//! Cells taken together where there are more than can be shown.

use super::cells::CellName;
use super::state::{LiveState, RunTotals};
use evogrid_runner::system::numbers::grouped;

/// Cells that are shown as one; most often a single one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellGroup {
    /// The number of its first cell, and how many there are.
    pub(crate) first: usize,
    pub(crate) n_cells: usize,
    pub(crate) runs: RunTotals,
    pub(crate) running: u64,
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
    let cells = first..first + n_cells;
    let runs = RunTotals::of(&state.tallies[cells.clone()], state.runs_a_cell);
    CellGroup { first, n_cells, runs, running: state.running[cells].iter().sum() }
}

impl CellGroup {
    /// `40 of 100, 2 failed, 3 running`.
    pub(crate) fn counts(&self) -> String {
        let [present, planned] = [self.runs.present(), self.runs.planned].map(grouped);
        format!("{present} of {planned}{}", self.runs.remarks(self.running))
    }
}
