//! Propagation. This module stores the possible values of the cells of a structure, and fills naked and hidden singles.

use super::exact::structure::{Structure, ones};
use super::*;

/// The number of bits that a candidate uses for its value. A [`Structure`] has at most 64 values.
const VALUE_BITS: u32 = 6;

/// Propagation on a [`Structure`]. The propagation fills cells of an [`Assignment`], and then all cells whose values follow from the filled
/// cells. A cell with only one possible value gets this value (a naked single). A unit requires a value if some cell of the unit must have
/// this value. If only one cell of the unit can have a required value, the cell gets this value (a hidden single). If a unit has as many
/// cells as there are values, the unit requires every value. Values are counted from 0.
#[derive(Clone, Debug)]
pub struct Propagation {
    n_cells: usize,
    pub(super) n_values: usize,
    /// The cells of each unit: `n_values` places, padded with 0.
    unit_cells: Vec<u32>,
    /// For every unit and value, whether the unit must have the value.
    is_required: Vec<bool>,
    /// The index of the first slot of each cell. The last entry is the number of slots.
    starts: Vec<u32>,
    slots: Vec<Slot>,
    /// True if a unit has more cells than there are values. If so, there is no solution.
    is_overfull: bool,
}

/// The place of a cell in one of its units.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The number of the unit, multiplied by the number of values.
    first: u32,
    place: u8,
}

/// An assignment of values to some cells of a structure. The cells without a value have candidates.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The values that each cell can have, as bits. A filled cell has one value.
    pub(super) values: Vec<u64>,
    /// For every unit and value, the places of the unit that can have the value, as bits.
    places: Vec<u64>,
    pub(super) is_filled: Vec<bool>,
    /// The filled cells, in the order in which they were filled.
    pub(super) filled: Vec<u32>,
    /// The removed candidates, in the order of their removal.
    removed: Vec<u32>,
    /// The singles that must still be filled: cells that can have only one value, and values that can have only one place in a unit. Cells
    /// have the lower numbers, and values of units have the higher numbers.
    singles: Vec<u32>,
    failure: Failure,
}

/// The reason why an assignment cannot be completed, if propagation found one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The propagation found no failure: perhaps the assignment can be completed.
    None,
    /// The cell with this number was the first cell without a possible value.
    Cell(usize),
    /// A unit needs a value, but no cell of the unit can have this value.
    Value,
}

/// A saved state of an assignment, which [`undo`](Propagation::undo) can restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    filled: usize,
    removed: usize,
}

impl Propagation {
    /// Prepares the propagation on a structure.
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

    /// The approximate number of bytes that propagation on a structure needs with `n_assignments` assignments.
    pub fn memory(structure: &Structure, n_assignments: usize) -> u64 {
        let (n_cells, n_values, n_units) = (structure.n_cells(), structure.n_values(), structure.units().len());
        let in_units: usize = structure.units().iter().map(Vec::len).sum();
        let tables = n_units * n_values * 5 + n_cells * 4 + in_units * size_of::<Slot>();
        let each = n_cells * (8 + 1 + 4 + 4 * n_values) + n_units * n_values * (8 + 4);
        (tables + n_assignments * each) as u64
    }

    /// Creates an assignment in which no cell is filled.
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
            // A candidate is removed once, and a mask is reduced to one bit once.
            singles: Vec::with_capacity(self.n_cells + self.is_required.len()),
            failure: if self.is_overfull { Failure::Value } else { Failure::None },
        }
    }

    /// Creates an assignment in which the locked positions of a layout are filled. The positions of the layout are the cells of the
    /// structure. This function does not fill singles.
    pub fn givens(&self, layout: &Layout) -> Assignment {
        let mut assignment = self.empty();
        for position in (0..self.n_cells).filter(|&position| layout.is_locked(position)) {
            self.give(&mut assignment, position, usize::from(layout.template()[position]));
        }
        assignment
    }

    /// Fills a cell with a value that the instance gives. If the cell cannot have this value, this is a failure.
    fn give(&self, assignment: &mut Assignment, cell: usize, value: usize) {
        match assignment.values[cell] >> value & 1 {
            1 => self.fill(assignment, cell, value),
            _ => assignment.failure = Failure::Cell(cell),
        }
    }

    /// Fills a cell with one of its possible values. All cells that share a unit with the cell lose the value.
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

    /// Removes a value from the values that a cell can have. Before the call, the removed value must be possible for the cell.
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

    /// Fills cells with naked and hidden singles until no single is left. The function fills at most `limit` singles, and returns the
    /// number of filled cells. If `stops` is true, the propagation ends at a failure: a cell has no possible value, or a unit has no cell
    /// for a value that the unit requires.
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
                    // The value has lost its last place.
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

    /// Restores an earlier state of an assignment. In the earlier state, the assignment must have no failure and no unfilled singles.
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
    /// Makes the assignment equal to another assignment of the same structure.
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

    /// The values that a cell can have, as bits. A filled cell has one value.
    #[inline]
    pub fn values(&self, cell: usize) -> u64 {
        self.values[cell]
    }

    /// The value of a filled cell.
    #[inline]
    pub fn value(&self, cell: usize) -> Option<Allele> {
        self.is_filled[cell].then(|| self.values[cell].trailing_zeros() as Allele)
    }

    /// The reason why the assignment cannot be completed.
    #[inline]
    pub fn failure(&self) -> Failure {
        self.failure
    }

    /// Forgets all earlier states. After this call, no state before the present state can be restored.
    pub fn forget(&mut self) {
        self.removed.clear();
    }

    /// The present state.
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark { filled: self.filled.len(), removed: self.removed.len() }
    }

    /// Records a cell, or a value of a unit, for which one candidate or no candidate is left.
    #[inline]
    fn come_down(&mut self, left: u64, single: usize, failure: Failure) {
        if left != 0 {
            self.singles.push(single as u32);
        } else if self.failure == Failure::None {
            self.failure = failure;
        }
    }
}

/// Writes a genome. If `value` returns a value for a position, the position gets this value. The other positions of a gene get the missing
/// values of the gene in random order. A gene must have at most 64 positions, and must not get a value twice.
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
                let allele = ones(missing).nth(skipped).expect("the number of values equals the number of positions");
                missing &= !(1 << allele);
                allele as Allele
            });
        }
    }
}
