//! The search tree of backtracking: a partial assignment, and the steps from node to node.

use super::options::{NextAction, Options};
use super::structure::Structure;
use crate::budget::Stop;
use crate::observer::{DEAD_END, SET_BACK, Step};

/// The number of nodes after which the search checks again for an interruption.
const NODES_PER_CHECK: u64 = 1024;

/// The number of choices for which memory is reserved at the start. On larger instances, most searches have far fewer choices than cells.
const RESERVED_CHOICES: usize = 640;

/// A partial assignment, and the steps that led to this assignment. Cells are numbered by their order among the open cells of the root.
pub(super) trait Tree: Send + Sync {
    /// Continues the search. It stops at a solution (`Stop::Target`), at its end (`Stop::Exhausted`), or if one more node would exceed
    /// `limit` (`Stop::Evaluations`). The search calls `interrupted` from time to time with the number of nodes, and stops if the function
    /// returns true (`Stop::Time`). It calls `record` with every step.
    fn run(
        &mut self,
        limit: u64,
        interrupted: &mut dyn FnMut(u64) -> bool,
        record: Option<&mut dyn FnMut(Step)>,
    ) -> Stop;

    /// The next action. If a cell has no options, the action concerns this cell. If all cells have options, the action concerns a cell with
    /// the fewest options. If there are several such cells, the lowest cell is taken.
    fn next(&self) -> NextAction;

    /// The possible values (options) of a cell. Bit `v - 1` stands for the value `v`.
    fn options(&self, cell: usize) -> u64;

    /// Assigns one of the options of a cell to the cell. Options are counted from 0. The search does not go back to the other options.
    fn assign(&mut self, cell: usize, value: usize);

    /// A new tree whose root is the present assignment. The nodes of the new tree are counted from 0, and its search does not go back
    /// beyond the root.
    fn to_root(&self) -> Box<dyn Tree>;

    /// The result of a search. `end` is the reason why the search ended.
    fn result(&self, end: Stop) -> SearchResult;
}

/// The result of a search, and its counts.
#[derive(Clone, Debug)]
pub(super) struct SearchResult {
    pub(super) nodes: u64,
    /// The number of dead ends. After a dead end, the search goes back or ends.
    pub(super) dead_ends: u64,
    pub(super) end: Stop,
    /// The solution; empty if none was found.
    pub(super) cells: Vec<u8>,
}

/// The tree with these cells as its root. No unit may have a value twice.
pub(super) fn root(structure: &Structure, cells: &[u8]) -> Box<dyn Tree> {
    match width(structure, cells.iter().filter(|&&value| value == 0).count()) {
        (1, 4) => Box::new(BitTree::<1, 4>::new(structure, cells)),
        (4, 5) => Box::new(BitTree::<4, 5>::new(structure, cells)),
        (10, 5) => Box::new(BitTree::<10, 5>::new(structure, cells)),
        (64, 7) => Box::new(BitTree::<64, 7>::new(structure, cells)),
        _ => Box::new(BitTree::<1024, 7>::new(structure, cells)),
    }
}

/// The approximate number of bytes of a tree whose root has this number of open cells.
pub(super) fn memory(structure: &Structure, n_free: usize) -> u64 {
    let (words, bits) = width(structure, n_free);
    let word = 8 * words;
    // The bytes of peers, assignments and choices.
    let each = n_free * (2 * word + 11) + n_free.min(RESERVED_CHOICES) * ((2 * bits + 1) * word + 16);
    (each + structure.n_values() * word + structure.n_cells()) as u64
}

/// The number of words in a set of cells, and the number of bits in a number of options. There is one type of tree for each pair of these
/// numbers.
fn width(structure: &Structure, n_free: usize) -> (usize, usize) {
    match (n_free, structure.n_values()) {
        (0..=64, 0..=15) => (1, 4),
        (0..=256, 0..=31) => (4, 5),
        (0..=640, 0..=31) => (10, 5),
        (0..=4096, _) => (64, 7),
        _ => (1024, 7),
    }
}

/// A tree whose sets of cells are bits of `W` words. The data of a cell are stored in `P` words, at the same bit of each word. Therefore
/// all cells that lose an option are changed at once.
#[derive(Clone)]
struct BitTree<const W: usize, const P: usize> {
    /// The values of all cells at the root.
    cells: Vec<u8>,
    /// The open cells at the root, in ascending order.
    free: Vec<u16>,
    /// For each open cell, the open cells that share a unit with it.
    peers: Vec<[u64; W]>,
    /// For each value, the cells that can have the value. Cells that already have another value may be included.
    places: Vec<[u64; W]>,
    now: Options<W, P>,
    /// Arkieva's TRACKER: the assignments in effect, in their order.
    tracker: Vec<Assignment<W>>,
    /// The assignments with untried options. Arkieva's PAV contains the tried options.
    choices: Vec<Choice<W, P>>,
    nodes: u64,
    dead_ends: u64,
}

#[derive(Clone, Copy)]
struct Assignment<const W: usize> {
    cell: u16,
    value: u8,
    /// The cells that lost this value as an option.
    lost: [u64; W],
}

#[derive(Clone, Copy)]
struct Choice<const W: usize, const P: usize> {
    cell: u16,
    /// The number of entries in the tracker before the choice.
    depth: u32,
    /// The untried options.
    untried: u64,
    before: Options<W, P>,
}

impl<const W: usize, const P: usize> BitTree<W, P> {
    fn new(structure: &Structure, cells: &[u8]) -> Self {
        let free: Vec<u16> = (0..cells.len()).filter(|&cell| cells[cell] == 0).map(|cell| cell as u16).collect();
        let mut open = [0; W];
        // The last unit is padding: a unit without cells.
        let mut units = vec![[0; W]; structure.units().len() + 1];
        let n_units = structure.units().len();
        for (at, &cell) in free.iter().enumerate() {
            let (word, bit) = (at / 64, 1 << (at % 64));
            open[word] |= bit;
            for &unit in structure.slots(usize::from(cell)) {
                units[usize::from(unit)][word] |= bit;
            }
        }
        units[n_units] = [0; W];
        let neighbours = |cell: usize| {
            let mut union = [0; W];
            for &unit in structure.slots(cell) {
                union.iter_mut().zip(&units[usize::from(unit)]).for_each(|(cells, unit)| *cells |= unit);
            }
            union
        };
        let mut places = vec![open; structure.n_values()];
        for (cell, &value) in cells.iter().enumerate().filter(|&(_, &value)| value != 0) {
            let taken = neighbours(cell);
            places[usize::from(value) - 1].iter_mut().zip(&taken).for_each(|(cells, taken)| *cells &= !taken);
        }
        let peers = (0..).zip(&free).map(|(at, &cell): (usize, _)| {
            let mut peers = neighbours(usize::from(cell));
            peers[at / 64] &= !(1 << (at % 64));
            peers
        });
        Self {
            cells: cells.to_vec(),
            peers: peers.collect(),
            now: Options::new(open, &places),
            places,
            tracker: Vec::with_capacity(free.len()),
            choices: Vec::with_capacity(free.len().min(RESERVED_CHOICES)),
            free,
            nodes: 0,
            dead_ends: 0,
        }
    }

    #[inline(always)]
    fn put(&mut self, now: &mut Options<W, P>, cell: usize, value: usize) {
        self.nodes += 1;
        let (places, peers) = (&mut self.places[value], &self.peers[cell]);
        let mut lost = [0; W];
        for word in 0..W {
            lost[word] = places[word] & peers[word];
            places[word] ^= lost[word];
        }
        now.close(cell);
        now.remove(value, &lost);
        self.tracker.push(Assignment { cell: cell as u16, value: value as u8, lost });
    }

    /// Undoes assignments back to the latest choice with an untried option. Returns the cell of the choice and its untried options. If
    /// there is no such choice, it undoes nothing.
    #[inline]
    fn go_back(&mut self, now: &mut Options<W, P>, record: &mut Option<&mut dyn FnMut(Step)>) -> Option<(usize, u64)> {
        let counter = self.nodes + self.dead_ends;
        let choice = self.choices.last_mut()?;
        *now = choice.before;
        for assigned in self.tracker.drain(choice.depth as usize..).rev() {
            let places = &mut self.places[usize::from(assigned.value)];
            places.iter_mut().zip(&assigned.lost).for_each(|(cells, lost)| *cells |= lost);
            if let Some(record) = record {
                let cell = u64::from(self.free[usize::from(assigned.cell)]) + 1;
                record(Step { counter, options: 0, cell, value: SET_BACK });
            }
        }
        let next = (usize::from(choice.cell), choice.untried);
        choice.untried &= choice.untried - 1;
        if choice.untried == 0 {
            self.choices.pop();
        }
        Some(next)
    }

    fn search(
        &mut self,
        now: &mut Options<W, P>,
        limit: u64,
        interrupted: &mut dyn FnMut(u64) -> bool,
        mut record: Option<&mut dyn FnMut(Step)>,
    ) -> Stop {
        // The number of nodes at the next check.
        let mut next_check = limit.min(self.nodes.next_multiple_of(NODES_PER_CHECK));
        loop {
            let next = now.next();
            let (cell, options) = match next {
                NextAction::Solved => return Stop::Target,
                NextAction::Single(cell) => (cell, 1 << now.single(cell)),
                NextAction::Choice(cell) => (cell, self.options(cell)),
                NextAction::DeadEnd(cell) => {
                    self.dead_ends += 1;
                    self.tell(&mut record, 0, cell, DEAD_END);
                    let Some(untried) = self.go_back(now, &mut record) else { return Stop::Exhausted };
                    untried
                }
            };
            if self.nodes == next_check {
                if self.nodes == limit {
                    return Stop::Evaluations;
                }
                if interrupted(self.nodes) {
                    return Stop::Time;
                }
                next_check = limit.min(self.nodes + NODES_PER_CHECK);
            }
            if let NextAction::Choice(_) = next {
                let (depth, untried) = (self.tracker.len() as u32, options & (options - 1));
                self.choices.push(Choice { cell: cell as u16, depth, untried, before: *now });
            }
            let value = options.trailing_zeros() as usize;
            self.put(now, cell, value);
            self.tell(&mut record, u64::from(options.count_ones()), cell, value as u64 + 1);
        }
    }

    #[inline]
    fn tell(&self, record: &mut Option<&mut dyn FnMut(Step)>, options: u64, cell: usize, value: u64) {
        if let Some(record) = record {
            record(Step { counter: self.nodes + self.dead_ends, options, cell: u64::from(self.free[cell]) + 1, value });
        }
    }

    /// The values of the cells.
    fn values(&self) -> Vec<u8> {
        let mut cells = self.cells.clone();
        for assigned in &self.tracker {
            cells[usize::from(self.free[usize::from(assigned.cell)])] = assigned.value + 1;
        }
        cells
    }
}

impl<const W: usize, const P: usize> Tree for BitTree<W, P> {
    fn run(
        &mut self,
        limit: u64,
        interrupted: &mut dyn FnMut(u64) -> bool,
        record: Option<&mut dyn FnMut(Step)>,
    ) -> Stop {
        // A copy can stay in registers, if there are enough registers.
        let mut now = self.now;
        let end = self.search(&mut now, limit, interrupted, record);
        self.now = now;
        end
    }

    fn next(&self) -> NextAction {
        self.now.next()
    }

    #[inline]
    fn options(&self, cell: usize) -> u64 {
        let (word, bit) = (cell / 64, cell % 64);
        (0..).zip(&self.places).fold(0, |options, (value, cells)| options | (cells[word] >> bit & 1) << value)
    }

    fn assign(&mut self, cell: usize, value: usize) {
        let mut now = self.now;
        self.put(&mut now, cell, value);
        self.now = now;
    }

    fn to_root(&self) -> Box<dyn Tree> {
        let (cells, tracker, choices) = (self.values(), Vec::new(), Vec::new());
        Box::new(Self { cells, tracker, choices, nodes: 0, dead_ends: 0, ..self.clone() })
    }

    fn result(&self, end: Stop) -> SearchResult {
        let cells = if end == Stop::Target { self.values() } else { Vec::new() };
        SearchResult { nodes: self.nodes, dead_ends: self.dead_ends, end, cells }
    }
}
