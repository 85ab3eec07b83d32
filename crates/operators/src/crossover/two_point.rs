//! `two-point`: two parents exchange the genes between two cut points.

use evogrid_core::prelude::*;

use super::whole_genes::{WholeGeneCrossover, WholeGenes, deal_segments};

/// Draws two distinct cut points between the genes, and exchanges the genes between the two cut points. Every pair of cut points is equally
/// likely.
///
/// ```text
/// parents  a a a|a a a|a a a    children  a a a b b b a a a
///          b b b|b b b|b b b              b b b a a a b b b
/// ```
///
/// If there are two genes, there is only one cut point, so each parent is cut once. If there is only one gene, the children are copies of
/// their parents.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TwoPoint;

/// The catalogue entry of `two-point`.
pub const MEMBER: Member<dyn Crossover> = WholeGenes::<TwoPoint>::member(
    "two-point",
    "two parents exchange the genes between two random cut points",
    "De Jong, An Analysis of the Behavior of a Class of Genetic Adaptive Systems, 1975, ch. 4; Huke, \
     slide \"2-Punkt-Crossover\"",
);

impl WholeGeneCrossover for TwoPoint {
    fn recombine(&self, layout: &Layout, parents: Parents<'_>, children: &mut [Allele], random: &mut RandomStream) {
        let mut cuts = [0; 2];
        let cuts = &mut cuts[..(layout.n_genes() - 1).min(2)];
        random.cut_points(layout.n_genes(), cuts);
        deal_segments(layout.gene_len(), &[parents.genome(0), parents.genome(1)], cuts, children);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::crossed;
    use super::*;

    #[test]
    fn every_pair_of_cut_points_comes_up_and_few_genes_make_do_with_fewer() {
        let cases: [(usize, &[&str]); 4] =
            [(1, &["a"]), (2, &["ab"]), (3, &["aba"]), (5, &["aaaba", "aabaa", "aabba", "abaaa", "abbaa", "abbba"])];
        for (n_genes, expected) in cases {
            let mut children: Vec<String> = (0..100).map(|seed| crossed(TwoPoint, n_genes, seed).remove(0)).collect();
            children.sort();
            children.dedup();
            assert_eq!(children, expected);
        }
    }
}
