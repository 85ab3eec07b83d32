//! Solutions under construction: elements are taken out, and put back where that costs least.

use crate::fitness::Fitness;
use crate::layout::Allele;

/// A solution of a problem with one gene, some of whose elements may be missing: jobs of a sequence, cities of a tour, facilities that
/// have no location. Constructions, iterated greedy and ant colonies are made of it.
///
/// An element is an allele, and each is in the solution at most once. What a position is belongs to the problem: a place in the
/// sequence as it stands, or a free location.
pub trait PartialSolution {
    /// Makes it a complete solution, and returns its fitness.
    fn load(&mut self, genome: &[Allele]) -> Fitness;

    /// Makes it empty.
    fn clear(&mut self);

    /// Writes the genome of a complete solution.
    ///
    /// # Panics
    /// If an element is missing.
    fn write(&self, genome: &mut [Allele]);

    /// Takes an element out.
    ///
    /// # Panics
    /// If it is not in the solution.
    fn remove(&mut self, element: Allele);

    /// Judges the positions for a missing element, at most `limit` of them: the best, among equals the first, or the last if `takes_last`.
    ///
    /// # Panics
    /// If it is not missing, or the limit is 0.
    fn best_position(&mut self, element: Allele, limit: u64, takes_last: bool) -> BestPosition;

    /// Puts an element at a position that was found [best](Self::best_position).
    fn insert(&mut self, element: Allele, position: usize);
}

/// The best position for an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestPosition {
    /// The position.
    pub position: usize,
    /// The fitness of the (partial) solution with the element there.
    pub fitness: Fitness,
    /// How many positions were judged: evaluations.
    pub examined: u64,
}
