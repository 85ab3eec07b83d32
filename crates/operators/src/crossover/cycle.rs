//! `cycle`: cycle crossover (CX) inside each gene.

use evogrid_core::prelude::*;

use super::inside_genes::{GeneCrossover, GenePair, InsideGenes, note_places};

/// In each gene, the first child keeps the alleles of the first parent at the positions of one cycle of the two parents. The first child
/// takes all other alleles from the second parent. The second child is made in the same way, but with the two parents exchanged. So every
/// allele has the same position as in one of the parents.
///
/// At a position of a cycle, the second parent has some allele. The next position of the cycle is the position of this allele in the first
/// parent. The cycle ends when it returns to its first position. In each gene the cycle begins at a random free position. (In the printed
/// example, the cycle begins at the first position.)
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cycle;

/// The catalogue entry of `cycle`.
pub const MEMBER: Member<dyn Crossover> = InsideGenes::<Cycle>::member(
    "cycle",
    "cycle crossover inside each gene: parents keep one cycle and exchange all other positions",
    "Oliver, Smith and Holland, A Study of Permutation Crossover Operators on the Traveling Salesman \
     Problem, ICGA 1987, pp. 224-230",
);

impl GeneCrossover for Cycle {
    #[inline]
    fn cross_gene(&self, gene: GenePair<'_>, random: &mut RandomStream) {
        let start = gene.free[random.below(gene.free.len())];
        keep_cycle(start, gene.free, gene.parents, gene.children, gene.table);
    }
}

/// Exchanges the free alleles of a gene, except the alleles on the cycle that begins at position `start`. `places` has an entry for every
/// allele.
fn keep_cycle(
    start: usize,
    free: &[usize],
    parents: [&[Allele]; 2],
    [first, second]: [&mut [Allele]; 2],
    places: &mut [usize],
) {
    note_places(free, parents[0], places);
    for &position in free {
        (first[position], second[position]) = (parents[1][position], parents[0][position]);
    }
    let mut position = start;
    loop {
        (first[position], second[position]) = (parents[0][position], parents[1][position]);
        position = places[usize::from(parents[1][position])];
        if position == start {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{alleles, gene};
    use super::*;

    #[test]
    fn the_printed_example_of_oliver_smith_and_holland() {
        // As Goldberg prints it, 1989, ch. 5; there the alleles are 1 to 10.
        let (c, d) = (gene("9 8 2 1 7 4 5 10 6 3"), gene("1 2 3 4 5 6 7 8 9 10"));
        let (free, mut places) = (Vec::from_iter(0..10), vec![0; 10]);
        let (mut first, mut second) = (c.clone(), d.clone());
        keep_cycle(0, &free, [&c, &d], [&mut first, &mut second], &mut places);
        assert_eq!(alleles(&first), "9 2 3 1 5 4 7 8 6 10");
        assert_eq!(alleles(&second), "1 8 2 4 7 6 5 10 9 3");
    }
}
