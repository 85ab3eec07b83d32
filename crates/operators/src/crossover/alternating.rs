//! `alternating`: each child takes its genes alternately from the two parents.

use evogrid_core::prelude::*;

use super::whole_genes::{WholeGeneCrossover, WholeGenes, exchange_genes};

/// The first child takes genes 0, 2, 4, ... from the first parent and genes 1, 3, 5, ... from the second parent. The second child takes
/// genes 0, 2, 4, ... from the second parent and genes 1, 3, 5, ... from the first parent. Nothing is random.
///
/// ```text
/// parents  a a a a a    children  a b a b a
///          b b b b b              b a b a b
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Alternating;

/// The catalogue entry of `alternating`.
pub const MEMBER: Member<dyn Crossover> = WholeGenes::<Alternating>::member(
    "alternating",
    "the children take their genes alternately from two parents",
    "Cervigón, UCM, section 4, \"Cruce alterno\"",
);

impl WholeGeneCrossover for Alternating {
    fn recombine(&self, layout: &Layout, parents: Parents<'_>, children: &mut [Allele], _random: &mut RandomStream) {
        exchange_genes(layout, parents, children, |gene| gene % 2 == 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::crossed;
    use super::*;

    #[test]
    fn genes_come_from_the_parents_in_turn() {
        for (n_genes, first, second) in [(5, "ababa", "babab"), (4, "abab", "baba"), (1, "a", "b")] {
            assert_eq!(crossed(Alternating, n_genes, 1), [first, second]);
        }
    }
}
