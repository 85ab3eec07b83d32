//! How offspring are made of parents, in every search of a population: crossover, mutation and what improves them.

use std::collections::TryReserveError;

use super::*;
use crate::memory;
use crate::operator::{Crossover, Initialisation, Mutation, Parents};

crate::parameters! {
    /// The operators that make offspring, and their rates.
    pub struct Variation {
        /// Makes offspring of parents.
        pub crossover: Box<dyn Crossover> = CROSSOVER,
        /// Probability, for each group of parents, that they are crossed; otherwise the offspring are copies of them.
        pub crossover_rate: f64 = CROSSOVER_RATE,
        /// Changes individuals.
        pub mutation: Box<dyn Mutation> = MUTATION,
        /// Probability, for each individual that may be mutated, that it is.
        pub mutation_rate: f64 = MUTATION_RATE,
        /// Which mutants replace the individuals that they were made of.
        pub accept: MutantAcceptance = ACCEPT,
    }
}

crate::choices! {
    /// Which mutants replace the individuals that they were made of.
    pub enum MutantAcceptance {
        /// All.
        Always = "always",
        /// Those that are not worse. The individual before the mutation is evaluated, too.
        NotWorse = "not-worse",
    }
}

/// The parameters that every genetic algorithm begins with.
pub(super) const COMMON: [Parameter; 7] =
    [POPULATION, INITIALISATION, SELECTION, CROSSOVER, CROSSOVER_RATE, MUTATION, MUTATION_RATE];

pub(super) const POPULATION: Parameter =
    Parameter::integer("population", 1, 10_000_000, 100, "individuals in the population");
pub(super) const INITIALISATION: Parameter =
    Parameter::operator("initialisation", "initialisation", Some("random"), "makes the first population");
pub(super) const SELECTION: Parameter = Parameter::operator("selection", "selection", None, "chooses the parents");
const CROSSOVER: Parameter = Parameter::operator("crossover", "crossover", None, "makes offspring from parents");
const CROSSOVER_RATE: Parameter =
    Parameter::share("crossover_rate", 1.0, "probability per group of parents that they are crossed");
const MUTATION: Parameter = Parameter::operator("mutation", "mutation", None, "changes individuals");
const MUTATION_RATE: Parameter =
    Parameter::share("mutation_rate", 1.0, "probability per individual that it is mutated");
pub(super) const ACCEPT: Parameter = Parameter::choice(
    "accept",
    MutantAcceptance::NAMES,
    "always",
    "which mutants replace the individuals that they were made of",
)
.only_where(&MUTANTS_ARE_MADE);
pub(super) const MUTANTS_ARE_MADE: [Condition; 1] = [Condition::IsNot("mutation_rate", "0")];

impl Variation {
    /// The bytes of the copies of genomes that a [`Reproduction`] holds.
    pub(super) fn memory(layout: &Layout) -> u64 {
        (layout.genome_len() * (2 * size_of::<Allele>() + size_of::<u32>() + size_of::<usize>())) as u64
    }
}

/// Improves new individuals: a local search within a search of a population.
pub(super) trait Improvement<P: Problem> {
    /// Improves one of the offspring, or an individual of the first population.
    fn improve(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        genome: &mut [Allele],
        fitness: Fitness,
        is_first: bool,
        random: &mut RandomStream,
    ) -> Result<Fitness, Stop>;
}

/// The making of individuals in a run, with working memory, so that none allocates.
pub(super) struct Reproduction<'a, P: Problem> {
    variation: &'a Variation,
    improvement: Option<&'a mut dyn Improvement<P>>,
    before: Vec<Allele>,
    conflicts: Vec<u32>,
    scratch: Vec<usize>,
}

impl<'a, P: Problem> Reproduction<'a, P> {
    /// One for a run on a problem; nothing improves the individuals unless something is given.
    ///
    /// # Panics
    /// If the mutation is guided by conflicts, and the problem does not count them.
    pub(super) fn new(variation: &'a Variation, improvement: Option<&'a mut dyn Improvement<P>>, problem: &P) -> Self {
        assert!(
            !variation.mutation.is_guided() || problem.conflicts().is_some(),
            "the mutation is guided by conflicts, and this problem does not count them"
        );
        let genome_len = problem.layout().genome_len();
        Self {
            variation,
            improvement,
            before: vec![0; genome_len],
            conflicts: vec![0; genome_len],
            scratch: Vec::with_capacity(genome_len),
        }
    }

    /// Fills a population with so many new individuals.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn begin(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        initialisation: &dyn Initialisation,
        population: &mut Population,
        n_population: usize,
        random: &mut RandomStream,
    ) -> Result<(), Stop> {
        population.clear();
        while population.len() < n_population {
            let genome = population.candidates(1);
            initialisation.initialise(evaluator.problem(), genome, random);
            let mut fitness = evaluator.evaluate(genome)?;
            if let Some(improvement) = &mut self.improvement {
                fitness = improvement.improve(evaluator, genome, fitness, true, random)?;
            }
            population.admit(fitness);
        }
        Ok(())
    }

    /// Adds the children of one group of parents to the offspring, as many as are still needed.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn cross(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        parents: Parents<'_>,
        next: &mut Population,
        n_offspring: usize,
        is_mutated: bool,
        random: &mut RandomStream,
    ) -> Result<(), Stop> {
        let is_crossed = random.chance(self.variation.crossover_rate);
        let layout = evaluator.problem().layout();
        let children = next.candidates(parents.len());
        if is_crossed {
            self.variation.crossover.cross(layout, parents, children, &mut self.scratch, random);
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

    /// Mutates a new genome, if it may be mutated and is drawn to be, and returns its fitness. `known` is its fitness before, if that is
    /// known.
    ///
    /// # Errors
    /// The reason to stop.
    #[inline(always)]
    pub(super) fn evaluate_new(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        genome: &mut [Allele],
        known: Option<Fitness>,
        may_mutate: bool,
        random: &mut RandomStream,
    ) -> Result<Fitness, Stop> {
        let is_mutated = may_mutate && random.chance(self.variation.mutation_rate);
        if is_mutated && self.variation.accept == MutantAcceptance::Always {
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
        let Self { variation: Variation { mutation, .. }, conflicts, scratch, .. } = self;
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

/// The order in which parents are distributed over crossovers: a random one, in which each comes once before any comes again, so that all
/// have equally many children.
pub(super) struct MatingOrder {
    order: Vec<usize>,
    n_used: usize,
}

impl MatingOrder {
    /// One with room for so many parents. Fails if the system refuses the memory.
    pub(super) fn with_room(room: usize) -> Result<Self, TryReserveError> {
        Ok(Self { order: memory::room(room)?, n_used: 0 })
    }

    /// Begins with these parents; if they are fewer than a group, they are in it more than once. If they are in random order, that is
    /// the first order.
    pub(super) fn begin(&mut self, parents: Parents<'_>, group: usize, is_shuffled: bool) {
        self.order.clear();
        while self.order.len() < group {
            self.order.extend((0..parents.len()).map(|parent| parents.individual(parent)));
        }
        self.n_used = if is_shuffled { 0 } else { self.order.len() };
    }

    /// The next group of parents, as individuals.
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
