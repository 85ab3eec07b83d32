//! Dotted paths of settings: finds a document's entries and values at these paths.

use evogrid_core::catalogue::SettingPart;
use evogrid_core::settings::Value;

use super::{Entry, NodeValue, Span, Table};

/// Appends a key to a dotted path.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// The first key of a path.
pub fn root(path: &str) -> &str {
    path.split_once('.').map_or(path, |(root, _)| root)
}

/// The rest of a path below the path `above`; `None` if the path is not below it.
pub(crate) fn within<'p>(path: &'p str, above: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(above)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

/// The entry of a setting in a table.
pub(crate) fn entry_at<'t>(table: &'t Table, path: &str) -> Option<&'t Entry> {
    table.entries.iter().find_map(|entry| match (within(path, &entry.key)?, &entry.node.value) {
        ("", _) => Some(entry),
        (rest, NodeValue::Table(inner)) => entry_at(inner, rest),
        _ => None,
    })
}

/// The place of a part of an entry.
pub(crate) fn span_of(entry: &Entry, part: SettingPart) -> Span {
    if part == SettingPart::Name { entry.key_span } else { entry.node.span }
}

/// Returns the place in the file where the setting `path` is written. The path begins in `table`. If the setting is missing, returns the
/// place of the innermost existing table on the path.
pub fn span_at(table: &Table, path: &str, part: SettingPart) -> Option<Span> {
    let (entry, rest) = table.entries.iter().find_map(|entry| Some((entry, within(path, &entry.key)?)))?;
    match &entry.node.value {
        _ if rest.is_empty() => Some(span_of(entry, part)),
        NodeValue::Table(inner) => span_at(inner, rest, part).or(Some(entry.key_span)),
        _ => Some(entry.node.span),
    }
}

/// Collects the entries of a table with their dotted paths. If `is_whole` accepts an entry with a table, the entry is collected. If not,
/// the entries in its table are collected: `mutation.other = 0.1` without quotes is a table in a table.
pub(crate) fn settings_of<'t>(
    prefix: &str,
    table: &'t Table,
    is_whole: &dyn Fn(&str, &Table) -> bool,
    found: &mut Vec<(String, &'t Entry)>,
) {
    for entry in &table.entries {
        let path = join(prefix, &entry.key);
        match &entry.node.value {
            NodeValue::Table(inner) if !entry.key.is_empty() && !is_whole(&path, inner) => {
                settings_of(&path, inner, is_whole, found);
            }
            _ => found.push((path, entry)),
        }
    }
}

/// The part of a value that belongs to a setting below this value, or the name of an operator if `kind` is requested.
pub(crate) fn value_at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    match value {
        _ if path.is_empty() => Some(value),
        Value::Table(table) => table.iter().find_map(|(name, inner)| value_at(inner, within(path, name)?)),
        Value::Text(_) => (path == "kind").then_some(value),
        _ => None,
    }
}

/// Whether two values of one setting overlap: two tables overlap only if they have a common entry.
pub(crate) fn overlap(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Table(one), Value::Table(other)) => {
            one.iter().any(|(name, value)| other.get(name).is_some_and(|other| overlap(value, other)))
        }
        (Value::Table(table), _) | (_, Value::Table(table)) => table.get("kind").is_some(),
        _ => true,
    }
}
