//! Representations: what the genes of a Sudoku are, boxes or rows.

use super::{Board, Shape};
use evogrid_core::layout::{Allele, Layout};

evogrid_core::choices! {
    /// The part of the board that a gene represents. Each gene is a permutation of the digits; an allele is its digit minus 1.
    #[derive(Hash)]
    pub enum Representation {
        /// A gene is a box, its cells row by row (McCaffrey 2016; Huke's grid; Mantere and Koljonen 2006). Rows and columns are
        /// left to the fitness.
        Boxes = "boxes",
        /// A gene is a row (Huke's rows; Cervigón). Columns and boxes are left to the fitness.
        Rows = "rows",
    }
}

impl Representation {
    /// What a gene is called.
    pub(super) fn gene(self) -> &'static str {
        match self {
            Self::Boxes => "box",
            Self::Rows => "row",
        }
    }

    /// The cell, counted row by row, of a position in the genome.
    #[inline]
    pub fn cell(self, shape: Shape, position: usize) -> usize {
        match self {
            Self::Boxes => shape.cell_in_box(position / shape.side(), position % shape.side()),
            Self::Rows => position,
        }
    }

    /// The layout of a board: its givens are locked, and the cells of a gene form a grid with the width of a box (also for rows, so that
    /// they have diagonals).
    pub fn layout(self, board: &Board) -> Layout {
        let (shape, cells) = (board.shape(), board.cells());
        let locked = |position| cells[self.cell(shape, position)].checked_sub(1).map(Allele::from);
        let locked: Vec<Option<Allele>> = (0..shape.n_cells()).map(locked).collect();
        let layout = Layout::new(shape.side(), &locked).expect("no digit stands twice in a row or box of a board");
        layout.with_cell_columns(shape.box_cols())
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
