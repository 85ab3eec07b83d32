//! What the building blocks of a genetic algorithm are. The blocks themselves live in the crate `evogrid-operators`.
//!
//! Operators never evaluate: they get genomes and chance, and return genomes. One virtual call an operator and genome is
//! cheap (a few nanoseconds); none is made per gene.

use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::population::Population;
use crate::problem::Problem;
use crate::random::RandomStream;

/// Makes the first genomes.
pub trait Initialisation: Send + Sync {
    /// Fills `genome` with a valid genome of the problem.
    fn initialise(&self, problem: &dyn Problem, genome: &mut [Allele], random: &mut RandomStream);
}

/// Chooses the parents (parent selection).
pub trait Selection: Send + Sync {
    /// Writes the indices of the parents to `chosen` (cleared first), at least one; one that is chosen twice stands twice.
    fn select(&self, population: &Population, chosen: &mut Vec<usize>, random: &mut RandomStream);

    /// Whether the chosen come in an order as good as random, each drawn on its own: then nobody need shuffle them.
    fn is_shuffled(&self) -> bool {
        false
    }
}

/// The parents that one crossover gets.
#[derive(Clone, Copy, Debug)]
pub struct Parents<'a> {
    population: &'a Population,
    chosen: &'a [usize],
}

impl<'a> Parents<'a> {
    /// The individuals `chosen` of a population.
    #[must_use]
    pub fn new(population: &'a Population, chosen: &'a [usize]) -> Self {
        Self { population, chosen }
    }

    /// Number of parents.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Whether there is no parent.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// The genome of a parent, counted from 0.
    #[inline]
    #[must_use]
    pub fn genome(&self, parent: usize) -> &'a [Allele] {
        self.population.genome(self.chosen[parent])
    }

    /// The fitness of a parent, counted from 0.
    #[inline]
    #[must_use]
    pub fn fitness(&self, parent: usize) -> Fitness {
        self.population.fitness(self.chosen[parent])
    }

    /// Where in its population a parent lives.
    #[inline]
    #[must_use]
    pub fn individual(&self, parent: usize) -> usize {
        self.chosen[parent]
    }

    /// The population that the parents live in.
    #[inline]
    #[must_use]
    pub fn population(&self) -> &'a Population {
        self.population
    }
}

/// Makes children from parents; as many children as parents.
pub trait Crossover: Send + Sync {
    /// How many parents it takes, at least 2.
    fn n_parents(&self) -> usize;

    /// Whether every child is made of whole genes of its parents, so that what is in them does not matter.
    fn hands_on_whole_genes(&self) -> bool {
        false
    }

    /// Fills `children`, one genome after the other, with valid genomes made from [`n_parents`](Self::n_parents) parents.
    ///
    /// Working memory lives in `scratch`, so that nothing is allocated a call.
    fn cross(
        &self,
        layout: &Layout,
        parents: Parents<'_>,
        children: &mut [Allele],
        scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    );
}

/// Changes a genome.
pub trait Mutation: Send + Sync {
    /// Whether it is guided by the conflicts of the genome that it changes.
    fn is_guided(&self) -> bool {
        false
    }

    /// Changes `genome` in place: every gene stays a permutation, every locked position keeps its allele.
    ///
    /// `conflicts[p]` counts the conflicts of position `p` in `genome` as it comes; it is empty unless the mutation
    /// [is guided](Self::is_guided). Working memory lives in `scratch`, so that nothing is allocated a call.
    fn mutate(
        &self,
        layout: &Layout,
        conflicts: &[u32],
        genome: &mut [Allele],
        scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    );
}

/// Decides who lives on (survivor selection).
pub trait Survival: Send + Sync {
    /// How many offspring a generation needs, for a population of `n_population` and `n_parents` chosen parents.
    fn n_offspring(&self, n_population: usize, n_parents: usize) -> usize;

    /// Turns `next`, which holds the offspring, into the next generation, as large as the present `population`.
    fn survive(&self, population: &Population, parents: Parents<'_>, next: &mut Population, scratch: &mut Vec<usize>);
}
