//! Compares the limits of the algorithms in an experiment. Notes tell the user if limits differ, or if equal limits allow different amounts
//! of work. Limits may differ, for example, because a preset has its own limits. A user who sets `evaluations` for all algorithms may not
//! know the limits of a preset.

use std::collections::{BTreeMap, BTreeSet};

use evogrid_core::budget::{self, UNSET};
use serde_json::{Value as Json, json};

use crate::experiment::settings_json::SettingsByPath;

/// The maximum number of values of a varied limit that are named.
const VALUES_NAMED: usize = 4;

/// The settings that give the size of a population, which is about the number of evaluations in a generation.
const POPULATIONS: [&str; 2] = ["population", "organisms"];

/// Returns notes for the user if the limits of the algorithms differ, or allow different amounts of work.
pub fn notes(limits: &[(String, SettingsByPath)]) -> Vec<String> {
    [unequal_work(limits), note(limits)].into_iter().flatten().collect()
}

/// Returns a note if the limits of these algorithms differ. Each algorithm is given by its name and its settings. Only the budgets in the
/// settings are compared.
pub fn note(limits: &[(String, SettingsByPath)]) -> Option<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, settings) in limits {
        let described = describe(settings);
        match groups.iter_mut().find(|(other, _)| *other == described) {
            Some((_, names)) => names.push(name),
            None => groups.push((described, vec![name])),
        }
    }
    if groups.len() < 2 {
        return None;
    }
    let groups: Vec<String> =
        groups.iter().map(|(described, names)| format!("{}: {described}", names.join(", "))).collect();
    Some(format!("the algorithms have different limits: {}.", groups.join("; ")))
}

/// Returns a note if algorithms have the same generation limit but different population sizes. There is no note if all runs reach the limit
/// of evaluations before the limit of generations.
pub fn unequal_work(limits: &[(String, SettingsByPath)]) -> Option<String> {
    let mut populations_of: BTreeMap<u64, (BTreeSet<u64>, bool)> = BTreeMap::new();
    for (_, settings) in limits {
        let numbers = |path: &str| match settings.get(path) {
            Some(Json::Array(values)) => values.iter().filter_map(Json::as_u64).collect(),
            value => Vec::from_iter(value.and_then(Json::as_u64)),
        };
        let limit = |name: &str| numbers(&format!("{}.{name}", budget::DECLARATION.name));
        let evaluations = limit("evaluations").into_iter().max().unwrap_or(u64::MAX);
        let trials = limit("restarts").into_iter().max().unwrap_or(0).saturating_add(1);
        for generations in limit("generations") {
            let (populations, is_reached) = populations_of.entry(generations).or_default();
            for population in POPULATIONS.into_iter().flat_map(numbers) {
                populations.insert(population);
                *is_reached |= generations.saturating_mul(trials).saturating_mul(population) < evaluations;
            }
        }
    }
    let is_unequal =
        |(_, (populations, is_reached)): &(u64, (BTreeSet<u64>, bool))| populations.len() > 1 && *is_reached;
    let (generations, (populations, _)) = populations_of.into_iter().find(is_unequal)?;
    let populations = in_words(&populations.iter().map(u64::to_string).collect::<Vec<_>>(), ", ");
    Some(format!(
        "the configurations have the same number of generations ({generations}), but populations of {populations} need \
        different numbers of evaluations."
    ))
}

/// The text of the limits in some settings: `evaluations 200000, stagnation 25, no restarts`.
fn describe(settings: &SettingsByPath) -> String {
    let value = |name: &str| {
        let path = format!("{}.{name}", budget::DECLARATION.name);
        let growing = || {
            let parts = ["per", "times"].map(|part| settings.get(&format!("{path}.{part}")).cloned());
            let [Some(per), Some(times)] = parts else { return None };
            Some(json!({ "per": per, "times": times }))
        };
        settings.get(&path).cloned().or_else(growing).filter(|value| *value != UNSET)
    };
    let ends_trials = ["generations", "stagnation"].iter().any(|name| value(name).is_some());
    let described = budget::DECLARATION.parameters.iter().filter_map(|limit| match (limit.name, value(limit.name)?) {
        ("restarts", _) if !ends_trials => None,
        ("restarts", restarts) if restarts == 0 => Some("no restarts".to_owned()),
        (name, value) => Some(format!("{name} {}", values(&value))),
    });
    let described: Vec<String> = described.collect();
    if described.is_empty() { "none".to_owned() } else { described.join(", ") }
}

/// The text of a limit, such as `5`, or of a varied limit, such as `5 or 25`.
fn values(value: &Json) -> String {
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let plain = |value: &Json| match (value.get("times"), value.get("per")) {
        (Some(times), Some(per)) => format!("{} x {}", text(times), text(per)),
        _ => text(value),
    };
    match value {
        Json::Array(values) => in_words(&values.iter().map(plain).collect::<Vec<_>>(), " or "),
        value => plain(value),
    }
}

/// All values, joined by `between`. If there are many values, only the first value, the last value and the number of values.
fn in_words(values: &[String], between: &str) -> String {
    match values {
        [first, .., last] if values.len() > VALUES_NAMED => format!("{first} to {last} ({} values)", values.len()),
        values => values.join(between),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn algorithm(name: &str, settings: &Json) -> (String, SettingsByPath) {
        let settings = settings.as_object().expect("an object").clone();
        (name.to_owned(), settings.into_iter().map(|(limit, value)| (format!("budget.{limit}"), value)).collect())
    }

    #[test]
    fn limits_that_differ_stand_side_by_side() {
        let plain = json!({ "evaluations": 200_000, "restarts": 0 });
        let preset = json!({ "evaluations": 200_000, "generations": 1000, "stagnation": 25, "restarts": 0 });
        let varied = json!({ "evaluations": 200_000, "stagnation": [5, "none"], "restarts": [0, 1, 2, 3, 4] });
        let same = [algorithm("a", &plain), algorithm("b", &plain)];
        assert_eq!(note(&same), None);
        let all = [algorithm("huke", &preset), algorithm("a", &plain), algorithm("v", &varied), algorithm("b", &plain)];
        assert_eq!(
            note(&all).as_deref(),
            Some(
                "the algorithms have different limits: huke: evaluations 200000, generations 1000, \
                 stagnation 25, no restarts; a, b: evaluations 200000; v: evaluations 200000, stagnation 5 or none, restarts 0 to 4 \
                 (5 values)."
            )
        );
    }

    #[test]
    fn equal_generations_of_unequal_populations_are_unequal_work_unless_evaluations_end_them() {
        let limits = |evaluations: Json, restarts: u64| {
            let budget = json!({ "generations": 1000, "evaluations": evaluations, "restarts": restarts });
            let mut settings = algorithm("huke", &budget);
            settings.1.insert("population".to_owned(), json!([100, 500, 1000]));
            let mut other = algorithm("workers", &budget);
            other.1.insert("organisms".to_owned(), json!(200));
            [settings, other]
        };
        let said = "the configurations have the same number of generations (1000), but populations of 100, 200, 500, \
            1000 need different numbers of evaluations.";
        assert_eq!(unequal_work(&limits(json!(UNSET), 0)).as_deref(), Some(said));
        assert_eq!(unequal_work(&limits(json!(200_000), 0)).as_deref(), Some(said), "100,000 are not reached");
        assert_eq!(unequal_work(&limits(json!(100_000), 0)), None);
        assert_eq!(unequal_work(&limits(json!(200_000), 1)), None);
        assert_eq!(unequal_work(&limits(json!(UNSET), 0)[1..]), None, "one population");
    }

    #[test]
    fn restarts_make_no_difference_where_no_limit_ends_a_trial() {
        let limits = [0, 9].map(|restarts| algorithm("a", &json!({ "evaluations": 10, "restarts": restarts })));
        assert_eq!(note(&limits), None);
    }
}
