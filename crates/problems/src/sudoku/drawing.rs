//! Drawings: a board as text for people, with marked errors. The board may be invalid.

use evogrid_core::family::{Marks, Room};

use super::{Board, Shape};

/// The lines of text that show a board. `cells` contains the symbols of the cells, row by row. Errors are marked. If there is not enough
/// space, the lines between boxes are omitted first. Then the spaces and marks next to digits are omitted, and then the last rows and
/// columns.
pub(super) fn board(givens: &Board, cells: &[char], marks: Marks, room: Room) -> Vec<String> {
    let (shape, side) = (givens.shape(), givens.shape().side());
    let is_spaced = 2 * side + 2 * (shape.box_rows() - 1) <= room.columns;
    let n_rules = side / shape.box_rows() - 1;
    let has_rules = is_spaced && side + n_rules <= room.rows;
    let n_shown = if is_spaced { side } else { side.min(room.columns) };
    let wrong = errors(givens, cells);
    let mut lines = Vec::with_capacity(side + n_rules);
    let rule = vec!["-".repeat(2 * shape.box_cols() - 1); shape.box_rows()].join("-+-");
    for row in 0..side {
        if has_rules && row > 0 && row % shape.box_rows() == 0 {
            lines.push(rule.clone());
        }
        let mut line = String::new();
        for col in 0..n_shown {
            let cell = row * side + col;
            if is_spaced && col > 0 && col % shape.box_cols() == 0 {
                line.push_str("| ");
            }
            match marks {
                Marks::Colour if wrong[cell] => line.push_str(&format!("\x1b[1;31m{}\x1b[0m", cells[cell])),
                Marks::Colour if givens.cells()[cell] != 0 => line.push_str(&format!("\x1b[1m{}\x1b[0m", cells[cell])),
                _ => line.push(cells[cell]),
            }
            if is_spaced {
                line.push(if marks == Marks::Beside && wrong[cell] { '!' } else { ' ' });
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    if lines.len() > room.rows {
        lines.truncate(room.rows.saturating_sub(1));
        lines.push(format!("({} more rows)", side - lines.len()).chars().take(room.columns).collect());
    }
    lines
}

/// The free cells whose digit occurs elsewhere in their row, column or box.
fn errors(givens: &Board, cells: &[char]) -> Vec<bool> {
    let shape = givens.shape();
    let is_twice = |cell: usize| {
        (0..cells.len()).any(|other| other != cell && cells[other] == cells[cell] && are_peers(shape, cell, other))
    };
    (0..cells.len()).map(|cell| givens.cells()[cell] == 0 && cells[cell] != '.' && is_twice(cell)).collect()
}

fn are_peers(shape: Shape, one: usize, other: usize) -> bool {
    shape.units_of(one).iter().zip(shape.units_of(other)).any(|(one, other)| *one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A 4x4 board with a given 1 in the second row, which the last row collides with.
    fn drawn(marks: Marks, columns: usize, rows: usize) -> Vec<String> {
        let givens: Board = "......1.........".parse().unwrap();
        let cells: Vec<char> = "1243341221344312".chars().collect();
        board(&givens, &cells, marks, Room { columns, rows })
    }

    #[test]
    fn errors_are_marked_beside_their_digits_and_givens_are_none() {
        let lines = drawn(Marks::Beside, 80, 25);
        assert_eq!(lines, ["1 2 | 4 3", "3 4 | 1 2!", "----+----", "2 1 | 3 4", "4 3 | 1!2!"].map(str::to_owned));
        assert_eq!(drawn(Marks::Colour, 80, 25)[1], "3 4 | \x1b[1m1\x1b[0m \x1b[1;31m2\x1b[0m");
    }

    #[test]
    fn a_board_without_errors_has_no_marks() {
        let solved: Board = "1234341221434321".parse().unwrap();
        let cells: Vec<char> = solved.to_string().chars().collect();
        for marks in [Marks::None, Marks::Beside] {
            let lines = board(&solved, &cells, marks, Room::UNBOUNDED);
            assert_eq!(lines, ["1 2 | 3 4", "3 4 | 1 2", "----+----", "2 1 | 4 3", "4 3 | 2 1"].map(str::to_owned));
        }
    }

    #[test]
    fn a_small_room_takes_the_rules_then_the_spaces_then_the_last_rows() {
        assert_eq!(drawn(Marks::None, 80, 4), ["1 2 | 4 3", "3 4 | 1 2", "2 1 | 3 4", "4 3 | 1 2"].map(str::to_owned));
        assert_eq!(drawn(Marks::Beside, 6, 4), ["1243", "3412", "2134", "4312"].map(str::to_owned));
        assert_eq!(drawn(Marks::None, 6, 3), ["1243", "3412", "(2 mor"].map(str::to_owned));
    }
}
