//! `swap-diagonal`: swaps two free positions that touch at a corner.

use evogrid_core::prelude::*;

use super::gene_wise::{GeneMutation, GeneWise};

/// Treats the positions of a gene as a grid, row by row. Swaps two free positions that are diagonal neighbours. Every pair of free diagonal
/// neighbours is equally likely. If a gene has no pair of free diagonal neighbours, the gene does not change. If a gene changes, its parity
/// always changes.
///
/// The layout defines [the width of the grid](evogrid_core::layout::Layout::cell_columns). By default the grid is nearly square.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SwapDiagonal;

/// The catalogue entry of `swap-diagonal`.
pub const MEMBER: Member<dyn Mutation> = GeneWise::<SwapDiagonal>::member(
    "swap-diagonal",
    "swaps the alleles of two free positions. If the positions of a gene are written row by row into a \
     grid, the two swapped positions are diagonal neighbours in this grid",
    "Cervigón, UCM, section 4, \"Mutación\" (intercambio con casilla diagonal)",
);

impl GeneMutation for SwapDiagonal {
    #[inline]
    fn mutate_gene(&self, layout: &Layout, free: &[usize], genome: &mut [Allele], random: &mut RandomStream) {
        let (start, columns) = (free[0] / layout.gene_len() * layout.gene_len(), layout.cell_columns());
        let mut pairs = diagonal_pairs(free, start, columns, |position| layout.is_locked(position));
        match pairs.clone().count() {
            0 => {}
            n_pairs => {
                let (upper, lower) = pairs.nth(random.below(n_pairs)).expect("the index is below the number of pairs");
                genome.swap(upper, lower);
            }
        }
    }
}

/// The pairs of free positions that touch at a corner, in the gene that begins at `start`. Each pair occurs once, and the upper position
/// comes first.
fn diagonal_pairs(
    free: &[usize],
    start: usize,
    columns: usize,
    is_locked: impl Fn(usize) -> bool + Copy,
) -> impl Iterator<Item = (usize, usize)> + Clone {
    let last = free[free.len() - 1];
    free.iter().flat_map(move |&upper| {
        let column = (upper - start) % columns;
        let left = (column > 0).then(|| upper + columns - 1);
        let right = (column + 1 < columns).then(|| upper + columns + 1);
        [left, right]
            .into_iter()
            .flatten()
            .filter(move |&lower| lower <= last && !is_locked(lower))
            .map(move |lower| (upper, lower))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;
    use super::*;

    #[test]
    fn the_diagonals_of_grids() {
        let pairs = |free: &[usize], start, columns| {
            diagonal_pairs(free, start, columns, |position| !free.contains(&position)).collect::<Vec<_>>()
        };
        let all = Vec::from_iter(9..18);
        assert_eq!(pairs(&all, 9, 3), [(9, 13), (10, 12), (10, 14), (11, 13), (12, 16), (13, 15), (13, 17), (14, 16)]);
        assert_eq!(pairs(&[0, 2, 4, 6, 8], 0, 3), [(0, 4), (2, 4), (4, 6), (4, 8)]);
        assert_eq!(pairs(&[1, 5, 6], 0, 3), [(1, 5)], "5 and 6 touch at no corner");
        assert_eq!(pairs(&[0, 1, 2, 3, 4], 0, 3), [(0, 4), (1, 3), (2, 4)], "the last row is short");
        assert_eq!(pairs(&[0, 1, 2], 0, 1), []);
    }

    #[test]
    fn every_diagonal_pair_is_swapped_and_without_one_nothing() {
        assert_eq!(outcomes(SwapDiagonal, "...#", 2), ["acbd"]);
        assert_eq!(outcomes(SwapDiagonal, "....", 2), ["acbd", "dbca"]);
        assert_eq!(outcomes(SwapDiagonal, ".#.#", 2), ["abcd"]);
    }
}
