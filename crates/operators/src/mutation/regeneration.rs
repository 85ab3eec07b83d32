//! `regeneration`: a gene is made anew.

use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::Mutation;
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;

use super::genes::{GENE_RATE, Genes};
use super::shuffle_at;

/// Puts the free alleles of a gene in uniformly random order, as a random genome would have them; that may be the order they had.
#[derive(Clone, Copy, Debug)]
pub struct Regeneration {
    /// Which genes are changed.
    pub genes: Genes,
}

const PARAMETERS: &[Parameter] = &[GENE_RATE];

/// `regeneration` in the catalogue.
#[must_use]
pub fn member() -> Member<dyn Mutation> {
    Member {
        declaration: Declaration {
            name: "regeneration",
            doc: "makes a gene anew: its free alleles in random order",
            source: "Cervigón, UCM, section 4, \"Mutación\" (regeneración)",
            parameters: PARAMETERS,
        },
        build: |settings, _| Box::new(Regeneration { genes: Genes::from_settings(settings) }),
    }
}

impl Mutation for Regeneration {
    fn mutate(
        &self,
        layout: &Layout,
        _conflicts: &[u32],
        genome: &mut [Allele],
        _scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        self.genes.choose(layout, 2, random, |free, random| shuffle_at(free, genome, random));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn every_order_of_the_free_positions_comes_up() {
        let regeneration = Regeneration { genes: Genes::One };
        assert_eq!(outcomes(&regeneration, ".#..", 2), ["abcd", "abdc", "cbad", "cbda", "dbac", "dbca"]);
    }
}
