//! Sequences built by ants: place after place gets one of the jobs that are left.

use evogrid_core::ants::PositionByPosition;

use super::problem::FlowShop;

/// Places from the first to the last, without heuristic information (Stuetzle, "An ant approach to the flow shop problem", EUFIT 1998);
/// the reference is the sequence of NEH.
pub(super) fn solutions(problem: &FlowShop, places: usize) -> PositionByPosition<'_, FlowShop> {
    let n = problem.times().n_jobs();
    PositionByPosition::new(problem, (0..n as u32).collect(), vec![1.0; n], &problem.neh(false), places)
}
