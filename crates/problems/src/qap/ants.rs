//! Assignments built by ants: row after row of A is assigned one of the rows of B that are left.

use std::cmp::Reverse;

use evogrid_core::ants::PositionByPosition;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;

use super::problem::{GREEDY, Qap};

/// The rows of A in descending order of their potentials, the sums of their entries in row and column, and for each row of B as heuristic
/// information 1 over its potential, 1 where that is less: the row of A with the most flow should get a row of B that is near to all
/// (Maniezzo, Colorni and Dorigo, "The Ant System applied to the quadratic assignment problem", IRIDIA 94-28, Brussels, 1994).
pub(super) fn solutions(problem: &Qap, places: usize) -> PositionByPosition<'_, Qap> {
    let matrices = problem.matrices();
    let n = matrices.n();
    let potential = |matrix: &[i64], row: usize| -> i64 {
        (0..n).map(|other| matrix[row * n + other] + matrix[other * n + row]).sum()
    };
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_cached_key(|&row| Reverse(potential(matrices.a(), row as usize)));
    let heuristics = (0..n).map(|row| 1.0 / (potential(matrices.b(), row) as f64).max(1.0)).collect();
    let mut reference = problem.layout().template().to_vec();
    // What it draws decides between equals only.
    problem.construct(GREEDY, &mut reference, &mut RandomStream::from_seed(0));
    PositionByPosition::new(problem, order, heuristics, &reference, places)
}
