//! Sequences built by ants: place after place gets one of the jobs that are left.

use evogrid_core::layout::Allele;
use evogrid_core::problem::Problem;
use evogrid_core::search::ant_colony::PositionByPosition;

/// Places from the first to the last, without heuristic information (Stuetzle, "An ant approach to the flow shop problem", EUFIT 1998);
/// the reference is a good sequence.
pub(super) fn solutions<'p, P: Problem>(
    problem: &'p P,
    reference: &[Allele],
    places: usize,
) -> PositionByPosition<'p, P> {
    let n = reference.len();
    PositionByPosition::new(problem, (0..n as u32).collect(), vec![1.0; n], reference, places)
}
