//! Search: the loops that look for a good genome.

pub mod combinatorial;
pub mod exact;
pub mod genetic;

use crate::evaluator::{Evaluator, Outcome};
use crate::problem::Problem;
use crate::random::RandomStream;

/// A search of a researcher's own.
pub trait Search: Send + Sync {
    /// Searches until the evaluator says stop.
    ///
    /// The budget's time is looked at when it evaluates or ends a generation: a search that does neither cannot be stopped. One
    /// that cannot do its work [fails](Evaluator::fail); a panic is a failed run, too.
    fn search(&self, evaluator: Evaluator<'_, dyn Problem>, random: &mut RandomStream) -> Outcome;
}
