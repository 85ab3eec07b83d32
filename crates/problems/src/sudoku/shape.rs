//! The shape of a board: its side, and the places of its rows, columns and boxes.

use std::fmt;
use std::str::FromStr;

use evogrid_core::family::{InstanceError, OptionDeclaration};

/// The maximum side. `P`, the character of the 25th digit, is the last character for a digit.
pub(super) const MAX_SIDE: usize = 25;

/// The shape of a box, for boards whose side is not a square.
pub(super) const BOX: OptionDeclaration = OptionDeclaration {
    pattern: Some("^ *[0-9]+ *[xX] *[0-9]+ *$"),
    ..OptionDeclaration::new(
        "box",
        "RxC",
        "Shape of a box as rows x columns, for example `2x3`. Required if the side of the board is not a square number",
    )
};

/// A board of `side = box_rows * box_cols` rows and columns. Each box has `box_rows` x `box_cols` cells.
///
/// Rows, columns, boxes and cells are counted from 0. The count goes from left to right and from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    box_rows: u8,
    box_cols: u8,
}

impl Shape {
    /// Creates the shape with boxes of `box_rows` x `box_cols` cells.
    ///
    /// # Errors
    /// Returns an error if the side is not between 2 and 25.
    pub fn new(box_rows: usize, box_cols: usize) -> Result<Self, InstanceError> {
        let is_side = |side| (2..=MAX_SIDE).contains(&side);
        if !box_rows.checked_mul(box_cols).is_some_and(is_side) {
            let error = InstanceError::new(format!("boxes of {box_rows}x{box_cols} do not give a valid board"));
            return Err(error.expecting(format!(
                "a side of the board from 2 to {MAX_SIDE}: the side is the product of the \
                    rows and columns of a box"
            )));
        }
        Ok(Self { box_rows: box_rows as u8, box_cols: box_cols as u8 })
    }

    /// Returns the shape with square boxes and this side. The side must be a square (4, 9, 16 or 25).
    pub fn square_for(side: usize) -> Option<Self> {
        (2..=5).find(|root| root * root == side).and_then(|root| Self::new(root, root).ok())
    }

    /// The number of rows of a box.
    #[inline]
    pub fn box_rows(self) -> usize {
        usize::from(self.box_rows)
    }

    /// The number of columns of a box.
    #[inline]
    pub fn box_cols(self) -> usize {
        usize::from(self.box_cols)
    }

    /// The side N: the number of rows, columns, boxes and digits.
    #[inline]
    pub fn side(self) -> usize {
        self.box_rows() * self.box_cols()
    }

    /// The number of cells, N * N.
    #[inline]
    pub fn n_cells(self) -> usize {
        self.side() * self.side()
    }

    /// The box of a cell (McCaffrey's `Block`: `(3, 8)` lies in box 5 of a 9x9 board). There are `box_rows` boxes side by side.
    #[inline]
    pub(super) fn box_of(self, row: usize, col: usize) -> usize {
        row / self.box_rows() * self.box_rows() + col / self.box_cols()
    }

    /// The row, column and box of a cell. Cells are counted row by row.
    #[inline]
    pub(super) fn units_of(self, cell: usize) -> [usize; 3] {
        let (row, col) = (cell / self.side(), cell % self.side());
        [row, col, self.box_of(row, col)]
    }

    /// The cell at index `at` of a row (family 0), column (1) or box (2).
    #[inline]
    pub(super) fn cell_in_unit(self, family: usize, index: usize, at: usize) -> usize {
        match family {
            0 => index * self.side() + at,
            1 => at * self.side() + index,
            _ => self.cell_in_box(index, at),
        }
    }

    /// Returns the row and the column of the first cell of a box (McCaffrey's `Corner`). For example, box 8 of a 9x9 board begins at
    /// `(6, 6)`.
    #[inline]
    pub fn corner(self, index: usize) -> (usize, usize) {
        (index / self.box_rows() * self.box_rows(), index % self.box_rows() * self.box_cols())
    }

    /// The cell at index `at` of a box. Cells are counted row by row.
    #[inline]
    pub(super) fn cell_in_box(self, index: usize, at: usize) -> usize {
        let (row, col) = self.corner(index);
        (row + at / self.box_cols()) * self.side() + col + at % self.box_cols()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}x{}", self.box_rows, self.box_cols)
    }
}

impl FromStr for Shape {
    type Err = InstanceError;

    /// Reads `rows x columns` of a box, for example `2x3`; spaces around the numbers are allowed.
    fn from_str(text: &str) -> Result<Self, InstanceError> {
        let number = |text: &str| -> Option<usize> {
            let digits = Some(text.trim()).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            digits?.parse().ok()
        };
        let parsed = text.split_once(['x', 'X']).and_then(|(rows, cols)| Some((number(rows)?, number(cols)?)));
        let Some((box_rows, box_cols)) = parsed else {
            let text: String = text.chars().take(40).collect();
            return Err(InstanceError::new(format!("`{text}` is not a box shape"))
                .expecting("rows x columns, for example `2x3`"));
        };
        Self::new(box_rows, box_cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_found_again_in_its_box() {
        for (box_rows, box_cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (1, 5), (5, 5), (4, 6)] {
            let shape = Shape::new(box_rows, box_cols).unwrap();
            let side = shape.side();
            let mut seen = vec![false; shape.n_cells()];
            for index in 0..side {
                for at in 0..side {
                    let cell = shape.cell_in_box(index, at);
                    assert_eq!(shape.box_of(cell / side, cell % side), index, "{shape}");
                    assert!(!std::mem::replace(&mut seen[cell], true));
                }
            }
        }
    }

    #[test]
    fn a_shape_is_read_back_and_anything_else_is_refused() {
        let shape: Shape = "2x3".parse().unwrap();
        assert_eq!((shape.box_rows(), shape.box_cols(), shape.side()), (2, 3, 6));
        assert_eq!(shape.to_string(), "2x3");
        assert_eq!(" 2 X 3 ".parse(), Ok(shape));
        for wrong in ["", "x", "2", "2x", "2x3x4", "-2x3", "+2x3", "axb", "99999999999999999999x1"] {
            let error = wrong.parse::<Shape>().unwrap_err();
            assert_eq!(error.to_string(), format!("`{wrong}` is not a box shape"));
        }
        for wrong in ["0x3", "1x1", "5x6", "18446744073709551615x2"] {
            let error = wrong.parse::<Shape>().unwrap_err();
            assert_eq!(error.to_string(), format!("boxes of {wrong} do not give a valid board"));
        }
    }

    #[test]
    fn only_squares_have_square_boxes() {
        let sides: Vec<usize> = (0..40).filter(|&side| Shape::square_for(side).is_some()).collect();
        assert_eq!(sides, [4, 9, 16, 25]);
    }
}
