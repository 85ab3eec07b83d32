//! Attributes: the parts that a move removes from a solution or adds to it. Tabu search recognises a move by its attributes.

use super::Move;
use crate::layout::Allele;

/// A part of a solution: an allele at a position, or an edge. Two numbers describe an attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Attribute(pub u32, pub u32);

/// The largest number of attributes that a move can remove or add.
const MAX_ATTRIBUTES: usize = 3;

/// The attributes that a move removes, and the attributes that it adds. A move removes as many attributes as it adds. The reverse move adds
/// the attributes that this move removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    taken: [Attribute; MAX_ATTRIBUTES],
    brought: [Attribute; MAX_ATTRIBUTES],
    n: usize,
}

impl Attributes {
    /// Returns the attributes of a move: `taken` are removed, and `brought` are added.
    ///
    /// # Panics
    /// Panics if the move removes more than three attributes.
    #[inline]
    pub fn new<const N: usize>(taken: [Attribute; N], brought: [Attribute; N]) -> Self {
        let mut attributes = Self { taken: Default::default(), brought: Default::default(), n: N };
        attributes.taken[..N].copy_from_slice(&taken);
        attributes.brought[..N].copy_from_slice(&brought);
        attributes
    }

    /// The attributes of a move that changes two positions. Each change has a position, its present allele and its new allele.
    #[inline]
    pub fn of_positions(changes: [(usize, Allele, Allele); 2]) -> Self {
        let at = |position: usize, allele| Attribute(position as u32, u32::from(allele));
        Self::new(
            changes.map(|(position, is, _)| at(position, is)),
            changes.map(|(position, _, will)| at(position, will)),
        )
    }

    /// The attributes of a move that exchanges two alleles of a genome.
    #[inline]
    pub fn of_exchange(genome: &[Allele], one: usize, other: usize) -> Self {
        Self::of_positions([(one, genome[one], genome[other]), (other, genome[other], genome[one])])
    }

    /// The attributes of a move that is described only by its two numbers. The two numbers of the move are the attributes that the move
    /// removes, and also the attributes that the move adds. The order of the numbers does not matter. Two moves with the same two numbers
    /// count as the same move.
    pub fn of_numbers(Move(one, other): Move) -> Self {
        let numbers = [Attribute(0, one.min(other)), Attribute(1, one.max(other))];
        Self::new(numbers, numbers)
    }

    /// Returns a copy of these attributes. If the move both removes and adds an attribute, the copy does not contain this attribute. If no
    /// attribute remains, the move changes nothing.
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
