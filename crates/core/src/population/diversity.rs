//! Measures of a whole population: the mean fitness and the gene diversity.

use crate::layout::Layout;
use crate::population::Population;

/// The number of counters that one pass through a population uses. Each counter takes 4 bytes.
const COUNTS_PER_PASS: usize = 4096;

impl Population {
    /// The mean fitness. The fitnesses are added in the order of the individuals. Returns `None` if the population is empty.
    pub fn mean_fitness(&self) -> Option<f64> {
        let sum: f64 = self.fitnesses().iter().map(|fitness| fitness.value()).sum();
        (!self.is_empty()).then(|| sum / self.len() as f64)
    }

    /// Computes the gene diversity: the probability that two individuals have different alleles at a free position. The two individuals are
    /// drawn with replacement. The function returns the mean of the probabilities at all free positions:
    ///
    /// > H = 1/F * sum over the F free positions of (1 - sum over the alleles a of (n_a / n)^2),
    ///
    /// where n_a of the n individuals have allele a at the position. The gene diversity is 0 if all individuals are equal. The gene
    /// diversity is also 0 if there are no individuals or no free positions. If a gene has L alleles, the largest possible gene diversity
    /// is 1 - 1/L. The gene diversity has this largest value if, at every free position, all L alleles are equally frequent. Because the
    /// sums contain only integers, the result is the same on every machine.
    ///
    /// `counts` is working memory. The content of `counts` before the call does not matter.
    ///
    /// Nei, "Analysis of gene diversity in subdivided populations", Proceedings of the National Academy of Sciences 70(12), 1973,
    /// 3321-3323.
    pub fn gene_diversity(&self, layout: &Layout, counts: &mut Vec<u32>) -> f64 {
        let (n, free, n_alleles) = (self.len(), layout.all_free(), layout.gene_len());
        if n == 0 || free.is_empty() {
            return 0.0;
        }
        // Each pass reads the whole population. The counters of its positions fit into the fastest cache.
        let n_positions = (COUNTS_PER_PASS / n_alleles).max(1);
        let mut agreements: u128 = 0;
        for positions in free.chunks(n_positions) {
            counts.clear();
            counts.resize(positions.len() * n_alleles, 0);
            for individual in 0..n {
                let genome = self.genome(individual);
                for (counts, &position) in counts.chunks_exact_mut(n_alleles).zip(positions) {
                    counts[usize::from(genome[position])] += 1;
                }
            }
            agreements += counts.iter().map(|&count| u128::from(count) * u128::from(count)).sum::<u128>();
        }
        let pairs = free.len() as u128 * n as u128 * n as u128;
        (pairs - agreements) as f64 / pairs as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Allele;

    /// A population of these genomes, with their numbers for fitnesses.
    fn population(genomes: &[&[Allele]]) -> Population {
        let genome_len = genomes.first().map_or(0, |genome| genome.len());
        Population::from_individuals(genome_len, genomes.iter().zip((0..).map(u32::into)))
    }

    #[test]
    fn gene_diversity_is_one_minus_the_shares_squared_over_the_free_positions() {
        let free = Layout::new(4, &[None; 4]).unwrap();
        let locked = Layout::new(4, &[Some(0), None, None, None]).unwrap();
        let fixed = Layout::new(4, &[Some(0), Some(1), Some(2), Some(3)]).unwrap();
        let mut counts = Vec::new();
        for (case, layout, genomes, expected) in [
            ("nobody", &free, &[][..], 0.0),
            ("nothing free", &fixed, &[[0, 1, 2, 3]], 0.0),
            ("one individual", &free, &[[3, 2, 1, 0]], 0.0),
            ("all the same", &free, &[[0, 1, 2, 3]; 3], 0.0),
            ("two halves", &free, &[[0, 1, 2, 3], [1, 0, 3, 2]], 0.5),
            // 1 - (9 + 1) / 16 at the first two of four positions.
            ("one in four differs", &free, &[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3], [1, 0, 2, 3]], 3.0 / 16.0),
            ("a Latin square", &free, &[[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]], 0.75),
            // 1 - (4 + 1) / 9 at two of the three free positions.
            ("one locked", &locked, &[[0, 1, 2, 3], [0, 2, 1, 3], [0, 1, 2, 3]], 8.0 / 27.0),
        ] {
            let genomes: Vec<&[Allele]> = genomes.iter().map(<[Allele; 4]>::as_slice).collect();
            assert_eq!(population(&genomes).gene_diversity(layout, &mut counts), expected, "{case}");
        }
    }

    #[test]
    fn the_diversity_of_long_genes_is_counted_in_several_passes() {
        const LEN: usize = COUNTS_PER_PASS / 2 + 1;
        let layout = Layout::new(LEN, &[None; LEN]).unwrap();
        let one: Vec<Allele> = (0..LEN as Allele).collect();
        let other: Vec<Allele> = one.iter().rev().copied().collect();
        // They differ everywhere but in the middle.
        let expected = (LEN - 1) as f64 / (2 * LEN) as f64;
        assert_eq!(population(&[&one, &other]).gene_diversity(&layout, &mut Vec::new()), expected);
    }

    #[test]
    fn the_mean_fitness_of_nobody_is_none() {
        assert_eq!(population(&[&[0], &[0], &[0], &[0]]).mean_fitness(), Some(1.5));
        assert_eq!(population(&[]).mean_fitness(), None);
    }
}
