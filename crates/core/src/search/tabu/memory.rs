//! The memory of tabu search: the last iteration in which each attribute is tabu.

use crate::layout::Layout;
use crate::memory::{filled, refusal};
use crate::neighbourhood::{Attribute, Attributes};

/// The largest number of entries. If there are more attributes, some attributes share an entry.
const MAX_ENTRIES: usize = 1 << 22;

/// The largest number of iterations between the present iteration and the start or the end of a tenure.
pub(super) const HORIZON: u32 = 1 << 29;

/// The iteration after which the count of iterations begins again.
const END: i32 = 1 << 30;

/// For each attribute, the last iteration in which it is tabu.
///
/// An attribute is an allele at a position, or an edge. A layout of `n` positions with genes of length `m` has `n * m` attributes. If there
/// are more than 2^22 attributes (this is the number for 2048 cities), a hash chooses the entry of an attribute. Then a move is sometimes
/// tabu because of an attribute that it does not add. The size of the memory is limited to 16 MB.
pub(crate) struct TabuMemory {
    gene_len: u64,
    until: Vec<i32>,
    /// The number of the iteration, counted from 1.
    now: i32,
}

impl TabuMemory {
    /// Creates the memory for solutions with this layout.
    ///
    /// # Errors
    /// Returns an error message if the operating system does not provide the memory.
    pub(in crate::search) fn new(layout: &Layout) -> Result<Self, String> {
        let bytes = Self::bytes(layout);
        let until = filled(0, bytes as usize / 4).map_err(|_| refusal("tabu search", bytes))?;
        Ok(Self { gene_len: layout.gene_len() as u64, until, now: 0 })
    }

    /// The number of bytes of the memory.
    pub(in crate::search) fn bytes(layout: &Layout) -> u64 {
        (4 * layout.genome_len().saturating_mul(layout.gene_len()).min(MAX_ENTRIES)) as u64
    }

    /// Returns to the state before the first iteration. In this state nothing is tabu.
    pub(in crate::search) fn clear(&mut self) {
        self.until.fill(0);
        self.now = 0;
    }

    /// Begins an iteration.
    pub(in crate::search) fn advance(&mut self) {
        if self.now == END {
            self.until.iter_mut().for_each(|until| *until = (*until - END).max(-END));
            self.now = 0;
        }
        self.now += 1;
    }

    /// The number of the present iteration. After 2^30, the count begins at 1 again.
    pub(super) fn iteration(&self) -> usize {
        self.now as usize
    }

    /// Returns true if all attributes that a move adds are tabu.
    #[inline]
    pub(in crate::search) fn is_tabu(&self, step: &Attributes) -> bool {
        step.brought().iter().all(|&attribute| self.until[self.entry(attribute)] >= self.now)
    }

    /// Returns true if all attributes that a move adds were absent and not tabu in the latest `age` iterations. `age` is at most 2^29.
    #[inline]
    pub(super) fn is_overdue(&self, step: &Attributes, age: u32) -> bool {
        let since = self.now.saturating_sub_unsigned(age);
        step.brought().iter().all(|&attribute| self.until[self.entry(attribute)] < since)
    }

    /// Makes the attributes that a move removes tabu. `tenure` draws the number of iterations for each attribute, at most 2^29.
    pub(in crate::search) fn forbid(&mut self, step: &Attributes, mut tenure: impl FnMut() -> u32) {
        for &attribute in step.taken() {
            let entry = self.entry(attribute);
            self.until[entry] = self.now.saturating_add_unsigned(tenure());
        }
    }

    #[inline]
    fn entry(&self, Attribute(one, other): Attribute) -> usize {
        let (key, n_entries) = (u64::from(one) * self.gene_len + u64::from(other), self.until.len() as u64);
        if key < n_entries {
            return key as usize;
        }
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4): the product's upper half, scaled to the entries.
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        ((hash * n_entries) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_tabu_for_its_tenure_and_overdue_after_the_age() {
        for start in [0, 5, END - 12] {
            let mut memory = TabuMemory::new(&Layout::new(5, &[None; 5]).unwrap()).unwrap();
            memory.now = start;
            memory.advance();
            let step = Attributes::of_positions([(1, 2, 3), (4, 3, 2)]);
            let back = Attributes::of_positions([(1, 3, 2), (4, 2, 3)]);
            let half = Attributes::of_positions([(1, 3, 2), (3, 2, 1)]);
            let mut tenures = [9, 4].into_iter();
            memory.forbid(&step, || tenures.next().unwrap());
            let mut states = Vec::new();
            for _ in 0..20 {
                memory.advance();
                // To take half of it back is not matter.
                assert!(!memory.is_tabu(&step) && !memory.is_tabu(&half));
                states.push((memory.is_tabu(&back), memory.is_overdue(&back, 6)));
            }
            // Tabu for the shorter tenure, and overdue six iterations after the longer one.
            let expected: Vec<_> = (1..=20).map(|behind| (behind <= 4, behind > 15)).collect();
            assert_eq!(states, expected, "{start}");
        }
    }

    #[test]
    fn large_layouts_share_entries() {
        let layout = Layout::new(50_000, &[None; 50_000]).unwrap();
        let mut memory = TabuMemory::new(&layout).unwrap();
        assert!(TabuMemory::bytes(&layout) <= 1 << 24);
        memory.advance();
        let edges = [Attribute(7, 49_999), Attribute(40_000, 41_000)];
        memory.forbid(&Attributes::new(edges, edges), || 3);
        memory.advance();
        assert!(memory.is_tabu(&Attributes::new(edges, edges)));
        let other = [Attribute(8, 49_999), Attribute(40_001, 41_000)];
        assert!(!memory.is_tabu(&Attributes::new(other, other)));
    }
}
