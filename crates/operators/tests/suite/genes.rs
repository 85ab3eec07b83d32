//! What some operators promise for every gene, whatever the layout: parities, swap distances, where alleles may stand.

use crate::support::catalogue;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::{Crossover, Parents};
use evogrid_core::population::Population;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use proptest::prelude::*;

use crate::any::{every, grounds, population, random_genome, resolved};
use crate::support::Columns;

/// Crossovers whose children lie, gene by gene, on a shortest way of swaps between the parents. What hands genes on as they are
/// does so too.
const BETWEEN: [&str; 9] = [
    "two-point",
    "diagonal",
    "one-point",
    "three-segment",
    "alternating",
    "uniform",
    "pmx",
    "cycle",
    "product-geometric",
];

/// Mutations that change a gene by one swap, if they can change it.
const SWAPS: [&str; 3] = ["swap-random", "swap-next", "swap-diagonal"];

/// Mutations that change what they are given at least one gene of, wherever one has so many free positions.
const ALWAYS_MOVE: [(&str, usize); 5] =
    [("swap-random", 2), ("swap-next", 2), ("rotation", 3), ("inversion", 2), ("insertion", 2)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_geometric_crossover_keeps_its_children_between_their_parents(
        ground in grounds(), members in every("crossover"), seed: u64,
    ) {
        let problem = ground.problem();
        let layout = problem.layout();
        for settings in members.iter().filter(|settings| BETWEEN.contains(&settings.name("kind"))) {
            let (parents, children) = family(&problem, settings, seed);
            // Two parents: with more, a gene of a child still comes whole from one of them.
            if parents.len() > 2 {
                continue;
            }
            for child in &children {
                for gene in 0..layout.n_genes() {
                    let [a, b, c] = [&parents[0], &parents[1], child].map(|genome| gene_of(layout, genome, gene));
                    prop_assert_eq!(swaps(a, c) + swaps(c, b), swaps(a, b), "{:?}: {:?} of {:?} and {:?}", settings, c, a, b);
                }
            }
        }
    }

    #[test]
    fn children_of_like_parents_are_like_them(ground in grounds(), members in every("crossover"), seed: u64) {
        let (problem, catalogue) = (ground.problem(), catalogue());
        for settings in &members {
            let crossover = catalogue.operators.crossovers.build(&resolved(&catalogue, "crossover", settings), &catalogue.operators).unwrap();
            let alike = vec![0; crossover.n_parents()];
            let (parents, children) = crossed(&problem, &*crossover, &population(&problem, 1, seed), &alike, !seed);
            for child in &children {
                prop_assert_eq!(child, &parents[0], "{:?}", settings);
            }
        }
    }

    #[test]
    fn cycles_keep_every_allele_where_a_parent_has_it(ground in grounds(), members in every("crossover"), seed: u64) {
        let problem = ground.problem();
        let keeps = |settings: &Settings| match settings.name("kind") {
            "cycle" => true,
            "product-geometric" => settings.get("path") != Some(&Value::Text("swaps".to_owned())),
            _ => false,
        };
        for settings in members.iter().filter(|settings| keeps(settings)) {
            let (parents, children) = family(&problem, settings, seed);
            for position in 0..problem.layout().genome_len() {
                let mut before = [parents[0][position], parents[1][position]];
                let mut after = [children[0][position], children[1][position]];
                before.sort_unstable();
                after.sort_unstable();
                prop_assert_eq!(before, after, "{:?}", settings);
            }
        }
    }

    #[test]
    fn rotation_never_changes_a_parity_and_a_swap_always_does(
        ground in grounds(), members in every("mutation"), seed: u64,
    ) {
        let problem = ground.problem();
        let layout = problem.layout();
        for settings in &members {
            let (before, after) = mutated(&problem, settings, seed);
            for gene in 0..layout.n_genes() {
                let n_swaps = swaps(gene_of(layout, &before, gene), gene_of(layout, &after, gene));
                match settings.name("kind") {
                    "rotation" => prop_assert!(n_swaps == 0 || n_swaps == 2, "{settings:?}: {n_swaps} swaps"),
                    name if SWAPS.contains(&name) => prop_assert!(n_swaps <= 1, "{settings:?}: {n_swaps} swaps"),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn a_mutation_changes_one_gene_or_those_that_chance_has(
        ground in grounds(), members in every("mutation"), rate in 0..2u32, seed: u64,
    ) {
        let problem = ground.problem();
        let layout = problem.layout();
        for settings in members.iter().filter(|settings| settings.name("kind") != "collision-swap") {
            let kind = settings.name("kind");
            let n_changed = |settings: &Settings| {
                let (before, after) = mutated(&problem, settings, seed);
                let genes = before.chunks_exact(layout.gene_len()).zip(after.chunks_exact(layout.gene_len()));
                genes.filter(|(before, after)| before != after).count()
            };
            let n_able = |n_free| (0..layout.n_genes()).filter(|&gene| layout.free(gene).len() >= n_free).count();
            let mut one = Settings::new();
            one.set("kind", Value::Text(kind.to_owned()));
            prop_assert!(n_changed(&one) <= 1, "{kind}");
            let mut each = one.clone();
            each.set("gene_rate", Value::Real(rate.into()));
            match ALWAYS_MOVE.iter().find(|(name, _)| *name == kind) {
                _ if rate == 0 => prop_assert_eq!(n_changed(&each), 0, "{}", kind),
                Some(&(_, n_free)) => {
                    prop_assert_eq!(n_changed(&one), n_able(n_free).min(1), "{}", kind);
                    prop_assert_eq!(n_changed(&each), n_able(n_free), "{}", kind);
                }
                None => prop_assert!(n_changed(&each) <= n_able(2), "{kind}"),
            }
        }
    }
}

/// Parents as random genomes, and the children that an operator makes of them.
fn family(problem: &Columns, settings: &Settings, seed: u64) -> (Vec<Vec<Allele>>, Vec<Vec<Allele>>) {
    let catalogue = catalogue();
    let settings = resolved(&catalogue, "crossover", settings);
    let crossover = catalogue.operators.crossovers.build(&settings, &catalogue.operators).unwrap();
    let chosen = Vec::from_iter(0..crossover.n_parents());
    crossed(problem, &*crossover, &population(problem, chosen.len(), seed), &chosen, !seed)
}

/// The chosen of a population, and the children that a crossover makes of them.
fn crossed(
    problem: &Columns,
    crossover: &dyn Crossover,
    population: &Population,
    chosen: &[usize],
    seed: u64,
) -> (Vec<Vec<Allele>>, Vec<Vec<Allele>>) {
    let len = problem.layout().genome_len();
    let (mut children, mut random) = (vec![0; chosen.len() * len], RandomStream::from_seed(seed));
    let parents = Parents::new(population, chosen);
    crossover.cross(problem.layout(), parents, &mut children, &mut Vec::new(), &mut random);
    let parents = chosen.iter().map(|&parent| population.genome(parent).to_vec()).collect();
    (parents, children.chunks_exact(len).map(<[Allele]>::to_vec).collect())
}

/// A random genome before and after a mutation.
fn mutated(problem: &Columns, settings: &Settings, seed: u64) -> (Vec<Allele>, Vec<Allele>) {
    let (catalogue, mut random) = (catalogue(), RandomStream::from_seed(seed));
    let settings = resolved(&catalogue, "mutation", settings);
    let mutation = catalogue.operators.mutations.build(&settings, &catalogue.operators).unwrap();
    let (before, conflicts) = random_genome(problem, &mut random);
    let mut genome = before.clone();
    let conflicts = if mutation.is_guided() { &conflicts[..] } else { &[] };
    mutation.mutate(problem.layout(), conflicts, &mut genome, &mut Vec::new(), &mut random);
    (before, genome)
}

fn gene_of<'a>(layout: &Layout, genome: &'a [Allele], gene: usize) -> &'a [Allele] {
    &genome[gene * layout.gene_len()..][..layout.gene_len()]
}

/// The fewest swaps that turn one permutation into another: positions less cycles. Its parity is the permutation's between them.
fn swaps(from: &[Allele], to: &[Allele]) -> usize {
    let mut now = from.to_vec();
    let mut n_swaps = 0;
    for position in 0..now.len() {
        if now[position] != to[position] {
            let place = now.iter().position(|&allele| allele == to[position]).expect("a permutation of the same");
            now.swap(position, place);
            n_swaps += 1;
        }
    }
    n_swaps
}
