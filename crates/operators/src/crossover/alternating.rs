//! `alternating`: the children take their genes from their parents in turn.

use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::{Crossover, Parents};
use evogrid_core::parameter::Declaration;
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;

/// The first child takes genes 0, 2, 4, ... from the first parent and the others from the second; the second child the reverse.
/// Nothing is drawn.
///
/// ```text
/// parents  a a a a a    children  a b a b a
///          b b b b b              b a b a b
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Alternating;

/// `alternating` in the catalogue.
#[must_use]
pub fn member() -> Member<dyn Crossover> {
    Member {
        declaration: Declaration {
            name: "alternating",
            doc: "the children take their genes from two parents in turn",
            source: "Cervigón, UCM, section 4, \"Cruce alterno\"",
            parameters: &[],
        },
        build: |_, _| Box::new(Alternating),
    }
}

impl Crossover for Alternating {
    fn n_parents(&self) -> usize {
        2
    }

    fn hands_on_whole_genes(&self) -> bool {
        true
    }

    fn cross(
        &self,
        layout: &Layout,
        parents: Parents<'_>,
        children: &mut [Allele],
        _scratch: &mut Vec<usize>,
        _random: &mut RandomStream,
    ) {
        let (first, second) = children.split_at_mut(layout.genome_len());
        let len = layout.gene_len();
        for gene in 0..layout.n_genes() {
            let (positions, turn) = (gene * len..(gene + 1) * len, gene % 2);
            first[positions.clone()].copy_from_slice(&parents.genome(turn)[positions.clone()]);
            second[positions.clone()].copy_from_slice(&parents.genome(1 - turn)[positions]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::crossed;
    use super::*;

    #[test]
    fn genes_come_from_the_parents_in_turn() {
        for (n_genes, first, second) in [(5, "ababa", "babab"), (4, "abab", "baba"), (1, "a", "b")] {
            assert_eq!(crossed(&Alternating, n_genes, 1), [first, second]);
        }
    }
}
