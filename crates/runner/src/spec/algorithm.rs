//! One algorithm of an experiment: its settings laid over its preset's, what it varies, and the check of all of it.

use std::collections::{BTreeMap, BTreeSet};

use evogrid_core::catalogue::Catalogue;
use evogrid_core::settings::{Settings, Value};
use evogrid_core::suggestion::{nearest, one_of};

use super::axis::{self, Axis, Placed};
use super::check::{Check, entry_at, find, within};
use super::fields::{Reader, join};
use super::preset::Preset;
use crate::document::{Entry, Node, NodeValue, Table};
use crate::plan::advance;

/// Keys of an algorithm's table that are no settings.
const RESERVED: [&str; 4] = ["preset", "grid", "zip", "exclude"];

/// The most values and combinations of an algorithm's axes that are checked: of axes that speak of the same operator, all.
pub(super) const CHECKED: usize = 100_000;

/// The most combinations of all axes where some are left out: to number the others, each is looked at.
const SIFTED: usize = 1_000_000;

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

    /// How many combinations its grid has, those that are left out among them.
    #[must_use]
    pub fn n_combinations(&self) -> u64 {
        self.axes.iter().fold(1, |combinations: u64, axis| combinations.saturating_mul(axis.points.len() as u64))
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
    let n_faults_before = reader.faults();
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
    let n_combinations = spec.axes.iter().fold(1, |all: usize, axis| all.saturating_mul(axis.points.len()));
    let span = &table.get("exclude").unwrap_or(entry).key_span;
    if !spec.excluded.is_empty() && n_combinations > SIFTED {
        let message = format!("`exclude` chooses from over {SIFTED} combinations");
        reader.fault(span, message, "split them over several algorithms, or leave nothing out");
    } else if reader.faults() == n_faults && leaves_nothing(&spec) {
        reader.fault(span, format!("`exclude` leaves nothing of `{}`", spec.name), "take a combination out of it");
    }
    let is_whole = reader.faults() == n_faults_before;
    Check { reader, entry, table, context, placed: &placed, spec: &spec, is_whole, reported: BTreeSet::new() }.run();
    Some(spec)
}

/// Checks the experiment's budget alone.
pub(super) fn check_budget(reader: &mut Reader<'_>, context: &Context<'_>) {
    let Some(budget) = context.budget else { return };
    let mut settings = Settings::new();
    settings.set("budget", Value::Table(reader.settings("budget", budget, &[])));
    for fault in context.catalogue.resolve(&settings, context.problems).err().unwrap_or_default() {
        if let Some(rest) = within(&fault.path, "budget").filter(|rest| !rest.is_empty()) {
            let span = find(budget, rest, fault.part).expect("only what is there is at fault");
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

/// Whether every combination is left out.
fn leaves_nothing(spec: &AlgorithmSpec) -> bool {
    if spec.excluded.is_empty() {
        return false;
    }
    let mut points = vec![0; spec.axes.len()];
    loop {
        let values = spec.axes.iter().zip(&points);
        let values = values.flat_map(|(axis, &point)| axis.paths.iter().map(String::as_str).zip(&axis.points[point]));
        if !spec.is_excluded(values) {
            return false;
        }
        if !advance(&mut points, |at| spec.axes[at].points.len()) {
            return true;
        }
    }
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
