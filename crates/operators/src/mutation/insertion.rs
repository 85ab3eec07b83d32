//! `insertion`: an allele moves to another free position of its gene. The alleles between the two positions shift by one.

use evogrid_core::prelude::*;

use super::gene_wise::{GeneMutation, GeneWise};

/// Draws two distinct free positions of a gene. Every ordered pair of positions is equally likely. The allele of the first position moves
/// to the second position. The alleles of the free positions between these two positions shift by one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Insertion;

/// The catalogue entry of `insertion`.
pub const MEMBER: Member<dyn Mutation> = GeneWise::<Insertion>::member(
    "insertion",
    "moves the allele of a random free position of a gene to another free position. All alleles in between shift by \
     one position",
    "Fogel, An Evolutionary Approach to the Traveling Salesman Problem, Biological Cybernetics 60, \
     1988, pp. 139-144; Syswerda, Schedule Optimization Using Genetic Algorithms, 1991 (there \
     position-based mutation)",
);

impl GeneMutation for Insertion {
    #[inline]
    fn mutate_gene(&self, _: &Layout, free: &[usize], genome: &mut [Allele], random: &mut RandomStream) {
        let [from, other] = random.batch([free.len(), free.len() - 1]);
        insert(free, from, other + usize::from(other >= from), genome);
    }
}

/// Moves the allele of the free position number `from` to the free position number `to`.
fn insert(free: &[usize], from: usize, to: usize, genome: &mut [Allele]) {
    let moved = genome[free[from]];
    let mut at = from;
    while at != to {
        let next = if at < to { at + 1 } else { at - 1 };
        genome[free[at]] = genome[free[next]];
        at = next;
    }
    genome[free[to]] = moved;
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn those_between_shift_by_one() {
        for (from, to, expected) in [(0, 2, [1, 3, 2, 0, 4]), (3, 0, [4, 0, 2, 1, 3]), (1, 2, [0, 3, 2, 1, 4])] {
            let mut genome = [0, 1, 2, 3, 4];
            insert(&[0, 1, 3, 4], from, to, &mut genome);
            assert_eq!(genome, expected, "{from} to {to}");
        }
    }

    #[test]
    fn every_allele_moves_everywhere() {
        assert_eq!(outcomes(Insertion, ".#..", 2), ["abdc", "cbad", "cbda", "dbac"]);
    }
}
