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
    for kind in ["hill-climbing", "iterated-local-search"] {
        let outcome = run(&catalogue, &problem, &chosen(kind, &[]), &budget, 1);
        assert_eq!((outcome.stop, outcome.evaluations), (Stop::Stagnation, 1), "{kind}");
    }
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
