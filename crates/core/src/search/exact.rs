//! Exact methods: they find a solution or prove that there is none, of any problem that consists of all-different constraints.
//!
//! An exact method is a [`Search`] like any other. In its [`Outcome`] `evaluations` counts
//! the nodes of the search tree, and `generations` the backtracks. It stops with [`Target`](crate::budget::Stop::Target) at a solution,
//! and with [`Exhausted`](crate::budget::Stop::Exhausted) if there is none. It ends by itself, so it needs no budget; the limits of a trial
//! (`generations`, `stagnation`, `restarts`) do not apply to it.
//!
//! In this module a **cell** is a position of a genome, and its value is 0 if it needs one, else its allele plus 1.
//!
//! ```
//! use evogrid_core::search::exact::{Structure, sanity};
//!
//! // A Latin square of side 2: cells 0 and 1 are the first row, 2 and 3 the second.
//! let units = vec![vec![0, 1], vec![2, 3], vec![0, 2], vec![1, 3]];
//! let structure = Structure::new(4, 2, units)?;
//! // With value 1 in its first cell only value 2 is left for the next, and both for the last, which shares no unit with it.
//! assert_eq!(structure.candidates(&[1, 0, 0, 0]), [0b00, 0b10, 0b10, 0b11]);
//! assert!(sanity::check(&structure, &[1, 0, 0, 2]).is_err(), "no value is left for the other two");
//! # Ok::<(), evogrid_core::search::exact::StructureError>(())
//! ```

pub mod backtracking;
pub mod exact_search;
pub mod history;
mod options;
mod parallel;
pub mod sanity;
mod solution_search;
mod structure;
mod tree;

use super::*;
use tree::{SearchEnd, SearchResult};

pub use solution_search::{NodeLimit, SolutionSearch};
pub use structure::{Structure, StructureError, cells_of, genome_of, ones};

/// Tells the evaluator what a search found, and why it stopped.
fn conclude(evaluator: &mut Evaluator<'_, dyn DynProblem>, found: &SearchResult) -> Stop {
    evaluator.account(found.nodes, found.dead_ends);
    match found.end {
        SearchEnd::Limit => Stop::Evaluations,
        SearchEnd::Interrupted => Stop::Time,
        SearchEnd::Exhausted => Stop::Exhausted,
        SearchEnd::Solved => {
            let genome = genome_of(&found.cells);
            let fitness = evaluator.problem().fitness(&genome);
            // The fitness of a solution need not be a target, and there is nothing better to find.
            evaluator.end(fitness, |best| best.copy_from_slice(&genome)).err().unwrap_or(Stop::Exhausted)
        }
    }
}
