//! `diagonal`: `n` parents are cut into `n` segments. Each child takes one segment from each parent.

use evogrid_core::prelude::*;

use super::whole_genes::{WholeGeneCrossover, WholeGenes, cut_evenly, deal_segments};

const MAX_PARENTS: usize = 16;

evogrid_core::parameters! {
    /// Cuts `n` parents into `n` segments of whole genes. Segment `s` of child `j` comes from parent `(j + s) mod n`.
    ///
    /// ```text
    /// parents  a a a|a a a|a a a    children  a a a b b b c c c
    ///          b b b|b b b|b b b              b b b c c c a a a
    ///          c c c|c c c|c c c              c c c a a a b b b
    /// ```
    ///
    /// If there are more parents than genes, each gene is a segment. If each gene is a segment, gene `g` of child `j` comes from parent
    /// `(j + g) mod n`.
    #[derive(Clone, Copy, Debug)]
    pub struct Diagonal {
        /// number of parents, and also the number of children
        pub n_parents: usize = Parameter::integer("parents", 2, MAX_PARENTS as i64, 3, DOC),
        /// the places of the cuts: equal segments, or random cuts for each crossover
        pub cuts: Cuts = Parameter::choice("cuts", Cuts::NAMES, "even", DOC),
    }
}

evogrid_core::choices! {
    /// The rule that chooses the places at which the parents are cut.
    pub enum Cuts {
        /// The sizes of the segments are equal, or differ by 1. Cut `i`, counted from 1, lies before gene `i * n_genes / n`, rounded down.
        Even = "even",
        /// For each crossover, distinct cut points are drawn at random. Every set of cut points is equally likely.
        Random = "random",
    }
}

/// The catalogue entry of `diagonal`.
pub const MEMBER: Member<dyn Crossover> = crate::member!(
    Diagonal in WholeGenes,
    "diagonal",
    "cuts each of n parents into n segments and makes n children. A child takes its first segment from one parent, the \
     second segment from the next parent, and so on",
    "Eiben, Raué and Ruttkay, Genetic Algorithms with Multi-parent Recombination, PPSN III, 1994, pp. 78-87; Eiben \
     and van Kemenade, Diagonal Crossover in Genetic Algorithms for Numerical Optimization, Control and \
     Cybernetics 26(3), 1997; Huke, slide \"Diagonales-Crossover\"",
    needing &[Capability::SeveralGenes],
);

impl WholeGeneCrossover for Diagonal {
    fn n_parents(&self) -> usize {
        self.n_parents
    }

    fn recombine(&self, layout: &Layout, parents: Parents<'_>, children: &mut [Allele], random: &mut RandomStream) {
        let n_segments = self.n_parents.min(layout.n_genes());
        let mut cuts = [0; MAX_PARENTS - 1];
        let cuts = &mut cuts[..n_segments - 1];
        match self.cuts {
            Cuts::Even => cut_evenly(layout.n_genes(), cuts),
            Cuts::Random => random.cut_points(layout.n_genes(), cuts),
        }
        let mut genomes: [&[Allele]; MAX_PARENTS] = [&[]; MAX_PARENTS];
        let genomes = &mut genomes[..self.n_parents];
        for (parent, genome) in genomes.iter_mut().enumerate() {
            *genome = parents.genome(parent);
        }
        deal_segments(layout.gene_len(), genomes, cuts, children);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_core::population::Population;

    #[test]
    fn more_parents_than_genes_give_one_gene_each() {
        let layout = Layout::new(1, &[None; 2]).unwrap();
        let population = Population::from_individuals(2, (0..4).map(|parent| ([parent; 2], 0.into())));
        for cuts in [Cuts::Even, Cuts::Random] {
            let mut children = [9; 8];
            let parents = Parents::new(&population, &[0, 1, 2, 3]);
            let diagonal = Diagonal { n_parents: 4, cuts };
            diagonal.recombine(&layout, parents, &mut children, &mut RandomStream::from_seed(1));
            assert_eq!(children, [0, 1, 1, 2, 2, 3, 3, 0], "{cuts:?}");
        }
    }
}
