//! Structures: the all-different sets of a problem. An exact method works on a structure.

use crate::search::*;

/// The largest number of values that a cell can have. Sets of values are bits of a machine word.
const MAX_VALUES: usize = 64;

/// The structure of a problem consists of the cells, the number of values that a cell can have, and the *units*. A unit is a set of cells
/// whose values must all differ.
///
/// A complete assignment is a solution if and only if no unit repeats a value. For example, the units of a Latin square are its rows and
/// columns. The documentation of the [module](super) contains an example.
#[derive(Clone, Debug)]
pub struct Structure {
    n_cells: usize,
    n_values: usize,
    units: Vec<Vec<usize>>,
    /// The units of every cell. Each cell has `stride` entries. If a cell has fewer units, the other entries contain the number of units.
    units_of: Vec<u16>,
    stride: usize,
}

impl Structure {
    /// Returns the structure of a problem. The units are the genes and the [all-different sets](Problem::all_different_sets) of the
    /// problem.
    ///
    /// # Errors
    /// Returns a message if the problem has no all-different sets, or if there are too many values.
    pub fn from_problem<P: Problem + ?Sized>(problem: &P) -> Result<Self, String> {
        let layout = problem.layout();
        let gene = |gene: usize| (gene * layout.gene_len()..(gene + 1) * layout.gene_len()).collect();
        let mut units: Vec<Vec<usize>> = (0..layout.n_genes()).map(gene).collect();
        let sets = problem.all_different_sets();
        units.extend(sets.ok_or("an exact method can solve only problems that consist of all-different sets")?);
        Self::new(layout.genome_len(), layout.gene_len(), units)
    }

    /// Returns a structure with these units.
    ///
    /// # Errors
    /// Returns a message if there are too many values.
    ///
    /// # Panics
    /// Panics if a unit contains a cell twice, or a cell that does not exist.
    pub fn new(n_cells: usize, n_values: usize, units: Vec<Vec<usize>>) -> Result<Self, String> {
        if n_values > MAX_VALUES {
            return Err(format!("an exact method supports at most {MAX_VALUES} values for a cell, not {n_values}"));
        }
        assert!(units.len() < usize::from(u16::MAX), "the number of units fits in 16 bits");
        let mut n_slots = vec![0_u16; n_cells];
        units.iter().flatten().for_each(|&cell| n_slots[cell] += 1);
        let stride = usize::from(n_slots.iter().copied().max().unwrap_or(0));
        let mut units_of = vec![units.len() as u16; n_cells * stride];
        n_slots.fill(0);
        for (index, unit) in units.iter().enumerate() {
            for &cell in unit {
                let slots = &mut units_of[cell * stride..(cell + 1) * stride];
                let n_before = usize::from(n_slots[cell]);
                assert!(
                    n_before == 0 || slots[n_before - 1] != index as u16,
                    "unit {index} contains cell {cell} twice"
                );
                slots[n_before] = index as u16;
                n_slots[cell] += 1;
            }
        }
        Ok(Self { n_cells, n_values, units_of, stride, units })
    }

    /// The number of bytes that the structure takes.
    pub fn memory(&self) -> u64 {
        let units = self.units.iter().map(|unit| size_of_val(unit) + size_of_val(unit.as_slice()));
        (units.sum::<usize>() + size_of_val(self.units_of.as_slice())) as u64
    }

    /// The number of cells.
    pub fn n_cells(&self) -> usize {
        self.n_cells
    }

    /// The number of values that a cell can have.
    pub fn n_values(&self) -> usize {
        self.n_values
    }

    /// The units. The list of units begins with the genes.
    pub fn units(&self) -> &[Vec<usize>] {
        &self.units
    }

    /// Returns true if two cells share a unit.
    pub fn are_neighbours(&self, one: usize, other: usize) -> bool {
        let none = self.units.len() as u16;
        one != other && self.slots(one).iter().any(|unit| *unit != none && self.slots(other).contains(unit))
    }

    /// The candidates of every open cell: the values that no other cell in its units has. Bit `v - 1` stands for the value `v`. For a cell
    /// that is not open, the list contains 0.
    pub fn candidates(&self, cells: &[u8]) -> Vec<u64> {
        let mut used = vec![0; self.units.len() + 1];
        self.write_used(cells, &mut used);
        let open = |(cell, &value): (usize, &u8)| if value == 0 { self.open(&used, cell) } else { 0 };
        cells.iter().enumerate().map(open).collect()
    }

    /// Writes the values of each unit, as bits. The additional last entry is 0. Returns false if a unit has a value twice.
    pub(super) fn write_used(&self, cells: &[u8], used: &mut [u64]) -> bool {
        used.fill(0);
        let mut twice = 0;
        for (cell, &value) in cells.iter().enumerate() {
            if value == 0 || usize::from(value) > self.n_values {
                continue;
            }
            for &unit in self.slots(cell).iter().filter(|&&unit| usize::from(unit) < self.units.len()) {
                let used = &mut used[usize::from(unit)];
                twice |= *used & bit(value);
                *used |= bit(value);
            }
        }
        twice == 0
    }

    /// The values that a cell can have because no unit of the cell has them. `used` contains the values of each unit.
    #[inline]
    pub(super) fn open(&self, used: &[u64], cell: usize) -> u64 {
        let taken = self.slots(cell).iter().fold(0, |taken, &unit| taken | used[usize::from(unit)]);
        self.all() & !taken
    }

    /// All values.
    #[inline]
    pub(super) fn all(&self) -> u64 {
        if self.n_values == MAX_VALUES { u64::MAX } else { (1 << self.n_values) - 1 }
    }

    /// The entries for the units of a cell, including the unused entries.
    #[inline]
    pub(super) fn slots(&self, cell: usize) -> &[u16] {
        &self.units_of[cell * self.stride..(cell + 1) * self.stride]
    }
}

/// The cells of a layout. Locked cells have their values, and all other cells have 0.
///
/// # Panics
/// Panics if a gene has too many positions. The limit is the number of values that a [`Structure`] allows for each cell.
pub fn cells_of(layout: &Layout) -> Vec<u8> {
    assert!(layout.gene_len() <= MAX_VALUES, "an exact method supports at most {MAX_VALUES} values for each cell");
    let value = |(position, &allele): (usize, &Allele)| if layout.is_locked(position) { allele as u8 + 1 } else { 0 };
    layout.template().iter().enumerate().map(value).collect()
}

/// The bit that stands for a value.
#[inline]
pub(super) fn bit(value: u8) -> u64 {
    1 << (value - 1)
}

/// The positions of the bits that are 1, in ascending order.
#[inline]
pub fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lowest < 64).then_some(lowest)
    })
}
