//! The independent check: it counts the missing digits in a board's text. The check shares no code with the search, the boards or the
//! fitness.

use evogrid_core::family::Objective;

/// The only objective of a board: the number of missing digits.
pub(crate) static OBJECTIVES: [Objective; 1] =
    [Objective::minimised("digits missing", |content, solution| digits_missing(content, solution).map(f64::from))
        .solved_at(0.0)];

/// Counts the missing digits in all rows, columns and boxes of a filled board. The number is 0 if the filled board solves `content` (such
/// as `3x3 12...`).
///
/// # Errors
/// Returns a message if a cell of the board is free, or contradicts a given. The message describes the first free cell, or the first cell
/// that contradicts a given. Rows and columns are counted from 1.
pub fn digits_missing(content: &str, solution: &str) -> Result<u32, String> {
    let (shape, board) = content.split_once(' ').ok_or("the instance has no shape")?;
    let (box_rows, box_cols) = shape.split_once('x').ok_or("the instance has no shape")?;
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| (1..=64).contains(number));
    let (box_rows, box_cols) = number(box_rows).zip(number(box_cols)).ok_or("the instance has no shape")?;
    let side = box_rows * box_cols;
    for (what, text) in [("instance", board), ("solution", solution)] {
        let n_cells = text.chars().count();
        if n_cells != side * side {
            return Err(format!("the {what} has {n_cells} cells; expected {}", side * side));
        }
    }
    const DIGITS: &str = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let Some(digits) = DIGITS.get(..side) else {
        return Err(format!("a board of side {side} has more digits than the check can read"));
    };
    // The digits of each row, column and box, with a bit for each digit.
    let mut seen = [[0_u64; DIGITS.len()]; 3];
    for (cell, (given, solved)) in board.chars().zip(solution.chars()).enumerate() {
        let (row, column) = (cell / side, cell % side);
        let place = || format!("row {}, column {}", row + 1, column + 1);
        if given != '.' && given != solved {
            return Err(format!("{}: the given digit is {given}, but the solution has {solved}", place()));
        }
        let Some(digit) = digits.bytes().position(|digit| char::from(digit) == solved) else {
            return Err(format!("{}: the solution has {solved}, which is not a digit of the board", place()));
        };
        let square = row / box_rows * box_rows + column / box_cols;
        for (seen, unit) in seen.iter_mut().zip([row, column, square]) {
            seen[unit] |= 1 << digit;
        }
    }
    let missing = |seen: &u64| side as u32 - seen.count_ones();
    Ok(seen.iter().flat_map(|units| &units[..side]).map(missing).sum())
}

#[cfg(test)]
mod tests {
    use super::super::{Board, Shape, exact, generate};
    use super::*;
    use evogrid_core::random::RandomStream;

    #[test]
    fn solutions_of_the_exact_search_pass_and_every_change_of_a_cell_fails() {
        for (box_rows, box_cols, n_givens) in [(2, 2, 6), (2, 3, 14), (3, 2, 14), (3, 3, 30), (3, 4, 80)] {
            let shape = Shape::new(box_rows, box_cols).unwrap();
            let board =
                (0..50).find_map(|seed| generate::board(shape, n_givens, &mut RandomStream::from_seed(seed)).ok());
            let board: Board = board.expect("one of fifty attempts succeeds");
            let solution = exact::solve(&board).expect("it has one").to_string();
            let content = format!("{shape} {board}");
            assert_eq!(digits_missing(&content, &solution), Ok(0), "{shape}");
            for cell in 0..solution.len() {
                let digit = if solution.as_bytes()[cell] == b'1' { "2" } else { "1" };
                let mut changed = solution.clone();
                changed.replace_range(cell..=cell, digit);
                let missing = digits_missing(&content, &changed);
                let is_given = board.to_string().as_bytes()[cell] != b'.';
                // The digit that stood there is missing from its row, its column and its box.
                assert_eq!(missing.ok(), (!is_given).then_some(3), "{shape}, cell {cell}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let content = "2x2 1...............";
        let wrong = |solution: &str| digits_missing(content, solution).expect_err("it is wrong");
        assert_eq!(wrong("1234"), "the solution has 4 cells; expected 16");
        assert_eq!(wrong("2143341212344321"), "row 1, column 1: the given digit is 1, but the solution has 2");
        assert_eq!(wrong("1234341221434325"), "row 4, column 4: the solution has 5, which is not a digit of the board");
        assert_eq!(wrong("1234341221434.21"), "row 4, column 2: the solution has ., which is not a digit of the board");
        assert!(digits_missing("no board", "1").is_err());
        // Three digits from every column, two from every box.
        assert_eq!(digits_missing(content, "1234123412341234"), Ok(4 * 3 + 4 * 2));
    }
}
