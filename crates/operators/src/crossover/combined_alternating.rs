//! `combined-alternating`: an interpretation of the combined crossover of Cervigón. A child takes alleles alternately from its two parents.

use evogrid_core::prelude::*;

use super::inside_genes::{GeneCrossover, GenePair, InsideGenes};

/// In each gene, the first child reads the free alleles of the parents alternately: `p1[0], p2[0], p1[1], p2[1], ...`. The child skips
/// alleles that it already has, and fills its free positions in order. The second child begins with the first allele of `p2` instead.
/// Nothing is random.
///
/// Cervigón describes his crossover in a few lines and prints one example. The parents are `241675839` and `246915738`, and the children
/// are `241975638` and `246195738`. The alleles 2, 4, 5 and 3 are locked. No single rule that was tried yields both printed children.
/// **This reading yields the printed second child**, but yields `241695738` as the first child.
/// [`combined-positional`](super::combined_positional) yields the printed first child.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CombinedAlternating;

/// The catalogue entry of `combined-alternating`.
pub const MEMBER: Member<dyn Crossover> = InsideGenes::<CombinedAlternating>::member(
    "combined-alternating",
    "inside each gene, children take free alleles alternately from two parents. Alleles that a child already has are \
     skipped",
    "Cervigón, UCM, section 4, \"Cruce combinado\", interpreted as alternating pointers",
);

impl GeneCrossover for CombinedAlternating {
    #[inline]
    fn cross_gene(&self, gene: GenePair<'_>, _random: &mut RandomStream) {
        let GenePair { free, parents: [one, other], children: [first, second], table } = gene;
        read_in_turn(free, [one, other], first, table);
        read_in_turn(free, [other, one], second, table);
    }
}

/// Fills the free positions of a gene alternately with the alleles of both parents. Each allele is used once. `seen` has an entry for every
/// allele.
fn read_in_turn(free: &[usize], parents: [&[Allele]; 2], child: &mut [Allele], seen: &mut [usize]) {
    free.iter().for_each(|&position| seen[usize::from(parents[0][position])] = 0);
    let mut open = free.iter();
    for &position in free {
        for parent in parents {
            let allele = parent[position];
            if std::mem::replace(&mut seen[usize::from(allele)], 1) == 0 {
                child[*open.next().expect("the number of positions equals the number of alleles")] = allele;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{alleles, gene};
    use super::*;

    #[test]
    fn the_printed_example_gives_the_second_child_and_not_the_first() {
        let (a, b) = (gene("2 4 1 6 7 5 8 3 9"), gene("2 4 6 9 1 5 7 3 8"));
        // 2, 4, 5 and 3 are given.
        let (free, mut seen) = ([2, 3, 4, 6, 8], vec![7; 9]);
        let (mut first, mut second) = (a.clone(), b.clone());
        read_in_turn(&free, [&a, &b], &mut first, &mut seen);
        read_in_turn(&free, [&b, &a], &mut second, &mut seen);
        assert_eq!(alleles(&second), "2 4 6 1 9 5 7 3 8", "as printed");
        assert_eq!(alleles(&first), "2 4 1 6 9 5 7 3 8", "printed: 2 4 1 9 7 5 6 3 8");
    }
}
