//! The independent check: whether a text solves a board, by code that shares nothing with the search, its boards or its fitness.

/// Whether a solution solves the board of an instance's content (`3x3 12...`): every given in its place, every digit once in
/// each row, column and box.
///
/// # Errors
/// The first thing that is wrong. Rows and columns count from 1.
pub fn verify(content: &str, solution: &str) -> Result<(), String> {
    let (shape, board) = content.split_once(' ').ok_or("the instance has no shape")?;
    let (box_rows, box_cols) = shape.split_once('x').ok_or("the instance has no shape")?;
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| (1..=64).contains(number));
    let (box_rows, box_cols) = number(box_rows).zip(number(box_cols)).ok_or("the instance has no shape")?;
    let side = box_rows * box_cols;
    let [given, solved] = [board, solution].map(|text| text.chars().collect::<Vec<char>>());
    for (what, cells) in [("instance", &given), ("solution", &solved)] {
        if cells.len() != side * side {
            return Err(format!("the {what} has {} cells, not {}", cells.len(), side * side));
        }
    }
    let digits: String = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".chars().take(side).collect();
    if digits.len() < side {
        return Err(format!("boards of side {side} have no digits"));
    }
    for (cell, (&given, &solved)) in given.iter().zip(&solved).enumerate() {
        let place = format!("row {}, column {}", cell / side + 1, cell % side + 1);
        if given != '.' && given != solved {
            return Err(format!("{place}: {given} is given, the solution has {solved}"));
        }
        if !digits.contains(solved) {
            return Err(format!("{place}: {solved} is no digit of the board"));
        }
    }
    let units = (0..side).flat_map(|unit| {
        let row = (0..side).map(|at| unit * side + at).collect::<Vec<_>>();
        let column = (0..side).map(|at| at * side + unit).collect();
        let corner = unit / box_rows * box_rows * side + unit % box_rows * box_cols;
        let square = (0..side).map(|at| corner + at / box_cols * side + at % box_cols).collect();
        [("row", unit, row), ("column", unit, column), ("box", unit, square)]
    });
    for (what, number, cells) in units {
        if let Some(missing) = digits.chars().find(|&digit| !cells.iter().any(|&cell| solved[cell] == digit)) {
            return Err(format!("{what} {} has no {missing}", number + 1));
        }
    }
    Ok(())
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
            assert_eq!(verify(&content, &solution), Ok(()), "{shape}");
            for cell in 0..solution.len() {
                let digit = if solution.as_bytes()[cell] == b'1' { "2" } else { "1" };
                let mut changed = solution.clone();
                changed.replace_range(cell..=cell, digit);
                assert!(verify(&content, &changed).is_err(), "{shape}, cell {cell}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let content = "2x2 1...............";
        let wrong = |solution: &str| verify(content, solution).expect_err("it is wrong");
        assert_eq!(wrong("1234"), "the solution has 4 cells, not 16");
        assert_eq!(wrong("2143341212344321"), "row 1, column 1: 1 is given, the solution has 2");
        assert_eq!(wrong("1234341221434325"), "row 4, column 4: 5 is no digit of the board");
        assert_eq!(wrong("1234123412341234"), "column 1 has no 2");
        assert!(verify("no board", "1").is_err());
    }
}
