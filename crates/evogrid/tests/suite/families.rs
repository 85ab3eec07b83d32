//! Every search and every operator on every family that offers what they need: valid solutions, within the budget, the same again.

use crate::small_instance::small_instance;
use evogrid::prelude::*;
use evogrid_core::parameter::{DefaultValue, Domain};
use evogrid_core::settings::{Settings, Value};

/// The settings of every search, each of whose operators is every one in turn, the others the first that fit.
pub(crate) fn searches(catalogue: &Catalogue, family: &dyn Family) -> Vec<Settings> {
    let fits = |settings: &Settings| {
        let resolved = catalogue.resolve(settings, &[family.declaration().name]);
        resolved.is_ok_and(|settings| catalogue.misfits(&settings, family).is_empty())
    };
    let mut all = Vec::new();
    for algorithm in catalogue.algorithms.declarations().filter(|algorithm| algorithm.name != "external") {
        let mut first = Settings::new();
        first.set("kind", Value::Text(algorithm.name.to_owned()));
        first.set_at("budget.evaluations", Value::Integer(400));
        let operators = algorithm.parameters.iter().filter_map(|parameter| match parameter.domain {
            Domain::Operator(category) => Some((parameter, category)),
            _ => None,
        });
        let operators: Vec<_> = operators.collect();
        // What must be given is given first, so that the others can be tried one by one.
        for (parameter, category) in &operators {
            if matches!(parameter.default, DefaultValue::Required) || parameter.absent_needs.is_some() {
                let plain = ["tournament", "order", "insertion", "random-search"];
                let members = catalogue.of_category(category);
                let member = members.iter().find(|member| plain.contains(&member.name)).expect("a plain one");
                first.set(parameter.name, Value::Text(member.name.to_owned()));
            }
        }
        // A nested search that does not end by itself needs it.
        let limit = "local_search_evaluations";
        if algorithm.parameters.iter().any(|parameter| parameter.name == limit) {
            first.set(limit, Value::Integer(50));
        }
        if fits(&first) {
            all.push(first.clone());
        }
        for (parameter, category) in &operators {
            for member in catalogue.of_category(category) {
                let mut settings = first.clone();
                settings.set(parameter.name, Value::Text(member.name.to_owned()));
                if fits(&settings) {
                    all.push(settings);
                }
            }
        }
    }
    all
}

#[test]
fn every_search_and_every_operator_runs_on_every_family_that_offers_what_it_needs() {
    let catalogue = evogrid::catalogue();
    for family in catalogue.families().filter(|family| family.has_genomes()) {
        let name = family.declaration().name;
        // Small, and not so few that nothing can be moved.
        let instance = small_instance(family, 4, 6, 7);
        let content = instance.content();
        let objective = family.objective(&content).expect("every family here has one");
        let searches = searches(&catalogue, family);
        assert!(searches.len() > 25, "{name}: only {} searches fit", searches.len());
        for given in searches {
            let settings = catalogue.resolve(&given, &[name]).expect("it fits");
            let (algorithm, problem) = (catalogue.algorithm(&settings), instance.prepare(&settings));
            let budget = Budget { evaluations: Some(400), generations: Some(40), ..Budget::default() };
            let run = || problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(3), &mut ());
            let outcome = run();
            assert!(outcome.failure.is_none(), "{name}, {}: {:?}", settings.canonical(), outcome.failure);
            assert!(outcome.evaluations <= 400, "{name}, {}", settings.canonical());
            assert_eq!(outcome.best_genome, run().best_genome, "{name}, {}", settings.canonical());
            if outcome.best_genome.is_empty() {
                // An exact method that found nothing in time.
                continue;
            }
            let solution = problem.describe(&outcome.best_genome);
            let measured = objective.measure(&content, &solution).expect("it is computed");
            let measured = measured.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            if family.fitness(&settings, Some(&objective)) == objective.fitness_name() {
                assert_eq!(measured, outcome.best_fitness.value(), "{name}, {}", settings.canonical());
            }
        }
    }
}

#[test]
fn a_problem_says_the_sizes_that_its_family_declares() {
    let catalogue = evogrid::catalogue();
    for family in catalogue.families().filter(|family| family.has_genomes()) {
        let (name, instance) = (family.declaration().name, small_instance(family, 4, 6, 7));
        for (size, value) in family.sizes().iter().zip(instance.sizes()) {
            let mut given = Settings::new();
            given.set("kind", Value::Text("late-acceptance".to_owned()));
            given.set_at("chain.per", Value::Text(format!("2 * {}", size.name)));
            given.set_at("budget.generations", Value::Integer(1));
            let settings = catalogue.resolve(&given, &[name]).expect("it may grow with each of its sizes");
            let budget = Budget { generations: Some(1), target: Some(Fitness::new(-1.0)), ..Budget::default() };
            let problem = instance.prepare(&settings);
            let outcome =
                problem.solve(&catalogue.algorithm(&settings), &budget, &mut RandomStream::from_seed(1), &mut ());
            assert_eq!(outcome.evaluations as f64, 1.0 + 2.0 * value.1, "{name} {}: {outcome:?}", size.name);
        }
    }
}
