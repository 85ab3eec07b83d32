//! `swap-next`: swaps a free position with the next one.

use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::Mutation;
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;

use super::genes::{GENE_RATE, Genes};

/// Swaps a free position of a gene, each equally likely, with the next free one; after the last comes the first. The gene's parity
/// always changes.
#[derive(Clone, Copy, Debug)]
pub struct SwapNext {
    /// Which genes are changed.
    pub genes: Genes,
}

const PARAMETERS: &[Parameter] = &[GENE_RATE];

/// `swap-next` in the catalogue.
#[must_use]
pub fn member() -> Member<dyn Mutation> {
    Member {
        declaration: Declaration {
            name: "swap-next",
            doc: "swaps a random free position of a gene with the next free one, the last with the first",
            source: "Cervigón, UCM, section 4, \"Mutación\" (intercambio con la siguiente casilla)",
            parameters: PARAMETERS,
        },
        build: |settings, _| Box::new(SwapNext { genes: Genes::from_settings(settings) }),
    }
}

impl Mutation for SwapNext {
    fn mutate(
        &self,
        layout: &Layout,
        _conflicts: &[u32],
        genome: &mut [Allele],
        _scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        self.genes.choose(layout, 2, random, |free, random| swap_next(free, random.below(free.len()), genome));
    }
}

/// Swaps the free position number `at` with the next one.
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
        assert_eq!(outcomes(&SwapNext { genes: Genes::One }, ".#...", 2), ["abced", "abdce", "cbade", "ebcda"]);
        assert_eq!(outcomes(&SwapNext { genes: Genes::One }, ".#", 2), ["ab"]);
    }
}
