//! Crossovers make children from parents.
//!
//! There are two kinds of crossovers. The crossovers of the first kind give the children [whole genes](WholeGenes) of the parents. The
//! crossovers of the second kind recombine the alleles [inside genes](InsideGenes). Each of the two kinds has a trait with one method. If a
//! crossover belongs to neither kind, it implements [`Crossover`](evogrid_core::operator::Crossover) itself.
//!
//! ```
//! use evogrid_core::layout::Layout;
//! use evogrid_core::operator::{Crossover, Parents};
//! use evogrid_core::population::Population;
//! use evogrid_core::random::RandomStream;
//! use evogrid_operators::crossover::InsideGenes;
//! use evogrid_operators::crossover::order::Order;
//!
//! // One gene of five alleles. The first allele is locked.
//! let layout = Layout::new(5, &[Some(0), None, None, None, None])?;
//! let population = Population::from_individuals(5, [([0, 1, 2, 3, 4], 7.into()), ([0, 4, 3, 2, 1], 9.into())]);
//! let (mut children, mut random) = ([0; 10], RandomStream::from_seed(1));
//! let parents = Parents::new(&population, &[0, 1]);
//! InsideGenes(Order).cross(&layout, parents, &mut children, &mut Vec::new(), &mut random);
//! assert!(children.chunks_exact(5).all(|child| layout.is_valid(child)));
//! # Ok::<(), evogrid_core::layout::LayoutError>(())
//! ```

pub mod alternating;
pub mod combined_alternating;
pub mod combined_positional;
pub mod cycle;
pub mod diagonal;
pub mod edge_recombination;
mod inside_genes;
pub mod one_point;
pub mod order;
pub mod pmx;
pub mod product_geometric;
pub mod row_column_blocks;
pub mod three_segment;
pub mod two_point;
pub mod uniform;
mod whole_genes;

pub use inside_genes::{GeneCrossover, GenePair, InsideGenes};
pub use whole_genes::{WholeGeneCrossover, WholeGenes, deal_segments};

#[cfg(test)]
mod tests {
    use evogrid_core::layout::{Allele, Layout};
    use evogrid_core::operator::{Crossover, Parents};
    use evogrid_core::population::Population;
    use evogrid_core::random::RandomStream;

    use super::*;

    /// The children of two parents, one all `a`, the other all `b`, for as many genes.
    pub(super) fn crossed(crossover: impl WholeGeneCrossover, n_genes: usize, seed: u64) -> Vec<String> {
        let layout = Layout::new(1, &vec![None; n_genes]).unwrap();
        let population = Population::from_individuals(n_genes, [0, 1].map(|name| (vec![name; n_genes], 0.into())));
        let (mut children, mut random) = (vec![9; 2 * n_genes], RandomStream::from_seed(seed));
        let parents = Parents::new(&population, &[0, 1]);
        WholeGenes(crossover).cross(&layout, parents, &mut children, &mut Vec::new(), &mut random);
        let name = |&allele: &Allele| if allele == 0 { 'a' } else { 'b' };
        children.chunks_exact(n_genes).map(|child| child.iter().map(name).collect()).collect()
    }

    /// A gene as printed, its alleles from 1.
    pub(super) fn gene(printed: &str) -> Vec<Allele> {
        printed.split(' ').map(|allele| allele.parse::<Allele>().unwrap() - 1).collect()
    }

    /// A gene as it would be printed.
    pub(super) fn alleles(gene: &[Allele]) -> String {
        gene.iter().map(|allele| (allele + 1).to_string()).collect::<Vec<_>>().join(" ")
    }
}
