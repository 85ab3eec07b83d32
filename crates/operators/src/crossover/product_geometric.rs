//! `product-geometric`: in each gene, a shortest series of swaps leads from one parent through the child to the other parent.

use evogrid_core::prelude::*;

use super::inside_genes::{GeneCrossover, GenePair, InsideGenes, map_position, note_places};

evogrid_core::parameters! {
    /// Recombines each gene separately. A shortest series of swaps leads from one parent through the child to the other parent. So the swap
    /// distances from a child to both parents add up to the distance between the parents. Suppose that the distance of two genomes is the
    /// sum of the distances of their genes. Then the whole child also lies between its parents (the theorem of the product).
    ///
    /// The setting [`path`](Self::path) determines how the children are drawn. The crossovers [`cycle`](super::cycle) and
    /// [`pmx`](super::pmx) are product geometric, too.
    #[derive(Clone, Copy, Debug)]
    pub struct ProductGeometric {
        /// `cycles` exchanges each cycle with probability 1/2; `swaps` makes a swap at each free position with probability 1/2
        pub path: Path = Parameter::choice("path", Path::NAMES, "cycles", DOC),
    }
}

evogrid_core::choices! {
    /// The rule that draws the genes of the children. Each drawn gene lies on a shortest path of swaps between the corresponding genes of
    /// the two parents.
    pub enum Path {
        /// Uniform cycle crossover: each cycle of the two parents is exchanged with probability 1/2. Every allele of a child has the same
        /// position as in one of the parents. If one child takes a cycle from the first parent, the other child takes this cycle from the
        /// second parent.
        Cycles = "cycles",
        /// Each child begins as a copy of one parent. If the crossover made a swap at every free position, the copy would become the other
        /// parent. The crossover makes only some of the swaps: at each free position, it makes the swap with probability 1/2. The swap
        /// brings the other parent's allele to the position. More distinct children are possible with `Swaps` than with `Cycles`. With
        /// `Swaps`, a child can have an allele at a position where neither parent has this allele.
        Swaps = "swaps",
    }
}

/// The catalogue entry of `product-geometric`.
pub const MEMBER: Member<dyn Crossover> = crate::member!(
    ProductGeometric in InsideGenes,
    "product-geometric",
    "each gene of a child lies on a shortest path of swaps between the genes of the parents",
    "Moraglio, Togelius and Lucas, Product Geometric Crossover for the Sudoku Puzzle, CEC 2006, pp. 470-476 \
     (genes: rows)",
);

impl GeneCrossover for ProductGeometric {
    #[inline]
    fn cross_gene(&self, gene: GenePair<'_>, random: &mut RandomStream) {
        let GenePair { free, parents, children: [first, second], table } = gene;
        match self.path {
            Path::Cycles => exchange_cycles(free, parents, [first, second], table, || random.chance(0.5)),
            Path::Swaps => {
                for (child, other) in [(first, parents[1]), (second, parents[0])] {
                    note_places(free, child, table);
                    for &position in free.iter().filter(|_| random.chance(0.5)) {
                        map_position(position, other, child, table);
                    }
                }
            }
        }
    }
}

/// Exchanges cycles of the parents' free alleles. `is_exchanged` says for each cycle of more than one position whether it is exchanged.
/// `places` has an entry for every allele.
fn exchange_cycles(
    free: &[usize],
    parents: [&[Allele]; 2],
    [first, second]: [&mut [Allele]; 2],
    places: &mut [usize],
    mut is_exchanged: impl FnMut() -> bool,
) {
    const VISITED: usize = usize::MAX;
    note_places(free, parents[0], places);
    for &start in free {
        if parents[0][start] == parents[1][start] || places[usize::from(parents[0][start])] == VISITED {
            continue;
        }
        let (is_exchanged, mut position) = (is_exchanged(), start);
        loop {
            if is_exchanged {
                (first[position], second[position]) = (parents[1][position], parents[0][position]);
            }
            position = std::mem::replace(&mut places[usize::from(parents[1][position])], VISITED);
            if position == start {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{alleles, gene};
    use super::*;

    #[test]
    fn whole_cycles_are_exchanged_or_not() {
        // The cycles of the parents: positions 0 3 5 8, then 1 2 7 9, then 4 6.
        let (c, d) = (gene("9 8 2 1 7 4 5 10 6 3"), gene("1 2 3 4 5 6 7 8 9 10"));
        let cases = [
            ([false, false, false], "9 8 2 1 7 4 5 10 6 3", "1 2 3 4 5 6 7 8 9 10"),
            ([false, true, true], "9 2 3 1 5 4 7 8 6 10", "1 8 2 4 7 6 5 10 9 3"),
            ([true, false, false], "1 8 2 4 7 6 5 10 9 3", "9 2 3 1 5 4 7 8 6 10"),
            ([false, false, true], "9 8 2 1 5 4 7 10 6 3", "1 2 3 4 7 6 5 8 9 10"),
        ];
        for (coins, expected_first, expected_second) in cases {
            let (free, mut places, mut coins) = (Vec::from_iter(0..10), vec![0; 10], coins.into_iter());
            let (mut first, mut second) = (c.clone(), d.clone());
            let toss = || coins.next().expect("three cycles");
            exchange_cycles(&free, [&c, &d], [&mut first, &mut second], &mut places, toss);
            assert_eq!((alleles(&first), alleles(&second)), (expected_first.to_owned(), expected_second.to_owned()));
            assert!(coins.next().is_none());
        }
    }
}
