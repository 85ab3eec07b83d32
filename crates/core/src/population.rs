//! Populations: genomes in one contiguous block, and their fitnesses.

mod diversity;

use std::cmp::Ordering;

use crate::fitness::Fitness;
use crate::layout::Allele;

/// A collection of evaluated individuals.
///
/// New genomes are called *candidates*. The candidates lie in the same memory block as the individuals, after the last individual. When a
/// candidate gets its fitness, it becomes an individual. So no genome is copied, and every individual has a fitness.
///
/// ```
/// use evogrid_core::fitness::Fitness;
/// use evogrid_core::population::Population;
///
/// // Genomes of three positions, room for two individuals.
/// let mut population = Population::with_capacity(3, 2);
/// population.candidates(2).copy_from_slice(&[0, 1, 2, 2, 1, 0]);
/// assert!(population.is_empty(), "candidates are not individuals yet");
/// population.admit(Fitness::from(7));
/// population.admit(Fitness::from(4));
///
/// let mut chosen = Vec::new();
/// population.best(1, &mut chosen);
/// assert_eq!((chosen[0], population.genome(1)), (1, &[2, 1, 0][..]));
/// ```
#[derive(Clone, Debug)]
pub struct Population {
    genome_len: usize,
    alleles: Vec<Allele>,
    fitnesses: Vec<Fitness>,
}

impl Population {
    /// An empty population with room for `capacity` individuals.
    pub fn with_capacity(genome_len: usize, capacity: usize) -> Self {
        Self { genome_len, alleles: vec![0; genome_len * capacity], fitnesses: Vec::with_capacity(capacity) }
    }

    /// The bytes of one individual.
    pub(crate) fn bytes_each(genome_len: usize) -> usize {
        genome_len * size_of::<Allele>() + size_of::<Fitness>()
    }

    /// Creates a population from genomes and their fitnesses. Each genome has `genome_len` positions.
    ///
    /// # Panics
    /// Panics if a genome does not have `genome_len` positions.
    pub fn from_individuals<G: AsRef<[Allele]>>(
        genome_len: usize,
        individuals: impl IntoIterator<Item = (G, Fitness)>,
    ) -> Self {
        let mut population = Self::with_capacity(genome_len, 0);
        for (genome, fitness) in individuals {
            population.candidates(1).copy_from_slice(genome.as_ref());
            population.admit(fitness);
        }
        population
    }

    /// The number of individuals.
    #[inline]
    pub fn len(&self) -> usize {
        self.fitnesses.len()
    }

    /// Returns true if the population is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.fitnesses.is_empty()
    }

    /// The genome of an individual.
    #[inline]
    pub fn genome(&self, individual: usize) -> &[Allele] {
        debug_assert!(individual < self.len());
        &self.alleles[individual * self.genome_len..][..self.genome_len]
    }

    /// The fitness of an individual.
    #[inline]
    pub fn fitness(&self, individual: usize) -> Fitness {
        self.fitnesses[individual]
    }

    /// The fitnesses of all individuals, in the order of the individuals.
    #[inline]
    pub fn fitnesses(&self) -> &[Fitness] {
        &self.fitnesses
    }

    /// Removes all individuals, but keeps the memory for new individuals.
    pub fn clear(&mut self) {
        self.fitnesses.clear();
    }

    /// Reserves memory for `n` new genomes. The new genomes follow the individuals in memory, one after the other. The memory has arbitrary
    /// content until the caller writes the genomes. The next call of [`admit`](Self::admit) turns the first new genome into an individual.
    #[inline]
    pub fn candidates(&mut self, n: usize) -> &mut [Allele] {
        let start = self.len() * self.genome_len;
        let end = start + n * self.genome_len;
        if self.alleles.len() < end {
            self.alleles.resize(end, 0);
        }
        &mut self.alleles[start..end]
    }

    /// Turns the first candidate into an individual with this fitness.
    #[inline]
    pub fn admit(&mut self, fitness: Fitness) {
        self.fitnesses.push(fitness);
        debug_assert!(self.alleles.len() >= self.len() * self.genome_len, "only a candidate can be admitted");
    }

    /// Turns the first `n` candidates into individuals, each with the fitness that `evaluate` returns. `evaluate` receives the number of
    /// the candidate, from 0, and the genome. `evaluate` may change the genome.
    ///
    /// # Errors
    /// The first error that `evaluate` returns. The candidates before the faulty candidate have become individuals.
    #[inline]
    pub(crate) fn admit_each<E>(
        &mut self,
        n: usize,
        mut evaluate: impl FnMut(usize, &mut [Allele]) -> Result<Fitness, E>,
    ) -> Result<(), E> {
        let mut candidates = &mut self.alleles[self.fitnesses.len() * self.genome_len..];
        for number in 0..n {
            let (genome, rest) = candidates.split_at_mut(self.genome_len);
            self.fitnesses.push(evaluate(number, genome)?);
            candidates = rest;
        }
        Ok(())
    }

    /// Adds a copy of an individual of another population.
    #[inline]
    pub fn push_copy(&mut self, from: &Population, individual: usize) {
        self.candidates(1).copy_from_slice(from.genome(individual));
        self.admit(from.fitness(individual));
    }

    /// Replaces the individual at `place` by a copy from another population.
    #[inline]
    pub fn replace(&mut self, place: usize, from: &Population, individual: usize) {
        self.alleles[place * self.genome_len..][..self.genome_len].copy_from_slice(from.genome(individual));
        self.fitnesses[place] = from.fitness(individual);
    }

    /// Writes the indices of the `n` best individuals to `chosen`. The best individual comes first. Equally good individuals keep their
    /// order.
    pub fn best(&self, n: usize, chosen: &mut Vec<usize>) {
        chosen.clear();
        if n <= MAX_SORTED_BY_INSERTION {
            self.append_few(n, chosen, 0..self.len(), |a, b| a < b);
        } else {
            self.append_many(n, chosen, |a, b| self.order(a, b));
        }
    }

    /// Appends the indices of the `n` worst individuals to `chosen`. The worst individual comes first. If individuals are equally good, the
    /// individual with the highest index is appended first.
    pub fn append_worst(&self, n: usize, chosen: &mut Vec<usize>) {
        if n <= MAX_SORTED_BY_INSERTION {
            self.append_few(n, chosen, (0..self.len()).rev(), |a, b| a > b);
        } else {
            self.append_many(n, chosen, |a, b| self.order(b, a));
        }
    }

    /// The order of individuals by fitness. Equally good individuals are ordered by index.
    #[inline]
    fn order(&self, a: usize, b: usize) -> Ordering {
        self.fitness(a).cmp(&self.fitness(b)).then(a.cmp(&b))
    }

    /// Examines all individuals once and keeps the best `n` sorted. Equally good individuals keep the order in which they were examined.
    #[inline]
    fn append_few(
        &self,
        n: usize,
        chosen: &mut Vec<usize>,
        individuals: impl Iterator<Item = usize>,
        is_before: impl Fn(f64, f64) -> bool,
    ) {
        let (start, fitness) = (chosen.len(), |individual: usize| self.fitnesses[individual].value());
        if n == 0 {
            return;
        }
        let mut last = f64::NAN;
        for individual in individuals {
            let own = fitness(individual);
            if chosen.len() == start + n {
                if !is_before(own, last) {
                    continue;
                }
                chosen.pop();
            }
            let mut at = chosen.len();
            while at > start && is_before(own, fitness(chosen[at - 1])) {
                at -= 1;
            }
            chosen.insert(at, individual);
            last = fitness(chosen[chosen.len() - 1]);
        }
    }

    /// Moves the first `n` individuals of the order to the front, and sorts these individuals. No two individuals are equal in this order.
    /// Therefore the result does not depend on the algorithm of the standard library.
    fn append_many(&self, n: usize, chosen: &mut Vec<usize>, order: impl Fn(usize, usize) -> Ordering) {
        let (start, n) = (chosen.len(), n.min(self.len()));
        chosen.extend(0..self.len());
        let all = &mut chosen[start..];
        if n < all.len() {
            all.select_nth_unstable_by(n - 1, |&a, &b| order(a, b));
        }
        chosen.truncate(start + n);
        chosen[start..].sort_unstable_by(|&a, &b| order(a, b));
    }
}

/// If at most this number of individuals is chosen, each is inserted into a sorted list. If more individuals are chosen, they are separated
/// from the others and then sorted.
const MAX_SORTED_BY_INSERTION: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    fn population(fitnesses: &[u32]) -> Population {
        Population::from_individuals(1, (0..).zip(fitnesses).map(|(at, &fitness)| ([at], fitness.into())))
    }

    #[test]
    fn the_best_come_first_and_ties_keep_their_order() {
        let (population, mut chosen) = (population(&[5, 2, 9, 2, 0]), Vec::new());
        population.best(3, &mut chosen);
        assert_eq!(chosen, [4, 1, 3]);
        population.append_worst(2, &mut chosen);
        assert_eq!(chosen, [4, 1, 3, 2, 0]);
        population.best(0, &mut chosen);
        assert!(chosen.is_empty());
        population.best(99, &mut chosen);
        assert_eq!(chosen, [4, 1, 3, 0, 2]);
    }

    #[test]
    fn few_and_many_are_chosen_alike() {
        let fitnesses: Vec<u32> = (0..200).map(|at| at * 7 % 31).collect();
        let (population, mut sorted) = (population(&fitnesses), Vec::from_iter(0..200));
        sorted.sort_by_key(|&individual| fitnesses[individual]);
        let mut chosen = Vec::new();
        for n in 0..=200 {
            population.best(n, &mut chosen);
            assert_eq!(chosen, sorted[..n]);
            population.append_worst(n, &mut chosen);
            assert!(chosen[n..].iter().eq(sorted.iter().rev().take(n)), "{n}");
        }
    }

    #[test]
    fn candidates_are_admitted_until_one_fails() {
        let mut population = population(&[5]);
        population.candidates(3).copy_from_slice(&[1, 2, 3]);
        let evaluate = |number: usize, genome: &mut [Allele]| {
            genome[0] += 10;
            if number < 2 { Ok(Fitness::from(u32::from(genome[0]))) } else { Err(number) }
        };
        assert_eq!(population.admit_each(3, evaluate), Err(2));
        assert_eq!((population.len(), population.genome(2), population.fitness(2)), (3, &[12][..], 12.into()));
        assert_eq!(population.admit_each(0, |_, _| Err(())), Ok(()));
    }

    #[test]
    fn a_candidate_is_no_individual_before_it_is_admitted() {
        let mut population = Population::with_capacity(2, 1);
        population.candidates(2).copy_from_slice(&[1, 2, 3, 4]);
        assert!(population.is_empty());
        population.admit(7.into());
        population.admit(8.into());
        assert_eq!((population.genome(0), population.genome(1)), (&[1, 2][..], &[3, 4][..]));
        population.clear();
        population.candidates(1).copy_from_slice(&[9, 9]);
        population.admit(1.into());
        assert_eq!((population.len(), population.genome(0)), (1, &[9, 9][..]));
    }
}
