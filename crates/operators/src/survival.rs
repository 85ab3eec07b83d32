//! Survivor selections make the next generation from the present generation and its offspring.
//!
//! ```
//! use evogrid_core::operator::{Parents, Survival};
//! use evogrid_core::population::Population;
//! use evogrid_operators::survival::parents_stay::ParentsStay;
//!
//! let individuals =
//!     |fitnesses: &[u32]| Population::from_individuals(1, fitnesses.iter().map(|&fitness| ([0], fitness.into())));
//! let (present, mut next) = (individuals(&[4, 2, 9]), individuals(&[7]));
//! let (survival, parents) = (ParentsStay { elite: 0.0 }, Parents::new(&present, &[1, 0]));
//! assert_eq!(survival.n_offspring(present.len(), parents.len()), next.len());
//! survival.survive(&present, parents, &mut next, &mut Vec::new());
//! assert_eq!(next.fitnesses(), [7.into(), 2.into(), 4.into()]);
//! ```

pub mod generational;
pub mod parents_stay;

mod elitism;

#[cfg(test)]
mod tests {
    use evogrid_core::fitness::Fitness;
    use evogrid_core::layout::Allele;
    use evogrid_core::population::Population;

    /// Individuals of one allele, which is their fitness too.
    pub(super) fn population(genomes: &[Allele]) -> Population {
        Population::from_individuals(1, genomes.iter().map(|&genome| ([genome], u32::from(genome).into())))
    }

    /// The alleles of all individuals, each with its own fitness.
    pub(super) fn genomes(population: &Population) -> Vec<Allele> {
        let genomes: Vec<Allele> = (0..population.len()).map(|individual| population.genome(individual)[0]).collect();
        assert!(
            population.fitnesses().iter().zip(&genomes).all(|(one, &genome)| *one == Fitness::from(u32::from(genome)))
        );
        genomes
    }
}
