//! Combinatorial evolution on McCaffrey's demo board: items are evaluations of organisms.

use divan::counter::ItemsCount;
use evogrid_core::budget::Budget;
use evogrid_core::fitness::Fitness;
use evogrid_core::random::RandomStream;
use evogrid_core::search::combinatorial::{CombinatorialEvolution, NeighbourAcceptance};
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Sudoku};

const DEMO: &str = "006200080008970000004810500000060002070000030600050000002047100003028400050001200";

const EVALUATIONS: u64 = 2_000_000;

fn main() {
    divan::main();
}

/// 200 organisms; a target that nothing reaches, so that every run does the same work. 201 evaluations are an epoch.
#[divan::bench(args = [("better", NeighbourAcceptance::Better), ("better-or-equal", NeighbourAcceptance::BetterOrEqual)])]
fn epochs(bencher: divan::Bencher<'_, '_>, (_, accept): (&str, NeighbourAcceptance)) {
    let board: Board = DEMO.parse().expect("a board");
    let problem = Sudoku::new(&board, Representation::Boxes, FitnessKind::Missing);
    let evolution = CombinatorialEvolution {
        organisms: 200,
        explorers: 0.1,
        accept,
        mistake: 0.001,
        max_age: 1000,
        age_reset: true,
        evolution: true,
    };
    let budget = Budget { evaluations: Some(EVALUATIONS), target: Some(Fitness::new(-1.0)), ..Budget::default() };
    let bencher = bencher.counter(ItemsCount::new(EVALUATIONS));
    bencher.bench_local(|| evolution.search(&problem, &budget, &mut RandomStream::from_seed(1), &mut ()).evaluations);
}
