//! `one-point`: two parents exchange the genes after a cut point.

use evogrid_core::prelude::*;

use super::whole_genes::{WholeGeneCrossover, WholeGenes};

/// Draws a cut point between the genes, and exchanges all genes after the cut point. Every cut point is equally likely.
///
/// ```text
/// parents  a a a a|a a a a a    children  a a a a b b b b b
///          b b b b|b b b b b              b b b b a a a a a
/// ```
///
/// If there is only one gene, there is no cut point, and the children are copies of their parents.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OnePoint;

/// The catalogue entry of `one-point`.
pub const MEMBER: Member<dyn Crossover> = WholeGenes::<OnePoint>::member(
    "one-point",
    "two parents exchange the genes after a random cut point",
    "Holland, Adaptation in Natural and Artificial Systems, 1975, ch. 6; Cervigón, UCM, section 4, \
     \"Cruce\"",
);

impl WholeGeneCrossover for OnePoint {
    fn recombine(&self, layout: &Layout, parents: Parents<'_>, children: &mut [Allele], random: &mut RandomStream) {
        let n_genes = layout.n_genes();
        let cut = if n_genes > 1 { 1 + random.below(n_genes - 1) } else { n_genes };
        let (first, second) = children.split_at_mut(layout.genome_len());
        splice(parents.genome(0), parents.genome(1), cut * layout.gene_len(), first);
        splice(parents.genome(1), parents.genome(0), cut * layout.gene_len(), second);
    }
}

/// Fills `child` with the alleles of `front` before position `cut`, and with the alleles of `back` from this position on.
#[inline]
fn splice(front: &[Allele], back: &[Allele], cut: usize, child: &mut [Allele]) {
    child[..cut].copy_from_slice(&front[..cut]);
    child[cut..].copy_from_slice(&back[cut..]);
}

#[cfg(test)]
mod tests {
    use super::super::tests::crossed;
    use super::*;

    #[test]
    fn every_cut_point_comes_up_and_none_leaves_the_parents_as_they_were() {
        for (n_genes, expected) in [(1, &["a"][..]), (2, &["ab"]), (4, &["aaab", "aabb", "abbb"])] {
            let mut children: Vec<String> = (0..100).map(|seed| crossed(OnePoint, n_genes, seed).remove(0)).collect();
            children.sort();
            children.dedup();
            assert_eq!(children, expected);
        }
    }
}
