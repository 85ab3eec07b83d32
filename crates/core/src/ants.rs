//! Solutions that are built step by step: the decisions of an ant, their candidates, and the trails with pheromone.

use crate::fitness::Fitness;
use crate::layout::Allele;
use crate::random::RandomStream;

/// Solutions that an [ant colony](crate::search::ant_colony) builds. Each solution has a place.
///
/// A solution is a series of decisions. A decision chooses between candidates: the next city of a tour, the location of a facility, or the
/// value of a cell. A candidate lies on a trail, which has a number: the number of an edge, or of a position and an allele. Consequences
/// without a choice are placed together with the decision. Elements that can no longer be placed are filled in at random at the end.
pub trait StepwiseSolutions {
    /// The number of trails.
    fn n_trails(&self) -> usize;

    /// The pheromone that every trail has at the start, above 0.
    fn initial_pheromone(&self) -> f64;

    /// The number of placements that follow from the instance before the first decision. They are made once, for all solutions.
    fn n_forced(&self) -> u64 {
        0
    }

    /// Begins a new solution at a place.
    fn begin(&mut self, place: usize, random: &mut RandomStream);

    /// Writes the candidates of the next decision at a place; the list is empty if the solution is as complete as possible.
    fn decide(&mut self, place: usize, candidates: &mut Vec<Candidate>);

    /// Takes a candidate of the last [decision](Self::decide) at this place, given by its number in the list. Returns the number of
    /// placements, including the consequences: from 1 to `limit`. If the placements reach the limit, the solution must not be continued.
    fn take(&mut self, place: usize, candidate: usize, limit: u64) -> u64;

    /// Writes the genome of the solution at a place; missing elements are filled in at random.
    fn finish(&mut self, place: usize, genome: &mut [Allele], random: &mut RandomStream) -> FinishedSolution;

    /// Adds the trails of the solution at a place to a list.
    fn trails(&self, place: usize, trails: &mut Vec<u32>);
}

/// The step-by-step construction of solutions of a problem.
pub trait StepwiseConstruction {
    /// The solutions under construction, with this number of places.
    fn solutions(&self, places: usize) -> Box<dyn StepwiseSolutions + '_>;
    /// The approximate bytes of these solutions and of the pheromone on their trails; `None` if they are not known.
    fn memory(&self, places: usize) -> Option<u64>;
}

/// One of the options of a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The number of the candidate's trail, or [`NO_TRAIL`](Self::NO_TRAIL).
    pub trail: u32,
    /// The heuristic information, at least 0. Higher is better. For an edge it is 1 divided by the length. Without such information it is
    /// 1.
    pub heuristic: f64,
}

impl Candidate {
    /// The trail of a candidate that never receives pheromone. It keeps the initial pheromone.
    pub const NO_TRAIL: u32 = u32::MAX;
}

/// The fitness of a finished solution, and the pheromone that the solution deserves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishedSolution {
    /// The fitness of the genome.
    pub fitness: Fitness,
    /// The pheromone that the solution deserves, above 0. Better solutions deserve more. For a tour it is 1 divided by the length.
    pub deposit: f64,
}

/// The pheromone that a solution of this cost deserves. It is positive for every cost, including negative costs. Lower costs deserve more.
pub fn deposit_of_cost(cost: Fitness) -> f64 {
    let cost = cost.value();
    if cost < 1.0 { 2.0 - cost } else { 1.0 / cost }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_cost_deserves_more_also_below_zero() {
        let deposits = [4.0, 2.0, 1.0, 0.5, 0.0, -3.0].map(|cost| deposit_of_cost(Fitness::new(cost)));
        assert_eq!(deposits, [0.25, 0.5, 1.0, 1.5, 2.0, 5.0]);
    }
}
