//! `rotation`: rotates the alleles of three free positions to the right.

use evogrid_core::prelude::*;

use super::gene_wise::{GeneMutation, GeneWise};

/// Draws three free positions of a gene. All sets of three positions are equally likely. The alleles rotate to the right. The allele of the
/// third position moves to the first position.
///
/// A gene with fewer than three free positions is never chosen. A rotation of three alleles is an even permutation. So **the parity of a
/// gene never changes**. If a search has no other operator, it reaches only half of all permutations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rotation;

/// The catalogue entry of `rotation`.
pub const MEMBER: Member<dyn Mutation> = GeneWise::<Rotation>::member(
    "rotation",
    "rotates the alleles of three random free positions of a gene to the right. The parity of the permutation stays the same",
    "Cervigón, UCM, section 4, \"Mutación\" (rotación)",
);

impl GeneMutation for Rotation {
    const MIN_FREE: usize = 3;

    #[inline]
    fn mutate_gene(&self, _: &Layout, free: &[usize], genome: &mut [Allele], random: &mut RandomStream) {
        let three = three_of(free.len(), random);
        rotate(three.map(|number| free[number]), genome);
    }
}

/// Three distinct random numbers below `n`, ascending. All sets of three numbers are equally likely.
fn three_of(n: usize, random: &mut RandomStream) -> [usize; 3] {
    let [first, second, third] = random.batch([n, n - 1, n - 2]);
    let second = second + usize::from(second >= first);
    let (low, high) = (first.min(second), first.max(second));
    // The third number is one of the remaining numbers: below, between or above the two.
    if third < low {
        [third, low, high]
    } else if third + 1 < high {
        [low, third + 1, high]
    } else {
        [low, high, third + 2]
    }
}

/// Moves the allele of each position to the next position, and the last allele to the first position.
fn rotate([first, second, third]: [usize; 3], genome: &mut [Allele]) {
    (genome[second], genome[third], genome[first]) = (genome[first], genome[second], genome[third]);
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn alleles_move_to_the_right() {
        let mut genome = [0, 1, 2, 3, 4];
        rotate([0, 2, 3], &mut genome);
        assert_eq!(genome, [3, 1, 0, 2, 4]);
    }

    #[test]
    fn every_three_come_about_equally_often() {
        let (mut counts, mut random) = ([0u32; 125], RandomStream::from_seed(3));
        for _ in 0..60_000 {
            let [a, b, c] = three_of(5, &mut random);
            assert!(a < b && b < c);
            counts[a * 25 + b * 5 + c] += 1;
        }
        // Of ten threes; six standard deviations of a binomial(60000, 0.1) are 441.
        assert!(counts.iter().all(|&count| count == 0 || count.abs_diff(6000) < 441), "{counts:?}");
    }

    #[test]
    fn every_three_free_positions_are_rotated_and_two_are_left_alone() {
        assert_eq!(outcomes(Rotation, "..#..", 2), ["aecbd", "dacbe", "eacdb", "ebcad"]);
        assert_eq!(outcomes(Rotation, "..#", 2), ["abc"]);
    }
}
