//! Solutions that are built step by step: the decisions of an ant, their candidates, and the trails with pheromone.

use crate::fitness::Fitness;
use crate::layout::Allele;
use crate::random::RandomStream;

/// Solutions that an [ant colony](crate::search::ant_colony) builds. The solutions are stored in numbered places.
///
/// A solution is a series of decisions. A decision chooses between candidates: the next city of a tour, the location of a facility, or the
/// value of a cell. Each candidate has a trail. The number of a trail stands for an edge, or for a position with an allele. If a decision
/// leaves only one choice for other elements, these elements are placed together with the decision. Some elements can no longer be placed
/// by a decision. At the end, these elements are placed at random.
pub trait StepwiseSolutions {
    /// The number of trails.
    fn n_trails(&self) -> usize;

    /// The pheromone of every trail at the start. It is above 0.
    fn initial_pheromone(&self) -> f64;

    /// The number of placements that the instance forces before the first decision. These placements are made once, for all solutions.
    fn n_forced(&self) -> u64 {
        0
    }

    /// Begins a new solution at a place.
    fn begin(&mut self, place: usize, random: &mut RandomStream);

    /// Writes the candidates of the next decision for the solution at a place. If nothing can be added to the solution, the list is empty.
    fn decide(&mut self, place: usize, candidates: &mut Vec<Candidate>);

    /// Takes a candidate of the latest [decision](Self::decide) at this place. `candidate` is its number in the list. Returns the number of
    /// placements, from 1 to `limit`. This number includes the placements that the decision forces. If the placements reach the limit, the
    /// solution must not be continued.
    fn take(&mut self, place: usize, candidate: usize, limit: u64) -> u64;

    /// Writes the genome of the solution at a place; missing elements are filled in at random.
    fn finish(&mut self, place: usize, genome: &mut [Allele], random: &mut RandomStream) -> FinishedSolution;

    /// Adds the trails of the solution at a place to a list.
    fn trails(&self, place: usize, trails: &mut Vec<u32>);
}

/// The step-by-step construction of solutions of a problem.
pub trait StepwiseConstruction {
    /// Solutions under construction, with room for this number of solutions.
    fn solutions(&self, places: usize) -> Box<dyn StepwiseSolutions + '_>;
    /// The approximate number of bytes of these solutions and of the pheromone on their trails; `None` if this number is not known.
    fn memory(&self, places: usize) -> Option<u64>;
}

/// One of the options of a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The number of the candidate's trail, or [`NO_TRAIL`](Self::NO_TRAIL).
    pub trail: u32,
    /// The heuristic information, at least 0. Higher values are better. For an edge the value is 1 divided by the length. If the problem
    /// has no heuristic information, the value is 1.
    pub heuristic: f64,
}

impl Candidate {
    /// The trail number of a candidate that never receives new pheromone. Such a candidate keeps the initial pheromone.
    pub const NO_TRAIL: u32 = u32::MAX;
}

/// The fitness of a finished solution, and the pheromone that the solution deserves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishedSolution {
    /// The fitness of the genome.
    pub fitness: Fitness,
    /// The pheromone that the solution deserves. It is above 0, and a better solution deserves more pheromone. For a tour the value is 1
    /// divided by the length.
    pub deposit: f64,
}

/// The pheromone that a solution of this cost deserves. The pheromone is positive for every cost, including negative costs. A lower cost
/// deserves more pheromone.
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
