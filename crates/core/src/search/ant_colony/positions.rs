//! Permutations that ants fill position by position.

use crate::ants::{Candidate, FinishedSolution, StepwiseSolutions, deposit_of_cost};
use crate::search::*;

/// The construction of solutions for a problem with one gene and without locked positions. The ant fills the positions one after the other.
/// Each position gets one of the remaining alleles. For example, each facility gets a location, or each place of a sequence gets a job.
///
/// Each pair of a position and an allele has a trail. The pheromone value of a solution is 1 divided by the fitness of the solution. If the
/// fitness is below 1, the pheromone value is 2 minus the fitness. So a better solution has a larger pheromone value. If the pheromone
/// value of the best solution is larger, the trails of the best solution receive more pheromone.
pub struct PositionByPosition<'p, P> {
    problem: &'p P,
    /// The positions, in the order in which they are filled.
    order: Vec<u32>,
    /// The heuristic information of each allele.
    heuristics: Vec<f64>,
    initial_pheromone: f64,
    ants: Vec<PositionAnt>,
}

struct PositionAnt {
    genome: Vec<Allele>,
    n_filled: usize,
    /// The remaining alleles.
    left: Vec<Allele>,
}

impl<'p, P: Problem> PositionByPosition<'p, P> {
    /// Returns storage for solutions under construction. The argument `places` is the number of these solutions. The ants fill the
    /// positions of a solution in the order `order`. Let `n` be the number of positions, and `f` the fitness of a reference solution. Then
    /// the initial pheromone is `1 / (n f)`.
    ///
    /// # Panics
    /// Panics if `order` or `heuristics` does not have exactly one entry for each position.
    pub fn new(problem: &'p P, order: Vec<u32>, heuristics: Vec<f64>, reference: &[Allele], places: usize) -> Self {
        let n = problem.layout().genome_len();
        assert!(
            order.len() == n && heuristics.len() == n,
            "the order and the heuristic information have one entry per position"
        );
        let ant = || PositionAnt { genome: vec![0; n], n_filled: 0, left: Vec::with_capacity(n) };
        Self {
            problem,
            order,
            heuristics,
            initial_pheromone: deposit_of_cost(problem.fitness(reference)) / n as f64,
            ants: (0..places).map(|_| ant()).collect(),
        }
    }
}

impl<P> PositionByPosition<'_, P> {
    /// The approximate number of bytes for the pheromone and for the solutions under construction. The argument `places` is the number of
    /// these solutions. The gene has `gene_len` positions.
    pub fn memory(gene_len: usize, places: usize) -> u64 {
        let pheromone = gene_len as u64 * gene_len as u64 * size_of::<f64>() as u64;
        pheromone + (places * 2 * gene_len * size_of::<Allele>()) as u64
    }
}

impl<P: Problem> StepwiseSolutions for PositionByPosition<'_, P> {
    fn n_trails(&self) -> usize {
        self.order.len() * self.order.len()
    }

    fn initial_pheromone(&self) -> f64 {
        self.initial_pheromone
    }

    fn begin(&mut self, place: usize, _: &mut RandomStream) {
        let ant = &mut self.ants[place];
        ant.n_filled = 0;
        ant.left.clear();
        ant.left.extend(0..self.order.len() as Allele);
    }

    fn decide(&mut self, place: usize, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        let ant = &self.ants[place];
        let Some(&position) = self.order.get(ant.n_filled) else { return };
        let first = position * self.order.len() as u32;
        let candidate = |&allele: &Allele| Candidate {
            trail: first + u32::from(allele),
            heuristic: self.heuristics[usize::from(allele)],
        };
        candidates.extend(ant.left.iter().map(candidate));
    }

    fn take(&mut self, place: usize, candidate: usize, _: u64) -> u64 {
        self.ants[place].take(&self.order, candidate);
        1
    }

    fn finish(&mut self, place: usize, genome: &mut [Allele], random: &mut RandomStream) -> FinishedSolution {
        let ant = &mut self.ants[place];
        while !ant.left.is_empty() {
            let drawn = random.below(ant.left.len());
            ant.take(&self.order, drawn);
        }
        genome.copy_from_slice(&ant.genome);
        let fitness = self.problem.fitness(genome);
        FinishedSolution { fitness, deposit: deposit_of_cost(fitness) }
    }

    fn trails(&self, place: usize, trails: &mut Vec<u32>) {
        let ant = &self.ants[place];
        let filled = &self.order[..ant.n_filled];
        let n = self.order.len() as u32;
        trails.extend(filled.iter().map(|&position| position * n + u32::from(ant.genome[position as usize])));
    }
}

impl PositionAnt {
    fn take(&mut self, order: &[u32], candidate: usize) {
        self.genome[order[self.n_filled] as usize] = self.left.swap_remove(candidate);
        self.n_filled += 1;
    }
}
