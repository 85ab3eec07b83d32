//! The check of an algorithm's settings, with the place of each fault.

use std::collections::BTreeSet;

use evogrid_core::budget;
use evogrid_core::catalogue::{Fault, SettingPart};
use evogrid_core::suggestion::{list, synonyms};

use super::algorithm::AlgorithmSpec;
use super::algorithm_table::{Context, PlacedAlgorithm};
use super::axis::PlacedAxis;
use super::configurations;
use super::exclusion::PlacedExclusion;
use super::fields::Reader;
use super::instances::SET_KEYS;
use super::paths::{EXPERIMENT_KEYS, entry_at, join, root, span_at, value_at, within};
use super::preset::{Preset, preset};
use super::resolved::{RESOLUTION_LIMIT, ResolvedAlgorithm, SettingsError};
use super::space_check::{self, SpaceCheck};
use super::space_table::{PlacedDesign, PlacedDimension};
use crate::experiment::design::{Design, Designs};
use crate::experiment::document::{Entry, Node, NodeValue, Span, Table};
use crate::experiment::space::Space;
use crate::external;
use crate::system::numbers::counted;

/// Resolves the settings of an algorithm that was read, and reports their faults.
pub(super) fn resolve<'d>(
    reader: &mut Reader<'d>,
    algorithm: PlacedAlgorithm<'d>,
    context: &Context<'_>,
) -> Option<ResolvedAlgorithm> {
    let PlacedAlgorithm { mut spec, entry, table, axes, exclusions, space, designs, forbidden, is_whole } = algorithm;
    let check = |settings: &_| if is_whole { external::faults(settings) } else { Vec::new() };
    let n_faults = reader.faults();
    if is_whole && (!space.is_empty() || !designs.is_empty()) {
        (spec.space, spec.designs) = spaces(reader, (&spec, entry, table), context, &space, &designs, &forbidden)?;
        if let Some(exclusion) = exclusions.first().filter(|_| !designs.is_empty()) {
            let message = "no design and no space has all settings of this exclusion";
            reader.fault(&exclusion.span, message, "name settings that one of them varies");
            return None;
        }
    }
    // Of an algorithm with designs, the first of the points says which design, and the others where in it.
    let of_designs: Vec<Vec<PlacedAxis<'d>>> = designs.iter().map(|design| axes_of(&design.dimensions)).collect();
    let add = |reader: &mut Reader<'d>, errors: &[SettingsError]| {
        let mut reported = BTreeSet::new();
        for error in errors {
            let axes = match error {
                SettingsError::Fault { points, .. } if !of_designs.is_empty() => &of_designs[points[0]],
                _ => of_designs.first().unwrap_or(&axes),
            };
            let mut report =
                FaultReport { reader, entry, table, context, axes, reported: std::mem::take(&mut reported) };
            match error {
                SettingsError::Fault { fault, points } if !of_designs.is_empty() => {
                    report.add_fault(fault, &points[1..]);
                }
                error => report.add(error),
            }
            reported = report.reported;
        }
    };
    match ResolvedAlgorithm::new(spec, context.catalogue, context.problems, check) {
        Ok(resolved) => {
            if is_whole {
                configurations::check(
                    reader,
                    &resolved,
                    (entry, table),
                    &axes,
                    &exclusions,
                    &context.solved.foreign_settings(),
                );
            }
            let [n_forbidden, n_alike] = resolved.spec().designs.n_left_out();
            for (n_points, why) in [(n_forbidden, "forbidden by `exclude`"), (n_alike, "equal to an earlier point")] {
                if n_points > 0 {
                    let points = counted(n_points, "point");
                    reader.note(format!("`{}`: {points} of its designs left out: {why}", resolved.spec().name));
                }
            }
            if is_whole && reader.faults() == n_faults {
                let varied: Vec<PlacedAxis<'_>> = axes.iter().chain(of_designs.iter().flatten()).cloned().collect();
                let misfits = context.solved.misfits(&resolved, |path| is_written(path, table, &varied));
                add(reader, &misfits);
                reader.count_misfits_since(n_faults);
            }
            Some(resolved)
        }
        Err(errors) => {
            add(reader, &errors);
            None
        }
    }
}

fn axes_of<'d>(dimensions: &[PlacedDimension<'d>]) -> Vec<PlacedAxis<'d>> {
    dimensions.iter().map(|dimension| dimension.placed.clone()).collect()
}

/// The space and the designs of an algorithm, checked.
fn spaces<'d>(
    reader: &mut Reader<'d>,
    (spec, entry, table): (&AlgorithmSpec, &'d Entry, &'d Table),
    context: &Context<'_>,
    space: &[PlacedDimension<'d>],
    designs: &[PlacedDesign<'d>],
    forbidden: &[PlacedExclusion],
) -> Option<(Space, Designs)> {
    let Context { catalogue, problems, .. } = *context;
    let n_faults = reader.faults();
    // The configuration without the space: a search of the space begins with it.
    if let Err(faults) = catalogue.resolve(&spec.base, problems) {
        let mut report = FaultReport { reader, entry, table, context, axes: &[], reported: BTreeSet::new() };
        faults.iter().for_each(|fault| report.add_fault(fault, &[]));
        return None;
    }
    let mut complete = |dimensions: &[PlacedDimension<'d>]| {
        let axes = axes_of(dimensions);
        let mut report = FaultReport { reader, entry, table, context, axes: &axes, reported: BTreeSet::new() };
        SpaceCheck { base: &spec.base, catalogue, problems, dimensions, conditions: Vec::new() }.space(&mut report)
    };
    let mut whole = if space.is_empty() { Space::default() } else { complete(space)? };
    let mut united = Vec::new();
    for PlacedDesign { dimensions, sample } in designs {
        united.push(Design { space: complete(dimensions)?, sample: *sample, points: Vec::new() });
    }
    let mut spaces: Vec<&mut Space> = united.iter_mut().map(|design| &mut design.space).collect();
    spaces.push(&mut whole);
    for exclusion in forbidden {
        space_check::forbid(reader, exclusion, &mut spaces);
    }
    (reader.faults() == n_faults).then(|| (whole, Designs::new(united)))
}

/// The table in which a misplaced key belongs: the path of that table, and the key.
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

/// The question whether a key of another table was meant.
pub(super) fn key_in_table(table: &str, key: &str) -> String {
    let table = if table == "instances.0" { "[[instances]]".to_owned() } else { format!("[{table}]") };
    format!("did you mean `{key}` in `{table}`?")
}

/// Whether a setting stands in the algorithm's table itself, or in an axis.
fn is_written(path: &str, table: &Table, axes: &[PlacedAxis<'_>]) -> bool {
    let varies = |PlacedAxis { axis, .. }: &PlacedAxis<'_>| {
        axis.paths.iter().enumerate().any(|(at, own)| {
            within(path, own).is_some_and(|rest| axis.points.iter().any(|point| value_at(&point[at], rest).is_some()))
        })
    };
    // An operator by its name alone has no `kind`.
    let by_name = path.strip_suffix(".kind").and_then(|above| entry_at(table, above));
    let is_name = by_name.is_some_and(|entry| entry.node.text().is_some());
    is_name || entry_at(table, path).is_some() || axes.iter().any(varies)
}

/// A report of what is wrong with an algorithm's settings, with everything that is needed to find its place.
pub(super) struct FaultReport<'r, 'd> {
    pub(super) reader: &'r mut Reader<'d>,
    entry: &'d Entry,
    table: &'d Table,
    context: &'r Context<'r>,
    axes: &'r [PlacedAxis<'d>],
    /// Places and paths of the faults that were reported.
    reported: BTreeSet<(Span, String)>,
}

impl FaultReport<'_, '_> {
    pub(super) fn add(&mut self, error: &SettingsError) {
        match error {
            SettingsError::Fault { fault, points } => self.add_fault(fault, points),
            SettingsError::TooMany { axes } => {
                let message = match axes.as_slice() {
                    [_] => format!("more than {RESOLUTION_LIMIT} values are varied"),
                    _ => format!("more than {RESOLUTION_LIMIT} combinations of settings depend on each other"),
                };
                self.reader.fault(self.axes[axes[0]].keys[0], message, "split the algorithm into several");
            }
        }
    }

    pub(super) fn add_fault(&mut self, fault: &Fault, points: &[usize]) {
        if fault.part == SettingPart::Name && self.was_unreadable(&fault.path) {
            return;
        }
        let foreign = self.foreign_preset(fault);
        let span = foreign.as_ref().map_or_else(|| self.span(fault, points), |(_, span)| *span);
        // One of its settings stands for all.
        let path = if foreign.is_some() { "preset".to_owned() } else { fault.path.clone() };
        let blamed = foreign.map_or_else(|| fault.clone(), |(preset, _)| preset.blamed(fault.clone()));
        let (message, mut help) = (blamed.message, blamed.expected);
        // All values of a range have one place: one fault is reported for them.
        if self.reported.contains(&(span, path.clone())) {
            return;
        }
        if fault.path == "kind" && fault.part == SettingPart::Name {
            help = format!("{help}, or a `preset`: {}", list(self.context.preset_names));
        }
        if let Some(name) = self.preset_named_as_kind(fault) {
            help = format!("`{name}` is not a kind but a preset: `preset = \"{name}\"`");
        }
        if let Some(meant) = self.meant_place(fault, &span) {
            help = meant;
        }
        self.reader.fault(&span, message, help);
        self.reported.insert((span, path));
    }

    /// The preset whose name was given instead of a kind of algorithm, if there is one.
    fn preset_named_as_kind(&self, fault: &Fault) -> Option<&str> {
        let kind = self.table.get("kind").filter(|_| fault.path == "kind" && fault.part == SettingPart::Value)?;
        let name = kind.node.text()?;
        self.context.preset_names.contains(&name).then_some(name)
    }

    /// The preset of another family that sets the faulty setting, and the place of its name.
    fn foreign_preset(&self, fault: &Fault) -> Option<(Preset, Span)> {
        let named = self.table.node("preset")?;
        let preset = preset(named.text()?, self.context.catalogue)?;
        let gives = fault.path != "budget" && preset.settings.get(root(&fault.path)).is_some();
        let is_foreign = gives && !self.context.problems.contains(&preset.family);
        let of_all = within(&fault.path, "budget").and_then(|limit| entry_at(self.context.budget?, limit));
        let is_own = is_written(&fault.path, self.table, self.axes) || of_all.is_some();
        (is_foreign && !is_own).then_some((preset, named.span))
    }

    /// The place that was probably meant by an unknown setting: a key of another table, or, on the command line, the path with the name
    /// of its table.
    fn meant_place(&self, fault: &Fault, span: &Span) -> Option<String> {
        let document = self.reader.document();
        let is_there = |path: &&str| fault.part == SettingPart::Name && entry_at(self.table, path).is_some();
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
    fn was_unreadable(&self, path: &str) -> bool {
        let is_value = |value: &NodeValue| {
            !matches!(value, NodeValue::List(_) | NodeValue::Date(_) | NodeValue::Unrepresentable(_))
        };
        entry_at(self.table, path).is_some_and(|entry| !is_value(&entry.node.value))
            || self.table.node("grid").and_then(Node::table).is_some_and(|grid| {
                let is_varied = |varied: &String| within(varied, path).is_some();
                entry_at(grid, path).is_some()
                    && !self.axes.iter().any(|placed| placed.axis.paths.iter().any(is_varied))
            })
    }

    /// The place of a fault: the axis that varies the setting, the table of the algorithm, `[budget]`, or, if only the preset sets it,
    /// the name of the preset.
    fn span(&self, fault: &Fault, points: &[usize]) -> Span {
        let varied = self.axes.iter().zip(points).flat_map(|(placed, &point)| {
            placed.axis.paths.iter().enumerate().map(move |(at, path)| (placed, at, point, path))
        });
        let varied = varied.filter(|(.., path)| within(&fault.path, path).is_some());
        // Where an operator is varied beside its settings, it has the name and not the setting, or the setting has the value.
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
        // Of a path through what is not there, as `mutatoin.other`, the beginning is at fault.
        let mut beyond = self.axes.iter().flat_map(|placed| placed.axis.paths.iter().zip(&placed.keys));
        let in_grid = beyond.find(|(path, _)| within(path, &fault.path).is_some()).map(|(_, key)| **key);
        let below = |path| within(path, "budget").filter(|rest| !rest.is_empty());
        let exact = |table, path| {
            entry_at(table, path).map(|entry| match fault.part {
                SettingPart::Name => entry.key_span,
                SettingPart::Value => entry.node.span,
            })
        };
        let in_budget = || exact(self.context.budget?, below(&fault.path)?);
        let near_budget = || span_at(self.context.budget?, below(&fault.path)?, fault.part);
        exact(self.table, &fault.path)
            .or_else(in_budget)
            .or(in_grid.filter(|_| fault.part == SettingPart::Name))
            .or_else(|| span_at(self.table, &fault.path, fault.part))
            .or_else(near_budget)
            .unwrap_or(self.entry.key_span)
    }
}
