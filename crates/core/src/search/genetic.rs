//! The generational genetic algorithm: parent selection, crossover, mutation, survivor selection.

use std::collections::TryReserveError;
use std::convert::Infallible;

use crate::budget::Stop;
use crate::evaluator::{Evaluator, Outcome};
use crate::fault::Fault;
use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::memory::{self, blocks};
use crate::operator::{Crossover, Initialisation, Mutation, Parents, Selection, Survival};
use crate::parameter::{Declaration, Parameter, names};
use crate::population::Population;
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::registry::Operators;
use crate::settings::Settings;

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
    /// Makes offspring of parents.
    pub crossover: Box<dyn Crossover>,
    /// Probability, for each group of parents, that they are crossed; otherwise the offspring are copies of them.
    pub crossover_rate: f64,
    /// Changes individuals.
    pub mutation: Box<dyn Mutation>,
    /// Probability, for each individual that may be mutated, that it is.
    pub mutation_rate: f64,
    /// Which individuals may be mutated.
    pub mutated: MutationTargets,
    /// Which mutants replace the individuals that they were made of.
    pub accept: MutantAcceptance,
    /// Makes the next generation (survivor selection).
    pub survival: Box<dyn Survival>,
}

/// Which individuals may be mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutationTargets {
    /// The parents, before they are crossed.
    Parents,
    /// The offspring.
    Offspring,
    /// Both.
    All,
}

/// Which mutants replace the individuals that they were made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutantAcceptance {
    /// All.
    Always,
    /// Those that are not worse. The individual before the mutation is evaluated, too.
    NotWorse,
}

const MUTATION_TARGETS: [(&str, MutationTargets); 3] =
    [("parents", MutationTargets::Parents), ("offspring", MutationTargets::Offspring), ("all", MutationTargets::All)];
const MUTANT_ACCEPTANCES: [(&str, MutantAcceptance); 2] =
    [("always", MutantAcceptance::Always), ("not-worse", MutantAcceptance::NotWorse)];

const PARAMETERS: &[Parameter] = &[
    Parameter::integer("population", 1, 10_000_000, 100, "individuals in the population"),
    Parameter::operator("initialisation", "initialisation", Some("random"), "makes the first population"),
    Parameter::operator("selection", "selection", None, "chooses the parents"),
    Parameter::operator("crossover", "crossover", None, "makes offspring from parents"),
    Parameter::real("crossover_rate", 0.0, 1.0, 1.0, "probability per group of parents that they are crossed"),
    Parameter::operator("mutation", "mutation", None, "changes individuals"),
    Parameter::real("mutation_rate", 0.0, 1.0, 1.0, "probability per individual that it is mutated"),
    Parameter::choice("mutated", &names(&MUTATION_TARGETS), "offspring", "which individuals may be mutated"),
    Parameter::choice(
        "accept",
        &names(&MUTANT_ACCEPTANCES),
        "always",
        "which mutants replace the individuals that they were made of",
    ),
    Parameter::operator("survival", "survival", Some("generational"), "makes the next generation"),
];

/// `genetic` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    name: "genetic",
    doc: "generational genetic algorithm over permutation genes",
    source: "Holland, Adaptation in Natural and Artificial Systems, 1975; Eiben and Smith, Introduction to Evolutionary Computing, \
             2015, ch. 3",
    version: 1,
    needs: &[],
    parameters: PARAMETERS,
};

impl Genetic {
    /// The algorithm that resolved settings describe.
    ///
    /// # Errors
    /// If an operator refuses the combination of its settings.
    pub fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        Ok(Self {
            population: settings.count("population"),
            initialisation: operators.initialisations.operator("initialisation", settings, operators)?,
            selection: operators.selections.operator("selection", settings, operators)?,
            crossover: operators.crossovers.operator("crossover", settings, operators)?,
            crossover_rate: settings.real("crossover_rate"),
            mutation: operators.mutations.operator("mutation", settings, operators)?,
            mutation_rate: settings.real("mutation_rate"),
            mutated: settings.choice("mutated", &MUTATION_TARGETS),
            accept: settings.choice("accept", &MUTANT_ACCEPTANCES),
            survival: operators.survivals.operator("survival", settings, operators)?,
        })
    }

    /// The bytes that a run on a problem of this layout needs, about: those of the populations, the lists and the copies of genomes.
    #[must_use]
    pub fn memory(&self, layout: &Layout) -> u64 {
        let (room, genome_len) = (self.room(), layout.genome_len());
        let n_populations = if self.mutated == MutationTargets::Offspring { 2 } else { 3 };
        // The parents chosen, the order in which they are crossed, and scratch.
        let lists = 3 * size_of::<usize>();
        let copies = genome_len * (2 * size_of::<Allele>() + size_of::<u32>() + size_of::<usize>());
        blocks(room, n_populations * Population::bytes_each(genome_len) + lists).saturating_add(copies as u64)
    }

    /// The individuals that a population has room for: the last crossover may make more children than are needed.
    fn room(&self) -> usize {
        self.population.saturating_add(self.crossover.n_parents())
    }

    /// Runs the algorithm until the evaluator says stop.
    ///
    /// # Panics
    /// If the mutation is guided by conflicts, and the problem does not count them.
    pub fn search<P: Problem>(&self, evaluator: Evaluator<'_, P>, random: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        assert!(
            !self.mutation.is_guided() || problem.has_conflicts(),
            "the mutation is guided by conflicts, and this problem does not count them"
        );
        let genome_len = problem.layout().genome_len();
        let Ok(mut trial) = TrialBuffers::new(genome_len, self) else {
            let what = format!("a population of {}", self.population);
            return evaluator.fail(memory::refusal(&what, self.memory(problem.layout())));
        };
        let mut buffers = MutationBuffers::new(genome_len);
        evaluator.run_trials(|evaluator| {
            let mut run = GeneticRun { genetic: self, evaluator, random, buffers: &mut buffers };
            match run.trial(&mut trial) {
                Ok(never) => match never {},
                Err(stop) => stop,
            }
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
            mating_order: MatingOrder { order: memory::room(room)?, n_used: 0 },
            scratch: memory::room(room)?,
        })
    }
}

/// Working memory for the mutation of one individual.
struct MutationBuffers {
    before: Vec<Allele>,
    conflicts: Vec<u32>,
    scratch: Vec<usize>,
}

impl MutationBuffers {
    fn new(genome_len: usize) -> Self {
        Self { before: vec![0; genome_len], conflicts: vec![0; genome_len], scratch: Vec::with_capacity(genome_len) }
    }
}

/// A run of the algorithm: its settings, the evaluator and the random stream.
struct GeneticRun<'a, 'e, P: Problem> {
    genetic: &'a Genetic,
    evaluator: &'a mut Evaluator<'e, P>,
    random: &'a mut RandomStream,
    buffers: &'a mut MutationBuffers,
}

impl<P: Problem> GeneticRun<'_, '_, P> {
    fn trial(&mut self, trial: &mut TrialBuffers) -> Result<Infallible, Stop> {
        let population = &mut trial.population;
        population.clear();
        while population.len() < self.genetic.population {
            let genome = population.candidates(1);
            self.genetic.initialisation.initialise(self.evaluator.problem(), genome, self.random);
            let fitness = self.evaluator.evaluate(genome)?;
            population.admit(fitness);
        }
        loop {
            self.generation(trial)?;
            self.evaluator.end_generation(&trial.population)?;
        }
    }

    fn generation(&mut self, trial: &mut TrialBuffers) -> Result<(), Stop> {
        let TrialBuffers { population, mutants, next, chosen, mating_order, scratch } = trial;
        let Genetic { population: n_population, selection, crossover, mutated, survival, .. } = self.genetic;
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
        mating_order.begin(parents, crossover.n_parents(), selection.is_shuffled());
        next.clear();
        while next.len() < n_offspring {
            let group = Parents::new(parents.population(), mating_order.next_group(crossover.n_parents(), self.random));
            self.cross(group, next, n_offspring)?;
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
            let fitness = self.evaluate_new(genome, Some(parents.fitness(parent)), true)?;
            mutants.admit(fitness);
        }
        Ok(())
    }

    /// Adds the children of one group of parents to the offspring, as many as are still needed.
    fn cross(&mut self, parents: Parents<'_>, next: &mut Population, n_offspring: usize) -> Result<(), Stop> {
        let is_crossed = self.random.chance(self.genetic.crossover_rate);
        let layout = self.evaluator.problem().layout();
        let children = next.candidates(parents.len());
        if is_crossed {
            self.genetic.crossover.cross(layout, parents, children, &mut self.buffers.scratch, self.random);
        } else {
            for (parent, child) in children.chunks_exact_mut(layout.genome_len()).enumerate() {
                child.copy_from_slice(parents.genome(parent));
            }
        }
        let is_mutated = self.genetic.mutated != MutationTargets::Parents;
        next.admit_each(parents.len().min(n_offspring - next.len()), |parent, genome| {
            let known = (!is_crossed).then(|| parents.fitness(parent));
            self.evaluate_new(genome, known, is_mutated)
        })
    }

    /// Mutates a new genome, if it may be mutated and is drawn to be, and returns its fitness. `known` is its fitness before, if that is
    /// known.
    #[inline(always)]
    fn evaluate_new(
        &mut self,
        genome: &mut [Allele],
        known: Option<Fitness>,
        may_mutate: bool,
    ) -> Result<Fitness, Stop> {
        let is_mutated = may_mutate && self.random.chance(self.genetic.mutation_rate);
        if is_mutated && self.genetic.accept == MutantAcceptance::Always {
            self.mutate(genome);
            return self.evaluator.evaluate(genome);
        }
        let before = match known {
            Some(fitness) => fitness,
            None => self.evaluator.evaluate(genome)?,
        };
        if !is_mutated {
            return Ok(before);
        }
        self.buffers.before.copy_from_slice(genome);
        self.mutate(genome);
        let after = self.evaluator.evaluate(genome)?;
        if after > before {
            genome.copy_from_slice(&self.buffers.before);
        }
        Ok(after.min(before))
    }

    fn mutate(&mut self, genome: &mut [Allele]) {
        let (mutation, problem) = (&self.genetic.mutation, self.evaluator.problem());
        let MutationBuffers { conflicts, scratch, .. } = &mut *self.buffers;
        let conflicts = if mutation.is_guided() {
            problem.conflicts(genome, conflicts);
            &conflicts[..]
        } else {
            &[]
        };
        mutation.mutate(problem.layout(), conflicts, genome, scratch, self.random);
    }
}

/// The order in which parents are distributed over crossovers: a random one, in which each comes once before any comes again, so that all
/// have equally many children.
struct MatingOrder {
    order: Vec<usize>,
    n_used: usize,
}

impl MatingOrder {
    /// Begins with these parents; if they are fewer than a group, they are in it more than once. If they are in random order, that is
    /// the first order.
    fn begin(&mut self, parents: Parents<'_>, group: usize, is_shuffled: bool) {
        self.order.clear();
        while self.order.len() < group {
            self.order.extend((0..parents.len()).map(|parent| parents.individual(parent)));
        }
        self.n_used = if is_shuffled { 0 } else { self.order.len() };
    }

    /// The next group of parents, as individuals.
    #[inline]
    fn next_group(&mut self, group: usize, random: &mut RandomStream) -> &[usize] {
        if self.order.len() - self.n_used < group {
            random.shuffle(&mut self.order);
            self.n_used = 0;
        }
        self.n_used += group;
        &self.order[self.n_used - group..self.n_used]
    }
}
