//! Mutations change a genome.
//!
//! Most mutations change one random gene, or each gene with a given probability. These mutations implement [`GeneMutation`], and
//! [`GeneWise`] turns each of these mutations into a [`Mutation`](evogrid_core::operator::Mutation). All other mutations implement
//! [`Mutation`](evogrid_core::operator::Mutation) themselves.
//!
//! ```
//! use evogrid_core::layout::Layout;
//! use evogrid_core::operator::Mutation;
//! use evogrid_core::random::RandomStream;
//! use evogrid_operators::mutation::inversion::Inversion;
//! use evogrid_operators::mutation::{GeneChoice, GeneWise};
//!
//! // Two genes of four alleles. Two positions of the first gene are locked.
//! let layout = Layout::new(4, &[None, Some(1), Some(2), None, None, None, None, None])?;
//! let mut genome = layout.template().to_vec();
//! let inversion = GeneWise { mutation: Inversion, genes: GeneChoice::Each(1.0) };
//! inversion.mutate(&layout, &[], &mut genome, &mut Vec::new(), &mut RandomStream::from_seed(1));
//! assert!(layout.is_valid(&genome));
//! assert_eq!(genome[..4], [3, 1, 2, 0], "the only two free positions of the first gene");
//! # Ok::<(), evogrid_core::layout::LayoutError>(())
//! ```

pub mod collision_swap;
mod gene_wise;
pub mod insertion;
pub mod inversion;
pub mod regeneration;
pub mod rotation;
pub mod scramble;
pub mod swap_diagonal;
pub mod swap_next;
pub mod swap_random;

pub use gene_wise::{GeneChoice, GeneMutation, GeneWise};

#[cfg(test)]
mod tests {
    use evogrid_core::layout::Layout;
    use evogrid_core::operator::Mutation;
    use evogrid_core::random::RandomStream;

    use super::*;

    /// The different results of a mutation of one gene in 2000 attempts, sorted; `.` is a free position, `#` a locked one.
    pub(super) fn outcomes(mutation: impl GeneMutation, gene: &str, cell_columns: usize) -> Vec<String> {
        let mutation = GeneWise { mutation, genes: GeneChoice::One };
        let locked: Vec<_> = (0..).zip(gene.bytes()).map(|(allele, mark)| (mark == b'#').then_some(allele)).collect();
        let layout = Layout::new(gene.len(), &locked).unwrap().with_cell_columns(cell_columns);
        let mut random = RandomStream::from_seed(5);
        let mut outcomes: Vec<String> = (0..2000)
            .map(|_| {
                let mut genome = layout.template().to_vec();
                mutation.mutate(&layout, &[], &mut genome, &mut Vec::new(), &mut random);
                genome.iter().map(|&allele| char::from(b'a' + allele as u8)).collect()
            })
            .collect();
        outcomes.sort();
        outcomes.dedup();
        outcomes
    }
}
