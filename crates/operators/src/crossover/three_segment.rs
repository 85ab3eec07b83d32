//! `three-segment`: two parents exchange the middle third of their genes.

use evogrid_core::prelude::*;

use super::whole_genes::{WholeGeneCrossover, WholeGenes, cut_evenly, deal_segments};

/// The first child takes the first and the last third of the genes from the first parent, and the middle third from the second parent. The
/// second child takes the first and the last third from the second parent, and the middle third from the first parent. Nothing is random.
///
/// ```text
/// parents  a a a|a a a|a a a    children  a a a b b b a a a
///          b b b|b b b|b b b              b b b a a a b b b
/// ```
///
/// The cuts lie before the genes `n_genes / 3` and `2 n_genes / 3`, rounded down. If there are two genes, the first gene is exchanged. If
/// there is only one gene, the children are copies of their parents.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ThreeSegment;

/// The catalogue entry of `three-segment`.
pub const MEMBER: Member<dyn Crossover> = WholeGenes::<ThreeSegment>::member(
    "three-segment",
    "two parents exchange the middle third of their genes",
    "Cervigón, UCM, section 4, \"Cruce\"",
);

impl WholeGeneCrossover for ThreeSegment {
    fn recombine(&self, layout: &Layout, parents: Parents<'_>, children: &mut [Allele], _random: &mut RandomStream) {
        let mut cuts = [0; 2];
        cut_evenly(layout.n_genes(), &mut cuts);
        deal_segments(layout.gene_len(), &[parents.genome(0), parents.genome(1)], &cuts, children);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::crossed;
    use super::*;

    #[test]
    fn the_middle_third_is_exchanged() {
        for (n_genes, first, second) in [
            (9, "aaabbbaaa", "bbbaaabbb"),
            (16, "aaaaabbbbbaaaaaa", "bbbbbaaaaabbbbbb"),
            (4, "abaa", "babb"),
            (3, "aba", "bab"),
            (2, "ba", "ab"),
            (1, "a", "b"),
        ] {
            assert_eq!(crossed(ThreeSegment, n_genes, 1), [first, second]);
        }
    }
}
