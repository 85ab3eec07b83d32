//! The check that an algorithm fits the problem families. The families must offer everything that the algorithm's operators need, and must
//! accept the algorithm's settings. Targets that refer to best known values must be computable.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use evogrid_core::budget::TARGET_GAP;
use evogrid_core::catalogue::{Catalogue, Fault, SettingPart};
use evogrid_core::family::{Direction, Family, Objective};
use evogrid_core::parameter::{Condition, Domain};
use evogrid_core::settings::Settings;

use super::equal::ForeignSettings;
use super::resolved::{ResolvedAlgorithm, SettingsError};
use crate::experiment::document::dotted::{join, root};
use crate::experiment::instance_list::InstanceList;
use crate::experiment::settings_on_instance::size;
use crate::system::numbers::counted;

/// The maximum number of combinations at which settings are checked together. A misfit at another combination becomes a failed run.
const COMBINATION_LIMIT: usize = 10_000;

/// The problem families of an experiment, and the properties of their instances.
pub(super) struct SolvedProblems<'a> {
    catalogue: &'a Catalogue,
    instances: &'a InstanceList,
    problems: Vec<SolvedProblem<'a>>,
}

/// A family with instances in the experiment.
struct SolvedProblem<'a> {
    family: &'a dyn Family,
    /// The objectives of the family's instances, by name. If an instance has no objective, the name is empty.
    objectives: BTreeMap<Cow<'static, str>, Option<Objective>>,
    n_instances: usize,
    /// The number of instances without a best known value, and the id of the first such instance.
    n_unknown: usize,
    first_unknown: &'a str,
    /// The different sizes of the family's instances. The sizes are read when a setting depends on the size.
    sizes: OnceCell<Vec<InstanceSizes>>,
}

/// Instances with the same sizes.
struct InstanceSizes {
    values: Vec<(String, f64)>,
    first: String,
    n_instances: u64,
}

impl<'a> SolvedProblems<'a> {
    /// The problem families of these instances.
    pub(super) fn new(instances: &'a InstanceList, catalogue: &'a Catalogue) -> Self {
        let solved = |problem: &str| {
            let family = catalogue.family(problem)?;
            let own = || instances.iter().filter(|listed| listed.problem == problem);
            let unknown = || own().filter(|listed| listed.best_known.is_none());
            // `collect` would first keep the objectives of all instances.
            let mut objectives = BTreeMap::new();
            for objective in own().map(|listed| family.objective(listed.content)) {
                let name = objective.as_ref().map_or(Cow::Borrowed(""), |objective| objective.name.clone());
                objectives.insert(name, objective);
            }
            Some(SolvedProblem {
                family,
                objectives,
                n_instances: own().count(),
                n_unknown: unknown().count(),
                first_unknown: unknown().next().map_or("", |listed| listed.id),
                sizes: OnceCell::new(),
            })
        };
        let mut names = instances.problems();
        names.sort_unstable();
        Self { catalogue, instances, problems: names.into_iter().filter_map(solved).collect() }
    }

    /// For each family, the settings that only other families of the experiment have. Empty if there is only one family.
    pub(super) fn foreign_settings(&self) -> Vec<ForeignSettings> {
        if self.problems.len() < 2 {
            return Vec::new();
        }
        let declarations = self.problems.iter().map(|problem| problem.family.declaration());
        let names = |family: &str| -> Vec<&'static str> {
            let others = declarations.clone().filter(|other| other.name != family);
            others.flat_map(|other| other.parameters).map(|parameter| parameter.name).collect()
        };
        declarations.clone().map(|own| (own.name, names(own.name))).collect()
    }

    /// Finds the misfits of the settings at some combinations of the varied values; the combinations cover every dependency. Also finds
    /// written settings that have no effect at all of these combinations.
    pub(super) fn misfits(
        &self,
        algorithm: &ResolvedAlgorithm,
        is_written: impl Fn(&str) -> bool,
    ) -> Vec<SettingsError> {
        let mut errors = Vec::new();
        let mut conditions: BTreeMap<(String, Condition), (bool, Vec<usize>)> = BTreeMap::new();
        let spec = algorithm.spec();
        let has_designs = !spec.designs.is_empty();
        for axes in self.related_axes(algorithm) {
            let of_grid = spec.combinations(&axes, vec![0; spec.axes.len()]).filter(|_| !has_designs);
            let n_of_designs = if has_designs { algorithm.n_configurations().min(COMBINATION_LIMIT as u64) } else { 0 };
            let of_designs = (0..n_of_designs).map(|number| algorithm.configuration(number));
            for points in of_grid.chain(of_designs).filter(|points| !algorithm.is_excluded(points)) {
                let settings = algorithm.settings(&points);
                let points = if has_designs { spec.choices(points[0]) } else { points };
                let families = self.problems.iter().map(|problem| problem.family);
                let declared = families.flat_map(|family| self.catalogue.conditions(&settings, family));
                for (path, condition, holds) in declared.filter(|(path, ..)| is_written(path)) {
                    conditions.entry((path, condition)).or_insert_with(|| (false, points.clone())).0 |= holds;
                }
                let faults = self.faults(&settings);
                errors.extend(faults.into_iter().map(|fault| SettingsError::Fault { fault, points: points.clone() }));
            }
        }
        let idle = conditions.into_iter().filter(|(_, (holds, _))| !holds);
        errors.extend(
            idle.map(|((path, condition), (_, points))| SettingsError::Fault { fault: condition.fault(&path), points }),
        );
        errors
    }

    /// The axes that are checked together. The axes of the kind of algorithm and of family settings are in every group. A group also has the
    /// axes of one operator, the axes of the budget, or one other axis.
    fn related_axes(&self, algorithm: &ResolvedAlgorithm) -> Vec<Vec<usize>> {
        let axes = &algorithm.spec().axes;
        let is_of_family = |name: &str| {
            let mut parameters = self.problems.iter().flat_map(|problem| problem.family.declaration().parameters);
            parameters.any(|parameter| parameter.name == name)
        };
        let is_table = |name: &str| {
            let mut parameters = self.catalogue.algorithms.declarations().flat_map(|declared| declared.parameters);
            let is_operator = |domain| matches!(domain, Domain::Operator(_));
            name == "budget" || parameters.any(|parameter| parameter.name == name && is_operator(parameter.domain))
        };
        let roots = |axis: usize| axes[axis].paths.iter().map(|path| root(path));
        let decides = |axis: &usize| roots(*axis).any(|name| name == "kind" || is_of_family(name));
        let deciding: Vec<usize> = (0..axes.len()).filter(decides).collect();
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::from([(String::new(), Vec::new())]);
        for axis in (0..axes.len()).filter(|axis| !deciding.contains(axis)) {
            for name in roots(axis) {
                let group = if is_table(name) { name.to_owned() } else { format!(" {axis}") };
                groups.entry(group).or_default().push(axis);
            }
        }
        let together = |group: Vec<usize>| {
            let mut all = deciding.clone();
            for axis in group {
                let n_combinations =
                    all.iter().fold(axes[axis].points.len(), |n, &one| n.saturating_mul(axes[one].points.len()));
                if !all.contains(&axis) && n_combinations <= COMBINATION_LIMIT {
                    all.push(axis);
                }
            }
            all
        };
        groups.into_values().map(together).collect()
    }

    /// The misfits of resolved settings.
    fn faults(&self, settings: &Settings) -> Vec<Fault> {
        let mut faults = Vec::new();
        for problem in &self.problems {
            let projected = self.catalogue.project(settings, problem.family.declaration().name);
            faults.extend(self.catalogue.misfits(&projected, problem.family));
            if projected.table("budget").get(TARGET_GAP).is_some() {
                faults.extend(problem.fault_of_target_gap(&projected, self.problems.len() == 1));
            }
            if self.catalogue.grows(&projected) {
                let sizes = problem.sizes.get_or_init(|| problem.read_sizes(self.instances));
                faults.extend(problem.faults_of_growth(&projected, sizes, self.catalogue));
            }
        }
        faults
    }
}

impl SolvedProblem<'_> {
    /// The different sizes of the instances, in the order of their first occurrence.
    fn read_sizes(&self, instances: &InstanceList) -> Vec<InstanceSizes> {
        let problem = self.family.declaration().name;
        let (mut sizes, mut numbers) = (Vec::<InstanceSizes>::new(), BTreeMap::new());
        for listed in instances.iter().filter(|listed| listed.problem == problem) {
            // An instance that cannot be read was already reported.
            let Ok(instance) = self.family.restore(listed.content) else { continue };
            let values: Vec<(String, f64)> =
                instance.sizes().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let bits: Vec<_> = values.iter().map(|(name, value)| (name.clone(), value.to_bits())).collect();
            let number = *numbers.entry(bits).or_insert(sizes.len());
            match sizes.get_mut(number) {
                Some(same) => same.n_instances += 1,
                None => sizes.push(InstanceSizes { values, first: listed.id.to_owned(), n_instances: 1 }),
            }
        }
        sizes
    }

    /// Faults of settings that grow with the size of an instance, and are out of range on an instance.
    fn faults_of_growth(&self, settings: &Settings, sizes: &[InstanceSizes], catalogue: &Catalogue) -> Vec<Fault> {
        let mut found: BTreeMap<String, (Fault, u64)> = BTreeMap::new();
        for InstanceSizes { values, first, n_instances } in sizes {
            for fault in catalogue.misgrown(settings, &|name| size(values, name), &format!("`{first}`")) {
                let (_, n) = found.entry(fault.path.clone()).or_insert((fault, 0));
                *n += n_instances;
            }
        }
        let with_number = |(mut fault, n): (Fault, u64)| {
            if n > 1 {
                fault.message += &format!("; this fault also occurs on {}", counted(n - 1, "other instance"));
            }
            fault
        };
        found.into_values().map(with_number).collect()
    }

    /// The reason why a `target_gap` does not define a target.
    fn fault_of_target_gap(&self, settings: &Settings, is_alone: bool) -> Option<Fault> {
        let problem = self.family.declaration().name;
        let fault = |message, expected: &str| {
            let path = join("budget", TARGET_GAP);
            Some(Fault { path, part: SettingPart::Name, message, expected: expected.to_owned() })
        };
        // Every algorithm runs on the instances of all problems.
        let no_gap = if is_alone {
            "set `target` instead: a value of the fitness that the search minimises"
        } else {
            "every algorithm runs on all problems: move this problem to its own experiment"
        };
        for objective in self.objectives.values() {
            let fitness = self.family.fitness(settings, objective.as_ref());
            let Some(objective) = objective else {
                let message = format!("`{TARGET_GAP}` needs an objective, but `{problem}` does not have one");
                return fault(message, no_gap);
            };
            if fitness != objective.fitness_name() {
                let (_, function) = Direction::of_marked(&fitness);
                let message = format!(
                    "`{TARGET_GAP}` refers to the objective of `{problem}` ({}), but the search optimises `{function}`",
                    objective.name
                );
                return fault(message, no_gap);
            }
        }
        if self.n_unknown == 0 {
            return None;
        }
        let (n, all) = (self.n_unknown, counted(self.n_instances as u64, "instance"));
        let message = format!(
            "`{TARGET_GAP}` needs best known values, but these values are missing for {n} of {all} of `{problem}`, for example `{}`",
            self.first_unknown
        );
        let help = "give the best known values with `best_known = \"file.csv\"` in `[[instances]]`, or select \
                    other instances with `ids`";
        fault(message, help)
    }
}
