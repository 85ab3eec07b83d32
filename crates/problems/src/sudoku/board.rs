//! Boards: each cell has a digit or is free. No row, column or box contains a digit twice.

use std::fmt;

use evogrid_core::family::InstanceError;

use super::shape::{MAX_SIDE, Shape};

/// A Sudoku board. Some cells have digits from 1 to N. All cells without a digit are free. No row, column or box contains a digit twice.
///
/// [`parse`](Self::parse) reads a board. `Display` writes the canonical form of a board, in one line. In this form, a free cell is `.`.
/// Letters stand for the digits from 10 on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    cells: Vec<u8>,
}

/// The error for a number of cells that does not match a shape.
pub(super) fn cells_of_shape(n_cells: usize, shape: Shape) -> InstanceError {
    let error = InstanceError::new(format!("a board of {n_cells} cells does not fit boxes of {shape}"));
    error.expecting(format!("{} cells", shape.n_cells()))
}

impl Board {
    /// Creates a board with these cells, row by row. The number 0 stands for a free cell. All numbers except 0 are digits from 1 to N.
    ///
    /// # Errors
    /// Returns an error if the number of cells or a digit does not fit the shape. Returns an error if a row, column or box contains a digit
    /// twice.
    pub fn new(shape: Shape, cells: Vec<u8>) -> Result<Self, InstanceError> {
        let side = shape.side();
        if cells.len() != shape.n_cells() {
            return Err(cells_of_shape(cells.len(), shape));
        }
        if let Some(at) = cells.iter().position(|&digit| usize::from(digit) > side) {
            let (digit, row, column) = (cells[at], at / side + 1, at % side + 1);
            let place = format!("digit {digit} in row {row}, column {column}");
            return Err(InstanceError::new(format!("{place} is too large for a board of side {side}")));
        }
        let board = Self { shape, cells };
        board.duplicate().map_or(Ok(board), Err)
    }

    /// Creates a board without givens.
    pub fn empty(shape: Shape) -> Self {
        Self { shape, cells: vec![0; shape.n_cells()] }
    }

    /// The shape of the board.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The cells, row by row. The number 0 stands for a free cell. Any other number is the digit in the cell.
    #[inline]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of cells with a digit.
    pub fn n_givens(&self) -> usize {
        self.cells.iter().filter(|&&digit| digit != 0).count()
    }

    /// Returns true if all cells are filled. A board never has a digit twice in a row, column or box. So a full board is always solved.
    pub fn is_solved(&self) -> bool {
        !self.cells.contains(&0)
    }

    /// Returns true if this board is a solution of `givens`. A solution is a solved board of the same shape that keeps every given.
    pub fn solves(&self, givens: &Board) -> bool {
        let keeps = |(&digit, &given): (&u8, &u8)| given == 0 || digit == given;
        self.shape == givens.shape && self.is_solved() && self.cells.iter().zip(&givens.cells).all(keeps)
    }

    /// Writes a digit into a cell, or 0 to make the cell free. The caller must avoid duplicates.
    pub(super) fn set(&mut self, cell: usize, digit: u8) {
        self.cells[cell] = digit;
    }

    /// The error for the first digit that occurs twice. Rows are checked first, then columns, then boxes.
    fn duplicate(&self) -> Option<InstanceError> {
        let (shape, side) = (self.shape, self.shape.side());
        let place = |cell: usize| format!("in row {}, column {}", cell / side + 1, cell % side + 1);
        for (family, unit) in UNITS.into_iter().enumerate() {
            for index in 0..side {
                let mut holders = [None; MAX_SIDE + 1];
                for cell in (0..side).map(|at| shape.cell_in_unit(family, index, at)) {
                    let digit = self.cells[cell];
                    if digit == 0 {
                        continue;
                    }
                    if let Some(first) = holders[usize::from(digit)].replace(cell) {
                        let twice = format!("digit {digit} appears twice in {unit} {}", index + 1);
                        return Some(InstanceError::new(format!("{twice}: {} and {}", place(first), place(cell))));
                    }
                }
            }
        }
        None
    }
}

/// The names of the families of units.
pub(super) const UNITS: [&str; 3] = ["row", "column", "box"];

/// Writes the canonical form: one line, with `.` for a free cell and `A`, `B`, ... for digits from 10 on.
impl fmt::Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells.iter().try_for_each(|&digit| write!(formatter, "{}", symbol(digit)))
    }
}

/// The character for a digit: `.` for 0 (a free cell), `1` to `9`, then `A` for 10 up to `P` for 25.
pub(super) fn symbol(digit: u8) -> char {
    match digit {
        0 => '.',
        1..=9 => char::from(b'0' + digit),
        _ => char::from(b'A' + digit - 10),
    }
}
