//! A generation allocates nothing: its memory is there after the first few.

use evogrid_core::algorithm::Solve;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::parameter::{Declaration, DefaultValue, Domain};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};

use crate::support::{Columns, catalogue, genetic};

#[test]
fn a_thousand_more_generations_allocate_nothing_more() {
    let catalogue = catalogue();
    let problem = Columns::new(9, 9, 0.37, 9);
    for (family, members) in catalogue.operators.declarations() {
        for member in members {
            // Whether what may be absent is, as the rate per gene of a mutation.
            for (mutated, accept, is_spare) in [("parents", "always", false), ("all", "not-worse", true)] {
                let mut settings = Settings::new();
                settings.set(family, Value::Table(halfway(member, is_spare)));
                if family != "perturbation" {
                    settings.set("population", Value::Integer(30));
                    settings.set("mutated", Value::Text(mutated.to_owned()));
                    settings.set("accept", Value::Text(accept.to_owned()));
                }
                let [few, many] =
                    [20, 1020].map(|generations| allocations(&catalogue, &problem, &settings, generations));
                assert_eq!(few, many, "{family} {}, {mutated} mutated", member.name);
            }
        }
    }
}

#[test]
fn three_hundred_more_perturbations_and_descents_allocate_nothing_more() {
    let (catalogue, problem) = (catalogue(), Columns::new(9, 9, 0.37, 9));
    for neighbourhood in ["swap", "insertion", "inversion", "or-2opt"] {
        let mut settings = Settings::new();
        settings.set("perturbation", Value::Text("random-swaps".to_owned()));
        settings.set("neighbourhood", Value::Text(neighbourhood.to_owned()));
        let [few, many] = [20, 320].map(|generations| allocations(&catalogue, &problem, &settings, generations));
        assert_eq!(few, many, "{neighbourhood}");
    }
}

#[test]
fn other_searches_of_a_population_allocate_nothing_more() {
    let (catalogue, problem) = (catalogue(), Columns::new(6, 6, 0.3, 9));
    for kind in ["hill-climbing", "iterated-local-search", "min-conflicts"] {
        let mut settings = Settings::new();
        settings.set("kind", Value::Text("memetic".to_owned()));
        settings.set("local_search", Value::Text(kind.to_owned()));
        settings.set("local_search_evaluations", Value::Integer(60));
        settings.set("population", Value::Integer(10));
        let [few, many] = [20, 320].map(|generations| allocations(&catalogue, &problem, &settings, generations));
        assert_eq!(few, many, "{kind}");
    }
    let mut settings = Settings::new();
    settings.set("kind", Value::Text("steady-state".to_owned()));
    let [few, many] = [20, 320].map(|generations| allocations(&catalogue, &problem, &settings, generations));
    assert_eq!(few, many, "steady-state");
}

#[test]
fn three_hundred_more_chains_of_a_walk_allocate_nothing_more() {
    let (catalogue, problem) = (catalogue(), Columns::new(9, 9, 0.37, 9));
    for kind in ["annealing", "threshold-accepting", "late-acceptance"] {
        let mut settings = Settings::new();
        settings.set("kind", Value::Text(kind.to_owned()));
        settings.set_at("budget.generations", Value::Integer(1));
        let settings = catalogue.resolve(&settings, &[]).expect("the defaults are right");
        let [few, many] = [20, 320].map(|generations| counted(&catalogue, &problem, &settings, generations));
        assert_eq!(few, many, "{kind}");
    }
}

/// How often a run of so many generations asks for memory.
fn allocations(catalogue: &Catalogue, problem: &Columns, settings: &Settings, generations: u64) -> u64 {
    counted(catalogue, problem, &genetic(catalogue, settings), generations)
}

/// The same of resolved settings.
fn counted(catalogue: &Catalogue, problem: &Columns, settings: &Settings, generations: u64) -> u64 {
    let algorithm = catalogue.algorithm(settings);
    let budget = Budget { generations: Some(generations), ..Budget::default() };
    let mut stop = None;
    let info = allocation_counter::measure(|| {
        stop = Some(problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(20), &mut ()).stop);
    });
    assert_eq!((stop, problem.take_evaluations() > generations), (Some(Stop::Generations), true));
    info.count_total
}

/// A member with every number halfway through its range: no share is zero, so that nothing is left out. A spare one has only those
/// that it must have.
fn halfway(declaration: &Declaration, is_spare: bool) -> Settings {
    let mut settings = Settings::new();
    settings.set("kind", Value::Text(declaration.name.to_owned()));
    for parameter in declaration.parameters {
        let is_left_out = is_spare && matches!(parameter.default, DefaultValue::Absent);
        if let (Domain::Real { min, max }, false) = (parameter.domain, is_left_out) {
            settings.set(parameter.name, Value::Real((min + max) / 2.0));
        }
    }
    settings
}
