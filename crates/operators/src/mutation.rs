//! Mutation: changes a genome.

pub mod collision_swap;
pub mod genes;
pub mod insertion;
pub mod inversion;
pub mod regeneration;
pub mod rotation;
pub mod scramble;
pub mod swap_diagonal;
pub mod swap_next;
pub mod swap_random;

use evogrid_core::layout::Allele;
use evogrid_core::random::RandomStream;

/// Puts the alleles at these positions in uniformly random order.
fn shuffle_at(positions: &[usize], genome: &mut [Allele], random: &mut RandomStream) {
    for last in (1..positions.len()).rev() {
        genome.swap(positions[last], positions[random.below(last + 1)]);
    }
}

#[cfg(test)]
mod tests {
    use evogrid_core::layout::Layout;
    use evogrid_core::operator::Mutation;

    use super::*;

    /// All that a mutation makes of one gene in so many tries, each once, ascending; `.` is a free position, `#` a locked one.
    pub(super) fn outcomes(mutation: &dyn Mutation, gene: &str, cell_columns: usize) -> Vec<String> {
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
