//! One algorithm of an experiment: its settings laid over its preset's, what it varies, and the check of all of it.

use std::collections::{BTreeMap, BTreeSet};

use evogrid_core::catalogue::{Catalogue, Fault, Place};
use evogrid_core::settings::{Settings, Value};
use evogrid_core::suggestion::nearest;

use super::axis::{self, Axis, Placed};
use super::fields::{Reader, join};
use super::preset::Preset;
use crate::document::{Entry, Node, NodeValue, Span, Table, list, one_of};
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
        if self.excluded.is_empty() {
            return false;
        }
        let values: Vec<(&str, &Value)> = values.collect();
        self.excluded.iter().any(|combination| {
            combination.iter().all(|(path, excluded)| {
                values.iter().any(|(varied, value)| varied == path && axis::same(value, excluded))
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
    let base = read_base(reader, table, context);
    let mut placed = match reader.table(table, "grid") {
        Some(grid) => axis::read_grid(reader, grid),
        None => Vec::new(),
    };
    for (entry, _, table) in tables(reader, table, "zip") {
        placed.extend(axis::read_zip(reader, entry, table));
    }
    check_distinct(reader, &placed);
    let n_faults = reader.faults();
    let excluded = read_excluded(reader, table, &placed);
    let axes = placed.iter().map(|placed| placed.axis.clone()).collect();
    let spec = AlgorithmSpec { name: entry.key.clone(), base: base?, axes, excluded };
    if reader.faults() == n_faults && leaves_nothing(&spec) {
        let span = &table.get("exclude").unwrap_or(entry).key_span;
        reader.fault(span, format!("`exclude` leaves nothing of `{}`", spec.name), "take a combination out of it");
    }
    Check { reader, entry, table, context, placed: &placed, spec: &spec, reported: BTreeSet::new() }.run();
    Some(spec)
}

/// Checks the experiment's budget alone.
pub(super) fn check_budget(reader: &mut Reader<'_>, context: &Context<'_>) {
    let Some(budget) = context.budget else { return };
    let mut settings = Settings::new();
    settings.set("budget", Value::Table(reader.settings("budget", budget, &[])));
    for fault in context.catalogue.resolve(&settings, context.problems).err().unwrap_or_default() {
        if let Some(rest) = within(&fault.path, "budget").filter(|rest| !rest.is_empty()) {
            let span = find(budget, rest, fault.place).expect("only what is there is at fault");
            reader.fault(&span, fault.message, fault.expected);
        }
    }
}

/// The settings where nothing is varied; `None` if their preset is not known, so that they are not either.
fn read_base<'d>(reader: &mut Reader<'d>, table: &'d Table, context: &Context<'_>) -> Option<Settings> {
    let mut base = Settings::new();
    let mut is_known = true;
    if table.get("preset").is_some() {
        let name = reader.text(table, "preset");
        match name.and_then(|name| context.presets.get(name)) {
            Some(preset) => base = preset.settings.clone(),
            None => is_known = false,
        }
        if let Some(name) = name.filter(|_| !is_known) {
            let names: Vec<&str> = context.presets.keys().copied().collect();
            let span = &table.get("preset").expect("it is there").node.span;
            reader.fault(span, format!("unknown preset `{name}`"), one_of(name, &names));
        }
    }
    if let Some(budget) = context.budget {
        let mut over = Settings::new();
        over.set("budget", Value::Table(reader.settings("budget", budget, &[])));
        base.overlay(&over);
    }
    let own = reader.settings("", table, &RESERVED);
    base.overlay(&own);
    if base.get("kind").is_none() && entry_at(table, "grid.kind").is_none() {
        // Without a kind no setting is known, so that a misspelt `preset` or `kind` would not be seen.
        let near = |key: &str| nearest(key, ["preset", "kind"]).filter(|_| !RESERVED.contains(&key));
        for entry in &table.entries {
            if let Some(name) = near(&entry.key) {
                let message = format!("an algorithm has no key `{}`", entry.key);
                reader.fault(&entry.key_span, message, format!("did you mean `{name}`?"));
                is_known = false;
            }
        }
    }
    is_known.then_some(base)
}

/// Whether every combination is left out. Of very many, the first are looked at.
fn leaves_nothing(spec: &AlgorithmSpec) -> bool {
    if spec.excluded.is_empty() {
        return false;
    }
    let mut points = vec![0; spec.axes.len()];
    for _ in 0..CHECKED {
        let values = spec.axes.iter().zip(&points);
        let values = values.flat_map(|(axis, &point)| axis.paths.iter().map(String::as_str).zip(&axis.points[point]));
        if !spec.is_excluded(values) {
            return false;
        }
        if !advance(&mut points, |at| spec.axes[at].points.len()) {
            return true;
        }
    }
    false
}

/// The table, or the tables of the list, under a key: the entry, the node and the table.
fn tables<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str) -> Vec<(&'d Entry, &'d Node, &'d Table)> {
    let Some(entry) = table.get(key) else { return Vec::new() };
    let items = match &entry.node.value {
        NodeValue::List(items) => items.as_slice(),
        _ => std::slice::from_ref(&entry.node),
    };
    let mut tables = Vec::new();
    for item in items {
        match &item.value {
            NodeValue::Table(table) => tables.push((entry, item, table)),
            _ => reader.unexpected(key, item, "expected a table, or a list of tables").unwrap_or(()),
        }
    }
    tables
}

fn check_distinct(reader: &mut Reader<'_>, placed: &[Placed<'_>]) {
    let mut seen = BTreeSet::new();
    for (path, key) in placed.iter().flat_map(|placed| placed.axis.paths.iter().zip(&placed.keys)) {
        if !seen.insert(path) {
            reader.fault(key, format!("`{path}` is varied twice"), "leave one out");
        }
    }
}

fn read_excluded<'d>(reader: &mut Reader<'d>, table: &'d Table, placed: &[Placed<'_>]) -> Vec<Vec<(String, Value)>> {
    let mut excluded = Vec::new();
    for (_, node, table) in tables(reader, table, "exclude") {
        if table.entries.is_empty() {
            let help = "name the settings of the combination that is left out";
            reader.fault(&node.span, "an empty table in `exclude` leaves everything out", help);
        }
        let mut combination = Vec::new();
        read_combination(reader, "", table, placed, &mut combination);
        excluded.push(combination);
    }
    excluded
}

fn read_combination(
    reader: &mut Reader<'_>,
    prefix: &str,
    table: &Table,
    placed: &[Placed<'_>],
    combination: &mut Vec<(String, Value)>,
) {
    let paths = || placed.iter().flat_map(|placed| &placed.axis.paths).map(String::as_str);
    for entry in &table.entries {
        let path = join(prefix, &entry.key);
        let values = placed.iter().find_map(|placed| {
            let at = placed.axis.paths.iter().position(|varied| *varied == path)?;
            Some(placed.axis.points.iter().map(|point| &point[at]).collect::<Vec<&Value>>())
        });
        match (values, &entry.node.value) {
            (Some(values), _) => {
                let Some(value) = reader.value(&path, &entry.node) else { continue };
                if values.iter().any(|other| axis::same(other, &value)) {
                    combination.push((path, value));
                    continue;
                }
                let names: Vec<String> = values.iter().take(20).map(ToString::to_string).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let help = match values.len() {
                    0..=20 => one_of(&value.to_string(), &names),
                    _ => "expected one of the values that it is varied over".to_owned(),
                };
                reader.fault(&entry.node.span, format!("`{path}` never has the value `{value}`"), help);
            }
            // `mutation.other = 0.1` without quotes is a table in a table.
            (None, NodeValue::Table(inner)) if inner.get("kind").is_none() => {
                read_combination(reader, &path, inner, placed, combination);
            }
            (None, _) => {
                let varied: Vec<&str> = paths().collect();
                let help = match varied.as_slice() {
                    [] => "nothing is varied in this algorithm".to_owned(),
                    _ => format!("only what is varied can be left out: {}", one_of(&path, &varied)),
                };
                reader.fault(&entry.key_span, format!("`{path}` is not varied"), help);
            }
        }
    }
}

/// The check of an algorithm's settings, with everything that is needed to say where a fault stands.
struct Check<'c, 'd> {
    reader: &'c mut Reader<'d>,
    entry: &'d Entry,
    table: &'d Table,
    context: &'c Context<'c>,
    placed: &'c [Placed<'d>],
    spec: &'c AlgorithmSpec,
    /// Places and paths of the faults that were reported.
    reported: BTreeSet<(Span, String)>,
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
                let message = format!("over {CHECKED} combinations of settings depend on each other");
                self.reader.fault(self.placed[axes[0]].keys[0], message, "split them over several algorithms");
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
        if fault.place == Place::Name && self.was_unreadable(&fault.path) {
            return;
        }
        let span = self.span(fault, chosen);
        // All values of a range stand at one place: one fault speaks for them.
        if self.reported.contains(&(span, fault.path.clone())) {
            return;
        }
        let mut help = fault.expected.clone();
        if fault.path == "kind" && fault.place == Place::Name {
            let names: Vec<&str> = self.context.presets.keys().copied().collect();
            help = format!("{help}, or a `preset`: {}", list(&names));
        }
        self.reader.fault(&span, fault.message.clone(), help);
        self.reported.insert((span, fault.path.clone()));
    }

    /// Whether a setting is missing only because its value, which was complained of, is none.
    fn was_unreadable(&self, path: &str) -> bool {
        let is_value =
            |value: &NodeValue| !matches!(value, NodeValue::List(_) | NodeValue::Date(_) | NodeValue::Unheld(_));
        entry_at(self.table, path).is_some_and(|entry| !is_value(&entry.node.value))
            || self.table.get("grid").is_some_and(|grid| match &grid.node.value {
                NodeValue::Table(grid) => {
                    entry_at(grid, path).is_some()
                        && !self.placed.iter().any(|placed| placed.axis.paths.iter().any(|varied| varied == path))
                }
                _ => false,
            })
    }

    /// The place that a fault speaks of: in an axis if it varies the setting, else in the algorithm's table, in `[budget]`,
    /// or, for a setting that only the preset has, at the preset's name.
    fn span(&self, fault: &Fault, chosen: &[(usize, usize)]) -> Span {
        for (axis, placed) in self.placed.iter().enumerate() {
            let point = chosen.iter().find(|(chosen, _)| *chosen == axis).map_or(0, |&(_, point)| point);
            for (at, path) in placed.axis.paths.iter().enumerate() {
                if let Some(rest) = within(&fault.path, path) {
                    return match fault.place {
                        Place::Name if rest.is_empty() => *placed.keys[at],
                        _ => match &placed.node(at, point).value {
                            NodeValue::Table(table) => find(table, rest, fault.place),
                            _ => None,
                        }
                        .unwrap_or_else(|| placed.node(at, point).span),
                    };
                }
            }
        }
        // A path through what is not there, as `mutatoin.other`, is at fault in its beginning.
        let mut beyond = self.placed.iter().flat_map(|placed| placed.axis.paths.iter().zip(&placed.keys));
        let in_grid = beyond.find(|(path, _)| within(path, &fault.path).is_some()).map(|(_, key)| **key);
        let below = |path| within(path, "budget").filter(|rest| !rest.is_empty());
        let exact = |table, path| {
            entry_at(table, path).map(|entry| match fault.place {
                Place::Name => entry.key_span,
                Place::Value => entry.node.span,
            })
        };
        let in_budget = || exact(self.context.budget?, below(&fault.path)?);
        let near_budget = || find(self.context.budget?, below(&fault.path)?, fault.place);
        exact(self.table, &fault.path)
            .or_else(in_budget)
            .or(in_grid.filter(|_| fault.place == Place::Name))
            .or_else(|| find(self.table, &fault.path, fault.place))
            .or_else(near_budget)
            .unwrap_or(self.entry.key_span)
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

/// The entry of a setting in a table.
fn entry_at<'t>(table: &'t Table, path: &str) -> Option<&'t Entry> {
    table.entries.iter().find_map(|entry| match (within(path, &entry.key)?, &entry.node.value) {
        ("", _) => Some(entry),
        (rest, NodeValue::Table(inner)) => entry_at(inner, rest),
        _ => None,
    })
}

/// The place of a setting in a table, or of the deepest table around it that is there.
fn find(table: &Table, path: &str, place: Place) -> Option<Span> {
    let entry = table.entries.iter().find(|entry| within(path, &entry.key).is_some())?;
    let rest = within(path, &entry.key).expect("it was found by this");
    match &entry.node.value {
        _ if rest.is_empty() && place == Place::Name => Some(entry.key_span),
        NodeValue::Table(inner) if !rest.is_empty() => find(inner, rest, place).or(Some(entry.key_span)),
        _ => Some(entry.node.span),
    }
}
