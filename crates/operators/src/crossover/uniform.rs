//! `uniform`: two parents exchange each gene with a given probability.

use evogrid_core::prelude::*;

use super::whole_genes::{WholeGeneCrossover, WholeGenes, exchange_genes};

evogrid_core::parameters! {
    /// Exchanges each gene of two parents independently, with probability [`gene_rate`](Self::gene_rate).
    #[derive(Clone, Copy, Debug)]
    pub struct Uniform {
        /// probability, for each gene, that the parents exchange this gene
        pub gene_rate: f64 = Parameter::share("gene_rate", 0.5, DOC),
    }
}

/// The catalogue entry of `uniform`.
pub const MEMBER: Member<dyn Crossover> = crate::member!(
    Uniform in WholeGenes,
    "uniform",
    "for each gene, a random choice decides whether two parents exchange the gene",
    "Syswerda, Uniform Crossover in Genetic Algorithms, ICGA 1989, pp. 2-9; over boxes: Mantere and Koljonen, \
     Solving, Rating and Generating Sudoku Puzzles with GA, CEC 2007, pp. 1382-1389",
    needing &[Capability::SeveralGenes],
);

impl WholeGeneCrossover for Uniform {
    fn recombine(&self, layout: &Layout, parents: Parents<'_>, children: &mut [Allele], random: &mut RandomStream) {
        exchange_genes(layout, parents, children, |_| random.chance(self.gene_rate));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::crossed;
    use super::*;

    #[test]
    fn genes_are_exchanged_one_by_one_at_their_rate() {
        assert_eq!(crossed(Uniform { gene_rate: 0.0 }, 5, 1), ["aaaaa", "bbbbb"]);
        assert_eq!(crossed(Uniform { gene_rate: 1.0 }, 5, 1), ["bbbbb", "aaaaa"]);
        let mut counts = [0; 8];
        for seed in 0..8000 {
            let child = crossed(Uniform { gene_rate: 0.25 }, 3, seed).remove(0);
            counts[child.bytes().fold(0, |number, byte| 2 * number + usize::from(byte == b'b'))] += 1;
        }
        for (number, count) in counts.into_iter().enumerate() {
            let expected = 8000.0 * [27.0, 9.0, 3.0, 1.0][number.count_ones() as usize] / 64.0;
            // Six standard deviations of a binomial(8000, 27/64) are 266.
            assert!((f64::from(count) - expected).abs() < 266.0, "{counts:?}");
        }
    }
}
