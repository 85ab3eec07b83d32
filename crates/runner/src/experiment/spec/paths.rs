//! The values of settings at dotted paths.

use evogrid_core::settings::Value;

pub(crate) use crate::experiment::document::dotted::{entry_at, join, within};
pub use crate::experiment::document::dotted::{root, span_at};

/// The keys of the table `experiment`.
pub(super) const EXPERIMENT_KEYS: [&str; 6] = ["name", "title", "seed", "repetitions", "seeding", "published"];

/// What a value says of a setting below it: the value there, or the name of an operator if its `kind` is asked for.
pub(super) fn value_at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    match value {
        _ if path.is_empty() => Some(value),
        Value::Table(table) => table.iter().find_map(|(name, inner)| value_at(inner, within(path, name)?)),
        Value::Text(_) => (path == "kind").then_some(value),
        _ => None,
    }
}

/// Whether two values of one setting speak of the same: two tables only if they have an entry in common.
pub(super) fn overlap(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Table(one), Value::Table(other)) => {
            one.iter().any(|(name, value)| other.get(name).is_some_and(|other| overlap(value, other)))
        }
        (Value::Table(table), _) | (_, Value::Table(table)) => table.get("kind").is_some(),
        _ => true,
    }
}
