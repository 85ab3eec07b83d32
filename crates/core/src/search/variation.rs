//! Offspring. All population-based searches make offspring by crossover, mutation and improvement.

use super::*;
use crate::memory;
use crate::operator::{Crossover, Initialisation, Mutation, Parents, Selection};

crate::parameters! {
    /// The settings of every population-based search. These settings are the size of the population, the operator that makes the first
    /// individuals, and the operators that make offspring.
    pub struct PopulationSettings {
        /// number of individuals in the population
        pub population: usize = Parameter::integer("population", 1, 10_000_000, 100, DOC),
        /// makes the first population
        pub initialisation: Box<dyn Initialisation> =
            Parameter::operator("initialisation", "initialisation", Some("random"), DOC),
        /// chooses the parents
        pub selection: Box<dyn Selection> = Parameter::operator("selection", "selection", None, DOC),
        /// makes offspring from parents
        pub crossover: Box<dyn Crossover> = Parameter::operator("crossover", "crossover", None, DOC),
        /// probability that a group of parents is crossed; without crossing, offspring are copies of parents
        pub crossover_rate: f64 = Parameter::share("crossover_rate", 1.0, DOC),
        /// changes individuals
        pub mutation: Box<dyn Mutation> = Parameter::operator("mutation", "mutation", None, DOC),
        /// probability that an individual is mutated
        pub mutation_rate: f64 = Parameter::share("mutation_rate", 1.0, DOC),
        /// the mutants that replace their original individuals
        pub accept: MutantAcceptance =
            Parameter::choice("accept", MutantAcceptance::NAMES, "always", DOC).only_where(&MUTANTS_ARE_MADE),
    }
}

pub(super) const MUTANTS_ARE_MADE: [Condition; 1] = [Condition::IsNot("mutation_rate", "0")];

crate::choices! {
    /// The mutants that replace their original individuals.
    pub enum MutantAcceptance {
        /// All mutants.
        Always = "always",
        /// Mutants that are not worse than the original individual. To compare the two, the search also evaluates the individual before its
        /// mutation.
        NotWorse = "not-worse",
    }
}

impl PopulationSettings {
    /// The number of individuals for which a population has room. The last crossover of a generation may make more children than are
    /// needed.
    pub(super) fn room(&self) -> usize {
        self.population.saturating_add(self.crossover.n_parents())
    }

    /// Checks that the system has memory for a run.
    ///
    /// # Errors
    /// The message of a run that fails because there is not enough memory.
    pub(super) fn check_memory(&self, bytes: u64) -> Result<(), String> {
        let is_available = usize::try_from(bytes).is_ok_and(memory::is_available);
        if is_available { Ok(()) } else { Err(memory::refusal(&format!("a population of {}", self.population), bytes)) }
    }
}

/// A local search that improves new individuals of a population.
pub(super) trait Improvement<P: Problem> {
    /// Improves one of the offspring, or an individual of the first population, and returns its fitness.
    fn improve(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        genome: &mut [Allele],
        fitness: Fitness,
        is_first: bool,
        random: &mut RandomStream,
    ) -> Result<Fitness, Stop>;
}

/// Makes the individuals of a run. It keeps the working memory, so that no memory is allocated for each individual.
pub(super) struct Reproduction<'a, P: Problem> {
    settings: &'a PopulationSettings,
    improvement: Option<&'a mut dyn Improvement<P>>,
    before: Vec<Allele>,
    conflicts: Vec<u32>,
    scratch: Vec<usize>,
}

impl<'a, P: Problem> Reproduction<'a, P> {
    /// Prepares the data and the memory that a run needs to make individuals.
    ///
    /// # Panics
    /// Panics if a mutation needs conflicts, but the problem does not count conflicts.
    pub(super) fn new(
        settings: &'a PopulationSettings,
        improvement: Option<&'a mut dyn Improvement<P>>,
        problem: &P,
    ) -> Self {
        let is_possible = !settings.mutation.is_guided() || problem.conflicts().is_some();
        assert!(is_possible, "the mutation is guided by conflicts, but the problem does not count conflicts");
        let n = problem.layout().genome_len();
        Self { settings, improvement, before: vec![0; n], conflicts: vec![0; n], scratch: Vec::with_capacity(n) }
    }

    /// Fills a population with new individuals.
    ///
    /// # Errors
    /// If the run must stop, the function returns the reason to stop.
    pub(super) fn begin(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        population: &mut Population,
        random: &mut RandomStream,
    ) -> Result<(), Stop> {
        population.clear();
        while population.len() < self.settings.population {
            let genome = population.candidates(1);
            self.settings.initialisation.initialise(evaluator.problem(), genome, random);
            let mut fitness = evaluator.evaluate(genome)?;
            if let Some(improvement) = &mut self.improvement {
                fitness = improvement.improve(evaluator, genome, fitness, true, random)?;
            }
            population.admit(fitness);
        }
        Ok(())
    }

    /// Fills a population with copies of parents. Each copy is mutated with the probability of mutation.
    ///
    /// # Errors
    /// If the run must stop, the function returns the reason to stop.
    pub(super) fn mutate_copies(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        parents: Parents<'_>,
        mutants: &mut Population,
        random: &mut RandomStream,
    ) -> Result<(), Stop> {
        mutants.clear();
        for parent in 0..parents.len() {
            let genome = mutants.candidates(1);
            genome.copy_from_slice(parents.genome(parent));
            let known = Some(parents.fitness(parent));
            let fitness = self.evaluate_new(evaluator, genome, known, true, random)?;
            mutants.admit(fitness);
        }
        Ok(())
    }

    /// Adds the children of one group of parents to the offspring. If there are more children than offspring are still needed, the other
    /// children are dropped.
    ///
    /// # Errors
    /// If the run must stop, the function returns the reason to stop.
    pub(super) fn cross(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        parents: Parents<'_>,
        next: &mut Population,
        n_offspring: usize,
        is_mutated: bool,
        random: &mut RandomStream,
    ) -> Result<(), Stop> {
        let is_crossed = random.chance(self.settings.crossover_rate);
        let layout = evaluator.problem().layout();
        let children = next.candidates(parents.len());
        if is_crossed {
            self.settings.crossover.cross(layout, parents, children, &mut self.scratch, random);
        } else {
            for (parent, child) in children.chunks_exact_mut(layout.genome_len()).enumerate() {
                child.copy_from_slice(parents.genome(parent));
            }
        }
        next.admit_each(parents.len().min(n_offspring - next.len()), |parent, genome| {
            let known = (!is_crossed).then(|| parents.fitness(parent));
            let fitness = self.evaluate_new(evaluator, genome, known, is_mutated, random)?;
            match &mut self.improvement {
                Some(improvement) => improvement.improve(evaluator, genome, fitness, false, random),
                None => Ok(fitness),
            }
        })
    }

    /// Evaluates a new genome and returns its fitness. If `may_mutate` is true, the genome is first mutated with the probability of
    /// mutation. `known` is the fitness of the genome before the mutation, if the caller knows this fitness.
    ///
    /// # Errors
    /// If the run must stop, the function returns the reason to stop.
    #[inline(always)]
    pub(super) fn evaluate_new(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        genome: &mut [Allele],
        known: Option<Fitness>,
        may_mutate: bool,
        random: &mut RandomStream,
    ) -> Result<Fitness, Stop> {
        let is_mutated = may_mutate && random.chance(self.settings.mutation_rate);
        if is_mutated && self.settings.accept == MutantAcceptance::Always {
            self.mutate(evaluator.problem(), genome, random);
            return evaluator.evaluate(genome);
        }
        let before = match known {
            Some(fitness) => fitness,
            None => evaluator.evaluate(genome)?,
        };
        if !is_mutated {
            return Ok(before);
        }
        self.before.copy_from_slice(genome);
        self.mutate(evaluator.problem(), genome, random);
        let after = evaluator.evaluate(genome)?;
        if after > before {
            genome.copy_from_slice(&self.before);
        }
        Ok(after.min(before))
    }

    fn mutate(&mut self, problem: &P, genome: &mut [Allele], random: &mut RandomStream) {
        let Self { settings: PopulationSettings { mutation, .. }, conflicts, scratch, .. } = self;
        let conflicts = match problem.conflicts().filter(|_| mutation.is_guided()) {
            Some(counted) => {
                counted.count(genome, conflicts);
                &conflicts[..]
            }
            None => &[],
        };
        mutation.mutate(problem.layout(), conflicts, genome, scratch, random);
    }
}

/// The order in which parents are distributed over crossovers. The order is random. No parent is used again before all parents have been
/// used. Therefore all parents have equally many children.
pub(super) struct MatingOrder {
    order: Vec<usize>,
    n_used: usize,
}

impl MatingOrder {
    /// An order with room for this number of parents.
    pub(super) fn with_room(room: usize) -> Self {
        Self { order: Vec::with_capacity(room), n_used: 0 }
    }

    /// Begins with these parents. If a group needs more parents than there are, the parents are repeated. If `is_shuffled` is true, the
    /// parents are already in random order and are not shuffled first.
    pub(super) fn begin(&mut self, parents: Parents<'_>, group: usize, is_shuffled: bool) {
        self.order.clear();
        while self.order.len() < group {
            self.order.extend((0..parents.len()).map(|parent| parents.individual(parent)));
        }
        self.n_used = if is_shuffled { 0 } else { self.order.len() };
    }

    /// The next group of parents, as indices of individuals.
    #[inline]
    pub(super) fn next_group(&mut self, group: usize, random: &mut RandomStream) -> &[usize] {
        if self.order.len() - self.n_used < group {
            random.shuffle(&mut self.order);
            self.n_used = 0;
        }
        self.n_used += group;
        &self.order[self.n_used - group..self.n_used]
    }
}
