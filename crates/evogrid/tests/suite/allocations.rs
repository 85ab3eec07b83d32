//! No search asks for memory in its loop, on the fast neighbourhoods of any family: what it needs is there after the first few generations.

use crate::small_instance::small_instance;
use evogrid::prelude::*;
use evogrid_core::parameter::{DefaultValue, Domain};
use evogrid_core::settings::{Settings, Value};

/// Exact methods keep the nodes of their trees; a program is not our memory.
const OTHERS: [&str; 4] = ["backtracking", "external", "milp", "sat"];

/// How many more generations the longer run has.
const MORE: u64 = 400;

/// Growth of a buffer to the largest that a run needs: some doublings, which no loop does in every generation.
const DOUBLINGS: u64 = 24;

/// An algorithm by its name, with its defaults and plain operators where there are none.
fn settings(catalogue: &Catalogue, family: &dyn Family, algorithm: &str) -> Option<Settings> {
    let mut given = Settings::new();
    given.set("kind", Value::Text(algorithm.to_owned()));
    given.set_at("budget.generations", Value::Integer(1));
    let declaration = catalogue.algorithms.find(algorithm)?.declaration;
    for parameter in declaration.parameters {
        if let (Domain::Operator(category), DefaultValue::Required) = (parameter.domain, parameter.default) {
            let plain = ["tournament", "order", "insertion", "hill-climbing"];
            let members = catalogue.of_category(category);
            let member = members.iter().find(|member| plain.contains(&member.name)).or(members.first())?;
            given.set(parameter.name, Value::Text(member.name.to_owned()));
        }
    }
    if declaration.parameters.iter().any(|parameter| parameter.name == "evolution") {
        given.set("evolution", Value::Flag(family.text_column() == "puzzle"));
    }
    // Local searches within another are short here, so that there can be many.
    let limit = "local_search_evaluations";
    if declaration.parameters.iter().any(|parameter| parameter.name == limit) {
        given.set(limit, Value::Integer(20));
    }
    let resolved = catalogue.resolve(&given, &[family.declaration().name]).expect("a plain algorithm is right");
    catalogue.misfits(&resolved, family).is_empty().then_some(resolved)
}

#[test]
fn more_generations_ask_for_no_more_memory() {
    let catalogue = evogrid::catalogue();
    for family in catalogue.families().filter(|family| family.has_genomes()) {
        let instance = small_instance(family, 16, 90, 40);
        let names = catalogue.algorithms.declarations().map(|algorithm| algorithm.name);
        let searches = names.filter(|name| !OTHERS.contains(name));
        let fitting = searches.filter_map(|name| Some((name, settings(&catalogue, family, name)?)));
        let fitting: Vec<_> = fitting.collect();
        assert!(fitting.len() > 4, "only {} searches fit", fitting.len());
        for (name, settings) in fitting {
            let (algorithm, problem) = (catalogue.algorithm(&settings), instance.prepare(&settings));
            let [few, many] = [40, 40 + MORE].map(|generations| {
                // A generation of hill climbing is a trial.
                let budget = match name {
                    "hill-climbing" => Budget { restarts: generations, ..Budget::default() },
                    _ => Budget { generations: Some(generations), ..Budget::default() },
                };
                let memory = allocation_counter::measure(|| {
                    let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(20), &mut ());
                    assert!(outcome.failure.is_none(), "{name}: {:?}", outcome.failure);
                });
                memory.count_total
            });
            let problem = family.declaration().name;
            assert!(
                many <= few + DOUBLINGS,
                "{name} on {problem}: {few} allocations, and with {MORE} more generations {many}"
            );
        }
    }
}
