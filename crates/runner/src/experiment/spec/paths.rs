//! The values of settings at dotted paths.

use evogrid_core::settings::Value;

pub(crate) use crate::experiment::document::dotted::{entry_at, join, within};
pub use crate::experiment::document::dotted::{root, span_at};

/// The keys of the table `experiment`.
pub(super) const EXPERIMENT_KEYS: [&str; 6] = ["name", "title", "seed", "repetitions", "seeding", "published"];

/// The part of a value for a setting below it, or the name of an operator if `kind` is requested.
pub(super) fn value_at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    match value {
        _ if path.is_empty() => Some(value),
        Value::Table(table) => table.iter().find_map(|(name, inner)| value_at(inner, within(path, name)?)),
        Value::Text(_) => (path == "kind").then_some(value),
        _ => None,
    }
}

/// Whether two values of one setting overlap: two tables overlap only if they have a common entry.
pub(super) fn overlap(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Table(one), Value::Table(other)) => {
            one.iter().any(|(name, value)| other.get(name).is_some_and(|other| overlap(value, other)))
        }
        (Value::Table(table), _) | (_, Value::Table(table)) => table.get("kind").is_some(),
        _ => true,
    }
}
