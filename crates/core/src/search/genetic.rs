//! The generational genetic algorithm, with parent selection, crossover, mutation and survivor selection.

use super::variation::{Improvement, MUTANTS_ARE_MADE, MatingOrder, PopulationSettings, Reproduction};
use super::*;
use crate::memory::blocks;
use crate::operator::{Parents, Survival};

crate::parameters! {
    /// A genetic algorithm with its operators and settings. The documentation of the crate `evogrid-operators` contains an example.
    ///
    /// In each generation the parent selection chooses parents. If the setting `mutated` is `parents` or `all`, mutated copies replace the
    /// parents. The parents are crossed in groups, in random order. The search stops crossing parents when the survivor selection has
    /// enough offspring. Each parent is used equally often. After the crossover, the offspring are mutated if the setting `mutated` is
    /// `offspring` or `all`. The survivor selection makes the next generation from the present generation, the parents and the offspring.
    pub struct Genetic with common: PopulationSettings {
        /// the individuals that may be mutated
        pub mutated: MutationTargets =
            Parameter::choice("mutated", MutationTargets::NAMES, "offspring", DOC).only_where(&MUTANTS_ARE_MADE),
        /// makes the next generation
        pub survival: Box<dyn Survival> = Parameter::operator("survival", "survival", Some("generational"), DOC),
    }
}

crate::choices! {
    /// The individuals that may be mutated.
    pub enum MutationTargets {
        /// The parents, before the crossover.
        Parents = "parents",
        /// The offspring.
        Offspring = "offspring",
        /// The parents and the offspring.
        All = "all",
    }
}

/// The declaration of `genetic` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "genetic",
    "generational genetic algorithm; each gene of a genome is a permutation",
    "Holland, Adaptation in Natural and Artificial Systems, 1975; Eiben and Smith, Introduction to Evolutionary \
     Computing, 2015, ch. 3",
)
.with(Genetic::PARAMETERS);

impl Genetic {
    /// The approximate number of bytes that a run on a problem with this layout needs. The number includes the bytes for populations and
    /// for lists of individuals.
    pub fn memory(&self, layout: &Layout) -> u64 {
        let n_populations = if self.mutated == MutationTargets::Offspring { 2 } else { 3 };
        // The lists are the chosen parents, the mating order and scratch.
        let each = n_populations * Population::bytes_each(layout.genome_len()) + 3 * size_of::<usize>();
        // The genome's own lists count as one more individual.
        blocks(self.common.room().saturating_add(1), each)
    }

    /// Runs the algorithm until the evaluator ends the run.
    ///
    /// # Panics
    /// Panics if a mutation needs conflicts, but the problem does not count conflicts.
    pub fn search<P: Problem>(&self, evaluator: Evaluator<'_, P>, random: &mut RandomStream) -> Outcome {
        self.search_improving(evaluator, None, random)
    }

    /// Runs the algorithm, and improves new individuals by a local search.
    pub(super) fn search_improving<'a, P: Problem>(
        &'a self,
        evaluator: Evaluator<'_, P>,
        improvement: Option<&'a mut dyn Improvement<P>>,
        random: &mut RandomStream,
    ) -> Outcome {
        let problem = evaluator.problem();
        let mut reproduction = Reproduction::new(&self.common, improvement, problem);
        if let Err(refusal) = self.common.check_memory(self.memory(problem.layout())) {
            return evaluator.fail(refusal);
        }
        let (room, genome_len) = (self.common.room(), problem.layout().genome_len());
        let n_mutants = if self.mutated == MutationTargets::Offspring { 0 } else { room };
        let mut buffers = Buffers {
            population: Population::with_capacity(genome_len, room),
            mutants: Population::with_capacity(genome_len, n_mutants),
            next: Population::with_capacity(genome_len, room),
            chosen: Vec::with_capacity(room),
            mating_order: MatingOrder::with_room(room),
            scratch: Vec::with_capacity(room),
        };
        evaluator.run_trials(|evaluator| {
            let Err(stop) = self.trial(evaluator, &mut reproduction, &mut buffers, random);
            stop
        })
    }

    fn trial<P: Problem>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        reproduction: &mut Reproduction<'_, P>,
        buffers: &mut Buffers,
        random: &mut RandomStream,
    ) -> Result<Infallible, Stop> {
        let Buffers { population, mutants, next, chosen, mating_order, scratch } = buffers;
        let PopulationSettings { population: n_population, selection, crossover, .. } = &self.common;
        let (n_parents, is_mutated) = (crossover.n_parents(), self.mutated != MutationTargets::Parents);
        reproduction.begin(evaluator, population, random)?;
        loop {
            selection.select(population, chosen, random);
            let parents = if self.mutated == MutationTargets::Offspring {
                Parents::new(population, chosen)
            } else {
                reproduction.mutate_copies(evaluator, Parents::new(population, chosen), mutants, random)?;
                chosen.clear();
                chosen.extend(0..mutants.len());
                Parents::new(mutants, chosen)
            };
            let n_offspring = self.survival.n_offspring(*n_population, parents.len());
            mating_order.begin(parents, n_parents, selection.is_shuffled());
            next.clear();
            while next.len() < n_offspring {
                let group = Parents::new(parents.population(), mating_order.next_group(n_parents, random));
                reproduction.cross(evaluator, group, next, n_offspring, is_mutated, random)?;
            }
            self.survival.survive(population, parents, next, scratch);
            assert_eq!(next.len(), *n_population, "the survivor selection does not change the size of the population");
            std::mem::swap(population, next);
            evaluator.end_generation(population)?;
        }
    }
}

/// The populations of a trial and the lists of a generation. They are kept, so that a generation allocates no memory.
struct Buffers {
    population: Population,
    mutants: Population,
    next: Population,
    chosen: Vec<usize>,
    mating_order: MatingOrder,
    scratch: Vec<usize>,
}
