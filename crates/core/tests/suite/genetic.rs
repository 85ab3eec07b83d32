//! The loop of the genetic algorithm, with operators so simple that the counts are known.

use std::sync::Mutex;

use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::observer::{Observer, Progress};
use evogrid_core::operator::{Crossover, Initialisation, Mutation, Parents, Selection, Survival};
use evogrid_core::population::Population;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::genetic::{Genetic, MutationTargets};
use evogrid_core::search::variation::{MutantAcceptance, PopulationSettings};

use crate::latin::Latin;

const N_POPULATION: usize = 8;
const N_PARENTS: usize = 4;
const N_GENERATIONS: u64 = 20;

/// Random genomes.
struct AtRandom;

impl Initialisation for AtRandom {
    fn initialise(&self, problem: &dyn Problem, genome: &mut [Allele], random: &mut RandomStream) {
        problem.randomise(genome, random);
    }
}

/// The first individuals of the population.
struct First(usize);

impl Selection for First {
    fn select(&self, _population: &Population, chosen: &mut Vec<usize>, _random: &mut RandomStream) {
        chosen.clear();
        chosen.extend(0..self.0);
    }
}

/// Children that are copies, and the parents of every crossover.
struct Copies(&'static Mutex<Vec<usize>>);

impl Crossover for Copies {
    fn n_parents(&self) -> usize {
        2
    }

    fn cross(
        &self,
        layout: &Layout,
        parents: Parents<'_>,
        children: &mut [Allele],
        _scratch: &mut Vec<usize>,
        _random: &mut RandomStream,
    ) {
        for (parent, child) in children.chunks_exact_mut(layout.genome_len()).enumerate() {
            child.copy_from_slice(parents.genome(parent));
            self.0.lock().unwrap().push(parents.individual(parent));
        }
    }
}

/// A new random genome.
struct Anew;

impl Mutation for Anew {
    fn mutate(
        &self,
        layout: &Layout,
        _conflicts: &[u32],
        genome: &mut [Allele],
        _scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        layout.randomise(genome, random);
    }
}

/// The offspring are the next generation.
struct Offspring;

impl Survival for Offspring {
    fn n_offspring(&self, n_population: usize, _n_parents: usize) -> usize {
        n_population
    }

    fn survive(&self, _: &Population, _: Parents<'_>, _next: &mut Population, _scratch: &mut Vec<usize>) {}
}

/// An algorithm that selects the first four of eight, and the list of the parents of its crossovers.
fn genetic() -> (Genetic, &'static Mutex<Vec<usize>>) {
    let crossed: &Mutex<Vec<usize>> = Box::leak(Box::default());
    let genetic = Genetic {
        common: PopulationSettings {
            population: N_POPULATION,
            initialisation: Box::new(AtRandom),
            selection: Box::new(First(N_PARENTS)),
            crossover: Box::new(Copies(crossed)),
            crossover_rate: 1.0,
            mutation: Box::new(Anew),
            mutation_rate: 1.0,
            accept: MutantAcceptance::Always,
        },
        mutated: MutationTargets::Offspring,
        survival: Box::new(Offspring),
    };
    (genetic, crossed)
}

fn run(genetic: &Genetic, observer: &mut dyn Observer) -> Outcome {
    let (problem, budget) = (Latin::new(6, &[]), Budget { generations: Some(N_GENERATIONS), ..Budget::default() });
    let outcome = genetic.search(Evaluator::new(&problem, &budget, observer), &mut RandomStream::from_seed(8));
    assert_eq!((outcome.stop, outcome.generations), (Stop::Generations, N_GENERATIONS));
    outcome
}

#[test]
fn all_parents_have_equally_many_children() {
    let (genetic, crossed) = genetic();
    run(&genetic, &mut ());
    let crossed = crossed.lock().unwrap();
    assert_eq!(crossed.len() as u64, N_GENERATIONS * N_POPULATION as u64);
    let mut orders: Vec<&[usize]> = crossed.chunks_exact(N_PARENTS).collect();
    for order in &orders {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3], "each comes once before any comes again");
    }
    orders.sort_unstable();
    orders.dedup();
    assert!(orders.len() > 10, "in random order");
}

#[test]
fn what_is_mutated_decides_what_is_evaluated() {
    let (n_population, n_parents) = (N_POPULATION as u64, N_PARENTS as u64);
    let cases = [
        (MutationTargets::Offspring, 1.0, 0.0, n_population),
        (MutationTargets::Parents, 1.0, 0.0, n_parents),
        (MutationTargets::All, 1.0, 0.0, n_parents + n_population),
        // Crossed offspring are new, even where they are copies.
        (MutationTargets::Parents, 1.0, 1.0, n_parents + n_population),
        (MutationTargets::Offspring, 0.0, 1.0, n_population),
        (MutationTargets::All, 0.0, 0.0, 0),
    ];
    for (mutated, mutation_rate, crossover_rate, expected) in cases {
        let genetic = genetic().0;
        let common = PopulationSettings { mutation_rate, crossover_rate, ..genetic.common };
        let genetic = Genetic { mutated, common, ..genetic };
        let outcome = run(&genetic, &mut ());
        let case = (mutated, mutation_rate, crossover_rate);
        assert_eq!(outcome.evaluations, n_population + N_GENERATIONS * expected, "{case:?}");
    }
}

#[test]
fn a_mutant_that_is_worse_is_given_up() {
    /// The sum of all fitnesses after each generation.
    struct Sums(Vec<f64>);
    impl Observer for Sums {
        fn generation(&mut self, _progress: &Progress, population: Option<&Population>) {
            self.0.push(population.unwrap().mean_fitness().unwrap());
        }
    }
    // All are parents, and every child is a copy of one of them.
    for accept in [MutantAcceptance::NotWorse, MutantAcceptance::Always] {
        let genetic = genetic().0;
        let selection = Box::new(First(N_POPULATION));
        let genetic = Genetic { common: PopulationSettings { accept, selection, ..genetic.common }, ..genetic };
        let mut means = Sums(Vec::new());
        run(&genetic, &mut means);
        let never_rises = means.0.windows(2).all(|pair| pair[1] <= pair[0]);
        assert_eq!(never_rises, accept == MutantAcceptance::NotWorse, "{accept:?}: {:?}", means.0);
    }
}
