//! `random-swaps`: some random pairs of alleles are swapped.

use evogrid_core::prelude::*;

use super::long_gene;

evogrid_core::parameters! {
    /// Swaps random pairs of free positions, one pair after the other. For each pair, a gene is drawn at random, and both positions lie in
    /// this gene.
    #[derive(Clone, Copy, Debug)]
    pub struct RandomSwaps {
        /// number of pairs that are swapped
        pub count: usize = Parameter::integer("count", 1, 65_535, 3, DOC),
    }
}

/// The catalogue entry of `random-swaps`.
pub const MEMBER: Member<dyn Perturbation> = crate::member!(
    RandomSwaps,
    "random-swaps",
    "makes several swaps; each swap exchanges two random alleles of a random gene",
    "Lourenco, Martin and Stuetzle, Iterated Local Search, Handbook of Metaheuristics, 2003, section 3.2",
);

impl Perturbation for RandomSwaps {
    fn perturb(&self, layout: &Layout, changes: &mut Vec<Rearrangement>, random: &mut RandomStream) {
        for _ in 0..self.count {
            if let Some((gene, n_free)) = long_gene(layout, 2, random) {
                let (one, other) = random.pair(n_free);
                changes.push(Rearrangement::Swap { gene, one, other });
            }
        }
    }
}
