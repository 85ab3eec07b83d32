//! `parents-stay`: the parents live on, and offspring fill the population up.

use evogrid_core::operator::{Parents, Survival};
use evogrid_core::parameter::Declaration;
use evogrid_core::population::Population;
use evogrid_core::registry::Member;

use super::elitism::{self, ELITE};

/// The next generation is the offspring, `population - parents` of them, and after them the parents as they were crossed:
/// mutated, where parents are mutated. Then the [elite](Self::elite) comes back.
///
/// The selection must leave room: one that chooses as many parents as there are individuals (`fraction = 1`) leaves no place for
/// offspring, and nothing is ever crossed. A parent chosen twice stays twice. Of more parents than the population has places only
/// the best stay, best first, and there are no offspring.
#[derive(Clone, Copy, Debug)]
pub struct ParentsStay {
    /// Share of the old population, in `[0, 1]`, rounded: its best come back, one by one, each in the place of the worst
    /// member of the next one, if that is worse.
    pub elite: f64,
}

/// `parents-stay` in the catalogue.
pub const MEMBER: Member<dyn Survival> = Member {
    declaration: Declaration {
        name: "parents-stay",
        doc: "the parents live on and offspring fill the population up; the selection's fraction must be below 1",
        source: "Huke, Evolutionäre Verfahren: Sudoku, TU Ilmenau, slide \"2-Punkt-Crossover\"; the elite: Cervigón, UCM, \
                 slides on permutation operators",
        parameters: &[ELITE],
    },
    build: |settings, _| Box::new(ParentsStay { elite: settings.real("elite") }),
};

impl Survival for ParentsStay {
    fn n_offspring(&self, n_population: usize, n_parents: usize) -> usize {
        n_population.saturating_sub(n_parents)
    }

    fn survive(&self, population: &Population, parents: Parents<'_>, next: &mut Population, scratch: &mut Vec<usize>) {
        scratch.clear();
        scratch.extend(0..parents.len());
        let n_places = population.len() - next.len();
        if parents.len() > n_places {
            scratch.sort_unstable_by_key(|&parent| (parents.fitness(parent), parent));
            scratch.truncate(n_places);
        }
        for &parent in &*scratch {
            next.push_copy(parents.population(), parents.individual(parent));
        }
        elitism::bring_back(self.elite, population, next, scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_core::layout::Allele;

    fn population(genomes: &[Allele]) -> Population {
        let mut population = Population::with_capacity(1, genomes.len());
        for &genome in genomes {
            population.candidates(1)[0] = genome;
            population.admit(u32::from(genome).into());
        }
        population
    }

    /// Its name, the elite, chosen parents, offspring, and the next generation.
    type Case = (&'static str, f64, &'static [usize], &'static [Allele], &'static [Allele]);

    #[test]
    fn parents_and_offspring_together_are_as_many_as_before() {
        let old = population(&[5, 3, 8, 1]);
        let cases: [Case; 5] = [
            ("parents follow the offspring", 0.0, &[3, 1], &[7, 6], &[7, 6, 1, 3]),
            ("one chosen twice stays twice", 0.0, &[3, 3], &[7, 6], &[7, 6, 1, 1]),
            ("all are parents", 0.0, &[0, 1, 2, 3], &[], &[5, 3, 8, 1]),
            ("of too many parents the best stay", 0.0, &[2, 0, 1, 3, 2, 3], &[], &[1, 1, 3, 5]),
            ("the elite comes back for the worst", 0.25, &[2, 0], &[7, 6], &[7, 6, 1, 5]),
        ];
        for (name, elite, chosen, offspring, expected) in cases {
            let survival = ParentsStay { elite };
            assert_eq!(survival.n_offspring(old.len(), chosen.len()), offspring.len(), "{name}");
            let mut next = population(offspring);
            survival.survive(&old, Parents::new(&old, chosen), &mut next, &mut Vec::new());
            let genomes: Vec<Allele> = (0..next.len()).map(|individual| next.genome(individual)[0]).collect();
            assert_eq!(genomes, expected, "{name}");
        }
    }
}
