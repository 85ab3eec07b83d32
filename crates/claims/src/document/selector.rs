//! Selectors in a file of claims: which runs a claim is about.

use crate::judge::Alternatives;
use evogrid_analysis::samples::Selector;

use evogrid_runner::experiment::document::{Node, NodeValue, Table};
use evogrid_runner::experiment::spec::fields::Reader;

const FORM: &str = "expected conditions, for example `{ population = 100, bucket = [\"easy\", \"medium\"] }`";

/// The conditions under a key; empty if the key is missing.
pub(super) fn conditions<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str) -> Selector {
    match table.get(key) {
        Some(entry) => of_node(reader, key, &entry.node),
        None => Selector::default(),
    }
}

/// The alternatives of a comparison: `"others"`, conditions, or a list of conditions.
pub(super) fn against<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Option<Alternatives> {
    let node = &table.get("against")?.node;
    match &node.value {
        NodeValue::Text(text) if text == "others" => Some(Alternatives::Others),
        NodeValue::Table(_) => Some(Alternatives::These(vec![of_node(reader, "against", node)])),
        NodeValue::List(items) => {
            Some(Alternatives::These(items.iter().map(|item| of_node(reader, "against", item)).collect()))
        }
        _ => reader.unexpected("against", node, "expected \"others\", conditions or a list of conditions"),
    }
}

/// The list of names under a key; empty if the key is missing.
pub(super) fn names<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str) -> Vec<String> {
    reader.texts(table, key).unwrap_or_default().into_iter().map(|(name, _)| name.to_owned()).collect()
}

fn of_node(reader: &mut Reader<'_>, key: &str, node: &Node) -> Selector {
    let NodeValue::Table(table) = &node.value else {
        reader.unexpected::<()>(key, node, FORM);
        return Selector::default();
    };
    let mut selector = Selector::default();
    for entry in &table.entries {
        let nodes = match &entry.node.value {
            NodeValue::List(items) => items.iter().collect(),
            _ => vec![&entry.node],
        };
        let values = nodes.into_iter().filter_map(|node| value(reader, &entry.key, node)).collect();
        selector.0.push((entry.key.clone(), values));
    }
    selector
}

/// A value as `runs.csv` writes it.
fn value(reader: &mut Reader<'_>, key: &str, node: &Node) -> Option<String> {
    match &node.value {
        NodeValue::Flag(flag) => Some(flag.to_string()),
        NodeValue::Integer(integer) => Some(integer.to_string()),
        NodeValue::Real(real) => Some(real.to_string()),
        NodeValue::Text(text) => Some(text.clone()),
        _ => reader.unexpected(key, node, "expected a number, true, false or text, as in the column of runs.csv"),
    }
}
