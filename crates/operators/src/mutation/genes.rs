//! Which genes a mutation changes: one at random, or each with a probability. Every unguided mutation offers both.

use evogrid_core::layout::Layout;
use evogrid_core::parameter::Parameter;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};

/// The setting `gene_rate` of a mutation.
pub(super) const GENE_RATE: Parameter = Parameter::real(
    "gene_rate",
    0.0,
    1.0,
    1.0 / 9.0,
    "probability per gene that it is changed; without it one random gene is, in each individual that is mutated",
)
.or_absent();

/// Which genes a mutation changes, among those that it can change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Genes {
    /// One, each equally likely.
    One,
    /// Each on its own, with this probability per gene, in `[0, 1]`.
    Each(f64),
}

impl Genes {
    /// What the setting [`gene_rate`](GENE_RATE) says.
    pub(super) fn from_settings(settings: &Settings) -> Self {
        settings.get("gene_rate").and_then(Value::as_real).map_or(Self::One, Self::Each)
    }

    /// Calls `change` with the free positions of each gene that is to be changed, among those with at least `n_free`, two or
    /// more.
    #[inline]
    pub(super) fn choose(
        self,
        layout: &Layout,
        n_free: usize,
        random: &mut RandomStream,
        mut change: impl FnMut(&[usize], &mut RandomStream),
    ) {
        let movable = layout.movable_genes();
        let can_change = |gene: usize| layout.free(gene).len() >= n_free;
        match self {
            Genes::One if movable.is_empty() => {}
            Genes::One => {
                let mut gene = movable[random.below(movable.len())];
                if !can_change(gene) {
                    // Drawn again among those that can: so each of them is as likely as any other.
                    let mut able = movable.iter().copied().filter(|&gene| can_change(gene));
                    match able.clone().count() {
                        0 => return,
                        n_able => gene = able.nth(random.below(n_able)).expect("there are that many"),
                    }
                }
                change(layout.free(gene), random);
            }
            Genes::Each(rate) => {
                for &gene in movable.iter().filter(|&&gene| can_change(gene)) {
                    if random.chance(rate) {
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
    fn times(genes: Genes, n_free: usize) -> [u32; 4] {
        let locked = [
            None,
            None,
            None,
            None,
            Some(0),
            None,
            None,
            None,
            Some(0),
            Some(1),
            None,
            None,
            Some(0),
            Some(1),
            Some(2),
            None,
        ];
        let layout = Layout::new(4, &locked).unwrap();
        let (mut times, mut random) = ([0; 4], RandomStream::from_seed(6));
        for _ in 0..6000 {
            genes.choose(&layout, n_free, &mut random, |free, _| times[free[0] / 4] += 1);
        }
        times
    }

    #[test]
    fn one_gene_is_any_of_those_that_can_change() {
        // Six standard deviations of a binomial(6000, 1/2) are 233.
        let cases = [(2, [2000, 2000, 2000, 0]), (3, [3000, 3000, 0, 0]), (4, [6000, 0, 0, 0]), (5, [0; 4])];
        for (n_free, expected) in cases {
            let times = times(Genes::One, n_free);
            let near = |(times, expected): (&u32, u32)| times.abs_diff(expected) < 233.min(expected + 1);
            assert!(times.iter().zip(expected).all(near), "{n_free}: {times:?}");
        }
    }

    #[test]
    fn each_gene_that_can_change_does_so_at_its_rate() {
        assert_eq!(times(Genes::Each(0.0), 2), [0; 4]);
        assert_eq!(times(Genes::Each(1.0), 3), [6000, 6000, 0, 0]);
        assert!(times(Genes::Each(0.5), 2)[..3].iter().all(|times| times.abs_diff(3000) < 233));
    }
}
