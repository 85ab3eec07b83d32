//! Laws that every search without a population obeys, and combinatorial evolution in any neighbourhood with any crossover.

use crate::any::{budgets, grounds, searches};
use evogrid_core::algorithm::Solve;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::Outcome;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use proptest::prelude::*;

use crate::support::{Columns, catalogue};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_run_keeps_its_budget_and_can_be_repeated(
        ground in grounds(), every in searches(), budget in budgets(), seed: u64,
    ) {
        let (catalogue, problem) = (catalogue(), ground.problem());
        for settings in every {
            let outcome = run(&catalogue, &problem, &settings, &budget, seed);
            let limit = budget.evaluations.unwrap_or(u64::MAX);
            prop_assert!(outcome.evaluations <= limit, "{settings:?}: {outcome:?}");
            prop_assert!(outcome.evaluations_to_best <= outcome.evaluations);
            prop_assert_eq!(outcome.best_genome.is_empty(), limit == 0);
            if limit > 0 {
                prop_assert!(problem.layout().is_valid(&outcome.best_genome));
                prop_assert_eq!(problem.appraise(&outcome.best_genome), outcome.best_fitness);
            }
            prop_assert_eq!(run(&catalogue, &problem, &settings, &budget, seed), outcome);
        }
    }
}

#[test]
fn a_search_without_limits_on_its_trials_ends_where_nothing_can_be_moved() {
    let (catalogue, problem) = (catalogue(), Columns::new(3, 3, 1.0, 1));
    let budget = Budget { evaluations: Some(1_000_000), ..Budget::default() };
    let of_one_solution = ["hill-climbing", "iterated-local-search", "tabu", "variable-neighbourhood"];
    for kind in of_one_solution.into_iter().chain(["annealing", "threshold-accepting", "late-acceptance"]) {
        let outcome = run(&catalogue, &problem, &chosen(kind, &[]), &budget, 1);
        assert_eq!((outcome.stop, outcome.evaluations), (Stop::Stagnation, 1), "{kind}");
    }
}

#[test]
fn a_chain_is_a_generation_and_the_moves_of_a_sample_are_counted_once_a_trial() {
    let (catalogue, problem) = (catalogue(), Columns::new(4, 5, 0.0, 8));
    let budget = Budget { generations: Some(3), restarts: 1, ..Budget::default() };
    for (kind, sample) in [("annealing", 10), ("threshold-accepting", 10), ("late-acceptance", 0)] {
        let mut settings = chosen(kind, &[]);
        if sample > 0 {
            settings.set("sample", Value::Integer(sample));
        }
        for (chain, moves) in [(None, 20), (Some(7), 7)] {
            if let Some(chain) = chain {
                settings.set("chain", Value::Integer(chain));
            }
            let outcome = run(&catalogue, &problem, &settings, &budget, 3);
            let trial = 1 + sample as u64 + 3 * moves;
            assert_eq!((outcome.generations, outcome.evaluations), (6, 2 * trial), "{kind}");
        }
    }
}

#[test]
fn a_trial_of_annealing_ends_where_chains_end_no_better_than_they_began() {
    let (catalogue, problem) = (catalogue(), Columns::new(9, 9, 0.37, 9));
    let mut settings = chosen("annealing", &[("cooling", "constant")]);
    settings.set("temperature", Value::Real(0.0));
    settings.set("frozen", Value::Integer(5));
    let budget = Budget { restarts: 2, ..Budget::default() };
    let outcome = run(&catalogue, &problem, &settings, &budget, 3);
    assert_eq!((outcome.stop, outcome.restarts), (Stop::Restarts, 2));
    assert!(outcome.generations > 15, "chains that were better came before those that were not: {outcome:?}");
}

#[test]
fn a_walk_that_accepts_nothing_worse_is_the_same_by_each_criterion() {
    let (catalogue, problem) = (catalogue(), Columns::new(9, 9, 0.37, 9));
    let budget = Budget { evaluations: Some(3000), ..Budget::default() };
    let mut walks = [
        chosen("annealing", &[("cooling", "constant")]),
        chosen("threshold-accepting", &[("lowering", "constant")]),
        chosen("late-acceptance", &[]),
    ];
    walks[0].set("temperature", Value::Real(0.0));
    // Below the least difference, and above none.
    walks[1].set("threshold", Value::Real(0.5));
    walks[2].set("length", Value::Integer(1));
    let outcomes = walks.iter().map(|settings| run(&catalogue, &problem, settings, &budget, 3));
    let found: Vec<Outcome> = outcomes.collect();
    assert!(found[0] == found[1] && found[1] == found[2], "{found:#?}");
    assert!(found[0].best_fitness.value() > 0.0, "it is stuck, or all of them would be the same: {found:#?}");
    // Where worse ones are accepted, they differ.
    walks[0].set("temperature", Value::Real(0.7));
    assert!(run(&catalogue, &problem, &walks[0], &budget, 3) != found[0]);
}

#[test]
fn hill_climbing_ends_at_a_local_optimum_of_its_neighbourhood_and_restarts_find_others() {
    let (catalogue, problem) = (catalogue(), Columns::new(4, 5, 0.2, 8));
    for neighbourhood in ["swap", "insertion", "inversion", "or-2opt"] {
        for pick in ["best", "first"] {
            let settings = chosen("hill-climbing", &[("neighbourhood", neighbourhood), ("pick", pick)]);
            let outcome = run(&catalogue, &problem, &settings, &Budget::default(), 3);
            assert_eq!((outcome.stop, outcome.generations), (Stop::Stagnation, 1), "{neighbourhood}, {pick}");
            // From its end no more than its moves are judged, and none is better.
            let again = Budget { restarts: 5, ..Budget::default() };
            let more = run(&catalogue, &problem, &settings, &again, 3);
            assert_eq!((more.stop, more.restarts, more.generations), (Stop::Restarts, 5, 6));
            assert!(more.best_fitness <= outcome.best_fitness);
        }
    }
}

/// A search of this kind with these settings.
fn chosen(kind: &str, given: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::new();
    for (name, value) in given.iter().chain(&[("kind", kind)]) {
        settings.set(*name, Value::Text((*value).to_owned()));
    }
    settings
}

fn run(catalogue: &Catalogue, problem: &Columns, given: &Settings, budget: &Budget, seed: u64) -> Outcome {
    let mut settings = given.clone();
    // No search goes without a limit; those that count are given here.
    settings.set_at("budget.generations", Value::Integer(1));
    let settings = catalogue.resolve(&settings, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"));
    problem.solve(&catalogue.algorithm(&settings), budget, &mut RandomStream::from_seed(seed), &mut ())
}
