//! The steady-state genetic algorithm. In each step, a few offspring replace individuals of the population. The individuals that are not
//! replaced stay.

use super::variation::{MatingOrder, PopulationSettings, Reproduction};
use super::*;
use crate::memory::blocks;
use crate::operator::Parents;

crate::parameters! {
    /// A steady-state genetic algorithm with its operators and settings.
    ///
    /// In each step the parent selection chooses among the present individuals. The chosen parents make offspring. Each of the offspring
    /// replaces an individual, even if the replaced individual is better. A generation has as many offspring as the population has
    /// individuals. Therefore limits and traces can be compared with the limits and traces of a generational algorithm. The last step of a
    /// generation may be shorter.
    pub struct SteadyState with common: PopulationSettings {
        /// number of offspring of one step, at most the size of the population
        pub offspring: usize = Parameter::integer("offspring", 1, 10_000_000, 1, DOC),
        /// the individual that is replaced by one of the offspring
        pub replaced: Replaced = Parameter::choice("replaced", Replaced::NAMES, "worst", DOC),
    }
}

crate::choices! {
    /// The individual that is replaced by one of the offspring.
    pub enum Replaced {
        /// The worst individual. If several individuals are equally bad, the last of these individuals is replaced.
        Worst = "worst",
        /// The oldest individual.
        Oldest = "oldest",
        /// A random individual. All individuals are equally likely.
        Random = "random",
    }
}

/// The declaration of `steady-state` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "steady-state",
    "steady-state genetic algorithm: in each step, a few offspring replace individuals of the population. A generation \
     ends when the number of new offspring equals the size of the population",
    "Whitley, The GENITOR Algorithm and Selection Pressure, ICGA 1989, pp. 116-121; Eiben and Smith, Introduction to \
     Evolutionary Computing, 2015, ch. 5",
)
.with(SteadyState::PARAMETERS);

impl SteadyState {
    /// Checks that the settings of the algorithm fit together, and returns the algorithm.
    ///
    /// # Errors
    /// Returns an error if a step makes more offspring than the population has individuals.
    pub(crate) fn checked(self) -> Result<Self, Fault> {
        let (offspring, population) = (self.offspring, self.common.population);
        if offspring <= population {
            return Ok(self);
        }
        let message = format!("`offspring = {offspring}` is greater than `population = {population}`");
        Err(Fault::value("offspring", message, format!("expected at most {population}")))
    }

    /// The approximate number of bytes that a run on a problem with this layout needs.
    pub fn memory(&self, layout: &Layout) -> u64 {
        let (each, lists) = (Population::bytes_each(layout.genome_len()), 2 * size_of::<usize>() + size_of::<u64>());
        blocks(self.common.room(), each + lists).saturating_add(blocks(self.offspring, each))
    }

    /// Runs the algorithm until the evaluator ends the run.
    ///
    /// # Panics
    /// Panics if a mutation needs conflicts, but the problem does not count conflicts.
    pub fn search<P: Problem>(&self, evaluator: Evaluator<'_, P>, random: &mut RandomStream) -> Outcome {
        let layout = evaluator.problem().layout();
        let mut reproduction = Reproduction::new(&self.common, None, evaluator.problem());
        if let Err(refusal) = self.common.check_memory(self.memory(layout)) {
            return evaluator.fail(refusal);
        }
        let room = self.common.room();
        let mut buffers = Buffers {
            population: Population::with_capacity(layout.genome_len(), room),
            offspring: Population::with_capacity(
                layout.genome_len(),
                self.offspring + self.common.crossover.n_parents(),
            ),
            chosen: Vec::with_capacity(room),
            mating_order: MatingOrder::with_room(room),
            births: Vec::with_capacity(room),
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
        let Buffers { population, offspring, chosen, mating_order, births } = buffers;
        let PopulationSettings { population: n_population, selection, crossover, .. } = &self.common;
        reproduction.begin(evaluator, population, random)?;
        births.clear();
        births.extend(0..*n_population as u64);
        let mut n_births = births.len() as u64;
        let n_parents = crossover.n_parents();
        loop {
            let mut n_made = 0;
            while n_made < *n_population {
                let n_offspring = self.offspring.min(n_population - n_made);
                selection.select(population, chosen, random);
                mating_order.begin(Parents::new(population, chosen), n_parents, selection.is_shuffled());
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
    /// The place of the individual that is replaced. `births` contains the number of each individual in the order of births. The oldest
    /// individual has the lowest number.
    fn place(self, population: &Population, births: &[u64], random: &mut RandomStream) -> usize {
        let places = 0..population.len();
        match self {
            Self::Worst => places.max_by_key(|&place| population.fitness(place)),
            Self::Oldest => places.min_by_key(|&place| births[place]),
            Self::Random => Some(random.below(population.len())),
        }
        .expect("the population is not empty")
    }
}

/// The population, the offspring and the lists of a step. They are kept, so that a step allocates no memory.
struct Buffers {
    population: Population,
    offspring: Population,
    chosen: Vec<usize>,
    mating_order: MatingOrder,
    /// For each individual, its number in the order of births.
    births: Vec<u64>,
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
