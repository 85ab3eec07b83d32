//! `swap-next`: swaps a free position with the next free position.

use evogrid_core::prelude::*;

use super::gene_wise::{GeneMutation, GeneWise};

/// Swaps a random free position of a gene with the next free position. The first free position follows the last free position. All
/// positions are equally likely. The parity of the gene always changes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SwapNext;

/// The catalogue entry of `swap-next`.
pub const MEMBER: Member<dyn Mutation> = GeneWise::<SwapNext>::member(
    "swap-next",
    "swaps the alleles of a random free position and the next free position of a gene. For the last position, the next \
     position is the first one",
    "Cervigón, UCM, section 4, \"Mutación\" (intercambio con la siguiente casilla)",
);

impl GeneMutation for SwapNext {
    #[inline]
    fn mutate_gene(&self, _: &Layout, free: &[usize], genome: &mut [Allele], random: &mut RandomStream) {
        swap_next(free, random.below(free.len()), genome);
    }
}

/// Swaps the free position number `at` with the next free position.
fn swap_next(free: &[usize], at: usize, genome: &mut [Allele]) {
    let next = if at + 1 < free.len() { at + 1 } else { 0 };
    genome.swap(free[at], free[next]);
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn the_next_free_position_may_lie_behind_locked_ones_and_around_the_end() {
        for (at, expected) in [(0, [3, 1, 2, 0, 4]), (1, [0, 1, 2, 4, 3]), (2, [4, 1, 2, 3, 0])] {
            let mut genome = [0, 1, 2, 3, 4];
            swap_next(&[0, 3, 4], at, &mut genome);
            assert_eq!(genome, expected);
        }
    }

    #[test]
    fn every_free_position_is_swapped_with_its_next() {
        assert_eq!(outcomes(SwapNext, ".#...", 2), ["abced", "abdce", "cbade", "ebcda"]);
        assert_eq!(outcomes(SwapNext, ".#", 2), ["ab"]);
    }
}
