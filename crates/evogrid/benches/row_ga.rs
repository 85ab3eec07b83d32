//! The genetic algorithm over rows that other libraries were measured with: 200 individuals, tournament of 3, one-point crossover
//! at 0.8, a swap at 0.2, an elite of 10, missing digits, on a board of 9 by 9 with 30 givens. The items a second are generations.

use evogrid::core::family::Options;

use divan::Bencher;
use divan::counter::ItemsCount;
use evogrid::catalogue;
use evogrid::core::algorithm::Algorithm;
use evogrid::core::budget::Budget;
use evogrid::core::fitness::Fitness;
use evogrid::core::random::RandomStream;
use evogrid::core::settings::{Settings, Value};

/// 30 givens.
const BOARD: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

const N_GENERATIONS: u64 = 500;

fn main() {
    divan::main();
}

/// The one that is compared.
#[divan::bench]
fn one_point_and_swap(bencher: Bencher) {
    generations(bencher, "one-point", "swap-random");
}

/// Cervigón's own operators, in either reading of his crossover.
#[divan::bench(args = ["combined-alternating", "combined-positional"])]
fn combined_and_rotation(bencher: Bencher, crossover: &str) {
    generations(bencher, crossover, "rotation");
}

fn generations(bencher: Bencher, crossover: &str, mutation: &str) {
    let catalogue = catalogue();
    let mut settings = Settings::new();
    let chosen = [
        ("kind", "genetic"),
        ("representation", "rows"),
        ("fitness", "missing"),
        ("selection", "tournament"),
        ("crossover", crossover),
        ("mutation", mutation),
        ("survival", "generational"),
    ];
    for (name, value) in chosen {
        settings.set(name, Value::Text(value.to_owned()));
    }
    settings.set("population", Value::Integer(200));
    settings.set("crossover_rate", Value::Real(0.8));
    settings.set("mutation_rate", Value::Real(0.2));
    settings.set_at("survival.elite", Value::Real(0.05));
    settings.set_at("budget.generations", Value::Integer(N_GENERATIONS as i64));
    let settings = catalogue.resolve(&settings, &["sudoku"]).expect("the settings of a bench are right");
    let sudoku = catalogue.family("sudoku").expect("the core's own problem");
    let problem = sudoku.read(BOARD, &Options::new()).expect("a board").prepare(&settings);
    let algorithm: Algorithm = catalogue.algorithm(&settings);
    // No fitness is that good: every run has all its generations.
    let budget = Budget { generations: Some(N_GENERATIONS), target: Some(Fitness::new(-1.0)), ..Budget::default() };
    let mut seeds = 0..;
    bencher.counter(ItemsCount::new(N_GENERATIONS)).bench_local(|| {
        let mut random = RandomStream::from_seed(seeds.next().expect("no end of seeds"));
        let outcome = problem.solve(&algorithm, &budget, &mut random, &mut ());
        assert_eq!(outcome.generations, N_GENERATIONS);
        outcome
    });
}
