//! `order`: order crossover (OX) inside each gene.

use evogrid_core::prelude::*;

use super::inside_genes::{GeneCrossover, GenePair, InsideGenes, stretch};

/// A gene is a permutation of alleles. In each gene, the first child keeps the alleles of the first parent in one segment of positions. The
/// positions outside the segment get the missing alleles, in the order of the second parent. The child first fills the positions after the
/// segment, and then the positions from the start of the gene to the segment. The alleles of the second parent are read in the same order:
/// first after the segment, and then from the start of the gene. The second child is made in the same way, but with the two parents
/// exchanged.
///
/// The crossover treats a gene as the list of its free positions. The segment lies between two cut points. Every pair of cut points is
/// equally likely. The segment has at least one position, but not all positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

/// The catalogue entry of `order`.
pub const MEMBER: Member<dyn Crossover> = InsideGenes::<Order>::member(
    "order",
    "order crossover inside each gene: a child takes a segment of one parent. The missing alleles follow in the order \
     of the other parent",
    "Davis, Applying Adaptive Algorithms to Epistatic Domains, IJCAI 1985, pp. 162-164; inside each \
     row: Cervigón, UCM, section 4, \"Cruce\"",
);

impl GeneCrossover for Order {
    #[inline]
    fn cross_gene(&self, gene: GenePair<'_>, random: &mut RandomStream) {
        let GenePair { free, parents, children: [first, second], table } = gene;
        let stretch = stretch(free.len(), random);
        fill_in_order(stretch, free, parents[1], first, table);
        fill_in_order(stretch, free, parents[0], second, table);
    }
}

/// Keeps the alleles of `child` at `free[start..end]`, and fills its other free positions in the order of `other`. `kept` has an entry for
/// every allele.
fn fill_in_order(
    (start, end): (usize, usize),
    free: &[usize],
    other: &[Allele],
    child: &mut [Allele],
    kept: &mut [usize],
) {
    for (at, &position) in free.iter().enumerate() {
        kept[usize::from(child[position])] = usize::from((start..end).contains(&at));
    }
    let mut open = free[end..].iter().chain(&free[..start]);
    for &position in free[end..].iter().chain(&free[..end]) {
        let allele = other[position];
        if kept[usize::from(allele)] == 0 {
            child[*open.next().expect("the number of positions equals the number of alleles")] = allele;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{alleles, gene};
    use super::*;

    #[test]
    fn the_printed_example_of_davis() {
        // As Goldberg prints it, 1989, ch. 5; there the alleles are 1 to 10.
        let (a, b) = (gene("9 8 4 5 6 7 1 3 2 10"), gene("8 7 1 2 3 10 9 5 4 6"));
        let (free, mut kept) = (Vec::from_iter(0..10), vec![9; 10]);
        let (mut first, mut second) = (a.clone(), b.clone());
        fill_in_order((3, 6), &free, &b, &mut first, &mut kept);
        fill_in_order((3, 6), &free, &a, &mut second, &mut kept);
        assert_eq!(alleles(&first), "2 3 10 5 6 7 9 4 8 1");
        assert_eq!(alleles(&second), "5 6 7 2 3 10 1 9 8 4");
    }
}
