//! The search tree of the backtracking: a partial assignment, and the steps from node to node.

use super::structure::{Structure, bit};
use crate::observer::{DEAD_END, SET_BACK, Step};

/// Nodes between two checks of what may interrupt a search.
const NODES_PER_CHECK: u64 = 1024;

/// A partial assignment, and how it was reached.
#[derive(Clone, Debug)]
pub(super) struct Tree<'a> {
    structure: &'a Structure,
    cells: Vec<u8>,
    /// The cells that needed a value at the start, ascending.
    free: Vec<u16>,
    /// The values that each unit has, as bits.
    used: Vec<u64>,
    /// Arkieva's PAV: the values that were tried in a cell, as bits. A cell that is set back loses them, unless its own choice is what
    /// is revised.
    tried: Vec<u64>,
    /// Arkieva's TRACKER: the assignments in effect, in their order.
    tracker: Vec<Assignment>,
    /// Values assigned so far.
    pub(super) nodes: u64,
    /// Dead ends met so far; each of them led back or ended the search.
    pub(super) dead_ends: u64,
}

#[derive(Clone, Copy, Debug)]
struct Assignment {
    cell: u16,
    options: u16,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextAction {
    /// Nothing: every cell has a value.
    Solved,
    /// Go back: this cell has no option.
    DeadEnd(usize),
    /// Assign one of these options to this cell.
    Cell(usize, u64),
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchEnd {
    /// Every cell has a value.
    Solved,
    /// There is no solution.
    Exhausted,
    /// One more node would have exceeded the limit.
    Limit,
    /// It was interrupted.
    Interrupted,
}

/// The result of a search, and its counts.
#[derive(Clone, Debug)]
pub(super) struct SearchResult {
    pub(super) nodes: u64,
    pub(super) dead_ends: u64,
    pub(super) end: SearchEnd,
    /// The solution, if it was found; else empty.
    pub(super) cells: Vec<u8>,
}

impl SearchResult {
    /// The result of a search in this tree that ended so.
    pub(super) fn from_tree(tree: &Tree<'_>, end: SearchEnd) -> Self {
        let cells = if end == SearchEnd::Solved { tree.cells.clone() } else { Vec::new() };
        Self { nodes: tree.nodes, dead_ends: tree.dead_ends, end, cells }
    }
}

impl<'a> Tree<'a> {
    /// The root. No unit of the cells may have a value twice.
    pub(super) fn new(structure: &'a Structure, cells: &[u8]) -> Self {
        let free = (0..cells.len()).filter(|&cell| cells[cell] == 0).map(|cell| cell as u16).collect();
        Self {
            structure,
            cells: cells.to_vec(),
            free,
            used: structure.used(cells),
            tried: vec![0; cells.len()],
            tracker: Vec::new(),
            nodes: 0,
            dead_ends: 0,
        }
    }

    /// The bytes that a tree takes.
    pub(super) fn memory(structure: &Structure) -> u64 {
        let each = size_of::<u8>() + size_of::<u16>() + size_of::<u64>() + size_of::<Assignment>();
        (structure.n_cells() * each + structure.units().len() * size_of::<u64>()) as u64
    }

    /// The present values of the cells.
    pub(super) fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The present assignment as the root of a tree of its own, whose nodes count from 0 and which does not go back beyond it.
    pub(super) fn as_root(&self) -> Self {
        let mut root = Self { tracker: Vec::new(), nodes: 0, dead_ends: 0, ..self.clone() };
        root.tried.fill(0);
        root.free.retain(|&cell| root.cells[usize::from(cell)] == 0);
        root
    }

    /// Continues the search until its end, or until `limit` nodes. `interrupted` is called from time to time with the number of nodes;
    /// `record` is called with every step.
    pub(super) fn run(
        &mut self,
        limit: u64,
        mut interrupted: impl FnMut(u64) -> bool,
        mut record: impl FnMut(Step),
    ) -> SearchEnd {
        loop {
            match self.next() {
                NextAction::Solved => return SearchEnd::Solved,
                NextAction::DeadEnd(cell) => {
                    self.dead_ends += 1;
                    record(self.step(0, cell, DEAD_END));
                    if !self.go_back(&mut record) {
                        return SearchEnd::Exhausted;
                    }
                }
                NextAction::Cell(cell, options) => {
                    if self.nodes == limit {
                        return SearchEnd::Limit;
                    }
                    if self.nodes.is_multiple_of(NODES_PER_CHECK) && interrupted(self.nodes) {
                        return SearchEnd::Interrupted;
                    }
                    let value = options.trailing_zeros() as u8 + 1;
                    self.assign(cell, value, options.count_ones());
                    record(self.step(u64::from(options.count_ones()), cell, u64::from(value)));
                }
            }
        }
    }

    /// A cell without an option, if there is one; else a cell with the fewest options. Among equals the lowest.
    pub(super) fn next(&self) -> NextAction {
        let mut next = NextAction::Solved;
        let mut fewest = u32::MAX;
        for cell in self.free.iter().map(|&cell| usize::from(cell)).filter(|&cell| self.cells[cell] == 0) {
            let options = self.structure.open(&self.used, cell) & !self.tried[cell];
            if options == 0 {
                return NextAction::DeadEnd(cell);
            }
            let count = options.count_ones();
            if count < fewest {
                (next, fewest) = (NextAction::Cell(cell, options), count);
            }
        }
        next
    }

    /// Assigns one of its options to a cell.
    pub(super) fn assign(&mut self, cell: usize, value: u8, options: u32) {
        self.nodes += 1;
        self.cells[cell] = value;
        self.tried[cell] |= bit(value);
        for &unit in self.structure.slots(cell) {
            self.used[usize::from(unit)] |= bit(value);
        }
        // The unit that fills up has no values.
        self.used[self.structure.units().len()] = 0;
        self.tracker.push(Assignment { cell: cell as u16, options: options as u16 });
    }

    /// Sets cells back, from the latest assignment to the latest that had more than one option. Returns false, and sets nothing back, if
    /// there is none.
    fn go_back(&mut self, record: &mut impl FnMut(Step)) -> bool {
        let Some(choice) = self.tracker.iter().rposition(|assigned| assigned.options > 1) else { return false };
        while self.tracker.len() > choice {
            let cell = usize::from(self.tracker.pop().expect("the choice is below it").cell);
            let value = std::mem::take(&mut self.cells[cell]);
            for &unit in self.structure.slots(cell) {
                self.used[usize::from(unit)] &= !bit(value);
            }
            if self.tracker.len() > choice {
                self.tried[cell] = 0;
            }
            record(self.step(0, cell, SET_BACK));
        }
        true
    }

    fn step(&self, options: u64, cell: usize, value: u64) -> Step {
        Step { counter: self.nodes + self.dead_ends, options, cell: cell as u64 + 1, value }
    }
}
