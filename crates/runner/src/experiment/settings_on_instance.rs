//! Resolved settings on an instance. The best known value of the instance determines the target. The sizes of the instance determine the
//! limits.

use evogrid_core::budget::{Budget, TARGET_GAP, is_unset};
use evogrid_core::family::{BestKnown, Family, Instance};
use evogrid_core::fitness::Fitness;
use evogrid_core::settings::{Settings, Value};

/// Resolved settings with a target that is computed from the setting `target_gap`.
pub fn with_target(settings: &Settings, best_known: Option<BestKnown>) -> Settings {
    let mut limits = Settings::new();
    for (name, value) in settings.table("budget").iter() {
        match (name, value.as_real(), best_known) {
            (TARGET_GAP, Some(gap), Some(known)) => limits.set("target", Value::Real(known.within(gap))),
            (TARGET_GAP, ..) => {}
            _ => limits.set(name, value.clone()),
        }
    }
    let mut with = settings.clone();
    with.set("budget", Value::Table(limits));
    with
}

/// The limits whose effect depends on the machine.
pub const TIME_LIMITS: [&str; 2] = ["budget.seconds", "budget.cpu_seconds"];

/// Whether the outcome with these settings depends on the speed of the machine.
pub fn has_time_limit(settings: &Settings) -> bool {
    TIME_LIMITS.iter().any(|limit| settings.at(limit).is_some_and(|seconds| !is_unset(limit, seconds)))
}

/// The budget of resolved settings on an instance. The settings have no `target_gap`.
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

/// The size with this name among the sizes of an instance; NaN if there is no such size.
pub fn size<N: AsRef<str>>(sizes: &[(N, f64)], name: &str) -> f64 {
    sizes.iter().find(|(known, _)| known.as_ref() == name).map_or(f64::NAN, |&(_, value)| value)
}
