//! Geometry: which two lines cross a position that are not its own gene. Every fitness is a walk over it.
//!
//! A gene is a permutation already, so of the three units of a cell two are left: row and column where genes are boxes,
//! column and box where they are rows. They are its *first* and *second* line, each family counted from 0.

use super::{Representation, Shape};
use evogrid_core::vectorization::VectorInstructions;

/// The two lines of every position of a genome as tables, and the vector instructions for walking over them.
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
/// The implementations for the usual shapes know all their numbers when they are compiled, so that a walk is unrolled, line
/// numbers vanish into addresses and what is kept for each line lives in registers. [`Tabulated`] takes any shape.
pub(super) trait Geometry<const N: usize> {
    /// Positions in a run: neighbours in a gene that share a line of one family and lie on successive lines of the other.
    const RUN: usize;

    /// The side of the board.
    fn side(lines: &Lines) -> usize;

    /// Calls `visit(position, first, second)` for every position in a fixed order.
    fn walk(lines: &Lines, visit: impl FnMut(usize, usize, usize));

    /// Calls `visit(position, line, group)` for every run of `len` positions, `RUN` or 1, by its first position: `line` is
    /// the line that they share, `group * len` the line of the other family that the first of them lies on.
    fn walk_runs(lines: &Lines, len: usize, visit: impl FnMut(usize, usize, usize));
}

/// Genes are boxes of `R` x `C` cells.
pub(super) type Boxes<const R: usize, const C: usize> = Fixed<R, C, false>;

/// Genes are rows; boxes have `R` x `C` cells.
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
        // Row by row over the whole board: half as many instructions as box by box.
        for band in 0..C {
            for row in 0..R {
                for stack in 0..R {
                    // The row of a run is its line where genes are boxes, and its gene where they are rows; with the box it is the
                    // other way about.
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
