//! `combined-positional`: another interpretation of Cervigón's combined crossover. A child copies alleles position by position, and a
//! mapping replaces duplicates.

use evogrid_core::prelude::*;

use super::inside_genes::{GeneCrossover, GenePair, InsideGenes, note_places};

/// In each gene, the first child takes the alleles of its free positions alternately from the parents. The first allele comes from `p1`,
/// the second from `p2`, and so on. For the second child, the first allele comes from `p2`. If the child already has an allele, a mapping
/// as in [`pmx`](super::pmx) replaces this allele. The mapping finds the position of the allele in the other parent, and takes the allele
/// of the present parent at that position. The mapping is repeated until the allele is new. Nothing is random.
///
/// The mapping stays on one cycle of the two parents, so the mapping always ends.
///
/// Cervigón describes his crossover in a few lines and prints one example. The parents are `241675839` and `246915738`, and the children
/// are `241975638` and `246195738`. The alleles 2, 4, 5 and 3 are locked. No single rule that was tried yields both printed children.
/// **This reading yields the printed first child**, but yields `246195837` as the second child.
/// [`combined-alternating`](super::combined_alternating) yields the printed second child.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CombinedPositional;

/// The catalogue entry of `combined-positional`.
pub const MEMBER: Member<dyn Crossover> = InsideGenes::<CombinedPositional>::member(
    "combined-positional",
    "inside each gene, children copy alleles position by position, alternately from two parents. If a child already \
     has an allele, the mapping of `pmx` gives another allele",
    "Cervigón, UCM, section 4, \"Cruce combinado\", read by position, duplicates resolved as in \
     Goldberg and Lingle, 1985",
);

impl GeneCrossover for CombinedPositional {
    const TABLE_ENTRIES: usize = 3;

    #[inline]
    fn cross_gene(&self, gene: GenePair<'_>, _random: &mut RandomStream) {
        let GenePair { free, parents: [one, other], children: [first, second], table } = gene;
        take_in_turn(free, [one, other], first, table);
        take_in_turn(free, [other, one], second, table);
    }
}

/// Fills the free positions of a gene alternately from the parents, and replaces duplicates by the mapping. `tables` has three entries for
/// every allele.
fn take_in_turn(free: &[usize], parents: [&[Allele]; 2], child: &mut [Allele], tables: &mut [usize]) {
    let (first, rest) = tables.split_at_mut(tables.len() / 3);
    let (second, seen) = rest.split_at_mut(first.len());
    note_places(free, parents[0], first);
    note_places(free, parents[1], second);
    free.iter().for_each(|&position| seen[usize::from(parents[0][position])] = 0);
    let opposite_places = [second, first];
    for (at, &position) in free.iter().enumerate() {
        let turn = at % 2;
        let mut allele = parents[turn][position];
        while seen[usize::from(allele)] == 1 {
            allele = parents[turn][opposite_places[turn][usize::from(allele)]];
        }
        seen[usize::from(allele)] = 1;
        child[position] = allele;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{alleles, gene};
    use super::*;

    #[test]
    fn the_printed_example_gives_the_first_child_and_not_the_second() {
        let (a, b) = (gene("2 4 1 6 7 5 8 3 9"), gene("2 4 6 9 1 5 7 3 8"));
        // 2, 4, 5 and 3 are given.
        let (free, mut tables) = ([2, 3, 4, 6, 8], vec![7; 27]);
        let (mut first, mut second) = (a.clone(), b.clone());
        take_in_turn(&free, [&a, &b], &mut first, &mut tables);
        take_in_turn(&free, [&b, &a], &mut second, &mut tables);
        assert_eq!(alleles(&first), "2 4 1 9 7 5 6 3 8", "as printed");
        assert_eq!(alleles(&second), "2 4 6 1 9 5 8 3 7", "printed: 2 4 6 1 9 5 7 3 8");
    }
}
