//! Memory: what a run is estimated to need is, within a factor of two, what it takes.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::Budget;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use proptest::prelude::*;

use crate::support::{Columns, catalogue, genetic};

/// The bytes that a run was estimated to need and those that it took at once.
fn estimated_and_measured(problem: &Columns, algorithm: &Algorithm) -> (f64, f64) {
    let budget = Budget { generations: Some(3), ..Budget::default() };
    let estimated = problem.memory(algorithm).expect("it is known");
    let measured = allocation_counter::measure(|| {
        problem.solve(algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
    });
    assert!(problem.take_evaluations() > 0, "it did something");
    (estimated as f64, measured.bytes_max as f64)
}

fn settings(entries: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::new();
    entries.iter().for_each(|(name, value)| settings.set_at(name, value.clone()));
    settings
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_estimate_of_the_genetic_algorithm_is_within_a_factor_of_two(
        (population, n_genes, gene_len) in (20..3000_i64, 1..12_usize, 2..12_usize),
        mutated in prop::sample::select(vec!["parents", "offspring", "all"]),
        selection in prop::sample::select(vec!["truncation", "tournament", "sus"]),
        survival in prop::sample::select(vec!["generational", "parents-stay"]),
    ) {
        let catalogue = catalogue();
        let problem = Columns::new(n_genes, gene_len, 0.3, 5);
        let chosen = settings(&[
            ("population", Value::Integer(population)),
            ("mutated", text(mutated)),
            ("selection", text(selection)),
            ("survival", text(survival)),
        ]);
        let algorithm = catalogue.algorithm(&genetic(&catalogue, &chosen));
        let (estimated, measured) = estimated_and_measured(&problem, &algorithm);
        prop_assert!(estimated < 2.0 * measured && measured < 2.0 * estimated, "{estimated} and {measured}");
    }

    #[test]
    fn the_estimate_of_combinatorial_evolution_is_within_a_factor_of_two(
        (organisms, n_genes, gene_len) in (20..3000_i64, 1..12_usize, 2..12_usize),
    ) {
        let catalogue = catalogue();
        let problem = Columns::new(n_genes, gene_len, 0.3, 5);
        let chosen = settings(&[
            ("kind", text("combinatorial-evolution")),
            ("organisms", Value::Integer(organisms)),
            ("budget.generations", Value::Integer(3)),
        ]);
        let resolved = catalogue.resolve(&chosen, &[]).map_err(|faults| TestCaseError::fail(format!("{faults:?}")))?;
        let algorithm = catalogue.algorithm(&resolved);
        let (estimated, measured) = estimated_and_measured(&problem, &algorithm);
        prop_assert!(estimated < 2.0 * measured && measured < 2.0 * estimated, "{estimated} and {measured}");
    }
}

#[test]
fn memory_that_no_system_has_is_a_failed_run() {
    let catalogue = catalogue();
    let problem = Columns::new(9, 9, 0.3, 5);
    let mut huge = Settings::new();
    huge.set("population", Value::Integer(30));
    let Algorithm::Genetic(mut huge) = catalogue.algorithm(&genetic(&catalogue, &huge)) else { panic!("it is one") };
    huge.common.population = usize::MAX / 8;
    let mut evolution = evogrid_core::search::combinatorial::CombinatorialEvolution::PUBLISHED;
    evolution.organisms = usize::MAX / 8;
    for (algorithm, what) in [
        (Algorithm::Genetic(huge), "a population of 2305843009213693951"),
        (Algorithm::CombinatorialEvolution(evolution), "2305843009213693951 organisms"),
    ] {
        let outcome = problem.solve(&algorithm, &Budget::default(), &mut RandomStream::from_seed(1), &mut ());
        let message = outcome.failure.expect("it failed");
        assert!(message.starts_with(&format!("not enough memory for {what}: about ")), "{message}");
    }
}
