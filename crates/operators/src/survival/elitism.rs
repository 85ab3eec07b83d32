//! Elitism: brings the best of the old population back into the next one. Every survival offers it.

use evogrid_core::parameter::Parameter;
use evogrid_core::population::Population;

use crate::share::share;

/// The setting `elite` of a survival.
pub(super) const ELITE: Parameter = Parameter::real(
    "elite",
    0.0,
    1.0,
    0.0,
    "share of the old population, its best, each of whom takes the place of the worst in the next one that is worse",
);

/// Brings the best `round(elite * population)` individuals of the old population back: one after the other, best first, each
/// takes the place of the worst member of the next generation, but only if that one is worse.
///
/// Cervigón, UCM, slides on the simple genetic algorithm with elitism: a child gives way to a member of the elite only if it
/// is worse.
pub(super) fn bring_back(elite: f64, population: &Population, next: &mut Population, scratch: &mut Vec<usize>) {
    let n_elite = share(elite, population.len()).min(next.len());
    if n_elite == 0 {
        return;
    }
    population.best(n_elite, scratch);
    next.append_worst(n_elite, scratch);
    let (best, worst) = scratch.split_at(n_elite);
    // The k-th of the elite meets the k-th worst: whoever came back before is no worse than he.
    for (&individual, &place) in best.iter().zip(worst) {
        if next.fitness(place) <= population.fitness(individual) {
            break;
        }
        next.replace(place, population, individual);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_core::layout::Allele;

    /// Each genome is its own fitness, so that none can be stale.
    fn population(fitnesses: &[u32]) -> Population {
        let mut population = Population::with_capacity(1, fitnesses.len());
        for &fitness in fitnesses {
            population.candidates(1)[0] = fitness as Allele;
            population.admit(fitness.into());
        }
        population
    }

    /// Its name, the elite, the fitnesses of the old population and of the children, and those of the next generation.
    type Case = (&'static str, f64, &'static [u32], &'static [u32], &'static [u32]);

    #[test]
    fn the_elite_takes_the_places_of_the_worst_that_are_worse() {
        let cases: [Case; 7] = [
            ("no elite", 0.0, &[1, 2, 3, 4], &[9, 9, 9, 9], &[9, 9, 9, 9]),
            ("one", 0.25, &[2, 1, 3, 4], &[5, 9, 6, 7], &[5, 1, 6, 7]),
            ("two", 0.5, &[2, 1, 3, 4], &[5, 9, 6, 7], &[5, 1, 6, 2]),
            ("among equals the last gives way", 0.25, &[2, 1, 3, 4], &[9, 9, 5, 5], &[9, 1, 5, 5]),
            ("only the first is better than a child", 0.5, &[3, 8, 8, 8], &[2, 4, 7, 1], &[2, 4, 3, 1]),
            ("an equal child stays", 1.0, &[4, 5, 6, 7], &[4, 4, 4, 4], &[4, 4, 4, 4]),
            ("everybody comes back", 1.0, &[4, 1, 3, 2], &[9, 8, 7, 6], &[1, 2, 3, 4]),
        ];
        for (name, elite, old, children, expected) in cases {
            let (mut next, mut scratch) = (population(children), vec![42]);
            bring_back(elite, &population(old), &mut next, &mut scratch);
            let genomes: Vec<u32> = (0..next.len()).map(|individual| next.genome(individual)[0].into()).collect();
            assert_eq!(genomes, expected, "{name}");
            assert!(
                next.fitnesses().iter().zip(&genomes).all(|(fitness, &genome)| fitness.value() == f64::from(genome))
            );
        }
    }
}
