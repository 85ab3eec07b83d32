//! A generation of 200 on a hard board of 9 by 9, from the selection to the survival, evaluations and all.

use evogrid::core::family::Options;

use divan::Bencher;
use divan::counter::ItemsCount;
use evogrid::catalogue;
use evogrid::core::algorithm::Algorithm;
use evogrid::core::budget::Budget;
use evogrid::core::random::RandomStream;
use evogrid::core::settings::{Settings, Value};

/// 17 givens: a run never ends before its generations do.
const BOARD: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";

const N_POPULATION: i64 = 200;
const N_GENERATIONS: u64 = 50;

fn main() {
    divan::main();
}

/// The block GA of Huke: parents mutated, unmutated children. The items a second are generations.
#[divan::bench]
fn fifty_generations_of_mutated_parents(bencher: Bencher) {
    generations(bencher, "diagonal", "parents", "parents-stay");
}

/// Every child mutated and evaluated. The items a second are generations.
#[divan::bench]
fn fifty_generations_of_mutated_offspring(bencher: Bencher) {
    generations(bencher, "two-point", "offspring", "generational");
}

fn generations(bencher: Bencher, crossover: &str, mutated: &str, survival: &str) {
    let catalogue = catalogue();
    let mut settings = Settings::new();
    let chosen = [
        ("kind", "genetic"),
        ("fitness", "collisions"),
        ("selection", "truncation"),
        ("crossover", crossover),
        ("mutation", "collision-swap"),
        ("mutated", mutated),
        ("survival", survival),
    ];
    for (name, value) in chosen {
        settings.set(name, Value::Text(value.to_owned()));
    }
    settings.set_at("mutation.other", Value::Real(1.0 / 9.0));
    settings.set("population", Value::Integer(N_POPULATION));
    settings.set_at("budget.generations", Value::Integer(N_GENERATIONS as i64));
    let settings = catalogue.resolve(&settings, &["sudoku"]).expect("the settings of a bench are right");
    let sudoku = catalogue.family("sudoku").expect("the core's own problem");
    let problem = sudoku.read(BOARD, &Options::new()).expect("a board").prepare(&settings);
    let algorithm: Algorithm = catalogue.algorithm(&settings);
    let budget = Budget { generations: Some(N_GENERATIONS), ..Budget::default() };
    bencher.counter(ItemsCount::new(N_GENERATIONS)).bench_local(|| {
        let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(17), &mut ());
        assert_eq!(outcome.generations, N_GENERATIONS);
        outcome
    });
}
