//! Dotted paths of settings, and the entries of a document at these paths.

use evogrid_core::catalogue::SettingPart;

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

/// The place of a setting in a table. If the setting does not exist, it is the place of the deepest enclosing table that exists.
pub fn span_at(table: &Table, path: &str, part: SettingPart) -> Option<Span> {
    let entry = table.entries.iter().find(|entry| within(path, &entry.key).is_some())?;
    let rest = within(path, &entry.key)?;
    match &entry.node.value {
        _ if rest.is_empty() && part == SettingPart::Name => Some(entry.key_span),
        NodeValue::Table(inner) if !rest.is_empty() => span_at(inner, rest, part).or(Some(entry.key_span)),
        _ => Some(entry.node.span),
    }
}
