//! The check of an algorithm's settings at every point of what it varies, with the place of each fault.

use std::collections::BTreeSet;

use evogrid_core::catalogue::{Fault, SettingPart};
use evogrid_core::parameter::Domain;

use super::algorithm::{AlgorithmSpec, CHECKED, Context};
use super::axis::Placed;
use super::fields::Reader;
use crate::document::{Entry, NodeValue, Span, Table};
use crate::external;
use crate::plan::advance;
use evogrid_core::suggestion::list;

/// The check of an algorithm's settings, with everything that is needed to say where a fault stands.
pub(super) struct Check<'c, 'd> {
    pub(super) reader: &'c mut Reader<'d>,
    pub(super) entry: &'d Entry,
    pub(super) table: &'d Table,
    pub(super) context: &'c Context<'c>,
    pub(super) placed: &'c [Placed<'d>],
    pub(super) spec: &'c AlgorithmSpec,
    /// Whether everything could be read: only then is looked at what hangs on several settings.
    pub(super) is_whole: bool,
    /// Places and paths of the faults that were reported.
    pub(super) reported: BTreeSet<(Span, String)>,
}

impl Check<'_, '_> {
    /// Checks the settings where nothing is varied but for the first points, then every point of every axis. Axes that
    /// speak of the same operator are checked in all their combinations, the others do not touch each other.
    pub(super) fn run(&mut self) {
        let first = self.faults(&[]);
        for fault in &first {
            self.report(fault, &[]);
        }
        // The values of a setting that is not there are not looked at one by one.
        let is_unknown = |path: &String| {
            first.iter().any(|fault| fault.part == SettingPart::Name && within(path, &fault.path).is_some())
        };
        let mut n_checked = 0;
        for axes in self.related() {
            if axes.iter().all(|&axis| self.placed[axis].axis.paths.iter().all(is_unknown)) {
                continue;
            }
            let mut points = vec![0; axes.len()];
            let len = |at: usize| self.placed[axes[at]].axis.points.len();
            let n_combinations = (0..axes.len()).fold(1, |all: usize, at| all.saturating_mul(len(at)));
            if n_combinations > CHECKED - n_checked {
                let message = match axes.as_slice() {
                    [_] => format!("over {CHECKED} values are varied"),
                    _ => format!("over {CHECKED} combinations of settings depend on each other"),
                };
                self.reader.fault(self.placed[axes[0]].keys[0], message, "split them over several algorithms");
                continue;
            }
            n_checked += n_combinations;
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
    /// is varied. What stands in a table under names of its own touches nothing.
    fn related(&self) -> Vec<Vec<usize>> {
        let algorithms = self.context.catalogue.algorithms.declarations();
        let tables =
            algorithms.flat_map(|algorithm| algorithm.parameters).filter_map(|parameter| match parameter.domain {
                Domain::Table => Some(parameter.name),
                _ => None,
            });
        let tables: Vec<&str> = tables.collect();
        let root = |path| if tables.contains(&root(path)) { path } else { root(path) };
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
        match self.context.catalogue.resolve(&settings, self.context.problems) {
            Ok(settings) if self.is_whole => external::faults(&settings),
            Ok(_) => Vec::new(),
            Err(faults) => faults,
        }
    }

    fn report(&mut self, fault: &Fault, chosen: &[(usize, usize)]) {
        if fault.part == SettingPart::Name && self.was_unreadable(&fault.path) {
            return;
        }
        let span = self.span(fault, chosen);
        // All values of a range stand at one place: one fault speaks for them.
        if self.reported.contains(&(span, fault.path.clone())) {
            return;
        }
        let mut help = fault.expected.clone();
        if fault.path == "kind" && fault.part == SettingPart::Name {
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
                    let is_varied = |varied: &String| within(varied, path).is_some();
                    entry_at(grid, path).is_some()
                        && !self.placed.iter().any(|placed| placed.axis.paths.iter().any(is_varied))
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
                    return match fault.part {
                        SettingPart::Name if rest.is_empty() => *placed.keys[at],
                        _ => match &placed.node(at, point).value {
                            NodeValue::Table(table) => find(table, rest, fault.part),
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
            entry_at(table, path).map(|entry| match fault.part {
                SettingPart::Name => entry.key_span,
                SettingPart::Value => entry.node.span,
            })
        };
        let in_budget = || exact(self.context.budget?, below(&fault.path)?);
        let near_budget = || find(self.context.budget?, below(&fault.path)?, fault.part);
        exact(self.table, &fault.path)
            .or_else(in_budget)
            .or(in_grid.filter(|_| fault.part == SettingPart::Name))
            .or_else(|| find(self.table, &fault.path, fault.part))
            .or_else(near_budget)
            .unwrap_or(self.entry.key_span)
    }
}

/// The first key of a dotted path.
fn root(path: &str) -> &str {
    path.split_once('.').map_or(path, |(root, _)| root)
}

/// What remains of a path below another one; `None` if it is not below it.
pub(super) fn within<'p>(path: &'p str, above: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(above)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

/// The entry of a setting in a table.
pub(super) fn entry_at<'t>(table: &'t Table, path: &str) -> Option<&'t Entry> {
    table.entries.iter().find_map(|entry| match (within(path, &entry.key)?, &entry.node.value) {
        ("", _) => Some(entry),
        (rest, NodeValue::Table(inner)) => entry_at(inner, rest),
        _ => None,
    })
}

/// The place of a setting in a table, or of the deepest table around it that is there.
pub(super) fn find(table: &Table, path: &str, part: SettingPart) -> Option<Span> {
    let entry = table.entries.iter().find(|entry| within(path, &entry.key).is_some())?;
    let rest = within(path, &entry.key).expect("it was found by this");
    match &entry.node.value {
        _ if rest.is_empty() && part == SettingPart::Name => Some(entry.key_span),
        NodeValue::Table(inner) if !rest.is_empty() => find(inner, rest, part).or(Some(entry.key_span)),
        _ => Some(entry.node.span),
    }
}
