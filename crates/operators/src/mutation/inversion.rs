//! `inversion`: a segment of the free positions of a gene is reversed.

use evogrid_core::prelude::*;

use super::gene_wise::{GeneMutation, GeneWise};

/// Draws two distinct free positions of a gene. The order of the alleles from one position to the other is reversed. Locked alleles stay at
/// their positions. Every pair of positions is equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inversion;

/// The catalogue entry of `inversion`.
pub const MEMBER: Member<dyn Mutation> = GeneWise::<Inversion>::member(
    "inversion",
    "reverses a random segment of the free positions of a gene",
    "Holland, Adaptation in Natural and Artificial Systems, 1975, ch. 6; Larrañaga et al., Genetic \
     Algorithms for the Travelling Salesman Problem, Artificial Intelligence Review 13, 1999, pp. \
     129-170 (simple inversion)",
);

impl GeneMutation for Inversion {
    #[inline]
    fn mutate_gene(&self, _: &Layout, free: &[usize], genome: &mut [Allele], random: &mut RandomStream) {
        let (first, last) = random.pair(free.len());
        invert(&free[first..=last], genome);
    }
}

/// Reverses the order of the alleles at these positions.
fn invert(positions: &[usize], genome: &mut [Allele]) {
    let half = positions.len() / 2;
    for (&front, &back) in positions[..half].iter().zip(positions.iter().rev()) {
        genome.swap(front, back);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn a_stretch_is_reversed() {
        let cases: [(&[usize], [Allele; 5]); 4] = [
            (&[], [0, 1, 2, 3, 4]),
            (&[1, 2], [0, 2, 1, 3, 4]),
            (&[0, 2, 4], [4, 1, 2, 3, 0]),
            (&[0, 1, 3, 4], [4, 3, 2, 1, 0]),
        ];
        for (positions, expected) in cases {
            let mut genome = [0, 1, 2, 3, 4];
            invert(positions, &mut genome);
            assert_eq!(genome, expected);
        }
    }

    #[test]
    fn every_stretch_of_free_positions_is_reversed() {
        assert_eq!(outcomes(Inversion, "..#..", 2), ["abced", "adcbe", "aecdb", "bacde", "dbcae", "edcba"]);
    }
}
