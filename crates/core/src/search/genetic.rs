//! The generational genetic algorithm: parent selection, crossover, mutation, survivor selection.

use std::collections::TryReserveError;

use super::variation::{Improvement, MatingOrder, Reproduction, Variation};
use super::*;
use crate::memory::{self, blocks};
use crate::operator::{Initialisation, Parents, Selection, Survival};

/// A genetic algorithm with its operators and settings. The crate `evogrid-operators` shows a run.
///
/// In each generation the parent selection chooses parents; if parents are to be mutated, copies of them are. The parents are
/// distributed over crossovers, in random order and each equally often, until there are as many offspring as the survivor selection
/// asks for; if offspring are to be mutated, they are. The survivor selection makes the next generation of the present one, the parents
/// and the offspring.
pub struct Genetic {
    /// Individuals in the population.
    pub population: usize,
    /// Makes the first population.
    pub initialisation: Box<dyn Initialisation>,
    /// Chooses the parents (parent selection).
    pub selection: Box<dyn Selection>,
    /// Makes the offspring.
    pub variation: Variation,
    /// Which individuals may be mutated.
    pub mutated: MutationTargets,
    /// Makes the next generation (survivor selection).
    pub survival: Box<dyn Survival>,
}

crate::choices! {
    /// Which individuals may be mutated.
    pub enum MutationTargets {
        /// The parents, before they are crossed.
        Parents = "parents",
        /// The offspring.
        Offspring = "offspring",
        /// Both.
        All = "all",
    }
}

pub(super) const PARAMETERS: [Parameter; 10] = joined(&variation::COMMON, &[MUTATED, variation::ACCEPT, SURVIVAL]);

const MUTATED: Parameter =
    Parameter::choice("mutated", MutationTargets::NAMES, "offspring", "which individuals may be mutated")
        .only_where(&variation::MUTANTS_ARE_MADE);
const SURVIVAL: Parameter =
    Parameter::operator("survival", "survival", Some("generational"), "makes the next generation");

/// `genetic` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "genetic",
    "generational genetic algorithm over permutation genes",
    "Holland, Adaptation in Natural and Artificial Systems, 1975; Eiben and Smith, Introduction to Evolutionary \
     Computing, 2015, ch. 3",
)
.with(&PARAMETERS);

impl Genetic {
    /// The algorithm that resolved settings describe.
    ///
    /// # Errors
    /// If an operator refuses the combination of its settings.
    pub fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        Ok(Self {
            population: Setting::read(settings, &variation::POPULATION, operators)?,
            initialisation: Setting::read(settings, &variation::INITIALISATION, operators)?,
            selection: Setting::read(settings, &variation::SELECTION, operators)?,
            variation: Variation::from_settings(settings, operators)?,
            mutated: Setting::read(settings, &MUTATED, operators)?,
            survival: Setting::read(settings, &SURVIVAL, operators)?,
        })
    }

    /// The bytes that a run on a problem of this layout needs, about: those of the populations, the lists and the copies of genomes.
    pub fn memory(&self, layout: &Layout) -> u64 {
        let (room, genome_len) = (self.room(), layout.genome_len());
        let n_populations = if self.mutated == MutationTargets::Offspring { 2 } else { 3 };
        // The parents chosen, the order in which they are crossed, and scratch.
        let lists = 3 * size_of::<usize>();
        blocks(room, n_populations * Population::bytes_each(genome_len) + lists)
            .saturating_add(Variation::memory(layout))
    }

    /// The individuals that a population has room for: the last crossover may make more children than are needed.
    fn room(&self) -> usize {
        self.population.saturating_add(self.variation.crossover.n_parents())
    }

    /// Runs the algorithm until the evaluator says stop.
    ///
    /// # Panics
    /// If the mutation is guided by conflicts, and the problem does not count them.
    pub fn search<P: Problem>(&self, evaluator: Evaluator<'_, P>, random: &mut RandomStream) -> Outcome {
        self.search_improving(evaluator, None, random)
    }

    /// The same, where something improves individuals.
    pub(super) fn search_improving<'a, P: Problem>(
        &'a self,
        evaluator: Evaluator<'_, P>,
        improvement: Option<&'a mut dyn Improvement<P>>,
        random: &mut RandomStream,
    ) -> Outcome {
        let problem = evaluator.problem();
        let mut reproduction = Reproduction::new(&self.variation, improvement, problem);
        let Ok(mut trial) = TrialBuffers::new(problem.layout().genome_len(), self) else {
            let what = format!("a population of {}", self.population);
            return evaluator.fail(memory::refusal(&what, self.memory(problem.layout())));
        };
        evaluator.run_trials(|evaluator| {
            let mut run = GeneticRun { genetic: self, evaluator, random, reproduction: &mut reproduction };
            run.trial(&mut trial).expect_err("a trial never ends by itself")
        })
    }
}

/// The populations of a trial and the lists of a generation, kept so that a generation allocates nothing.
struct TrialBuffers {
    population: Population,
    mutants: Population,
    next: Population,
    chosen: Vec<usize>,
    mating_order: MatingOrder,
    scratch: Vec<usize>,
}

impl TrialBuffers {
    /// Fails if the system refuses the memory.
    fn new(genome_len: usize, genetic: &Genetic) -> Result<Self, TryReserveError> {
        let room = genetic.room();
        let n_mutants = if genetic.mutated == MutationTargets::Offspring { 0 } else { room };
        Ok(Self {
            population: Population::try_with_capacity(genome_len, room)?,
            mutants: Population::try_with_capacity(genome_len, n_mutants)?,
            next: Population::try_with_capacity(genome_len, room)?,
            chosen: memory::room(room)?,
            mating_order: MatingOrder::with_room(room)?,
            scratch: memory::room(room)?,
        })
    }
}

/// A run of the algorithm: its settings, the evaluator, the maker of offspring and the random stream.
struct GeneticRun<'a, 'e, 'b, P: Problem> {
    genetic: &'a Genetic,
    evaluator: &'a mut Evaluator<'e, P>,
    reproduction: &'a mut Reproduction<'b, P>,
    random: &'a mut RandomStream,
}

impl<P: Problem> GeneticRun<'_, '_, '_, P> {
    fn trial(&mut self, trial: &mut TrialBuffers) -> Result<Infallible, Stop> {
        let Genetic { population: n_population, initialisation, .. } = self.genetic;
        self.reproduction.begin(
            self.evaluator,
            &**initialisation,
            &mut trial.population,
            *n_population,
            self.random,
        )?;
        loop {
            self.generation(trial)?;
            self.evaluator.end_generation(&trial.population)?;
        }
    }

    fn generation(&mut self, trial: &mut TrialBuffers) -> Result<(), Stop> {
        let TrialBuffers { population, mutants, next, chosen, mating_order, scratch } = trial;
        let Genetic { population: n_population, selection, variation, mutated, survival, .. } = self.genetic;
        selection.select(population, chosen, self.random);
        let parents = if *mutated == MutationTargets::Offspring {
            Parents::new(population, chosen)
        } else {
            self.mutate_parents(Parents::new(population, chosen), mutants)?;
            chosen.clear();
            chosen.extend(0..mutants.len());
            Parents::new(mutants, chosen)
        };
        let n_offspring = survival.n_offspring(*n_population, parents.len());
        let n_parents = variation.crossover.n_parents();
        let is_mutated = *mutated != MutationTargets::Parents;
        mating_order.begin(parents, n_parents, selection.is_shuffled());
        next.clear();
        while next.len() < n_offspring {
            let group = Parents::new(parents.population(), mating_order.next_group(n_parents, self.random));
            self.reproduction.cross(self.evaluator, group, next, n_offspring, is_mutated, self.random)?;
        }
        survival.survive(population, parents, next, scratch);
        assert_eq!(next.len(), *n_population, "a survival keeps the population's size");
        std::mem::swap(population, next);
        Ok(())
    }

    fn mutate_parents(&mut self, parents: Parents<'_>, mutants: &mut Population) -> Result<(), Stop> {
        mutants.clear();
        for parent in 0..parents.len() {
            let genome = mutants.candidates(1);
            genome.copy_from_slice(parents.genome(parent));
            let known = Some(parents.fitness(parent));
            let fitness = self.reproduction.evaluate_new(self.evaluator, genome, known, true, self.random)?;
            mutants.admit(fitness);
        }
        Ok(())
    }
}
