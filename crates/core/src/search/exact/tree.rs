//! The search tree of the backtracking: a partial assignment, and the steps from node to node.

use super::options::{NextAction, Options};
use super::structure::Structure;
use crate::budget::Stop;
use crate::observer::{DEAD_END, SET_BACK, Step};

/// Nodes between two checks of what may interrupt a search.
const NODES_PER_CHECK: u64 = 1024;

/// Choices that memory is reserved for. On larger instances most searches have far fewer at once than there are cells.
const RESERVED_CHOICES: usize = 640;

/// A partial assignment, and how it was reached. Cells are numbered by their order among those that need a value.
pub(super) trait Tree: Send + Sync {
    /// Continues the search until a solution (`Stop::Target`), its end (`Stop::Exhausted`), or until one more node would exceed `limit`
    /// (`Stop::Evaluations`). It calls `interrupted` from time to time with the number of nodes, and stops (`Stop::Time`) if this returns
    /// true. It calls `record` with every step.
    fn run(
        &mut self,
        limit: u64,
        interrupted: &mut dyn FnMut(u64) -> bool,
        record: Option<&mut dyn FnMut(Step)>,
    ) -> Stop;

    /// What to do next: a cell without an option, if there is one; else a cell with the fewest options. Among equals the lowest.
    fn next(&self) -> NextAction;

    /// The options of a cell, value `v` as bit `v - 1`.
    fn options(&self, cell: usize) -> u64;

    /// Assigns one of its options, counted from 0, to a cell. The search does not go back to the others.
    fn assign(&mut self, cell: usize, value: usize);

    /// The present assignment as the root of a tree of its own, whose nodes count from 0 and which does not go back beyond it.
    fn to_root(&self) -> Box<dyn Tree>;

    /// Values assigned so far.
    fn nodes(&self) -> u64;

    /// The result of a search that ended for this reason.
    fn result(&self, end: Stop) -> SearchResult;
}

/// The result of a search, and its counts.
#[derive(Clone, Debug)]
pub(super) struct SearchResult {
    pub(super) nodes: u64,
    /// The number of dead ends. Each dead end leads back, or ends the search.
    pub(super) dead_ends: u64,
    pub(super) end: Stop,
    /// The solution; empty if none was found.
    pub(super) cells: Vec<u8>,
}

/// The root of the tree of these cells. No unit may have a value twice.
pub(super) fn root(structure: &Structure, cells: &[u8]) -> Box<dyn Tree> {
    match width(structure, cells.iter().filter(|&&value| value == 0).count()) {
        (1, 4) => Box::new(BitTree::<1, 4>::new(structure, cells)),
        (4, 5) => Box::new(BitTree::<4, 5>::new(structure, cells)),
        (10, 5) => Box::new(BitTree::<10, 5>::new(structure, cells)),
        (64, 7) => Box::new(BitTree::<64, 7>::new(structure, cells)),
        _ => Box::new(BitTree::<1024, 7>::new(structure, cells)),
    }
}

/// The bytes that the tree takes whose root has so many cells without a value, about.
pub(super) fn memory(structure: &Structure, n_free: usize) -> u64 {
    let (words, bits) = width(structure, n_free);
    let word = 8 * words;
    // Peers, assignments, and choices with what was before them; places.
    let each = n_free * (2 * word + 11) + n_free.min(RESERVED_CHOICES) * ((2 * bits + 1) * word + 16);
    (each + structure.n_values() * word + structure.n_cells()) as u64
}

/// The words of a set of cells, and the bits of a number of options, from those that there is a tree for.
fn width(structure: &Structure, n_free: usize) -> (usize, usize) {
    match (n_free, structure.n_values()) {
        (0..=64, 0..=15) => (1, 4),
        (0..=256, 0..=31) => (4, 5),
        (0..=640, 0..=31) => (10, 5),
        (0..=4096, _) => (64, 7),
        _ => (1024, 7),
    }
}

/// A tree whose sets of cells are bits of `W` words. What is known of a cell lies across `P` words, its bits one below the other, so
/// that the cells which lose an option are changed all at once.
#[derive(Clone)]
struct BitTree<const W: usize, const P: usize> {
    /// The values at the root, those of all cells.
    cells: Vec<u8>,
    /// The cells that need a value, ascending.
    free: Vec<u16>,
    /// The cells that share a unit with each of them.
    peers: Vec<[u64; W]>,
    /// The cells that can have each value, and cells that have another.
    places: Vec<[u64; W]>,
    now: Options<W, P>,
    /// Arkieva's TRACKER: the assignments in effect, in their order.
    tracker: Vec<Assignment<W>>,
    /// The assignments that had several options, of which some were not tried yet (those tried are Arkieva's PAV).
    choices: Vec<Choice<W, P>>,
    nodes: u64,
    dead_ends: u64,
}

#[derive(Clone, Copy)]
struct Assignment<const W: usize> {
    cell: u16,
    value: u8,
    /// The cells that could have the value before, but no more.
    lost: [u64; W],
}

#[derive(Clone, Copy)]
struct Choice<const W: usize, const P: usize> {
    cell: u16,
    /// The length of the tracker before it.
    depth: u32,
    /// The options not tried.
    untried: u64,
    before: Options<W, P>,
}

impl<const W: usize, const P: usize> BitTree<W, P> {
    fn new(structure: &Structure, cells: &[u8]) -> Self {
        let free: Vec<u16> = (0..cells.len()).filter(|&cell| cells[cell] == 0).map(|cell| cell as u16).collect();
        let mut open = [0; W];
        // The last, of which no cell is, fills up.
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

    /// Sets cells back, from the latest assignment to the latest with an option that was not tried, and returns its cell and those
    /// options. Sets nothing back if there is none.
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
        // With which number of nodes there is something to check.
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
        // A copy, so that it stays in registers where they are enough.
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

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn result(&self, end: Stop) -> SearchResult {
        let cells = if end == Stop::Target { self.values() } else { Vec::new() };
        SearchResult { nodes: self.nodes, dead_ends: self.dead_ends, end, cells }
    }
}
