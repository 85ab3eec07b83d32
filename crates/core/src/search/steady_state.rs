//! The steady-state genetic algorithm: a few offspring at a time take the places of individuals, and all others stay.

use std::collections::TryReserveError;

use super::variation::{MatingOrder, Reproduction, Variation};
use super::*;
use crate::memory::{self, blocks};
use crate::operator::{Initialisation, Parents, Selection};

/// A steady-state genetic algorithm with its operators and settings.
///
/// In each step the parent selection chooses among the present individuals, offspring are made from the chosen, and each then replaces an
/// individual, whether it is better or not. A generation is as many offspring as there are individuals (its last step is cut short to that
/// number), so that limits and traces are comparable with those of a generational algorithm.
pub struct SteadyState {
    /// Individuals in the population.
    pub population: usize,
    /// Makes the first population.
    pub initialisation: Box<dyn Initialisation>,
    /// Chooses the parents (parent selection), again in each step.
    pub selection: Box<dyn Selection>,
    /// Makes the offspring.
    pub variation: Variation,
    /// Offspring in a step.
    pub offspring: usize,
    /// Which individual each of them replaces.
    pub replaced: Replaced,
}

crate::choices! {
    /// Which individual one of the offspring replaces.
    pub enum Replaced {
        /// The worst; of several, the last in order.
        Worst = "worst",
        /// The one that has been there longest.
        Oldest = "oldest",
        /// Any, all equally likely.
        Random = "random",
    }
}

const OFFSPRING: Parameter = Parameter::integer(
    "offspring",
    1,
    10_000_000,
    1,
    "offspring made in one step from the selected parents; at most as many as the population",
);
const REPLACED: Parameter =
    Parameter::choice("replaced", Replaced::NAMES, "worst", "the individual that each of the offspring replaces");

/// `steady-state` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "steady-state",
    "steady-state genetic algorithm: a few offspring at a time replace individuals; a generation is as many offspring \
     as the population has individuals",
    "Whitley, The GENITOR Algorithm and Selection Pressure, ICGA 1989, pp. 116-121; Eiben and Smith, Introduction to \
     Evolutionary Computing, 2015, ch. 5",
)
.with(&joined::<10>(&variation::COMMON, &[variation::ACCEPT, OFFSPRING, REPLACED]));

impl SteadyState {
    /// The algorithm that resolved settings describe.
    ///
    /// # Errors
    /// If an operator refuses the combination of its settings, and if there are more offspring in a step than individuals.
    pub fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        let population = Setting::read(settings, &variation::POPULATION, operators)?;
        let offspring: usize = Setting::read(settings, &OFFSPRING, operators)?;
        if offspring > population {
            let message = format!("`offspring = {offspring}` is more than `population = {population}`");
            return Err(Fault::value("offspring", message, format!("expected no more than {population}")));
        }
        Ok(Self {
            population,
            initialisation: Setting::read(settings, &variation::INITIALISATION, operators)?,
            selection: Setting::read(settings, &variation::SELECTION, operators)?,
            variation: Variation::from_settings(settings, operators)?,
            offspring,
            replaced: Setting::read(settings, &REPLACED, operators)?,
        })
    }

    /// The bytes that a run on a problem of this layout needs, about.
    pub fn memory(&self, layout: &Layout) -> u64 {
        let each = Population::bytes_each(layout.genome_len());
        let lists = 2 * size_of::<usize>() + size_of::<u64>();
        let population = blocks(self.population, each + lists);
        population.saturating_add(blocks(self.room(), each)).saturating_add(Variation::memory(layout))
    }

    /// The offspring that there is room for: the last crossover may make more than are needed.
    fn room(&self) -> usize {
        self.offspring.saturating_add(self.variation.crossover.n_parents())
    }

    /// Runs the algorithm until the evaluator says stop.
    ///
    /// # Panics
    /// If the mutation is guided by conflicts, and the problem does not count them.
    pub fn search<P: Problem>(&self, evaluator: Evaluator<'_, P>, random: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let mut reproduction = Reproduction::new(&self.variation, None, problem);
        let Ok(mut buffers) = Buffers::new(problem.layout().genome_len(), self) else {
            let what = format!("a population of {}", self.population);
            return evaluator.fail(memory::refusal(&what, self.memory(problem.layout())));
        };
        evaluator.run_trials(|evaluator| {
            self.trial(evaluator, &mut reproduction, &mut buffers, random).expect_err("a trial never ends by itself")
        })
    }

    fn trial<P: Problem>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        reproduction: &mut Reproduction<'_, P>,
        buffers: &mut Buffers,
        random: &mut RandomStream,
    ) -> Result<Infallible, Stop> {
        let Buffers { population, offspring, chosen, mating_order, births } = buffers;
        reproduction.begin(evaluator, &*self.initialisation, population, self.population, random)?;
        births.clear();
        births.extend(0..self.population as u64);
        let mut n_births = births.len() as u64;
        let n_parents = self.variation.crossover.n_parents();
        loop {
            let mut n_made = 0;
            while n_made < self.population {
                let n_offspring = self.offspring.min(self.population - n_made);
                self.selection.select(population, chosen, random);
                let parents = Parents::new(population, chosen);
                mating_order.begin(parents, n_parents, self.selection.is_shuffled());
                offspring.clear();
                while offspring.len() < n_offspring {
                    let group = Parents::new(population, mating_order.next_group(n_parents, random));
                    reproduction.cross(evaluator, group, offspring, n_offspring, true, random)?;
                }
                for child in 0..n_offspring {
                    let place = self.replaced.place(population, births, random);
                    population.replace(place, offspring, child);
                    births[place] = n_births;
                    n_births += 1;
                }
                n_made += n_offspring;
            }
            evaluator.end_generation(population)?;
        }
    }
}

impl Replaced {
    /// The place of the individual that is replaced. Individuals were born in the order of their births.
    fn place(self, population: &Population, births: &[u64], random: &mut RandomStream) -> usize {
        let places = 0..population.len();
        match self {
            Self::Worst => places.max_by_key(|&place| population.fitness(place)),
            Self::Oldest => places.min_by_key(|&place| births[place]),
            Self::Random => Some(random.below(population.len())),
        }
        .expect("a population is not empty")
    }
}

/// The population, the offspring and the lists of a step, kept so that a step allocates nothing.
struct Buffers {
    population: Population,
    offspring: Population,
    chosen: Vec<usize>,
    mating_order: MatingOrder,
    /// For each individual the number of its birth.
    births: Vec<u64>,
}

impl Buffers {
    /// Fails if the system refuses the memory.
    fn new(genome_len: usize, search: &SteadyState) -> Result<Self, TryReserveError> {
        Ok(Self {
            population: Population::try_with_capacity(genome_len, search.population)?,
            offspring: Population::try_with_capacity(genome_len, search.room())?,
            chosen: memory::room(search.population)?,
            mating_order: MatingOrder::with_room(
                search.population.saturating_add(search.variation.crossover.n_parents()),
            )?,
            births: memory::room(search.population)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_the_oldest_or_any_individual_is_replaced() {
        let fitnesses = [5, 9, 2, 9, 7];
        let population = Population::from_individuals(1, fitnesses.map(|fitness: u32| ([0], fitness.into())));
        let births = [7, 3, 8, 5, 6];
        let mut random = RandomStream::from_seed(1);
        assert_eq!(Replaced::Worst.place(&population, &births, &mut random), 3, "the last of the two worst");
        assert_eq!(Replaced::Oldest.place(&population, &births, &mut random), 1);
        let mut counts = [0u32; 5];
        for _ in 0..10_000 {
            counts[Replaced::Random.place(&population, &births, &mut random)] += 1;
        }
        // Six standard deviations of a binomial(10000, 1/5).
        assert!(counts.iter().all(|&count| count.abs_diff(2000) < 240), "{counts:?}");
    }
}
