//! Assignments built by ants: row after row of A is assigned one of the rows of B that are left.

use std::cmp::Reverse;

use evogrid_core::layout::Allele;
use evogrid_core::problem::Problem;
use evogrid_core::search::ant_colony::PositionByPosition;

use super::instance::Matrices;

/// The rows of A in descending order of their potentials, the sums of their entries in row and column, and for each row of B as heuristic
/// information 1 over its potential, 1 where that is less: the row of A with the most flow should get a row of B that is near to all
/// (Maniezzo, Colorni and Dorigo, "The Ant System applied to the quadratic assignment problem", IRIDIA 94-28, Brussels, 1994).
/// The reference is a good assignment.
pub(super) fn solutions<'p, P: Problem>(
    problem: &'p P,
    matrices: &Matrices,
    reference: &[Allele],
    places: usize,
) -> PositionByPosition<'p, P> {
    let n = matrices.n();
    let potential = |matrix: &[i64], row: usize| -> i64 {
        (0..n).map(|other| matrix[row * n + other] + matrix[other * n + row]).sum()
    };
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_cached_key(|&row| Reverse(potential(matrices.a(), row as usize)));
    let heuristics = (0..n).map(|row| 1.0 / (potential(matrices.b(), row) as f64).max(1.0)).collect();
    PositionByPosition::new(problem, order, heuristics, reference, places)
}
