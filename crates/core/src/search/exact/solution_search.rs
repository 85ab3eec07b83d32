//! A search for the solutions of a structure. The search uses singles. The search finds one solution, or counts the solutions.

use super::structure::{Structure, bit};
use super::tree::SearchResult;
use crate::budget::Stop;

/// The number of guesses after which the search checks again for an interruption.
const GUESSES_PER_CHECK: u64 = 128;

/// The error of a search that reached its limit of guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search ended without an answer at its limit of {nodes} guesses")]
pub struct NodeLimit {
    /// The number of guesses.
    pub nodes: u64,
}

/// An exact search on a [`Structure`]. The search can solve many boards.
///
/// Before every guess, the search fills naked and hidden singles. The search looks for hidden singles only in units that have as many cells
/// as there are values. The search guesses the value of the cell with the fewest candidates. If several cells have the fewest candidates,
/// the search takes the first of these cells. The search uses no recursion, and allocates no memory after its construction. The nodes of
/// the search are its guesses.
///
/// ```
/// use evogrid_core::search::exact::{NodeLimit, SolutionSearch, Structure};
///
/// // Latin squares of side 2: cells 0 and 1 are the first row, 2 and 3 the second.
/// let structure = Structure::new(4, 2, vec![vec![0, 1], vec![2, 3], vec![0, 2], vec![1, 3]])?;
/// let mut search = SolutionSearch::new(structure);
/// assert_eq!((search.count(&[0; 4], 10), search.nodes()), (Ok(2), 1));
/// assert_eq!(search.solve(&[2, 0, 0, 0]), Ok(Some(vec![2, 1, 1, 2])));
/// assert_eq!(search.solve(&[2, 0, 0, 1]), Ok(None));
/// assert_eq!(search.with_node_limit(0).count(&[0; 4], 10), Err(NodeLimit { nodes: 0 }));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolutionSearch {
    structure: Structure,
    /// True if each unit must have every value.
    is_required: Vec<bool>,
    /// True if a unit has more cells than there are values. If so, there is no solution.
    is_overfull: bool,
    pub(super) node_limit: u64,
    nodes: u64,
    dead_ends: u64,
    guesses: Vec<Guess>,
    /// The values that each unit has on the board, as bits.
    used: Vec<u64>,
    state: Candidates,
}

/// The values that the cells can still have.
#[derive(Clone, Debug)]
struct Candidates {
    /// The candidates of every cell. Bit `v - 1` stands for the value `v`.
    values: Vec<u64>,
    /// The number of cells with more than one candidate.
    n_open: usize,
    /// The changed cells with their earlier candidates, which are restored when a guess is undone.
    trail: Vec<(u16, u64)>,
    /// Cells with a single candidate. This candidate must still be removed from the neighbours of the cell.
    singles: Vec<u16>,
    /// The units that have changed since the latest search for hidden singles in these units, as bits.
    changed: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Guess {
    cell: u16,
    trail_len: u32,
    /// The candidates of the cell that remain if the guess was wrong.
    others: u64,
}

/// The present candidates allow no solution.
pub(super) struct Contradiction;

impl SolutionSearch {
    /// Returns a search on a structure, without a limit on guesses.
    pub fn new(structure: Structure) -> Self {
        let (n_cells, n_values, units) = (structure.n_cells(), structure.n_values(), structure.units());
        Self {
            is_required: units.iter().map(|unit| unit.len() == n_values).collect(),
            is_overfull: units.iter().any(|unit| unit.len() > n_values),
            node_limit: u64::MAX,
            nodes: 0,
            dead_ends: 0,
            guesses: Vec::with_capacity(n_cells),
            used: vec![0; units.len() + 1],
            state: Candidates {
                values: vec![0; n_cells],
                n_open: 0,
                // A cell is restricted less often than it has values.
                trail: Vec::with_capacity(n_cells * n_values),
                singles: Vec::with_capacity(n_cells),
                changed: vec![0; units.len() / 64 + 1],
            },
            structure,
        }
    }

    /// The approximate number of bytes of a search, without its structure.
    pub fn memory(structure: &Structure) -> u64 {
        let trail = structure.n_values() * size_of::<(u16, u64)>();
        let each = trail + size_of::<Guess>() + size_of::<u64>() + size_of::<u16>();
        (structure.n_cells() * each) as u64
    }

    /// Returns the same search with a limit: the largest number of guesses for each board.
    #[must_use]
    pub fn with_node_limit(mut self, nodes: u64) -> Self {
        self.node_limit = nodes;
        self
    }

    /// The number of guesses on the last board.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts the solutions. The count stops at `limit`.
    ///
    /// # Errors
    /// Returns an error if the search reached its limit on the number of guesses.
    pub fn count(&mut self, cells: &[u8], limit: usize) -> Result<usize, NodeLimit> {
        let mut solutions = 0;
        let mut state = self.load(cells);
        while solutions < limit && self.find(state, lowest)? {
            solutions += 1;
            state = Err(Contradiction);
        }
        Ok(solutions)
    }

    /// Returns the first solution, or `None` if there is no solution. The search tries low values first.
    ///
    /// # Errors
    /// Returns an error if the search reached its limit on the number of guesses.
    pub fn solve(&mut self, cells: &[u8]) -> Result<Option<Vec<u8>>, NodeLimit> {
        self.solve_by(cells, lowest)
    }

    /// The first solution, if there is one. `choose` makes the guesses: it selects one of the bits of a cell's candidates.
    ///
    /// # Errors
    /// Returns an error if the search reached its limit on the number of guesses.
    pub fn solve_by(&mut self, cells: &[u8], choose: impl FnMut(u64) -> u64) -> Result<Option<Vec<u8>>, NodeLimit> {
        let state = self.load(cells);
        Ok(self.find(state, choose)?.then(|| self.values()))
    }

    /// Returns true if the open cell `cell` has a value other than `value` in at least one solution.
    ///
    /// # Errors
    /// Returns an error if the search reached its limit on the number of guesses.
    pub fn has_other(&mut self, cells: &[u8], cell: usize, value: u8) -> Result<bool, NodeLimit> {
        let state = self.load(cells).and_then(|()| {
            let others = self.state.values[cell] & !bit(value);
            self.state.restrict(&self.structure, cell, others)?;
            self.propagate()
        });
        self.find(state, lowest)
    }

    /// Continues to the next solution. If the search reaches its limit of guesses, this is an error.
    fn find(&mut self, state: Result<(), Contradiction>, choose: impl FnMut(u64) -> u64) -> Result<bool, NodeLimit> {
        match self.next_solution(state, choose, || false) {
            Stop::Target => Ok(true),
            Stop::Exhausted => Ok(false),
            _ => Err(NodeLimit { nodes: self.nodes }),
        }
    }

    /// Begins a new board, and fills its singles.
    pub(super) fn load(&mut self, cells: &[u8]) -> Result<(), Contradiction> {
        let Self { structure, state, used, .. } = self;
        (self.nodes, self.dead_ends) = (0, 0);
        self.guesses.clear();
        state.trail.clear();
        state.singles.clear();
        state.n_open = 0;
        if self.is_overfull || !structure.write_used(cells, used) {
            return Err(Contradiction);
        }
        for (cell, &value) in cells.iter().enumerate() {
            let open = if value == 0 { structure.open(used, cell) } else { bit(value) };
            state.values[cell] = open;
            match open & open.wrapping_sub(1) {
                0 if open == 0 => return Err(Contradiction),
                0 if value == 0 => state.singles.push(cell as u16),
                0 => {}
                _ => state.n_open += 1,
            }
        }
        (0..self.is_required.len()).for_each(|unit| state.changed[unit / 64] |= 1 << (unit % 64));
        self.propagate()
    }

    /// Continues to the next solution. `state` is an error if the present candidates allow no solution. A contradiction leads back to the
    /// latest guess. To continue after a solution, the caller passes an error as `state`.
    pub(super) fn next_solution(
        &mut self,
        mut state: Result<(), Contradiction>,
        mut choose: impl FnMut(u64) -> u64,
        mut interrupted: impl FnMut() -> bool,
    ) -> Stop {
        loop {
            let (cell, left) = if state.is_ok() {
                if self.state.n_open == 0 {
                    return Stop::Target;
                }
                if self.nodes == self.node_limit {
                    return Stop::Evaluations;
                }
                if self.nodes.is_multiple_of(GUESSES_PER_CHECK) && interrupted() {
                    return Stop::Time;
                }
                self.nodes += 1;
                let cell = self.state.narrowest();
                let guess = choose(self.state.values[cell]);
                let others = self.state.values[cell] & !guess;
                self.guesses.push(Guess { cell: cell as u16, others, trail_len: self.state.trail.len() as u32 });
                (cell, guess)
            } else {
                self.dead_ends += 1;
                let Some(guess) = self.guesses.pop() else { return Stop::Exhausted };
                self.state.undo(guess.trail_len as usize);
                (usize::from(guess.cell), guess.others)
            };
            state = self.state.restrict(&self.structure, cell, left).and_then(|()| self.propagate());
        }
    }

    /// The values of the cells of a solution.
    pub(super) fn values(&self) -> Vec<u8> {
        self.state.values.iter().map(|value| value.trailing_zeros() as u8 + 1).collect()
    }

    /// The result of a search. `end` is the reason why the search ended.
    pub(super) fn result(&self, end: Stop) -> SearchResult {
        let cells = if end == Stop::Target { self.values() } else { Vec::new() };
        SearchResult { nodes: self.nodes, dead_ends: self.dead_ends, end, cells }
    }

    /// Fills naked and hidden singles until none is left.
    fn propagate(&mut self) -> Result<(), Contradiction> {
        let Self { structure, state, .. } = self;
        loop {
            while let Some(single) = state.singles.pop() {
                let single = usize::from(single);
                let value = state.values[single];
                for &unit in structure.slots(single) {
                    for &cell in structure.units().get(usize::from(unit)).map_or(&[][..], Vec::as_slice) {
                        let before = state.values[cell];
                        if before & value != 0 && cell != single {
                            state.restrict(structure, cell, before & !value)?;
                        }
                    }
                }
            }
            let Some(word) = state.changed.iter().position(|&units| units != 0) else { return Ok(()) };
            let unit = word * 64 + state.changed[word].trailing_zeros() as usize;
            state.changed[word] &= state.changed[word] - 1;
            if self.is_required.get(unit) == Some(&true) {
                state.take_hidden_singles(structure, unit)?;
            }
        }
    }
}

impl Candidates {
    /// The open cell with the fewest candidates. If there are several such cells, it is the first of them.
    fn narrowest(&self) -> usize {
        let (mut narrowest, mut fewest) = (0, u32::MAX);
        for (cell, &candidates) in self.values.iter().enumerate() {
            let rest = candidates & candidates.wrapping_sub(1);
            if rest == 0 {
                continue;
            }
            // No cell has fewer than two candidates. Counting bits takes most of the time.
            if rest.is_power_of_two() {
                return cell;
            }
            let count = candidates.count_ones();
            if count < fewest {
                (narrowest, fewest) = (cell, count);
            }
        }
        narrowest
    }

    /// Finds each value of a unit that only one cell can have, and restricts this cell to the value. The unit must have every value.
    fn take_hidden_singles(&mut self, structure: &Structure, unit: usize) -> Result<(), Contradiction> {
        let (mut once, mut twice) = (0, 0);
        for &cell in &structure.units()[unit] {
            let candidates = self.values[cell];
            twice |= once & candidates;
            once |= candidates;
        }
        if once != structure.all() {
            return Err(Contradiction);
        }
        let hidden = once & !twice;
        for &cell in &structure.units()[unit] {
            let candidates = self.values[cell];
            let here = candidates & hidden;
            if here != 0 && here != candidates {
                if !here.is_power_of_two() {
                    return Err(Contradiction);
                }
                self.restrict(structure, cell, here)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn restrict(&mut self, structure: &Structure, cell: usize, candidates: u64) -> Result<(), Contradiction> {
        if candidates == 0 {
            return Err(Contradiction);
        }
        let before = std::mem::replace(&mut self.values[cell], candidates);
        self.trail.push((cell as u16, before));
        if candidates.is_power_of_two() && !before.is_power_of_two() {
            self.n_open -= 1;
            self.singles.push(cell as u16);
        }
        for &unit in structure.slots(cell) {
            self.changed[usize::from(unit) / 64] |= 1 << (unit % 64);
        }
        Ok(())
    }

    fn undo(&mut self, trail_len: usize) {
        self.singles.clear();
        self.changed.fill(0);
        for (cell, before) in self.trail.drain(trail_len..).rev() {
            let candidates = &mut self.values[usize::from(cell)];
            self.n_open += usize::from(candidates.is_power_of_two() && !before.is_power_of_two());
            *candidates = before;
        }
    }
}

/// The lowest of a cell's candidates.
pub(super) fn lowest(candidates: u64) -> u64 {
    candidates & candidates.wrapping_neg()
}
