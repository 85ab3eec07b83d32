//! Exact methods. An exact method finds a solution, or proves that no solution exists. Exact methods work on every problem that consists of
//! all-different sets.
//!
//! An exact method is a [`Search`]. In the [`Outcome`], `evaluations` are nodes of the search tree, and `generations` are backtracks. If
//! the method finds a solution, the reason to stop is [`Target`](crate::budget::Stop::Target). If there is no solution, the reason to stop
//! is [`Exhausted`](crate::budget::Stop::Exhausted). An exact method ends by itself, so it needs no budget. The limits of a trial
//! (`generations`, `stagnation`, `restarts`) do not apply to exact methods.
//!
//! In this module a **cell** is a position of a genome. The value of a cell is its allele plus 1. An open cell has value 0. A **unit** is a
//! set of cells whose values must all differ.
//!
//! ```
//! use evogrid_core::search::exact::{Structure, sanity};
//!
//! // A Latin square of side 2: cells 0 and 1 are the first row, 2 and 3 the second.
//! let units = vec![vec![0, 1], vec![2, 3], vec![0, 2], vec![1, 3]];
//! let structure = Structure::new(4, 2, units)?;
//! // With value 1 in the first cell, value 2 remains for the cells beside it. Both values remain for the last cell.
//! assert_eq!(structure.candidates(&[1, 0, 0, 0]), [0b00, 0b10, 0b10, 0b11]);
//! assert!(sanity::check(&structure, &[1, 0, 0, 2]).is_err(), "no value remains for the other two cells");
//! # Ok::<(), String>(())
//! ```

pub mod backtracking;
pub mod exact_search;
mod options;
mod parallel;
pub mod sanity;
mod solution_search;
pub(crate) mod structure;
mod tree;

use super::*;
use tree::SearchResult;

pub use solution_search::{NodeLimit, SolutionSearch};
pub use structure::{Structure, cells_of, ones};

/// Reports the counts and the solution of a search to the evaluator, and returns the reason why the search stopped.
fn conclude(evaluator: &mut Evaluator<'_, dyn DynProblem>, found: &SearchResult) -> Stop {
    evaluator.account(found.nodes, found.dead_ends);
    if found.end == Stop::Target { tell_solution(evaluator, &found.cells) } else { found.end }
}

/// Reports the solution of an exact method to the evaluator. Returns the reason to stop.
///
/// # Panics
/// Panics if a cell has no value, or if the cells are not a valid genome.
pub fn tell_solution(evaluator: &mut Evaluator<'_, dyn DynProblem>, cells: &[u8]) -> Stop {
    let genome: Vec<Allele> =
        cells.iter().map(|value| value.checked_sub(1).expect("every cell has a value").into()).collect();
    assert!(evaluator.problem().layout().is_valid(&genome), "an exact method found a genome that is not valid");
    let fitness = evaluator.problem().fitness(&genome);
    // The fitness of a solution need not be a target, but nothing better remains to be found.
    evaluator.end(fitness, |best| best.copy_from_slice(&genome)).err().unwrap_or(Stop::Exhausted)
}
