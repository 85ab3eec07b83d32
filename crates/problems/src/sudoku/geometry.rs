//! Geometry: the part of the board that a gene represents, and the lines of a position. Every fitness is computed by visiting all
//! positions.
//!
//! A gene is a permutation, so its own unit has all digits. Two of the three units of a cell remain. If genes are boxes, these are row and
//! column. If genes are rows, these are column and box. These two units are the *first* and the *second* line of the cell. Each family of
//! lines is counted from 0.

use super::{Board, Shape};
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::vectorization::VectorInstructions;

evogrid_core::choices! {
    /// The part of the board that a gene represents. Each gene is a permutation of the digits. The allele of a digit is the digit minus 1.
    #[derive(Hash)]
    pub enum Representation {
        /// A gene is a box, with its cells row by row. Sources: McCaffrey 2016; Huke's grid; Mantere and Koljonen 2006. The fitness is
        /// computed from the rows and the columns.
        Boxes = "boxes",
        /// A gene is a row. Sources: Huke's rows; Cervigón. The fitness is computed from the columns and the boxes.
        Rows = "rows",
    }
}

impl Representation {
    /// The word for a gene in messages.
    pub(super) fn gene(self) -> &'static str {
        match self {
            Self::Boxes => "box",
            Self::Rows => "row",
        }
    }

    /// The cell that belongs to a position in the genome. Cells are counted row by row.
    #[inline]
    pub fn cell(self, shape: Shape, position: usize) -> usize {
        match self {
            Self::Boxes => shape.cell_in_box(position / shape.side(), position % shape.side()),
            Self::Rows => position,
        }
    }

    /// The layout of a board. The givens of the board are locked. The cells of a gene form a grid, because some mutations need diagonals.
    /// In both representations, this grid of cells has as many columns as a box of the board.
    pub fn layout(self, board: &Board) -> Layout {
        let (shape, cells) = (board.shape(), board.cells());
        let locked = |position| cells[self.cell(shape, position)].checked_sub(1).map(Allele::from);
        let locked: Vec<Option<Allele>> = (0..shape.n_cells()).map(locked).collect();
        let layout =
            Layout::new(shape.side(), &locked).expect("each row and each box of a board has each digit at most once");
        layout.with_cell_columns(shape.box_cols())
    }
}

/// The two lines of every position of a genome as tables, and the vector instructions for visiting the positions.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub(super) instructions: VectorInstructions,
    pub(super) side: usize,
    pub(super) first: Vec<u16>,
    pub(super) second: Vec<u16>,
}

impl Lines {
    pub(super) fn new(shape: Shape, representation: Representation) -> Self {
        let (mut first, mut second) = (vec![0; shape.n_cells()], vec![0; shape.n_cells()]);
        for position in 0..shape.n_cells() {
            let [row, col, index] = shape.units_of(representation.cell(shape, position)).map(|unit| unit as u16);
            (first[position], second[position]) = match representation {
                Representation::Boxes => (row, col),
                Representation::Rows => (col, index),
            };
        }
        Self { instructions: VectorInstructions::detect(), side: shape.side(), first, second }
    }
}

/// Visits every position with its lines. `N` is the side or larger.
///
/// The implementations for the usual shapes know all numbers at compile time. So the compiler unrolls a walk, replaces line numbers by
/// addresses and keeps the data of lines in registers. [`Tabulated`] takes any shape.
pub(super) trait Geometry<const N: usize> {
    /// The number of positions in a run. The positions of a run are adjacent in a gene, share a line of one family and lie on successive
    /// lines of the other family.
    const RUN: usize;

    /// The side of the board.
    fn side(lines: &Lines) -> usize;

    /// Calls `visit(position, first, second)` for every position in a fixed order.
    fn walk(lines: &Lines, visit: impl FnMut(usize, usize, usize));

    /// Calls `visit(position, line, group)` for every run of `len` positions, with `len` equal to `RUN` or 1. `position` is the first
    /// position of the run, `line` is the shared line, and `group * len` is the line of the first position in the other family.
    fn walk_runs(lines: &Lines, len: usize, visit: impl FnMut(usize, usize, usize));
}

/// Genes are boxes of `R` x `C` cells.
pub(super) type Boxes<const R: usize, const C: usize> = Fixed<R, C, false>;

/// Genes are rows, and boxes have `R` x `C` cells.
pub(super) type Rows<const R: usize, const C: usize> = Fixed<R, C, true>;

/// A common shape with boxes or rows as genes.
pub(super) struct Fixed<const R: usize, const C: usize, const ARE_ROWS: bool>;

impl<const N: usize, const R: usize, const C: usize, const ARE_ROWS: bool> Geometry<N> for Fixed<R, C, ARE_ROWS> {
    const RUN: usize = C;

    #[inline(always)]
    fn side(_: &Lines) -> usize {
        const { assert!(N == R * C) }
        N
    }

    #[inline(always)]
    fn walk(lines: &Lines, mut visit: impl FnMut(usize, usize, usize)) {
        <Self as Geometry<N>>::walk_runs(lines, 1, |position, line, group| {
            if ARE_ROWS { visit(position, group, line) } else { visit(position, line, group) }
        });
    }

    #[inline(always)]
    fn walk_runs(_: &Lines, len: usize, mut visit: impl FnMut(usize, usize, usize)) {
        // A walk row by row over the whole board needs half as many instructions as a walk box by box.
        for band in 0..C {
            for row in 0..R {
                for stack in 0..R {
                    // If genes are boxes, the row of a run is its line and the box is its gene. If genes are rows, the row is its gene and
                    // the box is its line.
                    let (gene, line) = if ARE_ROWS { (row, stack) } else { (stack, row) };
                    for run in 0..C / len {
                        let position = (band * R + gene) * N + line * C + run * len;
                        visit(position, band * R + line, stack * (C / len) + run);
                    }
                }
            }
        }
    }
}

/// Any shape and representation, using tables.
pub(super) struct Tabulated;

impl<const N: usize> Geometry<N> for Tabulated {
    const RUN: usize = 1;

    #[inline(always)]
    fn side(lines: &Lines) -> usize {
        lines.side
    }

    #[inline(always)]
    fn walk(lines: &Lines, mut visit: impl FnMut(usize, usize, usize)) {
        for (position, (&first, &second)) in lines.first.iter().zip(&lines.second).enumerate() {
            visit(position, usize::from(first), usize::from(second));
        }
    }

    #[inline(always)]
    fn walk_runs(lines: &Lines, _: usize, visit: impl FnMut(usize, usize, usize)) {
        <Self as Geometry<N>>::walk(lines, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_locks_the_givens_where_they_stand() {
        let board: Board = "1...|..2.|....|...4".parse().unwrap();
        let boxes = Representation::Boxes.layout(&board);
        assert_eq!((boxes.n_genes(), boxes.gene_len()), (4, 4));
        let locked: Vec<usize> = (0..16).filter(|&position| boxes.is_locked(position)).collect();
        assert_eq!(locked, [0, 6, 15]);
        assert_eq!((boxes.template()[0], boxes.template()[6], boxes.template()[15]), (0, 1, 3));
        let rows = Representation::Rows.layout(&board);
        assert_eq!((boxes.cell_columns(), rows.cell_columns()), (2, 2));
        assert_eq!((rows.is_locked(6), rows.template()[15]), (true, 3));
    }

    #[test]
    fn every_cell_has_one_position() {
        for &(name, representation) in Representation::CHOICES {
            let shape = Shape::new(2, 4).unwrap();
            let mut cells: Vec<usize> = (0..64).map(|position| representation.cell(shape, position)).collect();
            cells.sort_unstable();
            assert_eq!(cells, Vec::from_iter(0..64), "{name}");
        }
    }
}
