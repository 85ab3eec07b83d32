//! Computes the parts of resolved settings that depend on the instance. The target may depend on the best known value of the instance.
//! Limits may depend on the sizes of the instance.

use evogrid_core::budget::{Budget, TARGET_GAP, is_unset};
use evogrid_core::family::{BestKnown, Family, Instance};
use evogrid_core::fitness::Fitness;
use evogrid_core::settings::{Settings, Value};

use crate::experiment::document::dotted::join;

/// Returns the settings with a `target` instead of a `target_gap`. The target is computed from `target_gap` and the best known value.
pub fn with_target(settings: &Settings, best_known: Option<BestKnown>) -> Settings {
    let path = join("budget", TARGET_GAP);
    let mut with = settings.clone();
    with.remove_at(&path);
    if let (Some(gap), Some(known)) = (settings.at(&path).and_then(Value::as_real), best_known) {
        with.set_at("budget.target", Value::Real(known.within(gap)));
    }
    with
}

/// The settings that limit time. The effect of these settings depends on the speed of the machine.
pub const TIME_LIMITS: [&str; 2] = ["budget.seconds", "budget.cpu_seconds"];

/// Whether the settings have a time limit. With a time limit, the outcome of a run depends on the machine's speed.
pub fn has_time_limit(settings: &Settings) -> bool {
    TIME_LIMITS.iter().any(|limit| settings.at(limit).is_some_and(|seconds| !is_unset(limit, seconds)))
}

/// Returns the budget of a run on an instance. The settings must be resolved and must not have a `target_gap`.
pub fn budget_on(settings: &Settings, family: &dyn Family, instance: &dyn Instance) -> Budget {
    let limits = settings.table("budget");
    let budget = if Budget::grows(limits) {
        let sizes = instance.sizes();
        Budget::for_instance(limits, &|name| size(&sizes, name))
    } else {
        Budget::from_settings(limits)
    };
    // The settings have the target as an objective, and not as a fitness that is minimised.
    let fitness = |target: Fitness| family.direction(&instance.content()).fitness(target.value());
    Budget { target: budget.target.map(fitness), ..budget }
}

/// Finds the size with the name `name` among the sizes of an instance. Returns NaN if the instance has no such size.
pub fn size<N: AsRef<str>>(sizes: &[(N, f64)], name: &str) -> f64 {
    sizes.iter().find(|(known, _)| known.as_ref() == name).map_or(f64::NAN, |&(_, value)| value)
}
