//! `swap-random`: swaps two free positions of a gene.

use evogrid_core::prelude::*;

use super::gene_wise::{GeneMutation, GeneWise};

/// Swaps two distinct free positions of a gene. Every pair of positions is equally likely. The parity of the gene always changes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SwapRandom;

/// The catalogue entry of `swap-random`.
pub const MEMBER: Member<dyn Mutation> = GeneWise::<SwapRandom>::member(
    "swap-random",
    "swaps two random free positions of a gene",
    "Syswerda, Schedule Optimization Using Genetic Algorithms, in Davis (ed.), Handbook of Genetic \
     Algorithms, 1991, pp. 332-349 (there order-based mutation); Cervigón, UCM, section 4, \
     \"Mutación\"",
);

impl GeneMutation for SwapRandom {
    #[inline]
    fn mutate_gene(&self, _: &Layout, free: &[usize], genome: &mut [Allele], random: &mut RandomStream) {
        let (first, second) = random.pair(free.len());
        genome.swap(free[first], free[second]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn every_pair_of_free_positions_is_swapped() {
        assert_eq!(outcomes(SwapRandom, "..#.", 2), ["adcb", "bacd", "dbca"]);
        assert_eq!(outcomes(SwapRandom, "#.#.", 2), ["adcb"]);
        assert_eq!(outcomes(SwapRandom, "###.", 2), ["abcd"]);
    }
}
