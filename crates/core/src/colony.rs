//! Colonies: many solutions of one problem, in whatever form lets the effect of a swap be computed fast.

use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::memory::blocks;
use crate::random::RandomStream;

/// Solutions of one problem, each at its place, counted from 0.
///
/// A swap is named by its number among the [`Pairs`] of the layout. The error of a solution is its fitness, in whatever type is exact
/// and fast. Beside the places there are two more solutions: the one explored last, and the one kept. Every problem has a
/// [`PlainColony`](crate::problem::PlainColony), the shortest implementation:
///
/// ```
/// use evogrid_core::colony::{Colony, Pairs};
/// use evogrid_core::problem::{PlainColony, Problem};
/// use evogrid_core::random::RandomStream;
/// # use evogrid_core::layout::Layout;
#[doc = include_str!("ascending.txt")]
///
/// // `Ascending` is a problem whose fitness counts the descents of a permutation.
/// let problem = Ascending(Layout::new(5, &[None; 5])?);
/// let pairs = Pairs::new(problem.layout());
/// let mut colony = PlainColony::new(&problem, &pairs, 1).expect("there is memory for one");
/// let before = colony.randomise(0, &mut RandomStream::from_seed(1));
/// let after = colony.swapped(0, 3, before);
/// colony.swap(0, 3);
/// let mut genome = [0; 5];
/// colony.write_genome(0, &mut genome);
/// assert_eq!(problem.fitness(&genome), after);
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Colony {
    /// What is minimised.
    type Error: Copy + PartialOrd + Into<Fitness>;

    /// Puts a random solution at a place, and returns its error.
    fn randomise(&mut self, place: usize, random: &mut RandomStream) -> Self::Error;

    /// The error that the solution at a place would have after a swap; `error` is the one that it has.
    fn swapped(&mut self, place: usize, pair: usize, error: Self::Error) -> Self::Error;

    /// Swaps two alleles of the solution at a place.
    fn swap(&mut self, place: usize, pair: usize);

    /// Draws a random solution, the explored one, at no place, and returns its error.
    fn explore(&mut self, random: &mut RandomStream) -> Self::Error;

    /// Makes the solution explored last the kept one.
    fn keep(&mut self);

    /// Puts at place `child` a copy of the solution at `parent`, each of whose genes is replaced by that of the kept solution with
    /// probability 1/2. Returns its error.
    fn merge_kept(&mut self, child: usize, parent: usize, random: &mut RandomStream) -> Self::Error;

    /// Writes the genome of the solution at a place.
    fn write_genome(&self, place: usize, genome: &mut [Allele]);

    /// Writes the genome of the solution explored last.
    fn write_explored(&self, genome: &mut [Allele]);
}

/// A computation on a colony of whatever type a problem has: it is compiled for each of them.
pub trait ColonyVisitor {
    /// The result of the computation.
    type Output;

    /// Does the computation.
    fn visit<C: Colony>(self, colony: C, pairs: &Pairs) -> Self::Output;
}

/// All pairs of free positions of one gene, gene after gene.
#[derive(Clone, Debug)]
pub struct Pairs {
    pairs: Vec<(usize, usize)>,
    /// For each movable gene its first pair, and how many it has.
    genes: Vec<(u32, u32)>,
}

impl Pairs {
    /// The pairs of a layout.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        let (mut pairs, mut genes) = (Vec::new(), Vec::new());
        for &gene in layout.movable_genes() {
            let (free, start) = (layout.free(gene), pairs.len());
            for (at, &one) in free.iter().enumerate() {
                pairs.extend(free[at + 1..].iter().map(|&other| (one, other)));
            }
            genes.push((start as u32, (pairs.len() - start) as u32));
        }
        Self { pairs, genes }
    }

    /// The bytes that the pairs of a layout take.
    #[must_use]
    pub fn memory(layout: &Layout) -> u64 {
        let n_free = layout.movable_genes().iter().map(|&gene| layout.free(gene).len());
        n_free.map(|n_free| blocks(n_free * n_free.saturating_sub(1) / 2, size_of::<(usize, usize)>())).sum()
    }

    /// The two positions of each pair.
    #[must_use]
    pub fn positions(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// Whether nothing can be swapped.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pair that 32 uniform bits choose: first one of the movable genes, then one of its pairs, each equally likely up to
    /// a bias below 2^-16.
    ///
    /// The bits left over from the first choice make the second, so that one draw is enough.
    ///
    /// # Panics
    /// If nothing can be swapped.
    #[inline]
    #[must_use]
    pub fn choose(&self, bits: u32) -> usize {
        let product = u64::from(bits) * self.genes.len() as u64;
        let (start, n_pairs) = self.genes[(product >> 32) as usize];
        (start + ((u64::from(product as u32) * u64::from(n_pairs)) >> 32) as u32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gene_is_chosen_about_equally_often_and_every_pair_of_it() {
        // Two genes: three free positions, and four.
        let layout = Layout::new(4, &[Some(0), None, None, None, None, None, None, None]).unwrap();
        let pairs = Pairs::new(&layout);
        assert_eq!(pairs.positions()[..3], [(1, 2), (1, 3), (2, 3)]);
        let mut counts = [0u32; 9];
        let mut random = RandomStream::from_seed(4);
        for _ in 0..36_000 {
            counts[pairs.choose((random.bits() >> 32) as u32)] += 1;
        }
        // Six standard deviations of a binomial.
        assert!(counts[..3].iter().all(|&count| count.abs_diff(6000) < 430), "{counts:?}");
        assert!(counts[3..].iter().all(|&count| count.abs_diff(3000) < 320), "{counts:?}");
    }
}
