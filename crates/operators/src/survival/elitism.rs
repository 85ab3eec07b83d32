//! Elitism: the best individuals of the present generation replace the worst individuals of the next generation. Every survivor selection
//! offers elitism.

use evogrid_core::prelude::*;

use crate::share::share;

/// Copies the best `round(elite * population)` individuals of the present generation to the next generation. The best individual is copied
/// first. Each copy replaces the worst individual of the next generation, but only if the copy is better.
///
/// Source: Cervigón, UCM, slides on the simple genetic algorithm with elitism. In this source, too, an elite individual replaces a child
/// only if the child is worse.
pub(super) fn bring_back(elite: f64, population: &Population, next: &mut Population, scratch: &mut Vec<usize>) {
    let n_elite = share(elite, population.len()).min(next.len());
    if n_elite == 0 {
        return;
    }
    population.best(n_elite, scratch);
    next.append_worst(n_elite, scratch);
    let (best, worst) = scratch.split_at(n_elite);
    // The k-th elite individual is compared with the k-th worst. The individuals that were copied before are not worse.
    for (&individual, &place) in best.iter().zip(worst) {
        if next.fitness(place) <= population.fitness(individual) {
            break;
        }
        next.replace(place, population, individual);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{genomes, population};
    use super::*;
    use evogrid_core::layout::Allele;

    /// Its name, the elite, the fitnesses of the present generation and of the children, and those of the next generation.
    type Case = (&'static str, f64, &'static [Allele], &'static [Allele], &'static [Allele]);

    #[test]
    fn the_elite_replaces_the_worst_that_are_worse() {
        let cases: [Case; 7] = [
            ("no elite", 0.0, &[1, 2, 3, 4], &[9, 9, 9, 9], &[9, 9, 9, 9]),
            ("one", 0.25, &[2, 1, 3, 4], &[5, 9, 6, 7], &[5, 1, 6, 7]),
            ("two", 0.5, &[2, 1, 3, 4], &[5, 9, 6, 7], &[5, 1, 6, 2]),
            ("among equals the last is replaced", 0.25, &[2, 1, 3, 4], &[9, 9, 5, 5], &[9, 1, 5, 5]),
            ("only the first is better than a child", 0.5, &[3, 8, 8, 8], &[2, 4, 7, 1], &[2, 4, 3, 1]),
            ("an equal child stays", 1.0, &[4, 5, 6, 7], &[4, 4, 4, 4], &[4, 4, 4, 4]),
            ("all are copied", 1.0, &[4, 1, 3, 2], &[9, 8, 7, 6], &[1, 2, 3, 4]),
        ];
        for (name, elite, old, children, expected) in cases {
            let (mut next, mut scratch) = (population(children), vec![42]);
            bring_back(elite, &population(old), &mut next, &mut scratch);
            assert_eq!(genomes(&next), expected, "{name}");
        }
    }
}
