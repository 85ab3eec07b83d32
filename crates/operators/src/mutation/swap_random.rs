//! `swap-random`: swaps two free positions of a gene.

use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::Mutation;
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;

use super::genes::{GENE_RATE, Genes};

/// Swaps two distinct free positions of a gene, every pair equally likely. The gene's parity always changes.
#[derive(Clone, Copy, Debug)]
pub struct SwapRandom {
    /// Which genes are changed.
    pub genes: Genes,
}

const PARAMETERS: &[Parameter] = &[GENE_RATE];

/// `swap-random` in the catalogue.
#[must_use]
pub fn member() -> Member<dyn Mutation> {
    Member {
        declaration: Declaration {
            name: "swap-random",
            doc: "swaps two random free positions of a gene",
            source: "Syswerda, Schedule Optimization Using Genetic Algorithms, in Davis (ed.), Handbook of Genetic \
                     Algorithms, 1991, pp. 332-349 (there order-based mutation); Cervigón, UCM, section 4, \
                     \"Mutación\"",
            parameters: PARAMETERS,
        },
        build: |settings, _| Box::new(SwapRandom { genes: Genes::from_settings(settings) }),
    }
}

impl Mutation for SwapRandom {
    fn mutate(
        &self,
        layout: &Layout,
        _conflicts: &[u32],
        genome: &mut [Allele],
        _scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        self.genes.choose(layout, 2, random, |free, random| {
            let (first, second) = random.pair(free.len());
            genome.swap(free[first], free[second]);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn every_pair_of_free_positions_is_swapped() {
        assert_eq!(outcomes(&SwapRandom { genes: Genes::One }, "..#.", 2), ["adcb", "bacd", "dbca"]);
        assert_eq!(outcomes(&SwapRandom { genes: Genes::Each(1.0) }, "#.#.", 2), ["adcb"]);
        assert_eq!(outcomes(&SwapRandom { genes: Genes::One }, "###.", 2), ["abcd"]);
    }
}
