//! The table of an algorithm: its axes, its exclusions, and its settings, which override the settings of its preset.
//!
//! Exclusions are compared with resolved settings. So 1 equals 1.0, and the name of an operator equals its table. Defaults and settings of
//! the preset are treated like written settings.

use std::iter::once;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::settings::{Settings, Value};
use evogrid_core::suggestion::{nearest, one_of};

use super::algorithm::AlgorithmSpec;
use super::axis::{self, PlacedAxis};
use super::fields::Reader;
use super::fit::SolvedProblems;
use super::overlap;
use super::preset::preset;
use super::space_table::{self, PlacedDesign};
use crate::experiment::document::dotted::{entry_at, settings_of};
use crate::experiment::document::{Entry, MAX_KEYS, Node, Span, Table};

/// Keys of an algorithm's table that are not settings.
const RESERVED_KEYS: [&str; 6] = ["preset", "grid", "zip", "exclude", "space", "design"];

/// The maximum number of combinations of a grid with exclusions: each combination is examined.
const EXCLUSION_LIMIT: u64 = 1_000_000;

/// The context in which the table of an algorithm is read.
pub(super) struct Context<'a> {
    /// The experiment's `[budget]`.
    pub(super) budget: Option<&'a Table>,
    /// The problem families of the instances.
    pub(super) problems: &'a [&'a str],
    /// The properties of these families, if their instances could be read.
    pub(super) solved: &'a SolvedProblems<'a>,
    pub(super) catalogue: &'a Catalogue,
    /// The names of all presets, sorted.
    pub(super) preset_names: &'a [&'a str],
}

/// The places of all parts of an algorithm that was read.
pub(super) struct PlacedAlgorithm<'d> {
    pub(super) entry: &'d Entry,
    pub(super) table: &'d Table,
    pub(super) axes: Vec<PlacedAxis<'d>>,
    pub(super) exclusions: Vec<PlacedExclusion>,
    pub(super) space: Vec<PlacedAxis<'d>>,
    pub(super) designs: Vec<PlacedDesign<'d>>,
    /// The exclusions that forbid combinations of the space.
    pub(super) forbidden: Vec<PlacedExclusion>,
    /// Whether everything could be read. If not, settings that depend on each other are not checked.
    pub(super) is_whole: bool,
}

/// Reads an algorithm; `None` if its settings cannot be read.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    entry: &'d Entry,
    table: &'d Table,
    context: &Context<'_>,
) -> Option<(AlgorithmSpec, PlacedAlgorithm<'d>)> {
    let n_faults_before = reader.faults();
    let base = read_base(reader, table, context);
    let grid = reader.table(table, "grid");
    let mut axes = grid.map(|grid| axis::read_grid(reader, grid)).unwrap_or_default();
    for (entry, _, table) in tables(reader, table, "zip") {
        axes.extend(axis::read_zip(reader, entry, table));
    }
    if axes.iter().map(|placed| placed.axis.paths.len()).sum::<usize>() > MAX_KEYS {
        let message = format!("`{}` varies more than {MAX_KEYS} settings", entry.key);
        let help = "vary fewer settings, or write several algorithms, each with fewer varied settings";
        return reader.refuse(&entry.key_span, message, help);
    }
    let space = space_table::read_space(reader, table);
    let mut designs = Vec::new();
    for (_, node, table) in tables(reader, table, "design") {
        designs.extend(space_table::read_design(reader, &node.span, table, &space));
    }
    if let (Some(design), Some(grid)) = (table.get("design"), table.get("grid").or_else(|| table.get("zip"))) {
        let message = format!("`{}` has both `{}` and `design`", entry.key, grid.key);
        let help = "move the `grid` into a separate design: the algorithm uses the points of all designs";
        reader.fault(&design.key_span, message, help);
    }
    let of_designs = designs.iter().map(|design| &design.dimensions);
    let without_designs = [&axes[..], &space[..]].concat();
    let varied: Vec<&Vec<PlacedAxis<'_>>> = once(&without_designs).chain(of_designs.clone()).collect();
    for axes in &varied {
        overlap::check_axes(reader, axes);
        if let Some((base, own)) = &base {
            overlap::check_fixed(reader, table, base, own, axes);
        }
    }
    let excluded = tables(reader, table, "exclude");
    let is_of = |axes: &Vec<PlacedAxis<'_>>, path: &String| axes.iter().any(|placed| placed.axis.paths.contains(path));
    let exclusions = read_exclusions(reader, excluded, &|path| varied.iter().any(|axes| is_of(axes, path)));
    let forbids = |exclusion: &PlacedExclusion| {
        let has_all = |axes| exclusion.combination.iter().all(|(path, _)| is_of(axes, path));
        once(&space).chain(of_designs.clone()).any(has_all)
    };
    let (forbidden, exclusions): (Vec<_>, Vec<_>) = exclusions.into_iter().partition(forbids);
    let mut spec = AlgorithmSpec {
        name: entry.key.clone(),
        base: base?.0,
        axes: axes.iter().map(|placed| placed.axis.clone()).collect(),
        excluded: exclusions.iter().map(|exclusion| exclusion.combination.clone()).collect(),
        ..AlgorithmSpec::default()
    };
    if !spec.excluded.is_empty() && spec.n_combinations() > EXCLUSION_LIMIT {
        let span = &table.get("exclude").unwrap_or(entry).key_span;
        let message = format!("`exclude` would have to examine more than {EXCLUSION_LIMIT} combinations");
        reader.fault(span, message, "write several algorithms, each with fewer combinations, or remove `exclude`");
        // The search for further faults would take too long.
        spec.excluded.clear();
    }
    let is_whole = reader.faults() == n_faults_before;
    Some((spec, PlacedAlgorithm { entry, table, axes, exclusions, space, designs, forbidden, is_whole }))
}

/// All settings that are not varied, and the settings in the table of the algorithm itself. Returns `None` if the preset is unknown, because
/// then the settings are unknown.
fn read_base<'d>(reader: &mut Reader<'d>, table: &'d Table, context: &Context<'_>) -> Option<(Settings, Settings)> {
    let mut base = Settings::new();
    let mut is_known = true;
    if let Some(entry) = table.get("preset") {
        let name = reader.text(table, "preset");
        match name.and_then(|name| preset(name, context.catalogue)) {
            Some(preset) => {
                preset.note(context.problems).into_iter().for_each(|note| reader.notes.push(note));
                base = preset.settings;
            }
            None => is_known = false,
        }
        if let Some(name) = name.filter(|_| !is_known) {
            let help = match context.catalogue.algorithms.find(name) {
                Some(_) => format!("`{name}` is a kind of algorithm, not a preset: write `kind = \"{name}\"`"),
                None => one_of(name, context.preset_names),
            };
            reader.fault(&entry.node.span, format!("unknown preset `{name}`"), help);
        }
    }
    if let Some(budget) = context.budget {
        base.overlay(&Settings::of("budget", Value::Table(reader.settings("budget", budget, &[]))));
    }
    let own = reader.settings("", table, &RESERVED_KEYS);
    base.overlay(&own);
    if base.get("kind").is_none() && entry_at(table, "grid.kind").is_none() {
        // Without a kind, no setting is known: a misspelt `preset` or `kind` would not be noticed.
        let near = |key: &str| nearest(key, ["preset", "kind"]).filter(|_| !RESERVED_KEYS.contains(&key));
        for entry in &table.entries {
            if let Some(name) = near(&entry.key) {
                let message = format!("unknown key `{}` of an algorithm", entry.key);
                reader.fault(&entry.key_span, message, format!("did you mean `{name}`?"));
                is_known = false;
            }
        }
    }
    is_known.then_some((base, own))
}

/// The table under a key, or the tables of the list under a key; each with its entry and its node.
fn tables<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str) -> Vec<(&'d Entry, &'d Node, &'d Table)> {
    let Some(entry) = table.get(key) else { return Vec::new() };
    let mut tables = Vec::new();
    for item in entry.node.each() {
        match item.table() {
            Some(table) => tables.push((entry, item, table)),
            None => reader.unexpected(key, item, "expected a table, or a list of tables").unwrap_or(()),
        }
    }
    tables
}

/// An excluded combination, and its places in the file.
pub(super) struct PlacedExclusion {
    /// The settings that the exclusion names, and their values.
    pub(super) combination: Vec<(String, Value)>,
    /// The place of the whole exclusion.
    pub(super) span: Span,
    /// The places of each setting's name and value.
    pub(super) places: Vec<(Span, Span)>,
}

/// Reads the tables of `exclude`.
fn read_exclusions<'d>(
    reader: &mut Reader<'d>,
    tables: Vec<(&'d Entry, &'d Node, &'d Table)>,
    is_varied: &dyn Fn(&String) -> bool,
) -> Vec<PlacedExclusion> {
    let mut exclusions = Vec::new();
    for (_, node, table) in tables {
        if table.entries.is_empty() {
            let help = "write settings into this table: configurations with these settings are removed";
            reader.fault(&node.span, "an empty table in `exclude` removes every configuration", help);
        }
        let mut exclusion = PlacedExclusion { combination: Vec::new(), span: node.span, places: Vec::new() };
        let is_whole = |path: &str, table: &Table| is_varied(&path.to_owned()) || table.get("kind").is_some();
        let mut settings = Vec::new();
        settings_of("", table, &is_whole, &mut settings);
        for (path, entry) in settings {
            if let Some(first) = exclusion.combination.iter().position(|(other, _)| *other == path) {
                reader.twice(&path, "given", exclusion.places[first].0, entry.key_span);
            }
            if let Some(value) = reader.value(&path, &entry.node) {
                exclusion.combination.push((path, value));
                exclusion.places.push((entry.key_span, entry.node.span));
            }
        }
        exclusions.push(exclusion);
    }
    exclusions
}
