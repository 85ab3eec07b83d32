//! Boards: cells with a digit or free, no digit twice in a row, column or box.

use std::fmt;

use super::shape::{MAX_SIDE, Shape};

/// A Sudoku: the digits 1 to N in some cells, the others free. No digit stands twice in a row, column or box.
///
/// [`parse`](Self::parse) reads one, `Display` writes its canonical form: one line, `.` for free, letters from 10 on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    cells: Vec<u8>,
}

/// Why a board cannot exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The number of cells is not a square of a side in scope.
    #[error("{cells} cells do not make a board")]
    Cells {
        /// Cells found; counting stops a little after the largest board.
        cells: usize,
    },
    /// The number of cells does not fit the box shape.
    #[error("{cells} cells do not fit boxes of {shape}")]
    CellsOfShape {
        /// Cells found; counting stops a little after the largest board.
        cells: usize,
        /// The box shape given.
        shape: Shape,
        /// The cells that it makes.
        expected: usize,
    },
    /// The rows of a grid differ in length, or from the number of rows.
    #[error("row {row} has {cells} cells")]
    Row {
        /// The row, from 1.
        row: usize,
        /// Its cells.
        cells: usize,
        /// The cells it should have.
        expected: usize,
    },
    /// A board whose side is not a square was given without its box shape.
    #[error("a board of side {side} needs the shape of its boxes")]
    ShapeNeeded {
        /// The board's side.
        side: usize,
        /// A shape that it could have.
        example: Shape,
    },
    /// A character that stands for no cell.
    #[error("unexpected `{}` at line {line}, column {column}", character.escape_debug())]
    Character {
        /// The character.
        character: char,
        /// Its line, from 1.
        line: usize,
        /// Its place in the line, from 1.
        column: usize,
    },
    /// A digit above the board's side.
    #[error("digit {digit} in row {row}, column {column} is too large for a board of side {side}")]
    Digit {
        /// The digit.
        digit: u8,
        /// Its row, from 1.
        row: usize,
        /// Its column, from 1.
        column: usize,
        /// The board's side, the largest digit.
        side: usize,
    },
    /// A digit stands twice in a row, column or box.
    #[error(
        "digit {digit} appears twice in {unit} {index}: in row {}, column {} and in row {}, column {}",
        first.0, first.1, second.0, second.1
    )]
    Duplicate {
        /// `row`, `column` or `box`.
        unit: &'static str,
        /// Which of them, from 1.
        index: usize,
        /// The digit.
        digit: u8,
        /// Row and column of the first cell, from 1.
        first: (usize, usize),
        /// Row and column of the other cell, from 1.
        second: (usize, usize),
    },
}

impl BoardError {
    /// What was expected, where the error leaves that open.
    #[must_use]
    pub fn expected(&self) -> Option<String> {
        match self {
            Self::Cells { .. } => Some("the square of its side, such as 16, 36, 81, 256 or 625".to_owned()),
            Self::CellsOfShape { expected, .. } => Some(format!("{expected} cells")),
            Self::Row { expected, .. } => Some(format!("{expected}, as many as the grid has rows")),
            Self::ShapeNeeded { .. } => Some("rows x columns".to_owned()),
            Self::Character { .. } => Some("a digit, a letter from 10 on, or `.` for a free cell".to_owned()),
            Self::Digit { .. } | Self::Duplicate { .. } => None,
        }
    }
}

impl Board {
    /// A board of these cells, row after row: 0 for free, else a digit up to N.
    ///
    /// # Errors
    /// If the number of cells, or a digit, does not fit the shape, or a digit stands twice in a row, column or box.
    pub fn new(shape: Shape, cells: Vec<u8>) -> Result<Self, BoardError> {
        let (side, expected) = (shape.side(), shape.n_cells());
        if cells.len() != expected {
            return Err(BoardError::CellsOfShape { cells: cells.len(), shape, expected });
        }
        if let Some(at) = cells.iter().position(|&digit| usize::from(digit) > side) {
            return Err(BoardError::Digit { digit: cells[at], row: at / side + 1, column: at % side + 1, side });
        }
        let board = Self { shape, cells };
        match board.duplicate() {
            Some(duplicate) => Err(duplicate),
            None => Ok(board),
        }
    }

    /// A board without givens.
    #[must_use]
    pub fn empty(shape: Shape) -> Self {
        Self { shape, cells: vec![0; shape.n_cells()] }
    }

    /// The shape.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The cells, row after row: 0 for free, else a digit.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Number of cells with a digit.
    #[must_use]
    pub fn n_givens(&self) -> usize {
        self.cells.iter().filter(|&&digit| digit != 0).count()
    }

    /// Whether no cell is free, and so, as no digit stands twice, the board is solved.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        !self.cells.contains(&0)
    }

    /// Whether this is a solution of `givens`: solved, of the same shape, and with every given in its place.
    #[must_use]
    pub fn solves(&self, givens: &Board) -> bool {
        let keeps = |(&digit, &given): (&u8, &u8)| given == 0 || digit == given;
        self.shape == givens.shape && self.is_solved() && self.cells.iter().zip(&givens.cells).all(keeps)
    }

    /// For every cell the digits that its row, column and box leave open, digit `d` as bit `d - 1`; none for a filled cell.
    #[must_use]
    pub fn candidates(&self) -> Vec<u32> {
        let used = UsedDigits::new(self);
        let open = |(cell, &digit): (usize, &u8)| if digit == 0 { used.candidates(cell) } else { 0 };
        self.cells.iter().enumerate().map(open).collect()
    }

    /// Puts a digit (0: none) into a cell; the caller keeps the board free of duplicates.
    pub(super) fn set(&mut self, cell: usize, digit: u8) {
        self.cells[cell] = digit;
    }

    /// The first digit that stands twice: rows first, then columns, then boxes.
    fn duplicate(&self) -> Option<BoardError> {
        let (shape, side) = (self.shape, self.shape.side());
        let place = |cell: usize| (cell / side + 1, cell % side + 1);
        for (family, unit) in UNITS.into_iter().enumerate() {
            for index in 0..side {
                let mut holders = [None; MAX_SIDE + 1];
                for cell in (0..side).map(|at| shape.cell_in_unit(family, index, at)) {
                    let digit = self.cells[cell];
                    if digit == 0 {
                        continue;
                    }
                    if let Some(first) = holders[usize::from(digit)].replace(cell) {
                        let (first, second) = (place(first), place(cell));
                        return Some(BoardError::Duplicate { unit, index: index + 1, digit, first, second });
                    }
                }
            }
        }
        None
    }
}

/// The names of the families of units.
pub(super) const UNITS: [&str; 3] = ["row", "column", "box"];

/// The digits that every row, column and box of a board has. Digit `d` is bit `d - 1`.
pub(super) struct UsedDigits {
    shape: Shape,
    pub(super) all: u32,
    pub(super) units: [[u32; MAX_SIDE]; 3],
}

impl UsedDigits {
    pub(super) fn new(board: &Board) -> Self {
        let mut used = Self { shape: board.shape, all: (1 << board.shape.side()) - 1, units: [[0; MAX_SIDE]; 3] };
        let givens = board.cells.iter().enumerate().filter(|&(_, &digit)| digit != 0);
        givens.for_each(|(cell, &digit)| used.add(cell, digit));
        used
    }

    pub(super) fn add(&mut self, cell: usize, digit: u8) {
        for (units, unit) in self.units.iter_mut().zip(self.shape.units_of(cell)) {
            units[unit] |= 1 << (digit - 1);
        }
    }

    /// The digits that a free cell can hold.
    pub(super) fn candidates(&self, cell: usize) -> u32 {
        let [row, col, index] = self.shape.units_of(cell);
        self.all & !(self.units[0][row] | self.units[1][col] | self.units[2][index])
    }
}

/// The canonical form: one line, `.` for free, `A`, `B`, ... from 10 on.
impl fmt::Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells.iter().try_for_each(|&digit| write!(formatter, "{}", symbol(digit)))
    }
}

/// How a digit is written: `.` for 0 (free), `1` to `9`, then `A` for 10 up to `P` for 25.
#[must_use]
pub(super) fn symbol(digit: u8) -> char {
    match digit {
        0 => '.',
        1..=9 => char::from(b'0' + digit),
        _ => char::from(b'A' + digit - 10),
    }
}
