//! One algorithm of an experiment: its settings laid over its preset's, what it varies, and the check of all of it.

use std::collections::BTreeMap;

use evogrid_core::catalogue::{Catalogue, Fault, Place};
use evogrid_core::settings::{Settings, Value};
use evogrid_core::suggestion::nearest;

use super::axis::{self, Axis, Placed};
use super::fields::{Reader, list};
use super::preset::Preset;
use crate::document::{Entry, NodeValue, Span, Table};
use crate::plan::advance;

/// Keys of an algorithm's table that are no settings.
const RESERVED: [&str; 4] = ["preset", "grid", "zip", "exclude"];

/// The most combinations of axes that speak of the same operator; all of them are checked.
const CHECKED: usize = 100_000;

/// An algorithm and what it varies.
#[derive(Clone, Debug)]
pub struct AlgorithmSpec {
    /// Its name in the experiment.
    pub name: String,
    /// Its settings where nothing is varied, the budget among them, without defaults.
    pub base: Settings,
    /// What it varies; the last moves fastest.
    pub axes: Vec<Axis>,
    /// Combinations that are left out: each a list of paths and values.
    pub excluded: Vec<Vec<(String, Value)>>,
}

impl AlgorithmSpec {
    /// The base with the values of some points of axes laid over it. Operators come before their own settings.
    #[must_use]
    pub fn at<'a>(&self, values: impl Iterator<Item = (&'a str, &'a Value)>) -> Settings {
        let mut values: Vec<(&str, &Value)> = values.collect();
        values.sort_by_key(|(path, _)| path.matches('.').count());
        let mut settings = self.base.clone();
        for (path, value) in values {
            let mut over = Settings::new();
            over.set_at(path, value.clone());
            settings.overlay(&over);
        }
        settings
    }

    /// Whether a combination is left out.
    pub fn is_excluded<'a>(&self, values: impl Iterator<Item = (&'a str, &'a Value)> + Clone) -> bool {
        self.excluded.iter().any(|combination| {
            combination.iter().all(|(path, excluded)| {
                values.clone().any(|(varied, value)| varied == path && axis::same(value, excluded))
            })
        })
    }
}

/// What an algorithm's table is read with.
pub(super) struct Context<'a> {
    /// The experiment's `[budget]`.
    pub(super) budget: Option<&'a Table>,
    /// The kinds of problem that it is to solve.
    pub(super) problems: &'a [&'a str],
    pub(super) catalogue: &'a Catalogue,
    pub(super) presets: &'a BTreeMap<&'a str, Preset>,
}

/// Reads and checks an algorithm.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    entry: &'d Entry,
    table: &'d Table,
    context: &Context<'_>,
) -> Option<AlgorithmSpec> {
    let base = read_base(reader, table, context)?;
    let mut placed = table.get("grid").map_or_else(Vec::new, |entry| match &entry.node.value {
        NodeValue::Table(grid) => axis::read_grid(reader, grid),
        other => reader.unexpected(&entry.node, other, "expected a table of lists").unwrap_or_default(),
    });
    for (entry, table) in tables(reader, table, "zip") {
        placed.extend(axis::read_zip(reader, entry, table));
    }
    check_distinct(reader, &placed);
    let excluded = read_excluded(reader, table, &placed);
    let axes = placed.iter().map(|placed| placed.axis.clone()).collect();
    let spec = AlgorithmSpec { name: entry.key.clone(), base, axes, excluded };
    Check { reader, entry, table, context, placed: &placed, spec: &spec }.run();
    Some(spec)
}

fn read_base<'d>(reader: &mut Reader<'d>, table: &'d Table, context: &Context<'_>) -> Option<Settings> {
    let mut base = Settings::new();
    if let Some(name) = reader.text(table, "preset") {
        let Some(preset) = context.presets.get(name) else {
            let names: Vec<&str> = context.presets.keys().copied().collect();
            let near = nearest(name, names.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
            let help = format!("expected {}{}", list(&names), near.unwrap_or_default());
            let span = &table.get("preset").expect("it was read above").node.span;
            reader.fault(span, format!("unknown preset `{name}`"), help);
            return None;
        };
        base = preset.settings.clone();
    }
    if let Some(budget) = context.budget {
        let mut over = Settings::new();
        over.set("budget", Value::Table(reader.settings(budget, &[])));
        base.overlay(&over);
    }
    let own = reader.settings(table, &RESERVED);
    base.overlay(&own);
    Some(base)
}

/// The table, or the tables of the list, under a key.
fn tables<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str) -> Vec<(&'d Entry, &'d Table)> {
    let Some(entry) = table.get(key) else { return Vec::new() };
    let items = match &entry.node.value {
        NodeValue::List(items) => items.as_slice(),
        _ => std::slice::from_ref(&entry.node),
    };
    let mut tables = Vec::new();
    for item in items {
        match &item.value {
            NodeValue::Table(table) => tables.push((entry, table)),
            other => reader.unexpected(item, other, "expected a table").unwrap_or(()),
        }
    }
    tables
}

fn check_distinct(reader: &mut Reader<'_>, placed: &[Placed<'_>]) {
    let mut seen: Vec<&str> = Vec::new();
    for (path, key) in placed.iter().flat_map(|placed| placed.axis.paths.iter().zip(&placed.keys)) {
        if seen.contains(&path.as_str()) {
            reader.fault(key, format!("`{path}` is varied twice"), "leave one out");
        }
        seen.push(path);
    }
}

fn read_excluded<'d>(reader: &mut Reader<'d>, table: &'d Table, placed: &[Placed<'_>]) -> Vec<Vec<(String, Value)>> {
    let mut excluded = Vec::new();
    for (_, table) in tables(reader, table, "exclude") {
        let mut combination = Vec::new();
        for entry in &table.entries {
            let Some(value) = reader.value(&entry.node) else { continue };
            let of_path = |placed: &Placed<'_>| {
                let at = placed.axis.paths.iter().position(|path| *path == entry.key)?;
                Some(placed.axis.points.iter().map(|point| point[at].clone()).collect::<Vec<Value>>())
            };
            match placed.iter().find_map(of_path) {
                None => {
                    let varied: Vec<&str> =
                        placed.iter().flat_map(|placed| &placed.axis.paths).map(String::as_str).collect();
                    let help = format!("expected a setting that is varied: {}", list(&varied));
                    reader.fault(&entry.key_span, format!("`{}` is not varied", entry.key), help);
                }
                Some(values) if !values.iter().any(|other| axis::same(other, &value)) => {
                    let message = format!("`{}` never has the value `{value}`", entry.key);
                    reader.fault(&entry.node.span, message, "expected one of the values that it is varied over");
                }
                Some(_) => combination.push((entry.key.clone(), value)),
            }
        }
        if table.entries.is_empty() {
            reader.fault(&Span::start(), "an empty table in `exclude` leaves everything out", "name the settings");
        }
        excluded.push(combination);
    }
    excluded
}

/// The check of an algorithm's settings, with everything that is needed to say where a fault stands.
struct Check<'c, 'd> {
    reader: &'c mut Reader<'d>,
    entry: &'d Entry,
    table: &'d Table,
    context: &'c Context<'c>,
    placed: &'c [Placed<'d>],
    spec: &'c AlgorithmSpec,
}

impl Check<'_, '_> {
    /// Checks the settings where nothing is varied but for the first points, then every point of every axis. Axes that
    /// speak of the same operator are checked in all their combinations, the others do not touch each other.
    fn run(&mut self) {
        let first = self.faults(&[]);
        for fault in &first {
            self.report(fault, &[]);
        }
        for axes in self.related() {
            let mut points = vec![0; axes.len()];
            let len = |at: usize| self.placed[axes[at]].axis.points.len();
            if (0..axes.len()).fold(1, |all: usize, at| all.saturating_mul(len(at))) > CHECKED {
                let message = format!("over {CHECKED} combinations speak of the same operator");
                self.reader.fault(self.placed[axes[0]].keys[0], message, "split them into several algorithms");
                continue;
            }
            loop {
                let chosen: Vec<(usize, usize)> = axes.iter().copied().zip(points.iter().copied()).collect();
                for fault in self.faults(&chosen) {
                    if !first.contains(&fault) {
                        self.report(&fault, &chosen);
                    }
                }
                if !advance(&mut points, |at| self.placed[axes[at]].axis.points.len()) {
                    break;
                }
            }
        }
    }

    /// The axes in groups that touch each other: those that speak of the same operator, or all where the algorithm itself
    /// is varied.
    fn related(&self) -> Vec<Vec<usize>> {
        let roots = |axis: usize| self.placed[axis].axis.paths.iter().map(|path| root(path));
        let all: Vec<usize> = (0..self.placed.len()).collect();
        if all.iter().any(|&axis| roots(axis).any(|root| root == "kind")) {
            return vec![all];
        }
        let mut names: Vec<&str> = all.iter().flat_map(|&axis| roots(axis)).collect();
        names.sort_unstable();
        names.dedup();
        let group = |name| all.iter().copied().filter(|&axis| roots(axis).any(|root| root == name)).collect();
        names.into_iter().map(group).collect()
    }

    /// The faults of the settings with some axes at some points, all others at their first: what is varied need not be
    /// given otherwise.
    fn faults(&self, chosen: &[(usize, usize)]) -> Vec<Fault> {
        let values = self.placed.iter().enumerate().flat_map(|(at, placed)| {
            let point = chosen.iter().find(|(axis, _)| *axis == at).map_or(0, |&(_, point)| point);
            placed.axis.paths.iter().map(String::as_str).zip(&placed.axis.points[point])
        });
        let settings = self.spec.at(values);
        self.context.catalogue.resolve(&settings, self.context.problems).err().unwrap_or_default()
    }

    fn report(&mut self, fault: &Fault, chosen: &[(usize, usize)]) {
        let span = self.span(fault, chosen);
        self.reader.fault(&span, fault.message.clone(), fault.expected.clone());
    }

    /// The place that a fault speaks of: in an axis if it varies the setting, else in the algorithm's table, in `[budget]`,
    /// or, for a setting that only the preset has, at the preset's name.
    fn span(&self, fault: &Fault, chosen: &[(usize, usize)]) -> Span {
        for (axis, placed) in self.placed.iter().enumerate() {
            let point = chosen.iter().find(|(chosen, _)| *chosen == axis).map_or(0, |&(_, point)| point);
            for (at, path) in placed.axis.paths.iter().enumerate() {
                if let Some(rest) = within(&fault.path, path) {
                    return match fault.place {
                        Place::Name if rest.is_empty() => placed.keys[at].clone(),
                        _ => match &placed.node(at, point).value {
                            NodeValue::Table(table) => find(table, rest, fault.place),
                            _ => None,
                        }
                        .unwrap_or_else(|| placed.node(at, point).span.clone()),
                    };
                }
            }
        }
        let in_budget = || within(&fault.path, "budget").and_then(|rest| find(self.context.budget?, rest, fault.place));
        find(self.table, &fault.path, fault.place).or_else(in_budget).unwrap_or_else(|| self.entry.key_span.clone())
    }
}

/// The first key of a dotted path.
fn root(path: &str) -> &str {
    path.split_once('.').map_or(path, |(root, _)| root)
}

/// What remains of a path below another one; `None` if it is not below it.
fn within<'p>(path: &'p str, above: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(above)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

/// The place of a setting in a table, or of the deepest table around it that is there.
fn find(table: &Table, path: &str, place: Place) -> Option<Span> {
    let entry = table.entries.iter().find(|entry| within(path, &entry.key).is_some())?;
    let rest = within(path, &entry.key).expect("it was found by this");
    match &entry.node.value {
        _ if rest.is_empty() && place == Place::Name => Some(entry.key_span.clone()),
        NodeValue::Table(inner) if !rest.is_empty() => {
            find(inner, rest, place).or_else(|| Some(entry.key_span.clone()))
        }
        _ => Some(entry.node.span.clone()),
    }
}
