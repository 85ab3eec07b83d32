//! The frame of mutations that change the free positions of one gene, or of each gene with a probability.

use evogrid_core::prelude::*;
use evogrid_core::settings::setting::Setting;

/// A random mutation that reorders the alleles at one gene's free positions.
pub trait GeneMutation: Send + Sync {
    /// The mutation changes a gene only if the gene has at least this number of free positions. This number is at least 2 for every
    /// mutation.
    const MIN_FREE: usize = 2;

    /// Changes `genome` at the free positions of one gene. The gene must stay a permutation. `free` contains at least
    /// [`MIN_FREE`](Self::MIN_FREE) positions in the genome, in ascending order.
    fn mutate_gene(&self, layout: &Layout, free: &[usize], genome: &mut [Allele], random: &mut RandomStream);
}

/// Makes a [`Mutation`] from a [`GeneMutation`].
#[derive(Clone, Copy, Debug)]
pub struct GeneWise<M> {
    /// The mutation that is applied to a gene.
    pub mutation: M,
    /// The genes that are mutated.
    pub genes: GeneChoice,
}

impl<M: GeneMutation> Mutation for GeneWise<M> {
    fn mutate(
        &self,
        layout: &Layout,
        _conflicts: &[u32],
        genome: &mut [Allele],
        _scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        self.genes.visit(layout, M::MIN_FREE, random, |free, random| {
            self.mutation.mutate_gene(layout, free, genome, random);
        });
    }
}

impl<M: GeneMutation + Default + 'static> GeneWise<M> {
    /// The catalogue entry of a mutation whose only setting is `gene_rate`. `gene_rate` is the probability that a gene is changed. If
    /// `gene_rate` is absent, the mutation changes one gene.
    pub const fn member(name: &'static str, doc: &'static str, source: &'static str) -> Member<dyn Mutation> {
        Member {
            declaration: Declaration::new(name, doc, source).with(&[GENE_RATE]),
            build: |settings, operators| {
                let rate: Option<f64> = Setting::read(settings, &GENE_RATE, operators)?;
                Ok(Box::new(Self { mutation: M::default(), genes: rate.map_or(GeneChoice::One, GeneChoice::Each) }))
            },
        }
    }
}

const GENE_RATE: Parameter = Parameter::optional_real(
    "gene_rate",
    0.0,
    1.0,
    "probability that a gene is changed. Without this setting, one random gene of the individual is changed",
);

/// The rule that chooses the genes that a mutation changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GeneChoice {
    /// One random gene. All genes are equally likely.
    One,
    /// Each gene is changed independently with this probability, in `[0, 1]`.
    Each(f64),
}

impl GeneChoice {
    /// Calls `change` with the free positions of each gene to be changed. Only genes with at least `n_free` free positions are changed.
    /// `n_free` is at least 2.
    #[inline]
    fn visit(
        self,
        layout: &Layout,
        n_free: usize,
        random: &mut RandomStream,
        mut change: impl FnMut(&[usize], &mut RandomStream),
    ) {
        let movable = layout.movable_genes();
        // Every movable gene has at least two free positions.
        let can_change = move |gene: usize| n_free <= 2 || layout.free(gene).len() >= n_free;
        match self {
            GeneChoice::One if movable.is_empty() => {}
            GeneChoice::One => {
                let mut gene = movable[random.below(movable.len())];
                if !can_change(gene) {
                    // The gene is drawn again from the genes that can change. So all of them are equally likely.
                    let mut able = movable.iter().copied().filter(|&gene| can_change(gene));
                    match able.clone().count() {
                        0 => return,
                        n_able => {
                            gene = able.nth(random.below(n_able)).expect("the index is below the number of genes");
                        }
                    }
                }
                change(layout.free(gene), random);
            }
            GeneChoice::Each(rate) => {
                for &gene in movable {
                    if can_change(gene) && random.chance(rate) {
                        change(layout.free(gene), random);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each gene is chosen; they have 4, 3, 2 and 1 free positions.
    fn times(genes: GeneChoice, n_free: usize) -> [u32; 4] {
        let (a, b, c) = (Some(0), Some(1), Some(2));
        let locked = [[None; 4], [a, None, None, None], [a, b, None, None], [a, b, c, None]];
        let layout = Layout::new(4, &locked.concat()).unwrap();
        let (mut times, mut random) = ([0; 4], RandomStream::from_seed(6));
        for _ in 0..6000 {
            genes.visit(&layout, n_free, &mut random, |free, _| times[free[0] / 4] += 1);
        }
        times
    }

    #[test]
    fn one_gene_is_any_of_those_that_can_change() {
        // Six standard deviations of a binomial(6000, 1/2) are 233.
        let cases = [(2, [2000, 2000, 2000, 0]), (3, [3000, 3000, 0, 0]), (4, [6000, 0, 0, 0]), (5, [0; 4])];
        for (n_free, expected) in cases {
            let times = times(GeneChoice::One, n_free);
            let near = |(times, expected): (&u32, u32)| times.abs_diff(expected) < 233.min(expected + 1);
            assert!(times.iter().zip(expected).all(near), "{n_free}: {times:?}");
        }
    }

    #[test]
    fn each_gene_that_can_change_does_so_at_its_rate() {
        assert_eq!(times(GeneChoice::Each(0.0), 2), [0; 4]);
        assert_eq!(times(GeneChoice::Each(1.0), 3), [6000, 6000, 0, 0]);
        assert!(times(GeneChoice::Each(0.5), 2)[..3].iter().all(|times| times.abs_diff(3000) < 233));
    }
}
