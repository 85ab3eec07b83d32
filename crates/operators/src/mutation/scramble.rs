//! `scramble`: a stretch of a gene's free positions is put in random order.

use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::Mutation;
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;

use super::genes::{GENE_RATE, Genes};
use super::shuffle_at;

/// Draws two distinct free positions of a gene, every pair equally likely, and puts the alleles of the free positions from the one
/// to the other in uniformly random order; that may be the order they had.
#[derive(Clone, Copy, Debug)]
pub struct Scramble {
    /// Which genes are changed.
    pub genes: Genes,
}

const PARAMETERS: &[Parameter] = &[GENE_RATE];

/// `scramble` in the catalogue.
#[must_use]
pub fn member() -> Member<dyn Mutation> {
    Member {
        declaration: Declaration {
            name: "scramble",
            doc: "puts the alleles of a random stretch of free positions of a gene in random order",
            source: "Syswerda, Schedule Optimization Using Genetic Algorithms, in Davis (ed.), Handbook of Genetic \
                     Algorithms, 1991, pp. 332-349 (scramble sublist)",
            parameters: PARAMETERS,
        },
        build: |settings, _| Box::new(Scramble { genes: Genes::from_settings(settings) }),
    }
}

impl Mutation for Scramble {
    fn mutate(
        &self,
        layout: &Layout,
        _conflicts: &[u32],
        genome: &mut [Allele],
        _scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        self.genes.choose(layout, 2, random, |free, random| {
            let (first, last) = random.pair(free.len());
            shuffle_at(&free[first..=last], genome, random);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn every_order_of_the_free_positions_comes_up() {
        let scramble = Scramble { genes: Genes::One };
        assert_eq!(outcomes(&scramble, ".#..", 2), ["abcd", "abdc", "cbad", "cbda", "dbac", "dbca"]);
    }
}
