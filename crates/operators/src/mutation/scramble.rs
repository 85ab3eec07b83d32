//! `scramble`: shuffles a segment of a gene's free positions.

use evogrid_core::prelude::*;

use super::gene_wise::{GeneMutation, GeneWise};

/// Draws two distinct free positions of a gene. The two drawn positions and all free positions between them form a segment. The alleles of
/// this segment are put into uniformly random order. The new order may equal the old order. Every pair of positions is equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scramble;

/// The catalogue entry of `scramble`.
pub const MEMBER: Member<dyn Mutation> = GeneWise::<Scramble>::member(
    "scramble",
    "shuffles the alleles of a random segment of the free positions of a gene",
    "Syswerda, Schedule Optimization Using Genetic Algorithms, in Davis (ed.), Handbook of Genetic \
     Algorithms, 1991, pp. 332-349 (scramble sublist)",
);

impl GeneMutation for Scramble {
    #[inline]
    fn mutate_gene(&self, _: &Layout, free: &[usize], genome: &mut [Allele], random: &mut RandomStream) {
        let (first, last) = random.pair(free.len());
        random.shuffle_at(&free[first..=last], genome);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn every_order_of_the_free_positions_comes_up() {
        assert_eq!(outcomes(Scramble, ".#..", 2), ["abcd", "abdc", "cbad", "cbda", "dbac", "dbca"]);
    }
}
