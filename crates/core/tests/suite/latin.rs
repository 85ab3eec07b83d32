//! A small problem for the tests of the searches: Latin squares.

use std::collections::BTreeSet;

use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::problem::Problem;

/// A Latin square with given entries, its rows the genes. It knows nothing but its columns.
pub(crate) struct Latin {
    layout: Layout,
}

impl Latin {
    /// The square of that side, with alleles given at positions.
    pub(crate) fn new(side: usize, givens: &[(usize, Allele)]) -> Self {
        let mut locked = vec![None; side * side];
        givens.iter().for_each(|&(position, allele)| locked[position] = Some(allele));
        Self { layout: Layout::new(side, &locked).unwrap() }
    }
}

impl Problem for Latin {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The alleles missing in the columns.
    fn fitness(&self, genome: &[Allele]) -> Fitness {
        let columns = self.all_different_sets().unwrap();
        let alleles = |column: &Vec<usize>| BTreeSet::from_iter(column.iter().map(|&position| genome[position])).len();
        Fitness::from((genome.len() - columns.iter().map(alleles).sum::<usize>()) as u32)
    }

    fn target(&self) -> Option<Fitness> {
        Some(Fitness::from(0))
    }

    fn all_different_sets(&self) -> Option<Vec<Vec<usize>>> {
        let side = self.layout.gene_len();
        Some((0..side).map(|column| (0..self.layout.n_genes()).map(|row| row * side + column).collect()).collect())
    }
}
