//! Combinatorial evolution on a problem that has no colony of its own.

use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::random::RandomStream;
use evogrid_core::search::combinatorial::{CombinatorialEvolution, NeighbourAcceptance};

use crate::latin::Latin;

fn settings() -> CombinatorialEvolution {
    let accept = NeighbourAcceptance::BetterOrEqual;
    CombinatorialEvolution { organisms: 20, accept, max_age: 200, ..CombinatorialEvolution::PUBLISHED }
}

fn run(settings: &CombinatorialEvolution, side: usize, budget: &Budget, seed: u64) -> Outcome {
    settings.search(&Latin::new(side, &[(1, 0)]), budget, &mut RandomStream::from_seed(seed), &mut ())
}

#[test]
fn latin_squares_are_found() {
    let budget = Budget { generations: Some(20_000), restarts: 3, ..Budget::default() };
    for side in 2..=7 {
        let outcome = run(&settings(), side, &budget, 5);
        assert_eq!((outcome.stop, outcome.best_genome[1]), (Stop::Target, 0), "side {side}");
    }
}

#[test]
fn an_epoch_evaluates_every_organism_and_a_child() {
    // No worker of a square this large grows too old, or solves it.
    let epochs = |settings: CombinatorialEvolution| {
        let budget = Budget { generations: Some(30), ..Budget::default() };
        let outcome = run(&settings, 12, &budget, 1);
        assert_eq!(outcome.stop, Stop::Generations);
        outcome.evaluations
    };
    // 18 workers and 2 explorers, and at first a solution for each worker.
    assert_eq!(epochs(settings()), 18 + 30 * (18 + 2 + 1));
    assert_eq!(epochs(CombinatorialEvolution { evolution: false, ..settings() }), 18 + 30 * (18 + 2));
    assert_eq!(epochs(CombinatorialEvolution { explorers: 0.0, ..settings() }), 20 + 30 * 20);
    assert_eq!(epochs(CombinatorialEvolution { explorers: 1.0, ..settings() }), 1 + 30 * (1 + 19 + 1));
}
