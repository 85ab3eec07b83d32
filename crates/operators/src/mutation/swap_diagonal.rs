//! `swap-diagonal`: swaps two free positions of a gene that touch at a corner.

use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::Mutation;
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;

use super::genes::{GENE_RATE, Genes};

/// Sees a gene as a grid, its positions row by row, and swaps two free ones that are diagonal neighbours, every such pair equally
/// likely. A gene without such a pair stays as it is; else its parity always changes.
///
/// A box has its own grid. A row has none, so that it has no diagonals: the layout folds it at the width of a box
/// ([`Layout::cell_columns`]), the first row of that grid being the row's cells in the first box. Any other gene is folded into
/// the grid nearest to a square, unless its layout says how.
#[derive(Clone, Copy, Debug)]
pub struct SwapDiagonal {
    /// Which genes are changed.
    pub genes: Genes,
}

const PARAMETERS: &[Parameter] = &[GENE_RATE];

/// `swap-diagonal` in the catalogue.
#[must_use]
pub fn member() -> Member<dyn Mutation> {
    Member {
        declaration: Declaration {
            name: "swap-diagonal",
            doc: "swaps two free diagonal neighbours of a gene seen as a grid; a row is folded at the width of a box",
            source: "Cervigón, UCM, section 4, \"Mutación\" (intercambio con casilla diagonal)",
            parameters: PARAMETERS,
        },
        build: |settings, _| Box::new(SwapDiagonal { genes: Genes::from_settings(settings) }),
    }
}

impl Mutation for SwapDiagonal {
    fn mutate(
        &self,
        layout: &Layout,
        _conflicts: &[u32],
        genome: &mut [Allele],
        scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        self.genes.choose(layout, 2, random, |free, random| {
            let (start, columns) = (free[0] / layout.gene_len() * layout.gene_len(), layout.cell_columns());
            scratch.clear();
            for below in diagonal_pairs(free, start, columns, |position| layout.is_locked(position)) {
                scratch.extend([below.0, below.1]);
            }
            if !scratch.is_empty() {
                let pair = 2 * random.below(scratch.len() / 2);
                genome.swap(scratch[pair], scratch[pair + 1]);
            }
        });
    }
}

/// The pairs of free positions of the gene beginning at `start` that touch at a corner, each once, the upper first.
fn diagonal_pairs(
    free: &[usize],
    start: usize,
    columns: usize,
    is_locked: impl Fn(usize) -> bool + Copy,
) -> impl Iterator<Item = (usize, usize)> {
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
    fn the_diagonals_of_a_box_and_of_a_folded_row() {
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
        let diagonal = SwapDiagonal { genes: Genes::One };
        assert_eq!(outcomes(&diagonal, "...#", 2), ["acbd"]);
        assert_eq!(outcomes(&diagonal, "....", 2), ["acbd", "dbca"]);
        assert_eq!(outcomes(&diagonal, ".#.#", 2), ["abcd"]);
    }
}
