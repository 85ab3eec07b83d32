//! Rating: the difficulty of a board. It is measured by the number of givens, the logic that solves the board, and the guesses of an exact
//! search.

use evogrid_core::family::{Measure, Measures, Rating};

use super::generate::{BUCKETS, scaled};
use super::{Board, Shape, exact, logic};

/// The measures of a [`Rating`] of a board.
pub(super) const MEASURES: Measures = Measures {
    measures: &[
        Measure { name: "givens", is_in_table: true, is_number: true },
        Measure { name: "solutions", is_in_table: false, is_number: true },
        Measure { name: "logic", is_in_table: true, is_number: false },
        Measure { name: "forced", is_in_table: false, is_number: true },
        Measure { name: "guesses", is_in_table: true, is_number: true },
    ],
    help: include_str!("help/rate.txt").trim_ascii_end(),
};

/// The number of guesses after which the exact search gives up. This number of guesses takes at most a few seconds, on boards of any side.
pub(super) fn guess_limit(shape: Shape) -> u64 {
    40_000_000 / (shape.n_cells() * shape.side() * shape.side()) as u64 * 10
}

/// Rates a board.
pub(super) fn rate(board: &Board) -> Rating {
    let shape = board.shape();
    let mut search = exact::search(shape).with_node_limit(guess_limit(shape));
    let solutions = search.count(board.cells(), 2).ok();
    let is_naked = logic::propagate_naked(board).is_solved();
    let filled = logic::propagate(board).ok();
    let logic = match &filled {
        _ if is_naked => "naked",
        Some(filled) if filled.is_solved() => "hidden",
        _ => "search",
    };
    let number = |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
    Rating {
        bucket: bucket(board),
        values: vec![
            board.n_givens().to_string(),
            number(solutions),
            logic.to_owned(),
            number(filled.map(|filled| filled.n_givens() - board.n_givens())),
            search.nodes().to_string(),
        ],
        remark: match solutions {
            Some(0) => Some("no solution"),
            Some(1) => None,
            Some(_) => Some("several solutions"),
            None => Some("unique?"),
        },
        is_infeasible: solutions == Some(0),
    }
}

/// The number of solutions, counted up to 2. The error is a limit on the guesses that was too low.
pub(super) fn n_solutions(board: &Board) -> Result<usize, exact::NodeLimit> {
    let shape = board.shape();
    exact::search(shape).with_node_limit(guess_limit(shape) / 10).count(board.cells(), 2)
}

/// A sentence that tells whether the board has one solution, several solutions or no solution.
pub(super) fn remark(board: &Board) -> String {
    match n_solutions(board) {
        Ok(1) => "the board has exactly one solution".to_owned(),
        Ok(0) => {
            let why = logic::propagate(board).err().map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("warning: the board has no solution{why}; the search can only reduce the number of errors")
        }
        Ok(_) => "warning: the board has several solutions; the search stops at its first solution".to_owned(),
        Err(limit) => {
            format!("the number of solutions of the board is unknown: the count stopped after {} guesses", limit.nodes)
        }
    }
}

/// The bucket by the number of givens. A board between two buckets is `medium-hard`, for example.
fn bucket(board: &Board) -> String {
    let (shape, givens) = (board.shape(), board.n_givens());
    let mut easier: Option<&str> = None;
    for (name, range) in BUCKETS {
        let range = scaled(range, shape);
        if givens >= *range.start() {
            return match easier {
                Some(easier) if givens > *range.end() => format!("{easier}-{name}"),
                // Boards with more givens than the easiest bucket belong to this bucket, too.
                _ => name.to_owned(),
            };
        }
        easier = Some(name);
    }
    format!("beyond-{}", easier.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket_of(givens: usize) -> String {
        let full = exact::solve(&Board::empty(Shape::square_for(9).unwrap())).unwrap();
        let cells = full.cells().iter().enumerate().map(|(cell, &digit)| if cell < givens { digit } else { 0 });
        bucket(&Board::new(full.shape(), cells.collect()).unwrap())
    }

    #[test]
    fn every_number_of_givens_has_a_bucket_or_lies_between_two() {
        assert_eq!([81, 46, 45, 38].map(bucket_of), ["easy"; 4]);
        assert_eq!(
            [37, 36, 33, 32, 31, 30].map(bucket_of),
            ["easy-medium", "medium", "medium", "medium-hard", "medium-hard", "hard"]
        );
        assert_eq!([28, 27, 25, 24, 17].map(bucket_of), ["hard", "expert", "expert", "beyond-expert", "beyond-expert"]);
    }
}
