//! A generation of 200 on a board of 9 by 9, from the selection to the survival, evaluations and all. The items a second are
//! generations.

use divan::Bencher;
use divan::counter::ItemsCount;
use evogrid::catalogue;
use evogrid::core::budget::Budget;
use evogrid::core::family::Options;
use evogrid::core::fitness::Fitness;
use evogrid::core::random::RandomStream;
use evogrid::core::settings::{Settings, Value};

/// 17 givens: a run never ends before its generations do.
const HARD_BOARD: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";

/// 30 givens.
const EASY_BOARD: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

fn main() {
    divan::main();
}

/// The block GA of Huke: parents mutated, unmutated children.
#[divan::bench]
fn fifty_generations_of_mutated_parents(bencher: Bencher) {
    blocks(bencher, "diagonal", "parents", "parents-stay");
}

/// Every child mutated and evaluated.
#[divan::bench]
fn fifty_generations_of_mutated_offspring(bencher: Bencher) {
    blocks(bencher, "two-point", "offspring", "generational");
}

fn blocks(bencher: Bencher, crossover: &str, mutated: &str, survival: &str) {
    let names = [
        ("fitness", "collisions"),
        ("selection", "truncation"),
        ("crossover", crossover),
        ("mutation", "collision-swap"),
        ("mutated", mutated),
        ("survival", survival),
    ];
    generations(bencher, HARD_BOARD, 50, &names, &[("mutation.other", 1.0 / 9.0)]);
}

/// The genetic algorithm over rows that other libraries were measured with: tournament of 3, one-point crossover at 0.8, a swap at
/// 0.2, an elite of 10, missing digits.
#[divan::bench]
fn one_point_and_swap(bencher: Bencher) {
    rows(bencher, "one-point", "swap-random");
}

/// Cervigón's own operators, in either reading of his crossover.
#[divan::bench(args = ["combined-alternating", "combined-positional"])]
fn combined_and_rotation(bencher: Bencher, crossover: &str) {
    rows(bencher, crossover, "rotation");
}

fn rows(bencher: Bencher, crossover: &str, mutation: &str) {
    let names = [
        ("representation", "rows"),
        ("fitness", "missing"),
        ("selection", "tournament"),
        ("crossover", crossover),
        ("mutation", mutation),
        ("survival", "generational"),
    ];
    let rates = [("crossover_rate", 0.8), ("mutation_rate", 0.2), ("survival.elite", 0.05)];
    generations(bencher, EASY_BOARD, 500, &names, &rates);
}

fn generations(bencher: Bencher, board: &str, n: u64, names: &[(&str, &str)], rates: &[(&str, f64)]) {
    let catalogue = catalogue();
    let mut settings = Settings::new();
    settings.set("kind", Value::Text("genetic".to_owned()));
    names.iter().for_each(|(name, value)| settings.set(*name, Value::Text((*value).to_owned())));
    rates.iter().for_each(|(path, rate)| settings.set_at(path, Value::Real(*rate)));
    settings.set("population", Value::Integer(200));
    settings.set_at("budget.generations", Value::Integer(n as i64));
    let settings = catalogue.resolve(&settings, &["sudoku"]).expect("the settings of a bench are right");
    let family = catalogue.family("sudoku").expect("a registered family");
    let problem = family.read(board, &Options::new()).expect("a board").prepare(&settings);
    let algorithm = catalogue.algorithm(&settings);
    // No fitness is that good: every run has all its generations.
    let budget = Budget { generations: Some(n), target: Some(Fitness::new(-1.0)), ..Budget::default() };
    let mut seeds = 17..;
    bencher.counter(ItemsCount::new(n)).bench_local(|| {
        let mut random = RandomStream::from_seed(seeds.next().expect("no end of seeds"));
        let outcome = problem.solve(&algorithm, &budget, &mut random, &mut ());
        assert_eq!(outcome.generations, n);
        outcome
    });
}
