//! `pmx`: partially mapped crossover inside each gene.

use evogrid_core::prelude::*;

use super::inside_genes::{GeneCrossover, GenePair, InsideGenes, map_position, note_places, stretch};

/// In each gene, the parents exchange the alleles of a segment. An allele that enters the segment changes places with the allele that it
/// replaces. In other words, each child begins as a copy of one parent. Then the crossover swaps alleles inside the child until the segment
/// contains the alleles of the other parent.
///
/// The crossover treats a gene as the list of its free positions. The segment lies between two cut points. Every pair of cut points is
/// equally likely. The segment has at least one position, but not all positions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pmx;

/// The catalogue entry of `pmx`.
pub const MEMBER: Member<dyn Crossover> = InsideGenes::<Pmx>::member(
    "pmx",
    "partially mapped crossover inside each gene, at two random cut points",
    "Goldberg and Lingle, Alleles, Loci, and the Traveling Salesman Problem, ICGA 1985, pp. 154-159; \
     inside each row: Cervigón, UCM, section 4, \"Cruce\"",
);

impl GeneCrossover for Pmx {
    #[inline]
    fn cross_gene(&self, gene: GenePair<'_>, random: &mut RandomStream) {
        let GenePair { free, parents, children: [first, second], table } = gene;
        let (start, end) = stretch(free.len(), random);
        map_stretch(&free[start..end], free, parents[1], first, table);
        map_stretch(&free[start..end], free, parents[0], second, table);
    }
}

/// Swaps alleles in `child` so that `child` gets the alleles of `other` at the `positions`, one position after the other. `places` has an
/// entry for every allele.
fn map_stretch(positions: &[usize], free: &[usize], other: &[Allele], child: &mut [Allele], places: &mut [usize]) {
    note_places(free, child, places);
    for &position in positions {
        map_position(position, other, child, places);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{alleles, gene};
    use super::*;

    #[test]
    fn the_printed_example_of_goldberg_and_lingle() {
        // Also in Goldberg's book of 1989, ch. 5; there the alleles are 1 to 10.
        let (a, b) = (gene("9 8 4 5 6 7 1 3 2 10"), gene("8 7 1 2 3 10 9 5 4 6"));
        let (free, mut places) = (Vec::from_iter(0..10), vec![0; 10]);
        let (mut first, mut second) = (a.clone(), b.clone());
        map_stretch(&free[3..6], &free, &b, &mut first, &mut places);
        map_stretch(&free[3..6], &free, &a, &mut second, &mut places);
        assert_eq!(alleles(&first), "9 8 4 2 3 10 1 6 5 7");
        assert_eq!(alleles(&second), "8 10 1 5 6 7 9 2 4 3");
    }
}
