//! The row GA by the crate `genetic_algorithm` (MIT or Apache-2.0): `row_ga GENERATIONS SEED`.

use std::sync::atomic::{AtomicU64, Ordering};

use evogrid_peers::{BOARD, argument, cpu_seconds, print};
use genetic_algorithm::strategy::evolve::prelude::*;

const POPULATION: usize = 200;
const ELITE: f32 = 0.05;

static COUNTED: AtomicU64 = AtomicU64::new(0);

/// Digits missing in columns and boxes; genes are the free cells of the rows in order.
#[derive(Clone, Debug)]
struct MissingDigits {
    given: [u16; 81],
}

impl Fitness for MissingDigits {
    type Genotype = MultiUniqueGenotype<u8>;

    fn calculate_for_chromosome(
        &mut self,
        chromosome: &FitnessChromosome<Self>,
        _: &Self::Genotype,
    ) -> Option<FitnessValue> {
        COUNTED.fetch_add(1, Ordering::Relaxed);
        let mut digits = chromosome.genes.iter();
        let (mut columns, mut boxes) = ([0u16; 9], [0u16; 9]);
        for (cell, &given) in self.given.iter().enumerate() {
            let digit = if given == 0 { 1 << digits.next().expect("a digit for each free cell") } else { given };
            columns[cell % 9] |= digit;
            boxes[cell / 27 * 3 + cell % 9 / 3] |= digit;
        }
        let present: u32 = columns.iter().chain(&boxes).map(|digits| digits.count_ones()).sum();
        Some(162 - present as FitnessValue)
    }
}

fn main() {
    let (generations, seed): (usize, u64) = (argument(1), argument(2));
    let board: Vec<u8> = BOARD.bytes().map(|digit| digit - b'0').collect();
    let missing = |row: &[u8]| (1..=9).filter(|digit| !row.contains(digit)).map(|digit| digit - 1).collect();
    let rows: Vec<Vec<u8>> = board.chunks(9).map(missing).collect();
    let given = std::array::from_fn(|cell| if board[cell] == 0 { 0 } else { 1 << (board[cell] - 1) });
    let genotype =
        MultiUniqueGenotype::builder().with_allele_lists(rows).with_genes_hashing(false).build().expect("a genotype");
    let start = cpu_seconds();
    let evolve = Evolve::builder()
        .with_genotype(genotype)
        .with_target_population_size(POPULATION)
        .with_max_generations(generations)
        .with_fitness(MissingDigits { given })
        .with_fitness_ordering(FitnessOrdering::Minimize)
        .with_select(SelectTournament::new(1.0, ELITE, 3))
        .with_crossover(CrossoverSinglePoint::new(1.0, 0.8))
        .with_mutate(MutateSingleGene::new(0.2))
        .with_rng_seed_from_u64(seed)
        .call()
        .expect("a run");
    let seconds = cpu_seconds() - start;
    let asked = (POPULATION * (1 + evolve.state.current_generation)) as u64;
    let best = evolve.best_fitness_score().expect("a fitness");
    print(evolve.state.current_generation as u64, seconds, asked, COUNTED.load(Ordering::Relaxed), best);
}
