//! What a move removes from a solution and adds to it: the parts by which tabu search recognises moves.

use super::Move;
use crate::layout::Allele;

/// A part of a solution, as two numbers: an allele at a position, or an edge between two cities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Attribute(pub u32, pub u32);

/// The most attributes that a move takes, or brings.
const MAX_ATTRIBUTES: usize = 3;

/// The attributes that a move removes and those that it adds, the same number of both. The move that undoes this one adds what this one
/// removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    taken: [Attribute; MAX_ATTRIBUTES],
    brought: [Attribute; MAX_ATTRIBUTES],
    n: usize,
}

impl Attributes {
    /// The removed attributes and the same number of added attributes: at most three each.
    ///
    /// # Panics
    /// If there are more.
    #[inline]
    pub fn new<const N: usize>(taken: [Attribute; N], brought: [Attribute; N]) -> Self {
        let mut attributes = Self { taken: Default::default(), brought: Default::default(), n: N };
        attributes.taken[..N].copy_from_slice(&taken);
        attributes.brought[..N].copy_from_slice(&brought);
        attributes
    }

    /// Two positions, each with its present and its future allele.
    #[inline]
    pub fn of_positions(changes: [(usize, Allele, Allele); 2]) -> Self {
        let at = |position: usize, allele| Attribute(position as u32, u32::from(allele));
        Self::new(
            changes.map(|(position, is, _)| at(position, is)),
            changes.map(|(position, _, will)| at(position, will)),
        )
    }

    /// The exchange of the alleles at two positions of a genome.
    #[inline]
    pub fn of_exchange(genome: &[Allele], one: usize, other: usize) -> Self {
        Self::of_positions([(one, genome[one], genome[other]), (other, genome[other], genome[one])])
    }

    /// The two numbers of a move, in either order, as both removed and added attributes: another move with the same numbers counts as
    /// equal.
    pub fn of_numbers(Move(one, other): Move) -> Self {
        let numbers = [Attribute(0, one.min(other)), Attribute(1, one.max(other))];
        Self::new(numbers, numbers)
    }

    /// The same attributes without those that are both removed and added. A move without any others changes nothing.
    #[inline]
    #[must_use]
    pub fn without_common(mut self) -> Self {
        for at in (0..self.n).rev() {
            if let Some(other) = self.brought().iter().position(|&brought| brought == self.taken[at]) {
                self.n -= 1;
                self.taken.swap(at, self.n);
                self.brought.swap(other, self.n);
            }
        }
        self
    }

    /// The removed attributes.
    #[inline]
    pub fn taken(&self) -> &[Attribute] {
        &self.taken[..self.n]
    }

    /// The added attributes.
    #[inline]
    pub fn brought(&self) -> &[Attribute] {
        &self.brought[..self.n]
    }
}
