//! The faults of an algorithm's settings, each reported at its place.

use std::collections::BTreeSet;

use evogrid_core::budget;
use evogrid_core::catalogue::{Fault, SettingPart};
use evogrid_core::suggestion::{list, synonyms};

use super::EXPERIMENT_KEYS;
use super::algorithm_table::{Context, PlacedAlgorithm};
use super::axis::PlacedAxis;
use super::fields::Reader;
use super::instances::SET_KEYS;
use super::preset::{Preset, preset};
use super::resolved::SettingsError;
use crate::experiment::document::dotted::{entry_at, join, root, span_at, span_of, value_at, within};
use crate::experiment::document::{Node, NodeValue, Span, Table};

/// The path of the table to which a misplaced key belongs, and the key.
pub(super) fn elsewhere(key: &str) -> Option<(&'static str, &'static str)> {
    let limits: Vec<&str> = budget::DECLARATION.parameters.iter().map(|limit| limit.name).collect();
    let tables = [
        ("experiment", &EXPERIMENT_KEYS[..]),
        ("budget", &limits),
        ("instances.0", &SET_KEYS),
        ("record", &["trace"]),
        ("algorithms.NAME", &["kind", "preset", "grid", "zip", "exclude", "space", "design"]),
    ];
    let exact = |(table, keys): &(_, &[&'static str])| Some((*table, *keys.iter().find(|own| **own == key)?));
    let alike = |(table, keys): &(_, &[&'static str])| Some((*table, *synonyms(key, keys).first()?));
    tables.iter().find_map(exact).or_else(|| tables.iter().find_map(alike))
}

/// A message that asks whether a key of another table was meant.
pub(super) fn key_in_table(table: &str, key: &str) -> String {
    let table = if table == "instances.0" { "[[instances]]".to_owned() } else { format!("[{table}]") };
    format!("did you mean `{key}` in `{table}`?")
}

/// Whether the algorithm's table or one of its axes sets a setting.
pub(super) fn is_written(path: &str, table: &Table, axes: &[PlacedAxis<'_>]) -> bool {
    let varies = |PlacedAxis { axis, .. }: &PlacedAxis<'_>| {
        axis.paths.iter().enumerate().any(|(at, own)| {
            within(path, own).is_some_and(|rest| axis.points.iter().any(|point| value_at(&point[at], rest).is_some()))
        })
    };
    // An operator that is given by its name alone has no key `kind`.
    let by_name = path.strip_suffix(".kind").and_then(|above| entry_at(table, above));
    let is_name = by_name.is_some_and(|entry| entry.node.text().is_some());
    is_name || entry_at(table, path).is_some() || axes.iter().any(varies)
}

/// A report of the faults of an algorithm's settings, with everything that is needed to find their places.
pub(super) struct FaultReport<'r, 'd> {
    pub(super) reader: &'r mut Reader<'d>,
    pub(super) placed: &'r PlacedAlgorithm<'d>,
    pub(super) context: &'r Context<'r>,
    /// The places and paths of the reported faults.
    pub(super) reported: BTreeSet<(Span, String)>,
}

impl FaultReport<'_, '_> {
    /// Reports an error at points of the axes or designs.
    pub(super) fn add(&mut self, error: &SettingsError) {
        let PlacedAlgorithm { axes, designs, .. } = self.placed;
        match error {
            // The first point is the number of a design. The other points are choices of its dimensions.
            SettingsError::Fault { fault, points } if !designs.is_empty() => {
                self.add_fault(&designs[points[0]].dimensions, fault, &points[1..]);
            }
            SettingsError::Fault { fault, points } => self.add_fault(axes, fault, points),
            SettingsError::TooMany(numbers) => {
                self.too_many(&designs.first().map_or(axes, |design| &design.dimensions)[numbers[0]]);
            }
        }
    }

    /// Reports an axis with too many combinations.
    pub(super) fn too_many(&mut self, axis: &PlacedAxis<'_>) {
        let message = SettingsError::TooMany(Vec::new()).to_string();
        self.reader.fault(axis.keys[0], message, "write several algorithms, each with fewer combinations");
    }

    /// Reports a fault at these points of these axes.
    pub(super) fn add_fault(&mut self, axes: &[PlacedAxis<'_>], fault: &Fault, points: &[usize]) {
        if fault.part == SettingPart::Name && self.was_unreadable(axes, &fault.path) {
            return;
        }
        let foreign = self.foreign_preset(axes, fault);
        let span = foreign.as_ref().map_or_else(|| self.span(axes, fault, points), |(_, span)| *span);
        // A foreign preset is reported only once, and not for each of its settings.
        let path = if foreign.is_some() { "preset".to_owned() } else { fault.path.clone() };
        let blamed = foreign.map_or_else(|| fault.clone(), |(preset, _)| preset.blamed(fault.clone()));
        let (message, mut help) = (blamed.message, blamed.expected);
        // All values of a range have the same place: only one fault is reported there.
        if !self.reported.insert((span, path)) {
            return;
        }
        if fault.path == "kind" && fault.part == SettingPart::Name {
            help = format!("{help}, or a `preset`: {}", list(self.context.preset_names));
        }
        if let Some(name) = self.preset_named_as_kind(fault) {
            help = format!("`{name}` is a preset, not a kind of algorithm: write `preset = \"{name}\"`");
        }
        if let Some(meant) = self.meant_place(fault, &span) {
            help = meant;
        }
        self.reader.fault(&span, message, help);
    }

    /// The preset whose name was given instead of a kind of algorithm, if there is one.
    fn preset_named_as_kind(&self, fault: &Fault) -> Option<&str> {
        let kind =
            self.placed.table.get("kind").filter(|_| fault.path == "kind" && fault.part == SettingPart::Value)?;
        let name = kind.node.text()?;
        self.context.preset_names.contains(&name).then_some(name)
    }

    /// The preset of another family that sets the faulty setting, and the place of its name.
    fn foreign_preset(&self, axes: &[PlacedAxis<'_>], fault: &Fault) -> Option<(Preset, Span)> {
        let named = self.placed.table.node("preset")?;
        let preset = preset(named.text()?, self.context.catalogue)?;
        let gives = fault.path != "budget" && preset.settings.get(root(&fault.path)).is_some();
        let is_foreign = gives && !self.context.problems.contains(&preset.family);
        let of_all = within(&fault.path, "budget").and_then(|limit| entry_at(self.context.budget?, limit));
        let is_own = is_written(&fault.path, self.placed.table, axes) || of_all.is_some();
        (is_foreign && !is_own).then_some((preset, named.span))
    }

    /// The place that the user probably meant by an unknown setting: a key of another table. On the command line, the place is the path
    /// with the name of the table.
    fn meant_place(&self, fault: &Fault, span: &Span) -> Option<String> {
        let document = self.reader.document();
        let is_there = |path: &&str| fault.part == SettingPart::Name && entry_at(self.placed.table, path).is_some();
        let Some(path) = document.option_text(span).filter(|_| fault.part == SettingPart::Name) else {
            let (table, key) = elsewhere(Some(fault.path.as_str()).filter(is_there)?)?;
            return Some(key_in_table(table, key));
        };
        let algorithms = document.root.node("algorithms")?.table()?;
        let meant = match elsewhere(root(path)) {
            Some((table, key)) => join(table, &path.replacen(root(path), key, 1)),
            None => algorithms.get(root(path)).map(|_| join("algorithms", path))?,
        };
        Some(format!("did you mean `{meant}`?"))
    }

    /// Whether a setting is missing only because its value could not be read, which was already reported.
    fn was_unreadable(&self, axes: &[PlacedAxis<'_>], path: &str) -> bool {
        let is_value = |value: &NodeValue| {
            !matches!(value, NodeValue::List(_) | NodeValue::Date(_) | NodeValue::Unrepresentable(_))
        };
        entry_at(self.placed.table, path).is_some_and(|entry| !is_value(&entry.node.value))
            || self.placed.table.node("grid").and_then(Node::table).is_some_and(|grid| {
                let is_varied = |varied: &String| within(varied, path).is_some();
                entry_at(grid, path).is_some() && !axes.iter().any(|placed| placed.axis.paths.iter().any(is_varied))
            })
    }

    /// The place of a fault: the axis that varies the setting, the table of the algorithm, or `[budget]`. If nothing sets the setting, the
    /// place is the name of the algorithm.
    fn span(&self, axes: &[PlacedAxis<'_>], fault: &Fault, points: &[usize]) -> Span {
        let varied = axes.iter().zip(points).flat_map(|(placed, &point)| {
            placed.axis.paths.iter().enumerate().map(move |(at, path)| (placed, at, point, path))
        });
        let varied = varied.filter(|(.., path)| within(&fault.path, path).is_some());
        // An operator may be varied beside its settings: then the operator is the place of a wrong name, and the setting of a wrong value.
        let is_value = fault.part == SettingPart::Value;
        let fit = |path: &str| if is_value { path.len() } else { usize::MAX - path.len() };
        if let Some((placed, at, point, path)) = varied.max_by_key(|(.., path)| fit(path)) {
            let rest = &fault.path[path.len()..].trim_start_matches('.');
            return match fault.part {
                SettingPart::Name if rest.is_empty() => *placed.keys[at],
                _ => {
                    let node = placed.node(at, point);
                    node.table().and_then(|table| span_at(table, rest, fault.part)).unwrap_or(node.span)
                }
            };
        }
        // In a path such as `mutatoin.other`, the beginning is at fault.
        let mut beyond = axes.iter().flat_map(|placed| placed.axis.paths.iter().zip(&placed.keys));
        let in_grid = beyond.find(|(path, _)| within(path, &fault.path).is_some()).map(|(_, key)| **key);
        let below = |path| within(path, "budget").filter(|rest| !rest.is_empty());
        let exact = |table, path| entry_at(table, path).map(|entry| span_of(entry, fault.part));
        let in_budget = || exact(self.context.budget?, below(&fault.path)?);
        let near_budget = || span_at(self.context.budget?, below(&fault.path)?, fault.part);
        exact(self.placed.table, &fault.path)
            .or_else(in_budget)
            .or(in_grid.filter(|_| fault.part == SettingPart::Name))
            .or_else(|| span_at(self.placed.table, &fault.path, fault.part))
            .or_else(near_budget)
            .unwrap_or(self.placed.entry.key_span)
    }
}
