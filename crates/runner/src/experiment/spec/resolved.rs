//! Resolved algorithms: the settings of an algorithm, checked and completed for every combination of its axes.
//!
//! A setting depends on the `kind` above it, but not on other settings. For example, the resolved value of `mutation.other = 0.1` depends
//! on the mutation, but not on the population. So not all combinations are resolved. First, every axis is at its first point. Then each
//! axis takes all its points, while the other axes stay at their first points. An axis may vary an operator while other axes vary settings
//! of this operator. All combinations of such axes are resolved. For example, two axes with a thousand values each are resolved at two
//! thousand points. The settings of the million configurations of this grid are assembled from these results. All settings depend on the
//! `kind` of the algorithm. So these steps are repeated for each kind.

mod designs;
mod settings_error;

use std::collections::{BTreeMap, BTreeSet};

use evogrid_core::budget::is_unset;
use evogrid_core::catalogue::{Catalogue, Fault, SettingPart};
use evogrid_core::settings::{Settings, Value};

use super::algorithm::AlgorithmSpec;
use super::axis::Axis;
use crate::experiment::document::dotted::{join, root, within};
use designs::ResolvedDesigns;
pub(super) use settings_error::RESOLUTION_LIMIT;
pub use settings_error::SettingsError;

/// An algorithm whose settings are valid at every combination of its axes.
pub struct ResolvedAlgorithm {
    spec: AlgorithmSpec,
    /// The axis that varies the kind of algorithm.
    pub(super) kind_axis: Option<usize>,
    /// One grid for each kind of algorithm.
    pub(super) grids: Vec<ResolvedGrid>,
    /// The settings of the algorithm's designs, which replace the grids.
    designs: Option<ResolvedDesigns>,
    /// The numbers of the combinations that are configurations, in ascending order; `None` if all combinations are configurations.
    counted: Option<Vec<u32>>,
    /// The number of points of designs that are excluded, and the number of points that have the values of an earlier point.
    pub(super) n_left_out: [u64; 2],
    /// The exclusions that do not exclude any combination.
    pub(super) idle_exclusions: Vec<IdleExclusion>,
}

/// An exclusion that does not exclude any combination.
pub(super) struct IdleExclusion {
    /// The number of the exclusion.
    pub(super) exclusion: usize,
    /// The number of the exclusion's first value that no combination has, if there is such a value.
    pub(super) condition: Option<usize>,
    /// The fault of this value, if there is one.
    pub(super) fault: Option<Fault>,
}

/// The combinations of one kind of algorithm at which a setting has the value of an exclusion.
struct Condition {
    /// The axes whose points decide whether the setting has the value.
    axes: Vec<usize>,
    /// Whether the setting has the value, for each combination of the axes' points.
    holds: Vec<bool>,
    /// The fault of the value, if the value is invalid at all of these combinations.
    fault: Option<Fault>,
}

/// A function that resolves settings.
type Resolve<'a> = dyn Fn(&Settings) -> Result<Settings, Vec<Fault>> + 'a;

/// The resolved settings of one kind of algorithm.
pub(super) struct ResolvedGrid {
    /// All settings with every other axis at its first point.
    pub(super) first: Settings,
    pub(super) groups: Vec<ResolvedGroup>,
}

/// The resolved values of one setting, or of one operator with its settings, at all combinations of the axes that vary it.
pub(super) struct ResolvedGroup {
    pub(super) path: String,
    pub(super) axes: Vec<usize>,
    /// The varied settings in the group: the axis, and the position of the path among the paths of the axis.
    pub(super) settings: Vec<(usize, usize)>,
    /// The values, one for each combination of the axes' points.
    pub(super) values: Vec<Value>,
}

impl ResolvedAlgorithm {
    /// Resolves the settings of an algorithm for problems of these families. When the settings are resolved, `check` examines them. The
    /// faults that `check` finds are also reported.
    ///
    /// # Errors
    /// If there are faults. The error lists all faults, each with the first combination in which it occurs.
    ///
    /// # Panics
    /// If the catalogue lacks one of the families. If an axis has no points.
    pub fn new(
        spec: AlgorithmSpec,
        catalogue: &Catalogue,
        problems: &[&str],
        check: impl Fn(&Settings) -> Vec<Fault>,
    ) -> Result<Self, Vec<SettingsError>> {
        let is_kind = |path: &String| root(path) == "kind";
        let kind_axis = spec.axes.iter().position(|axis| axis.paths.iter().any(is_kind));
        let groups = groups(&spec, kind_axis, catalogue);
        let resolve = |settings: &Settings| {
            let settings = catalogue.resolve(settings, problems)?;
            let faults = check(&settings);
            if faults.is_empty() { Ok(settings) } else { Err(faults) }
        };
        if !spec.designs.is_empty() {
            let (designs, counted, n_forbidden) = ResolvedDesigns::new(&spec, catalogue.free_tables(), resolve)?;
            let n_alike = spec.n_combinations() - counted.len() as u64 - n_forbidden;
            return Ok(Self {
                spec,
                kind_axis,
                grids: Vec::new(),
                designs: Some(designs),
                counted: Some(counted),
                n_left_out: [n_forbidden, n_alike],
                idle_exclusions: Vec::new(),
            });
        }
        let resolve = |points: &[usize]| resolve(&spec.settings(points));
        let mut resolver = Resolver { spec: &spec, resolve, n_resolved: 0, errors: Vec::new() };
        let n_kinds = kind_axis.map_or(1, |axis| spec.axes[axis].points.len());
        let mut grids = Vec::new();
        for kind in 0..n_kinds {
            grids.extend(resolver.grid(&first_points(&spec, kind_axis, kind), &groups));
        }
        if !resolver.errors.is_empty() {
            return Err(resolver.errors);
        }
        let idle_exclusions = Vec::new();
        let mut resolved =
            Self { spec, kind_axis, grids, designs: None, counted: None, n_left_out: [0; 2], idle_exclusions };
        resolved.read_exclusions(&|settings| catalogue.resolve(settings, problems));
        Ok(resolved)
    }

    /// Returns the algorithm as the experiment describes it, with unresolved settings.
    pub fn spec(&self) -> &AlgorithmSpec {
        &self.spec
    }

    /// All settings of a combination.
    pub fn settings(&self, points: &[usize]) -> Settings {
        if let Some(designs) = &self.designs {
            return designs.settings(&self.spec, points[0]);
        }
        let grid = self.grid(points);
        let mut settings = grid.first.clone();
        for group in &grid.groups {
            settings.set_at(&group.path, group.values[self.number(&group.axes, points)].clone());
        }
        settings
    }

    /// Whether at least one combination has this limit of the budget.
    pub(super) fn has_limit(&self, limit: &str) -> bool {
        let path = format!("budget.{limit}");
        let is_of_designs = self.designs.as_ref().is_some_and(|designs| designs.has(&path));
        is_of_designs
            || self.spec.paths().any(|varied| *varied == path)
            || self.grids.iter().any(|grid| grid.first.at(&path).is_some())
    }

    /// Returns the number of configurations: the combinations that are not excluded.
    pub fn n_configurations(&self) -> u64 {
        self.counted.as_ref().map_or_else(|| self.spec.n_combinations(), |counted| counted.len() as u64)
    }

    /// Returns the combination that belongs to the configuration with this number.
    pub fn configuration(&self, number: u64) -> Vec<usize> {
        self.spec.combination(self.counted.as_ref().map_or(number, |counted| counted[number as usize].into()))
    }

    /// Whether a combination is excluded. An excluded combination is not a configuration.
    pub fn is_excluded(&self, points: &[usize]) -> bool {
        let axes: Vec<usize> = (0..self.spec.axes.len()).collect();
        let number = if self.designs.is_some() { points[0] } else { self.number(&axes, points) };
        self.counted.as_ref().is_some_and(|counted| counted.binary_search(&(number as u32)).is_err())
    }

    /// The settings for the kind of algorithm at this point of each axis.
    pub(super) fn grid(&self, points: &[usize]) -> &ResolvedGrid {
        &self.grids[self.kind_axis.map_or(0, |axis| points[axis])]
    }

    /// The first point of each axis for this kind of algorithm.
    pub(super) fn first_points(&self, kind: usize) -> Vec<usize> {
        first_points(&self.spec, self.kind_axis, kind)
    }

    /// The number of a combination of some axes, computed from one point of each axis.
    pub(super) fn number(&self, axes: &[usize], points: &[usize]) -> usize {
        axes.iter().fold(0, |number, &axis| number * self.spec.axes[axis].points.len() + points[axis])
    }

    /// Determines which combinations are excluded.
    fn read_exclusions(&mut self, resolve: &Resolve<'_>) {
        if self.spec.excluded.is_empty() {
            return;
        }
        // For each kind of algorithm and each exclusion, the condition of each value.
        let conditions = |kind: usize| -> Vec<Vec<Condition>> {
            let points = self.first_points(kind);
            let condition = |value: &(String, Value)| self.condition(&points, value, resolve);
            self.spec.excluded.iter().map(|values| values.iter().map(condition).collect()).collect()
        };
        let conditions: Vec<_> = (0..self.grids.len()).map(conditions).collect();
        let mut is_idle = vec![true; self.spec.excluded.len()];
        let is_counted = |number: &u32| {
            let (points, mut is_counted) = (self.spec.combination(u64::from(*number)), true);
            let kind = self.kind_axis.map_or(0, |axis| points[axis]);
            for (exclusion, conditions) in conditions[kind].iter().enumerate() {
                if conditions.iter().all(|condition| condition.holds[self.number(&condition.axes, &points)]) {
                    is_idle[exclusion] = false;
                    is_counted = false;
                }
            }
            is_counted
        };
        let counted = (0..self.spec.n_combinations() as u32).filter(is_counted).collect();
        let idle = |exclusion: usize| {
            let conditions = |at: usize| conditions.iter().map(move |kind| &kind[exclusion][at]);
            let mut numbers = 0..self.spec.excluded[exclusion].len();
            let condition = numbers.find(|&at| !conditions(at).any(|condition| condition.holds.contains(&true)));
            // A value that is invalid only for some kinds of algorithm is not a mistake.
            let faults = condition.and_then(|at| conditions(at).map(|condition| condition.fault.clone()).collect());
            let fault = faults.and_then(|faults: Vec<Fault>| faults.into_iter().next());
            IdleExclusion { exclusion, condition, fault }
        };
        self.idle_exclusions = (0..is_idle.len()).filter(|&at| is_idle[at]).map(idle).collect();
        self.counted = Some(counted);
    }

    /// The combinations at which a setting has this value, for the kind of algorithm at these first points.
    fn condition(&self, first: &[usize], (path, value): &(String, Value), resolve: &Resolve<'_>) -> Condition {
        let grid = self.grid(first);
        // The groups are sorted: a table comes before its entries. Entries of a table that are varied separately form their own groups.
        let around = grid.groups.iter().rposition(|group| within(path, &group.path).is_some());
        let is_concerned =
            |(at, group): &(usize, &ResolvedGroup)| Some(*at) == around || within(&group.path, path).is_some();
        let concerned = grid.groups.iter().enumerate().filter(is_concerned).flat_map(|(_, group)| &group.axes);
        let axes: Vec<usize> = concerned.copied().collect::<BTreeSet<_>>().into_iter().collect();
        let (mut fault, mut is_right) = (None, false);
        // A setting has the value if laying the value over the settings does not change them.
        let holds = self.spec.combinations(&axes, first.to_vec()).map(|points| {
            match resolve(&self.spec.laid(&points, Some((path, value)))) {
                Ok(with) => {
                    is_right = true;
                    with == self.settings(&points)
                }
                Err(faults) => {
                    fault = fault.take().or_else(|| faults.into_iter().next());
                    false
                }
            }
        });
        let holds = holds.collect();
        Condition { axes, holds, fault: fault.filter(|_| !is_right) }
    }
}

fn first_points(spec: &AlgorithmSpec, kind_axis: Option<usize>, kind: usize) -> Vec<usize> {
    (0..spec.axes.len()).map(|axis| if Some(axis) == kind_axis { kind } else { 0 }).collect()
}

/// The path of one setting or operator, and the varied settings in it: the number of the axis, and the position of the path in the axis.
type GroupSettings = (String, Vec<(usize, usize)>);

/// The groups of axes that vary the same setting or operator. The axis of the kind of algorithm is in no group.
fn groups(spec: &AlgorithmSpec, kind_axis: Option<usize>, catalogue: &Catalogue) -> Vec<GroupSettings> {
    let tables = catalogue.free_tables();
    let varied: BTreeSet<&str> = spec.axes.iter().flat_map(|axis| &axis.paths).map(String::as_str).collect();
    let unsets = |axis: &Axis| {
        axis.points.iter().any(|point| axis.paths.iter().zip(point).any(|(path, value)| is_unset(path, value)))
    };
    let is_unset_somewhere = spec.axes.iter().any(unsets);
    // The first operator above a setting that is varied itself. In a table without declared names, each name is a separate setting.
    let subject = |path: &'_ String| -> String {
        // If one limit is removed, another limit may be the only remaining limit.
        if is_unset_somewhere && root(path) == "budget" {
            return "budget".to_owned();
        }
        let is_varied = |above: &&str| varied.contains(above) || varied.contains(join(above, "kind").as_str());
        let ends = path.match_indices('.').map(|(end, _)| &path[..end]);
        let operator = ends.take_while(|above| !tables.contains(above)).find(is_varied);
        operator.unwrap_or(path).to_owned()
    };
    let mut groups: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for axis in (0..spec.axes.len()).filter(|&axis| Some(axis) != kind_axis) {
        for (at, path) in spec.axes[axis].paths.iter().enumerate() {
            groups.entry(subject(path)).or_default().push((axis, at));
        }
    }
    // The groups are sorted: a table comes before its entries.
    groups.into_iter().collect()
}

struct Resolver<'s, R> {
    spec: &'s AlgorithmSpec,
    /// The resolved settings at one point of each axis.
    resolve: R,
    n_resolved: usize,
    errors: Vec<SettingsError>,
}

impl<R: Fn(&[usize]) -> Result<Settings, Vec<Fault>>> Resolver<'_, R> {
    /// Resolves the settings from these first points on.
    fn grid(&mut self, first: &[usize], groups: &[GroupSettings]) -> Option<ResolvedGrid> {
        let settings = (self.resolve)(first);
        let faults = settings.as_ref().err().cloned().unwrap_or_default();
        self.add(first, faults.iter().cloned());
        // The values of an unknown setting are not examined.
        let is_unknown = |path: &String| {
            faults.iter().any(|fault| fault.part == SettingPart::Name && within(path, &fault.path).is_some())
        };
        let is_known = |(axis, _): &(usize, usize)| !self.spec.axes[*axis].paths.iter().all(is_unknown);
        let groups = groups.iter().filter(|(_, settings)| settings.iter().any(is_known));
        let groups = groups.filter_map(|group| self.group(first, &faults, group)).collect();
        Some(ResolvedGrid { first: settings.ok()?, groups })
    }

    /// Resolves one operator or setting at all combinations of some axes. All other axes stay at their first points.
    fn group(&mut self, first: &[usize], known: &[Fault], (path, settings): &GroupSettings) -> Option<ResolvedGroup> {
        let mut axes: Vec<usize> = settings.iter().map(|&(axis, _)| axis).collect();
        axes.dedup();
        let n_points = axes.iter().map(|&axis| self.spec.axes[axis].points.len());
        let n_combinations = n_points.fold(1, usize::saturating_mul);
        if n_combinations > RESOLUTION_LIMIT - self.n_resolved {
            self.errors.push(SettingsError::TooMany(axes));
            return None;
        }
        self.n_resolved += n_combinations;
        let mut values = Vec::new();
        for points in self.spec.combinations(&axes, first.to_vec()) {
            match (self.resolve)(&points) {
                Ok(settings) => values.extend(settings.at(path).cloned()),
                Err(faults) => self.add(&points, faults.into_iter().filter(|fault| !known.contains(fault))),
            }
        }
        Some(ResolvedGroup { path: path.clone(), axes, settings: settings.clone(), values })
    }

    fn add(&mut self, points: &[usize], faults: impl Iterator<Item = Fault>) {
        self.errors.extend(faults.map(|fault| SettingsError::Fault { fault, points: points.to_vec() }));
    }
}
