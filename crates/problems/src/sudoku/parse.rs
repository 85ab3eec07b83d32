//! The reader of boards: one line of cells, or a grid of rows.

use std::ops::Range;
use std::str::FromStr;

use evogrid_core::family::{InstanceError, InstancePart};

use super::board::{Board, cells_of_shape};
use super::shape::{BOX, MAX_SIDE, Shape};

/// The reader stops after this number of cells. A text with this number of cells is not a board.
const COUNTED_CELLS: usize = MAX_SIDE * MAX_SIDE + 1;

impl Board {
    /// Reads a board.
    ///
    /// A cell is a digit or a letter. The letters stand for the digits from 10 (`A` or `a`) to 25 (`P` or `p`). A free cell is one of `.`,
    /// `0`, `_` and `*`. The reader skips spaces, and the characters `|`, `-` and `+` of a grid. The text is a single line, or has one line
    /// for each row. If `shape` is `None`, the boxes are square, and the side of the board must be 4, 9, 16 or 25.
    ///
    /// # Errors
    /// Returns an error if a character is not a cell. Returns an error if the number of cells does not fit the shape. Returns an error if
    /// `shape` is `None`, but the side of the board is not 4, 9, 16 or 25. Returns an error if a digit is too large. Returns an error if a
    /// row, column or box contains a digit twice.
    pub fn parse(text: &str, shape: Option<Shape>) -> Result<Self, InstanceError> {
        let (cells, row_ends) = read_cells(text)?;
        check_rows(&row_ends)?;
        Self::new(shape_of(cells.len(), shape)?, cells)
    }
}

impl FromStr for Board {
    type Err = InstanceError;

    /// Reads a board like [`Board::parse`], without a shape.
    fn from_str(text: &str) -> Result<Self, InstanceError> {
        Self::parse(text, None)
    }
}

/// Finds the boards in a text, which is one grid or has one board per line. The result contains the line number, from 1, and the bytes of
/// each board. A line is a board if it has the number of cells of the shape, or of any board.
pub(super) fn split(text: &str, shape: Option<Shape>) -> Vec<(usize, Range<usize>)> {
    let mut start = 0;
    let lines = (1..).zip(text.split('\n').map(|line| {
        let bytes = start..start + line.trim_end_matches('\r').len();
        start += line.len() + 1;
        bytes
    }));
    let n_cells =
        |bytes: &Range<usize>| text[bytes.clone()].chars().filter(|&character| !is_separator(character)).count();
    let lines: Vec<(usize, Range<usize>)> = lines.filter(|(_, bytes)| n_cells(bytes) > 0).collect();
    let each = lines.first().map_or(0, |(_, bytes)| n_cells(bytes));
    // A text with as many rows as cells in a row is a grid, even if a row could be a board (16 cells, a 4x4 board).
    let is_alone = match shape {
        Some(shape) => each == shape.n_cells(),
        None => each != lines.len() && each >= 16 && (4..=MAX_SIDE).any(|side| side * side == each),
    };
    if is_alone || lines.len() <= 1 { lines } else { vec![(1, 0..text.len())] }
}

/// The digits of all cells in a text, with 0 for a free cell, and the positions at which its rows end. The cells may form an invalid board.
pub(super) fn read_cells(text: &str) -> Result<(Vec<u8>, Vec<usize>), InstanceError> {
    let mut cells = Vec::new();
    let mut row_ends = Vec::new();
    'lines: for (line, characters) in (1..).zip(text.lines()) {
        for (column, character) in (1..).zip(characters.chars()) {
            if is_separator(character) {
                continue;
            }
            if cells.len() == COUNTED_CELLS {
                break 'lines;
            }
            cells.push(digit_of(character).ok_or_else(|| unexpected(character, line, column))?);
        }
        if cells.len() > row_ends.last().copied().unwrap_or(0) {
            row_ends.push(cells.len());
        }
    }
    Ok((cells, row_ends))
}

/// The error for a character that is not a cell.
fn unexpected(character: char, line: usize, column: usize) -> InstanceError {
    let message = format!("unexpected `{}` at line {line}, column {column}", character.escape_debug());
    let error = InstanceError::new(message).expecting("a digit, a letter for values from 10, or `.` for a free cell");
    error.in_part(InstancePart::Character)
}

fn is_separator(character: char) -> bool {
    matches!(character, '|' | '-' | '+') || character.is_whitespace()
}

fn digit_of(character: char) -> Option<u8> {
    match character {
        '.' | '0' | '_' | '*' => Some(0),
        '1'..='9' => Some(character as u8 - b'0'),
        'A'..='P' => Some(character as u8 - b'A' + 10),
        'a'..='p' => Some(character as u8 - b'a' + 10),
        _ => None,
    }
}

/// Checks that every row of a grid has as many cells as the grid has rows. A single line is not checked.
fn check_rows(row_ends: &[usize]) -> Result<(), InstanceError> {
    let expected = row_ends.len();
    if !(2..=MAX_SIDE).contains(&expected) {
        return Ok(());
    }
    let mut start = 0;
    for (row, &end) in (1..).zip(row_ends) {
        if end - start != expected {
            let error = InstanceError::new(format!("row {row} has {} cells", end - start));
            return Err(error.expecting(format!("{expected} cells, because the grid has {expected} rows")));
        }
        start = end;
    }
    Ok(())
}

/// The shape of a board with this number of cells: the given shape, or the shape with square boxes.
fn shape_of(cells: usize, shape: Option<Shape>) -> Result<Shape, InstanceError> {
    if let Some(shape) = shape {
        return if cells == shape.n_cells() { Ok(shape) } else { Err(cells_of_shape(cells, shape)) };
    }
    let side = (2..=MAX_SIDE).find(|side| side * side == cells).ok_or_else(|| {
        let error = InstanceError::new(format!("the text has {cells} cells, but no board has this number of cells"));
        error.expecting("a square number of cells, such as 16, 36, 81, 256 or 625")
    })?;
    Shape::square_for(side).ok_or_else(|| {
        let error = InstanceError::new(format!("a board of side {side} needs the shape of its boxes"));
        let part = InstancePart::MissingOption { name: BOX.name, example: squarest(side).to_string() };
        error.expecting("rows x columns").in_part(part)
    })
}

/// The shape of this side whose boxes are nearest to squares, with at least as many columns as rows: 2x3 for 6.
fn squarest(side: usize) -> Shape {
    let box_rows = (1..=side).rev().find(|rows| side.is_multiple_of(*rows) && rows * rows <= side).unwrap_or(1);
    Shape::new(box_rows, side / box_rows).expect("a side in scope")
}

#[cfg(test)]
mod tests {
    use evogrid_core::family::{Instance, Marks, Room};
    use proptest::prelude::*;

    use super::*;

    const DEMO: &str = "006200080008970000004810500000060002070000030600050000002047100003028400050001200";

    fn grid(board: &Board) -> String {
        board.draw(None, Marks::None, Room::UNBOUNDED).join("\n")
    }

    fn message(text: &str) -> String {
        text.parse::<Board>().unwrap_err().to_string()
    }

    #[test]
    fn every_way_to_write_a_board_is_read() {
        let board: Board = DEMO.parse().unwrap();
        assert_eq!(board.n_givens(), 27);
        assert_eq!(board.to_string(), DEMO.replace('0', "."));
        let spaced: Vec<String> =
            DEMO.as_bytes().chunks(9).map(|row| String::from_utf8(row.to_vec()).unwrap()).collect();
        for other in
            [DEMO.replace('0', "_"), DEMO.replace('0', "*"), spaced.join(" "), spaced.join("\r\n"), grid(&board)]
        {
            assert_eq!(other.parse(), Ok(board.clone()), "{other}");
        }
    }

    #[test]
    fn a_grid_shows_the_boxes() {
        let board = Board::parse("123456 ...... ...... ...... ...... ......", "2x3".parse().ok()).unwrap();
        let expected = "1 2 3 | 4 5 6\n. . . | . . .\n------+------\n. . . | . . .\n. . . | . . .\n------+------\n. . . | . . .\n. . . | . . .";
        assert_eq!(grid(&board), expected);
    }

    #[test]
    fn letters_go_to_the_side_in_either_case() {
        let mut text = ".".repeat(625);
        text.replace_range(0..2, "Pa");
        let board: Board = text.parse().unwrap();
        assert_eq!(&board.cells()[..3], [25, 10, 0]);
        text.replace_range(0..1, "Q");
        assert!(message(&text).starts_with("unexpected `Q` at line 1, column 1"), "{}", message(&text));
    }

    #[test]
    fn messages_say_where_what_and_what_was_expected() {
        let told = |text: &str, shape: Option<&str>| {
            let error = Board::parse(text, shape.map(|shape| shape.parse().unwrap())).unwrap_err();
            (error.to_string(), error.expected.unwrap_or_default())
        };
        let large = ".".repeat(100_000);
        for (text, shape, message, expected) in [
            (
                "12x4",
                None,
                "unexpected `x` at line 1, column 3",
                "a digit, a letter for values from 10, or `.` for a free cell",
            ),
            ("1234", None, "a board of side 2 needs the shape of its boxes", "rows x columns"),
            (
                "",
                None,
                "the text has 0 cells, but no board has this number of cells",
                "a square number of cells, such as 16, 36, 81, 256 or 625",
            ),
            (
                &large,
                None,
                "the text has 626 cells, but no board has this number of cells",
                "a square number of cells, such as 16, 36, 81, 256 or 625",
            ),
            ("1...\n...\n....\n....", None, "row 2 has 3 cells", "4 cells, because the grid has 4 rows"),
            ("1...5...........", None, "digit 5 in row 2, column 1 is too large for a board of side 4", ""),
            ("....", Some("2x3"), "a board of 4 cells does not fit boxes of 2x3", "36 cells"),
        ] {
            assert_eq!(told(text, shape), (message.to_owned(), expected.to_owned()), "{text:.20}");
        }
        let needed = ".".repeat(36).parse::<Board>().unwrap_err();
        assert_eq!(needed.part, InstancePart::MissingOption { name: "box", example: "2x3".to_owned() });
    }

    #[test]
    fn a_duplicate_names_its_line_digit_and_cells() {
        for (text, duplicate) in [
            ("1..1............", "1 appears twice in row 1: in row 1, column 1 and in row 1, column 4"),
            ("2...........2...", "2 appears twice in column 1: in row 1, column 1 and in row 4, column 1"),
            ("..3....3........", "3 appears twice in box 2: in row 1, column 3 and in row 2, column 4"),
        ] {
            assert_eq!(message(text), format!("digit {duplicate}"));
        }
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,90}", shape in any::<(usize, usize)>()) {
            let _ = Board::parse(&text, None);
            let _ = Board::parse(&text, Shape::new(shape.0 % 8, shape.1 % 8).ok());
        }

        #[test]
        fn reading_near_boards_never_panics(text in "[.0-9A-Pa-p|+\\- \n]{0,120}|[1-4.]{16}|[1-9.]{81}") {
            if let Ok(board) = text.parse::<Board>() {
                prop_assert_eq!(board.to_string().parse(), Ok(board.clone()));
                prop_assert_eq!(grid(&board).parse(), Ok(board));
            }
        }
    }
}
