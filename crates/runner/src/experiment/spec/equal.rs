//! Equal configurations. Two combinations may resolve to the same settings. Then each run with these settings would count twice. Two
//! combinations may also have the same labels: then the results would look the same.
//!
//! The hash of a configuration is a sum that contains one hash for each group of axes. Two configurations with the same hash count as
//! equal. Groups without a common axis are independent, so their combinations are examined separately. All other axes then stay at their
//! first points.

use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use evogrid_core::settings::{Settings, Value};

use super::algorithm::label;
use super::resolved::{ResolvedAlgorithm, ResolvedGrid, ResolvedGroup};
use crate::experiment::document::dotted::root;

/// The maximum number of combinations of axes that are compared with each other.
pub(super) const COMPARISON_LIMIT: usize = 10_000_000;

/// The points of two equal configurations, and the kind of their equality.
pub(super) type EqualConfigurations = ([Vec<usize>; 2], Likeness);

/// The kinds of equality of two configurations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    Settings,
    /// Two configurations have equal settings if only the settings that matter for instances of this family are compared.
    SettingsFor(&'static str),
    Labels,
}

/// A family, and the settings that do not belong to its runs, because they belong to other families of the experiment.
pub(super) type ForeignSettings = (&'static str, Vec<&'static str>);

/// The hashes of the resolved settings, or of the labels, of the configurations of one kind of algorithm.
struct GridHashes {
    /// The hash of all settings (or of all labels) that belong to no group.
    rest: u64,
    /// The hashes of each group, one for each combination of its axes.
    groups: Vec<Vec<u64>>,
}

impl ResolvedAlgorithm {
    /// Two equal configurations, if there are any. Configurations with equal settings are found first.
    ///
    /// # Errors
    /// The axes that have too many combinations to compare, by number.
    pub(super) fn equal_configurations(
        &self,
        foreign: &[ForeignSettings],
    ) -> Result<Option<EqualConfigurations>, Vec<usize>> {
        let for_families = foreign.iter().map(|(family, names)| (Likeness::SettingsFor(family), &names[..]));
        let likenesses = [(Likeness::Settings, &[][..])].into_iter().chain(for_families);
        let all_axes: Vec<usize> = (0..self.spec().axes.len()).collect();
        for (likeness, ignored) in likenesses.chain([(Likeness::Labels, &[][..])]) {
            let grids = self.grids.iter().enumerate();
            let hashes: Vec<GridHashes> =
                grids.map(|(kind, grid)| self.hashes(kind, grid, likeness, ignored)).collect();
            let rests: HashSet<u64> = hashes.iter().map(|grid| grid.rest).collect();
            // All configurations are examined in two cases: one of two equal configurations may be excluded, and two kinds of algorithm that differ
            // only in their groups may have equal configurations at any combination.
            let parts = if !self.spec().excluded.is_empty() || rests.len() < hashes.len() {
                vec![(0, all_axes.clone())]
            } else {
                let kinds = self.grids.iter().enumerate();
                kinds.flat_map(|(kind, grid)| parts(&grid.groups).into_iter().map(move |axes| (kind, axes))).collect()
            };
            for (kind, axes) in parts {
                if let Some(points) = self.equal_combinations(kind, axes, &hashes)? {
                    return Ok(Some((points, likeness)));
                }
            }
        }
        Ok(None)
    }

    fn hashes(&self, kind: usize, grid: &ResolvedGrid, likeness: Likeness, ignored: &[&str]) -> GridHashes {
        let is_labels = likeness == Likeness::Labels;
        // The settings outside of the groups.
        let rest = if is_labels {
            self.kind_labels(grid, kind)
        } else {
            let mut rest = grid.first.clone();
            grid.groups.iter().for_each(|group| rest.set_at(&group.path, Value::Flag(true)));
            rest.canonical()
        };
        let of_group = |group: &ResolvedGroup| {
            let combinations = self.spec().combinations(&group.axes, self.first_points(kind));
            let text = |(value, points): (&Value, Vec<usize>)| match likeness {
                Likeness::Labels => self.labels(group, value, &points),
                _ if ignored.contains(&root(&group.path)) => String::new(),
                _ => Settings::of("value", value.clone()).canonical(),
            };
            group.values.iter().zip(combinations).map(|pair| hash(&(&group.path, text(pair)))).collect()
        };
        GridHashes { rest: hash(&rest), groups: grid.groups.iter().map(of_group).collect() }
    }

    /// The labels of the settings of a group, at one point of each axis.
    fn labels(&self, group: &ResolvedGroup, value: &Value, points: &[usize]) -> String {
        let labels = group.settings.iter().map(|&(axis, at)| {
            let varied = &self.spec().axes[axis];
            let below = varied.paths[at].strip_prefix(&*group.path).unwrap_or_default().trim_start_matches('.');
            let resolved = match value {
                value if below.is_empty() => Some(value),
                Value::Table(table) => table.at(below),
                _ => None,
            };
            compared(&label(resolved, Some(&varied.points[points[axis]][at])))
        });
        labels.collect()
    }

    /// The labels of the axis that varies the kind of algorithm, at one of its points.
    fn kind_labels(&self, grid: &ResolvedGrid, kind: usize) -> String {
        let Some(axis) = self.kind_axis.map(|axis| &self.spec().axes[axis]) else { return String::new() };
        let labels = axis.paths.iter().zip(&axis.points[kind]);
        labels.map(|(path, written)| compared(&label(grid.first.at(path), Some(written)))).collect()
    }

    /// Two equal configurations among the combinations of some axes. The other axes are at their first points, except for the axis of the
    /// kind of algorithm.
    fn equal_combinations(
        &self,
        kind: usize,
        axes: Vec<usize>,
        hashes: &[GridHashes],
    ) -> Result<Option<[Vec<usize>; 2]>, Vec<usize>> {
        let n_points = axes.iter().map(|&axis| self.spec().axes[axis].points.len());
        let n_combinations = n_points.fold(1, usize::saturating_mul);
        if n_combinations > COMPARISON_LIMIT {
            return Err(axes);
        }
        let combinations = || self.spec().combinations(&axes, self.first_points(kind));
        let configurations = || combinations().filter(|points| !self.is_excluded(points));
        let hash_of = |points: &[usize]| {
            let kind = self.kind_axis.map_or(0, |axis| points[axis]);
            let groups = self.grids[kind].groups.iter().zip(&hashes[kind].groups);
            groups.fold(hashes[kind].rest, |sum, (group, hashes)| {
                sum.wrapping_add(hashes[self.number(&group.axes, points)])
            })
        };
        let mut seen = HashSet::new();
        let Some(second) = configurations().find(|points| !seen.insert(hash_of(points))) else { return Ok(None) };
        let first = configurations().find(|points| hash_of(points) == hash_of(&second)).expect("it was seen");
        Ok(Some([first, second]))
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The axes of the groups in parts. Groups with a common axis are in one part, also if they are connected through other groups.
fn parts(groups: &[ResolvedGroup]) -> Vec<Vec<usize>> {
    let mut parts: Vec<BTreeSet<usize>> = Vec::new();
    for group in groups {
        let mut joined: BTreeSet<usize> = group.axes.iter().copied().collect();
        let shared: Vec<_> = parts.extract_if(.., |part| !part.is_disjoint(&joined)).collect();
        joined.extend(shared.into_iter().flatten());
        parts.push(joined);
    }
    parts.into_iter().map(|part| part.into_iter().collect()).collect()
}

/// The form of a label for comparisons. Numbers are compared as numbers. The form begins with the length of the label: joined labels are equal
/// only if all labels are equal.
fn compared(label: &str) -> String {
    let number = label.parse::<f64>().ok().filter(|number| number.is_finite());
    // Adding zero turns -0 into 0.
    let label = number.map_or_else(|| label.to_owned(), |number| format!("{:?}", number + 0.0));
    format!("{}:{label}", label.len())
}
