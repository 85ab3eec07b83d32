//! The row GA through our library, with an objective written by its user, who knows nothing but the genome: `own_objective GENERATIONS
//! EVALUATIONS SEED`. What that objective counts is what our searches really evaluate.

use std::sync::atomic::{AtomicU64, Ordering};

use evogrid_core::algorithm::Solve;
use evogrid_core::budget::Budget;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use evogrid_peers::{BOARD, argument, cpu_seconds, print};

static COUNTED: AtomicU64 = AtomicU64::new(0);

struct Sudoku(Layout);

impl Problem for Sudoku {
    fn layout(&self) -> &Layout {
        &self.0
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        COUNTED.fetch_add(1, Ordering::Relaxed);
        let (mut columns, mut boxes) = ([0u16; 9], [0u16; 9]);
        for (cell, &digit) in genome.iter().enumerate() {
            columns[cell % 9] |= 1 << digit;
            boxes[cell / 27 * 3 + cell % 9 / 3] |= 1 << digit;
        }
        let present: u32 = columns.iter().chain(&boxes).map(|digits| digits.count_ones()).sum();
        Fitness::from(162 - present)
    }
}

fn main() {
    let (generations, evaluations, seed): (u64, u64, u64) = (argument(1), argument(2), argument(3));
    let given: Vec<Option<Allele>> =
        BOARD.bytes().map(|digit| (digit - b'0').checked_sub(1).map(Allele::from)).collect();
    let problem = Sudoku(Layout::new(9, &given).expect("a board"));
    let mut catalogue = Catalogue::new();
    evogrid_operators::register(&mut catalogue.operators);
    let mut settings = Settings::new();
    for (path, name) in [
        ("kind", "genetic"),
        ("selection.kind", "tournament"),
        ("crossover.kind", "one-point"),
        ("mutation.kind", "swap-random"),
        ("survival.kind", "generational"),
    ] {
        settings.set_at(path, Value::Text(name.to_owned()));
    }
    for (path, rate) in [("crossover_rate", 0.8), ("mutation_rate", 0.2), ("survival.elite", 0.05)] {
        settings.set_at(path, Value::Real(rate));
    }
    settings.set_at("selection.size", Value::Integer(3));
    settings.set("population", Value::Integer(200));
    settings.set_at("budget.generations", Value::Integer(1));
    let settings = catalogue.resolve(&settings, &[]).expect("settings of the catalogue");
    let algorithm = catalogue.algorithm(&settings);
    let limit = |n| if n == 0 { None } else { Some(n) };
    let budget = Budget { generations: limit(generations), evaluations: limit(evaluations), ..Budget::default() };
    let start = cpu_seconds();
    let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(seed), &mut ());
    let seconds = cpu_seconds() - start;
    let counted = COUNTED.load(Ordering::Relaxed);
    assert_eq!(counted, outcome.evaluations, "what is recorded is what was evaluated");
    print(outcome.generations, seconds, evaluations, counted, outcome.best_fitness.value());
}
