//! Propagation: the values that the cells of a structure can still have, and the cells that naked and hidden singles fill.

use super::exact::{Structure, ones};
use super::*;

/// Bits of a value in a candidate: a [`Structure`] has at most 64 values.
const VALUE_BITS: u32 = 6;

/// Where every cell lies in the units of a [`Structure`]. It fills cells of an [`Assignment`] and draws the conclusions: a cell with one
/// value left gets it (a naked single), and so does the only cell of a unit that can have a value (a hidden single), if the unit has
/// as many cells as there are values, so that each must occur. Values count from 0.
#[derive(Clone, Debug)]
pub struct Propagation {
    n_cells: usize,
    n_values: usize,
    /// The cells of a unit, `n_values` places each, filled up with 0.
    unit_cells: Vec<u32>,
    /// For every unit and value whether the value must occur in the unit.
    is_required: Vec<bool>,
    /// Where the slots of each cell begin, and after the last where they end.
    starts: Vec<u32>,
    slots: Vec<Slot>,
    /// Whether a unit has more cells than there are values, so that there is no solution.
    is_overfull: bool,
}

/// The place of a cell in one of its units.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The unit times the number of values.
    first: u32,
    place: u8,
}

/// An assignment of values to some cells of a structure, and the candidates of the others.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The values that each cell can have, as bits: one where it is filled.
    values: Vec<u64>,
    /// For every unit and value the places of the unit that can have it, as bits.
    places: Vec<u64>,
    is_filled: Vec<bool>,
    /// The cells filled, in their order.
    filled: Vec<u32>,
    /// The candidates removed, in their order.
    removed: Vec<u32>,
    /// Cells with one value and, counted on from the cells, values of units with one place: to be filled.
    singles: Vec<u32>,
    failure: Failure,
}

/// Whether an assignment can be completed, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Nothing speaks against it.
    None,
    /// This cell was the first without a value.
    Cell(usize),
    /// A value that a unit must have has no place in it.
    Value,
}

/// A state of an assignment to which it can be [taken back](Propagation::undo).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    filled: usize,
    removed: usize,
}

impl Propagation {
    /// That of a structure.
    pub fn new(structure: &Structure) -> Self {
        let (n_cells, n_values, units) = (structure.n_cells(), structure.n_values(), structure.units());
        let mut unit_cells = vec![0; units.len() * n_values];
        let mut slots = vec![Vec::new(); n_cells];
        for (unit, cells) in units.iter().enumerate() {
            for (place, &cell) in cells.iter().take(n_values).enumerate() {
                unit_cells[unit * n_values + place] = cell as u32;
                slots[cell].push(Slot { first: (unit * n_values) as u32, place: place as u8 });
            }
        }
        let ends = slots.iter().scan(0, |end, slots| {
            *end += slots.len() as u32;
            Some(*end)
        });
        Self {
            n_cells,
            n_values,
            unit_cells,
            is_required: units.iter().flat_map(|unit| vec![unit.len() == n_values; n_values]).collect(),
            starts: [0].into_iter().chain(ends).collect(),
            slots: slots.concat(),
            is_overfull: units.iter().any(|unit| unit.len() > n_values),
        }
    }

    /// The bytes that it and so many assignments take on a structure, about.
    pub fn memory(structure: &Structure, n_assignments: usize) -> u64 {
        let (n_cells, n_values, n_units) = (structure.n_cells(), structure.n_values(), structure.units().len());
        let in_units: usize = structure.units().iter().map(Vec::len).sum();
        let tables = n_units * n_values * 5 + n_cells * 4 + in_units * size_of::<Slot>();
        let each = n_cells * (8 + 1 + 4 + 4 * n_values) + n_units * n_values * (8 + 4);
        (tables + n_assignments * each) as u64
    }

    /// Number of values of a cell.
    pub fn n_values(&self) -> usize {
        self.n_values
    }

    /// The assignment in which no cell is filled.
    pub fn empty(&self) -> Assignment {
        let n_units = self.is_required.len() / self.n_values.max(1);
        let mut places = vec![0; n_units * self.n_values];
        for slot in &self.slots {
            let first = slot.first as usize;
            places[first..first + self.n_values].iter_mut().for_each(|places| *places |= 1 << slot.place);
        }
        Assignment {
            values: vec![u64::MAX >> (64 - self.n_values); self.n_cells],
            places,
            is_filled: vec![false; self.n_cells],
            filled: Vec::with_capacity(self.n_cells),
            removed: Vec::with_capacity(self.n_cells * self.n_values),
            // A candidate is removed once, and a mask comes down to one bit once.
            singles: Vec::with_capacity(self.n_cells + self.is_required.len()),
            failure: if self.is_overfull { Failure::Value } else { Failure::None },
        }
    }

    /// The assignment of the locked positions of a layout, the cells of which are those of the structure; what they force is not filled.
    pub fn givens(&self, layout: &Layout) -> Assignment {
        let mut assignment = self.empty();
        for position in (0..self.n_cells).filter(|&position| layout.is_locked(position)) {
            self.give(&mut assignment, position, usize::from(layout.template()[position]));
        }
        assignment
    }

    /// Fills a cell that was given; a value that it cannot have is a failure.
    fn give(&self, assignment: &mut Assignment, cell: usize, value: usize) {
        match assignment.values[cell] >> value & 1 {
            1 => self.fill(assignment, cell, value),
            _ => assignment.failure = Failure::Cell(cell),
        }
    }

    /// Gives a cell one of the values that it can have, and takes it from the cells that share a unit with it.
    #[inline]
    pub fn fill(&self, assignment: &mut Assignment, cell: usize, value: usize) {
        debug_assert!(assignment.values[cell] >> value & 1 == 1 && !assignment.is_filled[cell]);
        assignment.is_filled[cell] = true;
        assignment.filled.push(cell as u32);
        for other in ones(assignment.values[cell] & !(1 << value)) {
            self.remove(assignment, cell, other);
        }
        for slot in self.slots(cell) {
            let first = slot.first as usize;
            for place in ones(assignment.places[first + value] & !(1 << slot.place)) {
                self.remove(assignment, self.unit_cells[first + place] as usize, value);
            }
        }
    }

    /// Removes a value from those that a cell can have; it must be one of them.
    #[inline]
    pub fn remove(&self, assignment: &mut Assignment, cell: usize, value: usize) {
        debug_assert!(assignment.values[cell] >> value & 1 == 1);
        assignment.removed.push((cell as u32) << VALUE_BITS | value as u32);
        let left = assignment.values[cell] & !(1 << value);
        assignment.values[cell] = left;
        if left & left.wrapping_sub(1) == 0 {
            assignment.come_down(left, cell, Failure::Cell(cell));
        }
        for slot in self.slots(cell) {
            let at = slot.first as usize + value;
            let left = assignment.places[at] & !(1 << slot.place);
            assignment.places[at] = left;
            if left & left.wrapping_sub(1) == 0 && self.is_required[at] {
                assignment.come_down(left, self.n_cells + at, Failure::Value);
            }
        }
    }

    /// Fills singles, at most `limit` of them, until none is left, and returns how many; where `stops` is true, no more after a failure.
    #[inline]
    pub fn propagate(&self, assignment: &mut Assignment, limit: u64, stops: bool) -> u64 {
        let mut n_filled = 0;
        while !(stops && assignment.failure != Failure::None) && n_filled < limit {
            let Some(single) = assignment.singles.pop() else { break };
            let single = single as usize;
            let (cell, value) = match single.checked_sub(self.n_cells) {
                None => (single, assignment.values[single]),
                Some(at) => {
                    let place = assignment.places[at].trailing_zeros() as usize;
                    // A value that has lost its last place.
                    if place == 64 {
                        continue;
                    }
                    let first = at - at % self.n_values;
                    (self.unit_cells[first + place] as usize, 1 << (at - first))
                }
            };
            if assignment.is_filled[cell] || value == 0 {
                continue;
            }
            self.fill(assignment, cell, value.trailing_zeros() as usize);
            n_filled += 1;
        }
        n_filled
    }

    /// Takes an assignment back to an earlier state, in which there was no failure and no single was left to be filled.
    #[inline]
    pub fn undo(&self, assignment: &mut Assignment, mark: Mark) {
        for &removed in &assignment.removed[mark.removed..] {
            let (cell, value) = ((removed >> VALUE_BITS) as usize, (removed & ((1 << VALUE_BITS) - 1)) as usize);
            assignment.values[cell] |= 1 << value;
            for slot in self.slots(cell) {
                assignment.places[slot.first as usize + value] |= 1 << slot.place;
            }
        }
        assignment.removed.truncate(mark.removed);
        for &cell in &assignment.filled[mark.filled..] {
            assignment.is_filled[cell as usize] = false;
        }
        assignment.filled.truncate(mark.filled);
        assignment.singles.clear();
        assignment.failure = Failure::None;
    }

    #[inline]
    fn slots(&self, cell: usize) -> &[Slot] {
        &self.slots[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

impl Assignment {
    /// Makes it equal to another of the same structure.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { values, places, is_filled, filled, removed, singles, failure } = self;
        values.copy_from_slice(&other.values);
        places.copy_from_slice(&other.places);
        is_filled.copy_from_slice(&other.is_filled);
        filled.clone_from(&other.filled);
        removed.clone_from(&other.removed);
        singles.clone_from(&other.singles);
        *failure = other.failure;
    }

    /// The values that a cell can have, as bits; the one that it has, where it is filled.
    #[inline]
    pub fn values(&self, cell: usize) -> u64 {
        self.values[cell]
    }

    /// The value of a cell that is filled.
    #[inline]
    pub fn value(&self, cell: usize) -> Option<Allele> {
        self.is_filled[cell].then(|| self.values[cell].trailing_zeros() as Allele)
    }

    /// Whether a cell is filled.
    #[inline]
    pub fn is_filled(&self, cell: usize) -> bool {
        self.is_filled[cell]
    }

    /// The cells filled, in the order in which they were.
    #[inline]
    pub fn filled(&self) -> &[u32] {
        &self.filled
    }

    /// Whether it has a contradiction.
    #[inline]
    pub fn failure(&self) -> Failure {
        self.failure
    }

    /// Makes the present state the earliest to which it can be taken back.
    pub fn forget(&mut self) {
        self.removed.clear();
    }

    /// Its present state.
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark { filled: self.filled.len(), removed: self.removed.len() }
    }

    /// Notes a cell, or a value of a unit, that has one candidate left, or none.
    #[inline]
    fn come_down(&mut self, left: u64, single: usize, failure: Failure) {
        if left != 0 {
            self.singles.push(single as u32);
        } else if self.failure == Failure::None {
            self.failure = failure;
        }
    }
}

/// Writes the genome of the values that some positions have, as `value` tells, the other free positions filled at random with what their
/// gene lacks. No gene has more than 64 positions, and none has a value twice.
pub fn complete(
    layout: &Layout,
    value: impl Fn(usize) -> Option<Allele>,
    genome: &mut [Allele],
    random: &mut RandomStream,
) {
    let gene_len = layout.gene_len();
    for (start, gene) in (0..).step_by(gene_len).zip(genome.chunks_exact_mut(gene_len)) {
        let mut missing = u64::MAX >> (64 - gene_len);
        for allele in (start..start + gene_len).filter_map(&value) {
            missing &= !(1 << allele);
        }
        for (position, place) in (start..).zip(gene) {
            *place = value(position).unwrap_or_else(|| {
                let skipped = random.below(missing.count_ones() as usize);
                let allele = ones(missing).nth(skipped).expect("as many values as positions");
                missing &= !(1 << allele);
                allele as Allele
            });
        }
    }
}
