//! `regeneration`: the free alleles of a gene are put into random order.

use evogrid_core::prelude::*;

use super::gene_wise::{GeneMutation, GeneWise};

/// Puts the free alleles of a gene into uniformly random order. The new order may equal the old order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Regeneration;

/// The catalogue entry of `regeneration`.
pub const MEMBER: Member<dyn Mutation> = GeneWise::<Regeneration>::member(
    "regeneration",
    "puts all free alleles of a gene in random order",
    "Cervigón, UCM, section 4, \"Mutación\" (regeneración)",
);

impl GeneMutation for Regeneration {
    #[inline]
    fn mutate_gene(&self, _: &Layout, free: &[usize], genome: &mut [Allele], random: &mut RandomStream) {
        random.shuffle_at(free, genome);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn every_order_of_the_free_positions_comes_up() {
        assert_eq!(outcomes(Regeneration, ".#..", 2), ["abcd", "abdc", "cbad", "cbda", "dbac", "dbca"]);
    }
}
