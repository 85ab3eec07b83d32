//! Exclusions: which combinations of the varied settings are left out. They are compared with resolved settings, so that 1 equals 1.0, an
//! operator's name equals its table, and a default or a value of the preset counts as if it were written.

use evogrid_core::settings::Value;

use super::axis::PlacedAxis;
use super::fields::Reader;
use super::paths::join;
use crate::experiment::document::{Entry, Node, NodeValue, Span, Table};

/// An excluded combination with its places.
pub(super) struct PlacedExclusion {
    /// The settings that it names, and their values.
    pub(super) combination: Vec<(String, Value)>,
    /// The place of the whole exclusion.
    pub(super) span: Span,
    /// The places of each setting's name and value.
    pub(super) places: Vec<(Span, Span)>,
}

/// Reads the tables of `exclude`.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    tables: Vec<(&'d Entry, &'d Node, &'d Table)>,
    axes: &[PlacedAxis<'_>],
) -> Vec<PlacedExclusion> {
    let mut exclusions = Vec::new();
    for (_, node, table) in tables {
        if table.entries.is_empty() {
            let help = "name settings of the configurations to remove";
            reader.fault(&node.span, "an empty table in `exclude` removes every configuration", help);
        }
        let mut exclusion = PlacedExclusion { combination: Vec::new(), span: node.span, places: Vec::new() };
        let is_varied = |path: &str| axes.iter().any(|placed| placed.axis.paths.iter().any(|varied| varied == path));
        read_combination(reader, "", table, &is_varied, &mut exclusion);
        exclusions.push(exclusion);
    }
    exclusions
}

fn read_combination(
    reader: &mut Reader<'_>,
    prefix: &str,
    table: &Table,
    is_varied: &dyn Fn(&str) -> bool,
    exclusion: &mut PlacedExclusion,
) {
    for entry in &table.entries {
        let path = join(prefix, &entry.key);
        match &entry.node.value {
            // `mutation.other = 0.1` without quotes is a table in a table.
            NodeValue::Table(inner) if !is_varied(&path) && inner.get("kind").is_none() => {
                read_combination(reader, &path, inner, is_varied, exclusion);
            }
            _ => {
                if let Some(first) = exclusion.combination.iter().position(|(other, _)| *other == path) {
                    reader.twice(&path, "given", exclusion.places[first].0, entry.key_span);
                }
                if let Some(value) = reader.value(&path, &entry.node) {
                    exclusion.combination.push((path, value));
                    exclusion.places.push((entry.key_span, entry.node.span));
                }
            }
        }
    }
}
