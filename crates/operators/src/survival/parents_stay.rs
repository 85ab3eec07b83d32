//! `parents-stay`: the parents survive, and offspring fill the rest of the population.

use evogrid_core::prelude::*;

use super::elitism;

evogrid_core::parameters! {
    /// The next generation consists of `population - parents` offspring, followed by the parents. If mutation changed a parent, the changed
    /// parent stays, and not the original parent. Then the [elite](Self::elite) is copied to the next generation.
    ///
    /// If a parent was selected twice, two copies of it stay. If every individual is a parent (`fraction = 1`), there are no offspring and
    /// no crossovers. If there are more parents than places, only the best parents stay, and the best parent comes first.
    #[derive(Clone, Copy, Debug)]
    pub struct ParentsStay {
        /// share of the population in the elite; elite individuals replace worse individuals of the next generation, the worst first
        pub elite: f64 = Parameter::share("elite", 0.0, DOC),
    }
}

/// The catalogue entry of `parents-stay`.
pub const MEMBER: Member<dyn Survival> = crate::member!(
    ParentsStay,
    "parents-stay",
    "the parents survive, and offspring fill the rest of the population. If the `fraction` of the selection is 1, no \
     offspring are made",
    "Huke, Evolutionäre Verfahren: Sudoku, TU Ilmenau, slide \"2-Punkt-Crossover\"; the elite: Cervigón, UCM, \
     slides on permutation operators",
);

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
    use super::super::tests::{genomes, population};
    use super::*;
    use evogrid_core::layout::Allele;

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
            assert_eq!(genomes(&next), expected, "{name}");
        }
    }
}
