//! Solutions that are built step by step. At each step, an ant chooses one of several candidates. The pheromone of the candidates' trails
//! guides the choice.

use crate::fitness::Fitness;
use crate::layout::Allele;
use crate::random::RandomStream;

/// Stores the solutions of an [ant colony](crate::search::ant_colony). The storage has numbered places, and each place holds one solution.
///
/// A solution is a series of decisions. A decision chooses between candidates. Examples of candidates are a tour's next city, a facility's
/// location, and a cell's value. Each candidate has a pheromone trail. Trails are numbered. There is one trail for each edge, or one trail
/// for each pair of a position and an allele. If only one choice is left for an element, the element is placed immediately. If no decision
/// can place an element, [`finish`](Self::finish) places it at random.
pub trait StepwiseSolutions {
    /// The number of trails.
    fn n_trails(&self) -> usize;

    /// The pheromone that every trail has at the start. The value is above 0.
    fn initial_pheromone(&self) -> f64;

    /// The number of elements for which the instance leaves only one choice. These elements are placed only once, before the first
    /// decision. Every solution contains all these elements.
    fn n_forced(&self) -> u64 {
        0
    }

    /// Begins a new solution at the place `place`.
    fn begin(&mut self, place: usize, random: &mut RandomStream);

    /// Writes the candidates for the next decision to the list `candidates`. This decision extends the solution that is stored at `place`.
    /// If nothing can be added to the solution, the list is empty.
    fn decide(&mut self, place: usize, candidates: &mut Vec<Candidate>);

    /// Extends the solution that is stored at `place`: adds a candidate of the latest [decision](Self::decide). `candidate` is the index of
    /// the added candidate in the list that [`decide`](Self::decide) wrote. Returns the number of placed elements, from 1 to `limit`. If
    /// the decision leaves only one choice for another element, this element is also placed and counted. If the number equals `limit`, the
    /// caller must not continue the solution.
    fn take(&mut self, place: usize, candidate: usize, limit: u64) -> u64;

    /// Writes the genome of the solution that is stored at `place`. If elements are missing, they are added at random.
    fn finish(&mut self, place: usize, genome: &mut [Allele], random: &mut RandomStream) -> FinishedSolution;

    /// Appends all trails of a solution to the list `trails`. The solution is stored at `place`.
    fn trails(&self, place: usize, trails: &mut Vec<u32>);
}

/// A problem whose solutions can be constructed step by step.
pub trait StepwiseConstruction {
    /// Returns storage for solutions under construction. The argument `places` is the number of these solutions.
    fn solutions(&self, places: usize) -> Box<dyn StepwiseSolutions + '_>;
    /// The approximate number of bytes for the pheromone and for the solutions under construction. The argument `places` is the number of
    /// these solutions. `None` if the number of bytes is not known.
    fn memory(&self, places: usize) -> Option<u64>;
}

/// An element that a decision can choose, such as a tour's next city.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The number of the candidate's trail, or [`NO_TRAIL`](Self::NO_TRAIL).
    pub trail: u32,
    /// The heuristic information. The value is at least 0. Higher values are better. For example, the value of an edge is 1 divided by its
    /// length. If the problem has no heuristic information, the value is 1.
    pub heuristic: f64,
}

impl Candidate {
    /// The trail number of a candidate that never receives new pheromone, and therefore keeps the initial pheromone.
    pub const NO_TRAIL: u32 = u32::MAX;
}

/// The fitness of a finished solution, and the pheromone value of this solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishedSolution {
    /// The fitness of the genome.
    pub fitness: Fitness,
    /// The pheromone value of the solution. If the solution is the best solution of the ant colony, the pheromone of its trails moves
    /// towards this value. The value is above 0. A better solution has a larger value. For example, the value of a tour is 1 divided by its
    /// length.
    pub deposit: f64,
}

/// Computes the pheromone value of a solution. The cost of the solution is `cost`. The pheromone value is positive, even if the cost is
/// negative. A lower cost gives a larger pheromone value.
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
