//! Operators are the building blocks of a genetic algorithm. This module defines the interfaces of the operators. The crate
//! `evogrid-operators` contains the operators.
//!
//! An operator never evaluates a genome. An operator receives genomes and a random stream, and writes genomes. A search makes one virtual
//! call for each genome. A virtual call takes a few nanoseconds. Inside an operator, the work on single genes needs no virtual calls.

use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::neighbourhood::Rearrangement;
use crate::population::Population;
use crate::problem::Problem;
use crate::random::RandomStream;

/// Makes the genomes of the first population.
///
/// ```
/// use evogrid_core::layout::Allele;
/// use evogrid_core::operator::Initialisation;
/// use evogrid_core::problem::Problem;
/// use evogrid_core::random::RandomStream;
/// # use evogrid_core::layout::Layout;
#[doc = include_str!("family/ascending.txt")]
///
/// /// Makes the same genome every time: the free alleles of each gene in ascending order.
/// struct Template;
///
/// impl Initialisation for Template {
///     fn initialise(&self, problem: &dyn Problem, genome: &mut [Allele], _random: &mut RandomStream) {
///         genome.copy_from_slice(problem.layout().template());
///     }
/// }
///
/// // `Ascending` is a problem whose fitness counts the descents of a permutation.
/// let problem = Ascending(Layout::new(3, &[None, None, Some(0)])?);
/// let mut genome = [0; 3];
/// Template.initialise(&problem, &mut genome, &mut RandomStream::from_seed(1));
/// assert_eq!(genome, [1, 2, 0]);
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Initialisation: Send + Sync {
    /// Fills `genome` with a valid genome of the problem.
    fn initialise(&self, problem: &dyn Problem, genome: &mut [Allele], random: &mut RandomStream);
}

/// Parent selection: it chooses the parents.
///
/// ```
/// use evogrid_core::operator::Selection;
/// use evogrid_core::population::Population;
/// use evogrid_core::random::RandomStream;
///
/// /// Chooses the best quarter.
/// struct BestQuarter;
///
/// impl Selection for BestQuarter {
///     fn select(&self, population: &Population, chosen: &mut Vec<usize>, _random: &mut RandomStream) {
///         population.best(population.len().div_ceil(4), chosen);
///     }
/// }
///
/// let population = Population::from_individuals(1, [8, 3, 5, 9].map(|fitness| ([0], fitness.into())));
/// let mut chosen = Vec::new();
/// BestQuarter.select(&population, &mut chosen, &mut RandomStream::from_seed(1));
/// assert_eq!(chosen, [1]);
/// ```
pub trait Selection: Send + Sync {
    /// Replaces the content of `chosen` by the indices of the parents. The operator must choose at least one parent. If an individual is
    /// chosen twice, `chosen` contains its index twice.
    fn select(&self, population: &Population, chosen: &mut Vec<usize>, random: &mut RandomStream);

    /// Returns true if each parent is drawn independently of the other parents. Independently drawn parents are already in random order.
    /// Therefore the search does not shuffle parents that were drawn independently.
    fn is_shuffled(&self) -> bool {
        false
    }
}

/// Parents from a population: all selected individuals, or the parents of one crossover.
#[derive(Clone, Copy, Debug)]
pub struct Parents<'a> {
    population: &'a Population,
    chosen: &'a [usize],
}

impl<'a> Parents<'a> {
    /// Creates the parents: the individuals of the population with the indices `chosen`.
    pub fn new(population: &'a Population, chosen: &'a [usize]) -> Self {
        Self { population, chosen }
    }

    /// The number of parents.
    #[inline]
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Returns true if there are no parents.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// The genome of a parent. Parents are counted from 0.
    #[inline]
    pub fn genome(&self, parent: usize) -> &'a [Allele] {
        self.population.genome(self.chosen[parent])
    }

    /// The fitness of a parent. Parents are counted from 0.
    #[inline]
    pub fn fitness(&self, parent: usize) -> Fitness {
        self.population.fitness(self.chosen[parent])
    }

    /// The index of a parent in the population.
    #[inline]
    pub fn individual(&self, parent: usize) -> usize {
        self.chosen[parent]
    }

    /// The population of the parents.
    #[inline]
    pub fn population(&self) -> &'a Population {
        self.population
    }
}

/// Crossover: it makes children from parents. A crossover makes as many children as it receives parents.
///
/// ```
/// use evogrid_core::layout::{Allele, Layout};
/// use evogrid_core::operator::{Crossover, Parents};
/// use evogrid_core::population::Population;
/// use evogrid_core::random::RandomStream;
///
/// /// Exchanges the first gene.
/// struct FirstGene;
///
/// impl Crossover for FirstGene {
///     fn n_parents(&self) -> usize {
///         2
///     }
///
///     fn hands_on_whole_genes(&self) -> bool {
///         true
///     }
///
///     fn cross(
///         &self,
///         layout: &Layout,
///         parents: Parents<'_>,
///         children: &mut [Allele],
///         _scratch: &mut Vec<usize>,
///         _random: &mut RandomStream,
///     ) {
///         let cut = layout.gene_len();
///         for (child, genome) in children.chunks_exact_mut(layout.genome_len()).enumerate() {
///             genome.copy_from_slice(parents.genome(child));
///             genome[..cut].copy_from_slice(&parents.genome(1 - child)[..cut]);
///         }
///     }
/// }
///
/// let layout = Layout::new(2, &[None; 4])?;
/// let population = Population::from_individuals(4, [([0, 1, 0, 1], 2.into()), ([1, 0, 1, 0], 2.into())]);
/// let (mut children, mut random) = ([0; 8], RandomStream::from_seed(1));
/// FirstGene.cross(&layout, Parents::new(&population, &[0, 1]), &mut children, &mut Vec::new(), &mut random);
/// assert_eq!(children, [1, 0, 0, 1, 0, 1, 1, 0]);
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Crossover: Send + Sync {
    /// The number of parents, at least 2.
    fn n_parents(&self) -> usize;

    /// Returns true if every gene of a child is an unchanged gene of a parent.
    fn hands_on_whole_genes(&self) -> bool {
        false
    }

    /// Fills `children` with valid genomes. The genomes lie one after the other in `children`. The genomes are made from
    /// [`n_parents`](Self::n_parents) parents.
    ///
    /// `scratch` is working memory. The content of `scratch` before the call does not matter. Every call uses the same working memory, so
    /// calls do not allocate memory.
    fn cross(
        &self,
        layout: &Layout,
        parents: Parents<'_>,
        children: &mut [Allele],
        scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    );
}

/// Mutation: it changes a genome.
///
/// ```
/// use evogrid_core::layout::{Allele, Layout};
/// use evogrid_core::operator::Mutation;
/// use evogrid_core::random::RandomStream;
///
/// /// Swaps two free positions of the first gene that has two.
/// struct SwapInFirst;
///
/// impl Mutation for SwapInFirst {
///     fn mutate(
///         &self,
///         layout: &Layout,
///         _conflicts: &[u32],
///         genome: &mut [Allele],
///         _scratch: &mut Vec<usize>,
///         random: &mut RandomStream,
///     ) {
///         if let Some(&gene) = layout.movable_genes().first() {
///             let free = layout.free(gene);
///             let (one, other) = random.pair(free.len());
///             genome.swap(free[one], free[other]);
///         }
///     }
/// }
///
/// let layout = Layout::new(3, &[None, Some(1), None])?;
/// let mut genome = [0, 1, 2];
/// SwapInFirst.mutate(&layout, &[], &mut genome, &mut Vec::new(), &mut RandomStream::from_seed(1));
/// assert_eq!(genome, [2, 1, 0]);
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Mutation: Send + Sync {
    /// Returns true if the mutation needs the conflicts of the genome. A mutation that needs conflicts works only on problems that [count
    /// conflicts](Problem::conflicts).
    fn is_guided(&self) -> bool {
        false
    }

    /// Changes `genome` in place. Every gene stays a permutation, and every locked position keeps its allele.
    ///
    /// `conflicts[p]` is the number of conflicts of position `p` before the mutation. The list `conflicts` is empty if the mutation [does
    /// not use conflicts](Self::is_guided). `scratch` is working memory. The content of `scratch` before the call does not matter. Every
    /// call uses the same working memory, so calls do not allocate memory.
    fn mutate(
        &self,
        layout: &Layout,
        conflicts: &[u32],
        genome: &mut [Allele],
        scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    );
}

/// A perturbation rearranges the local optimum of an iterated local search. Then the next descent begins.
///
/// ```
/// use evogrid_core::layout::Layout;
/// use evogrid_core::neighbourhood::Rearrangement;
/// use evogrid_core::operator::Perturbation;
/// use evogrid_core::random::RandomStream;
///
/// /// Exchanges the two halves of a random gene.
/// struct Halves;
///
/// impl Perturbation for Halves {
///     fn perturb(&self, layout: &Layout, changes: &mut Vec<Rearrangement>, random: &mut RandomStream) {
///         let genes = layout.movable_genes();
///         if !genes.is_empty() {
///             let gene = genes[random.below(genes.len())];
///             let end = layout.free(gene).len();
///             changes.push(Rearrangement::Exchange { gene, start: 0, middle: end / 2, end });
///         }
///     }
/// }
///
/// let layout = Layout::new(4, &[None; 4])?;
/// let (mut changes, mut genome) = (Vec::new(), [0, 1, 2, 3]);
/// Halves.perturb(&layout, &mut changes, &mut RandomStream::from_seed(1));
/// changes[0].make(&layout, &mut genome);
/// assert_eq!(genome, [2, 3, 0, 1]);
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Perturbation: Send + Sync {
    /// Appends the changes of the perturbation to the empty list `changes`. The search makes these changes in the order of the list
    /// `changes`. The list stays empty if nothing can be rearranged.
    fn perturb(&self, layout: &Layout, changes: &mut Vec<Rearrangement>, random: &mut RandomStream);
}

/// Survivor selection makes the next generation from the present generation and the offspring.
///
/// ```
/// use evogrid_core::operator::{Parents, Survival};
/// use evogrid_core::population::Population;
///
/// /// Keeps the best individual of the present generation. All other individuals are offspring.
/// struct BestStays;
///
/// impl Survival for BestStays {
///     fn n_offspring(&self, n_population: usize, _n_parents: usize) -> usize {
///         n_population - 1
///     }
///
///     fn survive(&self, population: &Population, _: Parents<'_>, next: &mut Population, scratch: &mut Vec<usize>) {
///         population.best(1, scratch);
///         next.push_copy(population, scratch[0]);
///     }
/// }
///
/// let individuals =
///     |fitnesses: &[u32]| Population::from_individuals(1, fitnesses.iter().map(|&fitness| ([0], fitness.into())));
/// let (present, mut next) = (individuals(&[4, 2, 9]), individuals(&[3, 5]));
/// assert_eq!(BestStays.n_offspring(present.len(), 2), next.len());
/// BestStays.survive(&present, Parents::new(&present, &[0, 1]), &mut next, &mut Vec::new());
/// assert_eq!(next.fitnesses(), [3.into(), 5.into(), 2.into()]);
/// ```
pub trait Survival: Send + Sync {
    /// The number of offspring in a generation. The population has `n_population` individuals, and `n_parents` parents are selected.
    fn n_offspring(&self, n_population: usize, n_parents: usize) -> usize;

    /// Turns `next`, which contains the offspring, into the next generation. The next generation has the same size as `population`, the
    /// present generation. If parents are mutated, `parents` contains the mutants. `scratch` is working memory. The content of `scratch`
    /// before the call does not matter.
    fn survive(&self, population: &Population, parents: Parents<'_>, next: &mut Population, scratch: &mut Vec<usize>);
}
