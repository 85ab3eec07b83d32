//! `collision-swap`: inside a gene, swaps the positions that are in conflict. Free positions without a conflict are also swapped, with a
//! given probability.

use evogrid_core::prelude::*;

evogrid_core::parameters! {
    /// Changes the genes that the setting [`genes`](Self::genes) chooses. In each of these genes, the mutation chooses every free position
    /// in conflict. Every free position without a conflict is chosen with probability [`other`](Self::other). The mutation makes a list of
    /// the chosen positions, and shuffles this list. Then the mutation swaps the first chosen position with the second, the third with the
    /// fourth, and so on. If the number of chosen positions is odd, the last chosen position does not change.
    ///
    /// The mutation uses the conflicts that the genome had before the mutation.
    #[derive(Clone, Copy, Debug)]
    pub struct CollisionSwap {
        /// probability of a swap, for each free position without a conflict
        pub other: f64 = Parameter::share("other", 0.0, DOC),
        /// the changed genes: all genes, genes with a conflict at a free position, or a random gene
        pub genes: GeneScope = Parameter::choice("genes", GeneScope::NAMES, "all", DOC),
    }
}

evogrid_core::choices! {
    /// The genes that the mutation changes. The mutation never changes genes with fewer than two free positions.
    pub enum GeneScope {
        /// All genes.
        All = "all",
        /// The genes in which at least one free position has a conflict.
        Conflicting = "conflicting",
        /// One random gene. All genes are equally likely.
        One = "one",
    }
}

/// The catalogue entry of `collision-swap`.
pub const MEMBER: Member<dyn Mutation> = crate::member!(
    CollisionSwap,
    "collision-swap",
    "chooses all conflicting positions of a gene; each of the other positions is chosen with a given probability. Then \
     random pairs of chosen positions swap their alleles",
    "Huke, Evolutionäre Verfahren: Sudoku, TU Ilmenau, slides \"Mutation\" and \"Zusammensetzung\"",
    needing & [Capability::Conflicts],
);

impl Mutation for CollisionSwap {
    fn is_guided(&self) -> bool {
        true
    }

    fn mutate(
        &self,
        layout: &Layout,
        conflicts: &[u32],
        genome: &mut [Allele],
        scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        let mut change = |gene: usize, random: &mut RandomStream| {
            let free = layout.free(gene);
            scratch.resize(free.len(), 0);
            let mut n_chosen = 0;
            for &position in free {
                // This code has no branch, because no processor could predict the branch.
                scratch[n_chosen] = position;
                n_chosen += usize::from((conflicts[position] > 0) | random.chance(self.other));
            }
            let chosen = &mut scratch[..n_chosen];
            random.shuffle(chosen);
            swap_pairs(genome, chosen);
        };
        let movable = layout.movable_genes();
        match self.genes {
            GeneScope::All => movable.iter().for_each(|&gene| change(gene, random)),
            GeneScope::Conflicting => {
                let is_conflicting = |gene: usize| layout.free(gene).iter().any(|&position| conflicts[position] > 0);
                movable.iter().filter(|&&gene| is_conflicting(gene)).for_each(|&gene| change(gene, random));
            }
            GeneScope::One if movable.is_empty() => {}
            GeneScope::One => change(movable[random.below(movable.len())], random),
        }
    }
}

/// Swaps the first position with the second, the third with the fourth, and so on.
fn swap_pairs(genome: &mut [Allele], positions: &[usize]) {
    for pair in positions.chunks_exact(2) {
        genome.swap(pair[0], pair[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_swapped_and_an_odd_one_stays() {
        let cases: [(&str, &[usize], [Allele; 5]); 4] = [
            ("nothing chosen", &[], [0, 1, 2, 3, 4]),
            ("one alone", &[3], [0, 1, 2, 3, 4]),
            ("a pair", &[4, 1], [0, 4, 2, 3, 1]),
            ("two pairs and an odd one", &[0, 2, 4, 3, 1], [2, 1, 0, 4, 3]),
        ];
        for (name, positions, expected) in cases {
            let mut genome = [0, 1, 2, 3, 4];
            swap_pairs(&mut genome, positions);
            assert_eq!(genome, expected, "{name}");
        }
    }

    fn mutated(mutation: CollisionSwap, locked: &[Option<Allele>], conflicts: &[u32], seed: u64) -> Vec<Allele> {
        let layout = Layout::new(4, locked).unwrap();
        let mut genome = layout.template().to_vec();
        mutation.mutate(&layout, conflicts, &mut genome, &mut Vec::new(), &mut RandomStream::from_seed(seed));
        genome
    }

    #[test]
    fn without_others_exactly_the_free_positions_in_conflict_move() {
        for seed in 0..50 {
            let mutation = CollisionSwap { other: 0.0, genes: GeneScope::All };
            // The third position is in conflict too, but locked.
            let genome = mutated(
                mutation,
                &[None, None, Some(2), None, None, None, None, None],
                &[1, 0, 5, 2, 0, 0, 0, 0],
                seed,
            );
            assert_eq!(genome, [3, 1, 2, 0, 0, 1, 2, 3]);
        }
    }

    #[test]
    fn the_genes_that_change_are_those_asked_for() {
        let changes = |genes, seed| {
            let mutation = CollisionSwap { other: 1.0, genes };
            let genome = mutated(mutation, &[None; 12], &[0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], seed);
            [0, 4, 8].map(|start| genome[start..start + 4] != [0, 1, 2, 3])
        };
        for seed in 0..50 {
            assert_eq!(changes(GeneScope::All, seed), [true; 3]);
            assert_eq!(changes(GeneScope::Conflicting, seed), [false, true, false]);
        }
        let mut times = [0; 3];
        for seed in 0..300 {
            let changed = changes(GeneScope::One, seed);
            assert_eq!(changed.iter().filter(|&&one| one).count(), 1);
            times.iter_mut().zip(changed).for_each(|(times, changed)| *times += usize::from(changed));
        }
        assert!(times.iter().all(|&times| (60..140).contains(&times)), "{times:?}");
    }

    #[test]
    fn a_genome_that_nothing_can_change_stays_as_it_is() {
        for genes in [GeneScope::All, GeneScope::Conflicting, GeneScope::One] {
            let locked = [Some(3), None, Some(1), Some(0)];
            assert_eq!(mutated(CollisionSwap { other: 1.0, genes }, &locked, &[1; 4], 1), [3, 2, 1, 0]);
        }
    }
}
