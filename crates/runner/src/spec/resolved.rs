//! Resolved algorithms: the settings of an algorithm, checked and completed for every combination of what it varies.
//!
//! Settings do not depend on each other but on the `kind` above them: what `mutation.other = 0.1` comes to is the same at every
//! population, but another matter for another mutation. So the settings are resolved where every axis is at its first point, and
//! from there at all points of each axis; axes of which one varies an operator and others its settings are taken together, at
//! all their combinations. A grid of a thousand values by a thousand is resolved at two thousand places; the settings of one of
//! its million cells are put together from the results, and nothing can be wrong with them. On the algorithm's own `kind` all
//! settings depend: the rest is resolved for each of the algorithms that it varies.

use std::collections::{BTreeMap, BTreeSet};

use evogrid_core::budget::is_unset;
use evogrid_core::catalogue::{Catalogue, Fault, SettingPart};
use evogrid_core::parameter::Domain;
use evogrid_core::settings::{Settings, Value};

use super::algorithm::AlgorithmSpec;
use super::axis::Axis;
use super::combination::advance;
use super::paths::{join, root, within};

/// The most combinations of an algorithm's axes at which its settings are resolved.
pub(super) const RESOLUTION_LIMIT: usize = 100_000;

/// An algorithm whose settings are right at every combination of what it varies.
pub struct ResolvedAlgorithm {
    spec: AlgorithmSpec,
    /// The axis that varies `kind`.
    kind_axis: Option<usize>,
    /// One for each point of that axis; only one where there is no such axis.
    grids: Vec<ResolvedGrid>,
}

/// The settings of one kind of algorithm.
struct ResolvedGrid {
    /// All settings where every other axis is at its first point.
    first: Settings,
    groups: Vec<ResolvedGroup>,
}

/// What some axes make of one setting, or of one operator with its settings.
struct ResolvedGroup {
    path: String,
    axes: Vec<usize>,
    /// One for each combination of the axes' points.
    values: Vec<Value>,
}

/// What is wrong with the settings of an algorithm.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A setting is wrong at these points of the axes.
    #[error("{}: {}; {}", fault.path, fault.message, fault.expected)]
    Fault {
        /// What is wrong.
        fault: Fault,
        /// A point of each axis.
        points: Vec<usize>,
    },
    /// These axes vary one operator with its settings, and have more combinations than are resolved.
    #[error("over {RESOLUTION_LIMIT} combinations of settings depend on each other")]
    TooMany {
        /// The axes, by number.
        axes: Vec<usize>,
    },
}

impl ResolvedAlgorithm {
    /// Resolves the settings of an algorithm that is to solve problems of these kinds. What `check` finds wrong with resolved
    /// settings counts, too.
    ///
    /// # Errors
    /// Everything that is wrong, at the first point at which it shows.
    ///
    /// # Panics
    /// If a kind of problem is not in the catalogue, or an axis has no points.
    pub fn new(
        spec: AlgorithmSpec,
        catalogue: &Catalogue,
        problems: &[&str],
        check: impl Fn(&Settings) -> Vec<Fault>,
    ) -> Result<Self, Vec<SettingsError>> {
        let is_kind = |path: &String| root(path) == "kind";
        let kind_axis = spec.axes.iter().position(|axis| axis.paths.iter().any(is_kind));
        let groups = groups(&spec, kind_axis, catalogue);
        let resolve = |points: &[usize]| {
            let settings = catalogue.resolve(&spec.settings(points), problems)?;
            let faults = check(&settings);
            if faults.is_empty() { Ok(settings) } else { Err(faults) }
        };
        let mut resolver = Resolver { spec: &spec, resolve, n_resolved: 0, errors: Vec::new() };
        let n_kinds = kind_axis.map_or(1, |axis| spec.axes[axis].points.len());
        let mut grids = Vec::new();
        for kind in 0..n_kinds {
            let mut points = vec![0; spec.axes.len()];
            if let Some(axis) = kind_axis {
                points[axis] = kind;
            }
            grids.extend(resolver.grid(&points, &groups));
        }
        let errors = resolver.errors;
        if errors.is_empty() { Ok(Self { spec, kind_axis, grids }) } else { Err(errors) }
    }

    /// The algorithm as it was written.
    #[must_use]
    pub fn spec(&self) -> &AlgorithmSpec {
        &self.spec
    }

    /// All its settings at a point of each axis.
    #[must_use]
    pub fn settings(&self, points: &[usize]) -> Settings {
        let grid = &self.grids[self.kind_axis.map_or(0, |axis| points[axis])];
        let mut settings = grid.first.clone();
        for group in &grid.groups {
            let n_points = |axis: usize| self.spec.axes[axis].points.len();
            let number = group.axes.iter().fold(0, |number, &axis| number * n_points(axis) + points[axis]);
            settings.set_at(&group.path, group.values[number].clone());
        }
        settings
    }
}

/// The axes that vary the same setting or operator, with its path; the axis of `kind` belongs to no group.
fn groups(spec: &AlgorithmSpec, kind_axis: Option<usize>, catalogue: &Catalogue) -> Vec<(String, Vec<usize>)> {
    let parameters = catalogue.algorithms.declarations().flat_map(|algorithm| algorithm.parameters);
    let tables = parameters.filter(|parameter| matches!(parameter.domain, Domain::Table));
    let tables: Vec<&str> = tables.map(|parameter| parameter.name).collect();
    let varied: BTreeSet<&str> = spec.axes.iter().flat_map(|axis| &axis.paths).map(String::as_str).collect();
    let unsets = |axis: &Axis| {
        axis.points.iter().any(|point| axis.paths.iter().zip(point).any(|(path, value)| is_unset(path, value)))
    };
    let is_unset_somewhere = spec.axes.iter().any(unsets);
    // The first operator on the way to a setting that is varied itself. What is in a table of names that are not declared is a
    // setting by itself.
    let subject = |path: &'_ String| -> String {
        // Where a limit is taken back, another may be the only one left.
        if is_unset_somewhere && root(path) == "budget" {
            return "budget".to_owned();
        }
        let is_varied = |above: &&str| varied.contains(above) || varied.contains(join(above, "kind").as_str());
        let ends = path.match_indices('.').map(|(end, _)| &path[..end]);
        let operator = ends.take_while(|above| !tables.contains(above)).find(is_varied);
        operator.unwrap_or(path).to_owned()
    };
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for axis in (0..spec.axes.len()).filter(|&axis| Some(axis) != kind_axis) {
        for path in &spec.axes[axis].paths {
            let axes = groups.entry(subject(path)).or_default();
            if !axes.contains(&axis) {
                axes.push(axis);
            }
        }
    }
    // Sorted, a table comes before its entries.
    groups.into_iter().collect()
}

struct Resolver<'s, R> {
    spec: &'s AlgorithmSpec,
    /// The resolved settings at a point of each axis.
    resolve: R,
    n_resolved: usize,
    errors: Vec<SettingsError>,
}

impl<R: Fn(&[usize]) -> Result<Settings, Vec<Fault>>> Resolver<'_, R> {
    /// Resolves the settings from these first points on.
    fn grid(&mut self, first: &[usize], groups: &[(String, Vec<usize>)]) -> Option<ResolvedGrid> {
        let (settings, faults) = match (self.resolve)(first) {
            Ok(settings) => (Some(settings), Vec::new()),
            Err(faults) => (None, faults),
        };
        self.add(first, faults.iter().cloned());
        // The values of a setting that is not there are not looked at one by one.
        let is_unknown = |path: &String| {
            faults.iter().any(|fault| fault.part == SettingPart::Name && within(path, &fault.path).is_some())
        };
        let is_known = |axis: &usize| !self.spec.axes[*axis].paths.iter().all(is_unknown);
        let groups = groups.iter().filter(|(_, axes)| axes.iter().any(is_known));
        let groups = groups.filter_map(|(path, axes)| self.group(first, &faults, path, axes)).collect();
        Some(ResolvedGrid { first: settings?, groups })
    }

    /// Resolves one operator or setting at all combinations of some axes, the others being at their first points.
    fn group(&mut self, first: &[usize], known: &[Fault], path: &str, axes: &[usize]) -> Option<ResolvedGroup> {
        let n_points = |at: usize| self.spec.axes[axes[at]].points.len();
        let n_combinations = (0..axes.len()).fold(1, |all: usize, at| all.saturating_mul(n_points(at)));
        if n_combinations > RESOLUTION_LIMIT - self.n_resolved {
            self.errors.push(SettingsError::TooMany { axes: axes.to_vec() });
            return None;
        }
        self.n_resolved += n_combinations;
        let mut values = Vec::new();
        let (mut chosen, mut points) = (vec![0; axes.len()], first.to_vec());
        loop {
            axes.iter().zip(&chosen).for_each(|(&axis, &point)| points[axis] = point);
            match (self.resolve)(&points) {
                Ok(settings) => values.extend(settings.at(path).cloned()),
                Err(faults) => self.add(&points, faults.into_iter().filter(|fault| !known.contains(fault))),
            }
            if !advance(&mut chosen, n_points) {
                break;
            }
        }
        Some(ResolvedGroup { path: path.to_owned(), axes: axes.to_vec(), values })
    }

    fn add(&mut self, points: &[usize], faults: impl Iterator<Item = Fault>) {
        self.errors.extend(faults.map(|fault| SettingsError::Fault { fault, points: points.to_vec() }));
    }
}
