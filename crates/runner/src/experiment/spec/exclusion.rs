//! Exclusions: which combinations of the varied settings are left out. They are compared with resolved settings, so that 1 equals 1.0, an
//! operator's name equals its table, and a default or a value of the preset counts as if it were written.

use std::collections::BTreeMap;

use evogrid_core::catalogue::Fault;
use evogrid_core::settings::{Settings, Value};

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

/// An exclusion that does not exclude any configuration.
pub(super) struct IdleExclusion<'a> {
    /// Its number.
    pub(super) exclusion: usize,
    /// The first of its conditions that never holds, if there is one.
    pub(super) condition: Option<usize>,
    /// The fault of the condition's value, if there is one.
    pub(super) fault: Option<&'a Fault>,
}

/// Where a setting has the value of an exclusion, among the combinations of one kind of algorithm.
pub(super) struct Condition {
    /// All of them hold there.
    masks: Vec<Mask>,
    /// The fault of the value, if it is invalid everywhere.
    pub(super) fault: Option<Fault>,
}

/// At which combinations of some axes something holds.
struct Mask {
    axes: Vec<usize>,
    /// One for each combination.
    holds: Vec<bool>,
}

/// The settings at a point of each axis: as they are, and with the excluded value.
type ResolveWith<'a> = dyn Fn(&[usize]) -> Result<[Settings; 2], Vec<Fault>> + 'a;

/// What some axes make of one setting: its path, the axes, and its values at all their combinations.
pub(super) struct Group<'a> {
    pub(super) path: &'a str,
    pub(super) axes: &'a [usize],
    pub(super) values: &'a [Value],
    /// The axis whose value the exclusion replaces, if the axis varies nothing else of the group.
    pub(super) replaced: Option<usize>,
}

impl Condition {
    /// Finds where the settings do not change when the value is laid over them. `groups` are the groups that the value concerns.
    pub(super) fn new(
        groups: &[Group<'_>],
        combinations: &dyn Fn(&[usize]) -> Vec<Vec<usize>>,
        resolve: &ResolveWith<'_>,
    ) -> Self {
        let (mut fault, mut is_right) = (None, false);
        // What the value makes of a group's setting; none where it changes another setting, or is wrong.
        let mut value_with = |points: &[usize], path: Option<&str>| match resolve(points) {
            Ok([mut settings, mut with]) => {
                is_right = true;
                let value = path.map_or(Some(Value::Flag(true)), |path| with.at(path).cloned());
                for group in groups {
                    settings.set_at(group.path, Value::Flag(true));
                    with.set_at(group.path, Value::Flag(true));
                }
                value.filter(|_| settings == with)
            }
            Err(faults) => {
                fault = fault.take().or_else(|| faults.into_iter().next());
                None
            }
        };
        let mut masks = Vec::new();
        for group in groups {
            let mut known: BTreeMap<Vec<usize>, Option<Value>> = BTreeMap::new();
            let holds = combinations(group.axes).into_iter().zip(group.values).map(|(mut points, value)| {
                if let Some(axis) = group.replaced {
                    points[axis] = 0;
                }
                let with = known.entry(points).or_insert_with_key(|points| value_with(points, Some(group.path)));
                with.as_ref() == Some(value)
            });
            masks.push(Mask { axes: group.axes.to_vec(), holds: holds.collect() });
        }
        if groups.is_empty() {
            let first = &combinations(&[])[0];
            masks.push(Mask { axes: Vec::new(), holds: vec![value_with(first, None).is_some()] });
        }
        Self { masks, fault: fault.filter(|_| !is_right) }
    }

    /// Whether the condition can hold, judged by each group separately.
    pub(super) fn is_possible(&self) -> bool {
        self.masks.iter().all(|mask| mask.holds.contains(&true))
    }

    /// Whether the condition holds at a point of each axis.
    pub(super) fn holds(&self, number: impl Fn(&[usize]) -> usize) -> bool {
        self.masks.iter().all(|mask| mask.holds[number(&mask.axes)])
    }
}
