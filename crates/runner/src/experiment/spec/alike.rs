//! Cells that are alike: two combinations of what an algorithm varies that come to the same settings, so that each of their runs would
//! count twice; or that have the same labels, so that the results could not tell them apart.
//!
//! The cells are not gone through. Where all combinations of a group's axes come to different values, alike cells are at the same
//! points of these axes; which may make the values of another group all different, too. Only the axes that no group tells apart are
//! left, and they are compared together with the axes that share a group with them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use evogrid_core::settings::{Settings, Value};

use super::algorithm::label;
use super::combination::advance;
use super::paths::root;
use super::resolved::{ResolvedAlgorithm, ResolvedGrid, ResolvedGroup};

/// The most combinations of axes that are compared with each other.
pub(super) const COMPARISON_LIMIT: usize = 1_000_000;

/// Two cells that are alike.
pub(super) struct AlikeCells {
    /// The points of each.
    pub(super) points: [Vec<usize>; 2],
    pub(super) likeness: Likeness,
}

/// In what cells are alike.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    Settings,
    /// In the settings that count for instances of this family.
    SettingsFor(&'static str),
    Labels,
}

/// The settings that are not part of the runs of a family: those of the other families of an experiment.
pub(super) struct ForeignSettings {
    pub(super) family: &'static str,
    pub(super) names: Vec<&'static str>,
}

/// More combinations than can be compared, of these axes.
pub(super) struct TooManyCombinations(pub(super) Vec<usize>);

/// What the cells of one kind of algorithm come to, as numbers: equal ones are the same.
struct GridClasses {
    /// Of all that no group has.
    rest: u32,
    /// Of each group, at each combination of its axes.
    groups: Vec<Vec<u32>>,
}

/// Numbers for texts: equal ones for equal texts.
#[derive(Default)]
struct Numbers(HashMap<String, u32>);

impl ResolvedAlgorithm {
    /// Two cells that are alike, if there are any: in their settings before others.
    ///
    /// # Errors
    /// If that cannot be said without comparing too many combinations.
    pub(super) fn alike_cells(&self, foreign: &[ForeignSettings]) -> Result<Option<AlikeCells>, TooManyCombinations> {
        let for_families = foreign.iter().map(|foreign| (Likeness::SettingsFor(foreign.family), &foreign.names[..]));
        let likenesses = [(Likeness::Settings, &[][..])].into_iter().chain(for_families);
        for (likeness, ignored) in likenesses.chain([(Likeness::Labels, &[][..])]) {
            let classes = self.classes(likeness, ignored);
            let found = match self.alike_combinations(&classes)? {
                // Of combinations that are alike one may be left out.
                Some(_) if !self.spec().excluded.is_empty() => self.alike_among_all(&classes),
                found => found,
            };
            if let Some(points) = found {
                return Ok(Some(AlikeCells { points, likeness }));
            }
        }
        Ok(None)
    }

    fn classes(&self, likeness: Likeness, ignored: &[&str]) -> Vec<GridClasses> {
        let mut rests = Numbers::default();
        let mut groups: Vec<Numbers> = Vec::new();
        let mut classes = Vec::new();
        for (kind, grid) in self.grids.iter().enumerate() {
            groups.resize_with(grid.groups.len(), Numbers::default);
            let rest = match likeness {
                Likeness::Settings | Likeness::SettingsFor(_) => without_groups(grid).canonical(),
                Likeness::Labels => self.kind_labels(grid, kind),
            };
            let numbered = grid.groups.iter().zip(&mut groups).map(|(group, numbers)| {
                let mut chosen = vec![0; group.axes.len()];
                let number = |value: &Value| {
                    let number = numbers.number(match likeness {
                        Likeness::Settings | Likeness::SettingsFor(_) if ignored.contains(&root(&group.path)) => {
                            String::new()
                        }
                        Likeness::Settings | Likeness::SettingsFor(_) => canonical(value),
                        Likeness::Labels => self.labels(group, value, &chosen),
                    });
                    advance(&mut chosen, |at| self.n_points(group.axes[at]));
                    number
                };
                group.values.iter().map(number).collect()
            });
            classes.push(GridClasses { rest: rests.number(rest), groups: numbered.collect() });
        }
        classes
    }

    /// The labels of what a group varies, at a combination of its axes.
    fn labels(&self, group: &ResolvedGroup, value: &Value, chosen: &[usize]) -> String {
        let labels = group.settings.iter().map(|&(axis, at)| {
            let varied = &self.spec().axes[axis];
            let point = group.axes.iter().zip(chosen).find_map(|(&own, &point)| (own == axis).then_some(point));
            let written = point.map(|point| &varied.points[point][at]);
            let below = varied.paths[at].strip_prefix(&*group.path).unwrap_or_default().trim_start_matches('.');
            let resolved = match value {
                value if below.is_empty() => Some(value),
                Value::Table(table) => table.at(below),
                _ => None,
            };
            compared(&label(resolved, written))
        });
        labels.collect()
    }

    /// The labels of the axis that varies the kind of algorithm, at one of its points.
    fn kind_labels(&self, grid: &ResolvedGrid, kind: usize) -> String {
        let Some(axis) = self.kind_axis().map(|axis| &self.spec().axes[axis]) else { return String::new() };
        let labels = axis.paths.iter().zip(&axis.points[kind]);
        labels.map(|(path, written)| compared(&label(grid.first.at(path), Some(written)))).collect()
    }

    /// Two combinations that are alike, whether they are left out or not.
    fn alike_combinations(&self, classes: &[GridClasses]) -> Result<Option<[Vec<usize>; 2]>, TooManyCombinations> {
        let mut of_rest: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (kind, grid) in classes.iter().enumerate() {
            of_rest.entry(grid.rest).or_default().push(kind);
            if let Some(found) = self.alike_of_kind(kind, grid)? {
                return Ok(Some(found));
            }
        }
        for kinds in of_rest.values() {
            for (at, &kind) in kinds.iter().enumerate() {
                for &other in &kinds[at + 1..] {
                    if let Some(found) = self.alike_of_kinds([kind, other], classes)? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Two alike combinations of one kind of algorithm.
    fn alike_of_kind(
        &self,
        kind: usize,
        classes: &GridClasses,
    ) -> Result<Option<[Vec<usize>; 2]>, TooManyCombinations> {
        let groups = &self.grids[kind].groups;
        let told_apart = self.told_apart(groups, classes);
        for part in parts(groups) {
            let axes = axes_of(&part, groups);
            let left: Vec<usize> = axes.iter().copied().filter(|axis| !told_apart.contains(axis)).collect();
            // Most are found at the points of one axis, however many combinations there are.
            let together = (!left.is_empty()).then_some(axes);
            for axes in left.iter().map(|&axis| vec![axis]).chain(together) {
                let mut seen: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
                let mut found = None;
                self.for_each_combination(kind, &axes, |points| {
                    if let Some(first) = seen.insert(self.part_key(kind, classes, &part, points), points.to_vec()) {
                        found = Some([first, points.to_vec()]);
                    }
                    found.is_none()
                })?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// The axes at whose points alike combinations are the same.
    fn told_apart(&self, groups: &[ResolvedGroup], classes: &GridClasses) -> BTreeSet<usize> {
        let mut told_apart = BTreeSet::new();
        loop {
            let n_before = told_apart.len();
            for (group, numbers) in groups.iter().zip(&classes.groups) {
                // Whether all combinations that are the same at the axes found so far come to different values.
                let (mut seen, mut chosen) = (HashSet::new(), vec![0; group.axes.len()]);
                let is_telling = numbers.iter().all(|&number| {
                    let points = group.axes.iter().zip(&chosen).filter(|(axis, _)| told_apart.contains(*axis));
                    let points: Vec<usize> = points.map(|(_, &point)| point).collect();
                    advance(&mut chosen, |at| self.n_points(group.axes[at]));
                    seen.insert((number, points))
                });
                if is_telling {
                    told_apart.extend(&group.axes);
                }
            }
            if told_apart.len() == n_before {
                return told_apart;
            }
        }
    }

    /// Two alike combinations of two kinds of algorithm that are the same in all that no group has.
    fn alike_of_kinds(
        &self,
        kinds: [usize; 2],
        classes: &[GridClasses],
    ) -> Result<Option<[Vec<usize>; 2]>, TooManyCombinations> {
        let mut found = kinds.map(|kind| self.first_of_kind(kind));
        for part in parts(&self.grids[kinds[0]].groups) {
            let axes = axes_of(&part, &self.grids[kinds[0]].groups);
            let mut seen: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
            self.for_each_combination(kinds[0], &axes, |points| {
                seen.insert(self.part_key(kinds[0], &classes[kinds[0]], &part, points), points.to_vec());
                true
            })?;
            let mut is_alike = false;
            self.for_each_combination(kinds[1], &axes, |points| {
                if let Some(first) = seen.get(&self.part_key(kinds[1], &classes[kinds[1]], &part, points)) {
                    is_alike = true;
                    for &axis in &axes {
                        (found[0][axis], found[1][axis]) = (first[axis], points[axis]);
                    }
                }
                !is_alike
            })?;
            if !is_alike {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    /// Two alike cells among those that are not left out, all of which are gone through.
    fn alike_among_all(&self, classes: &[GridClasses]) -> Option<[Vec<usize>; 2]> {
        let mut seen: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
        let mut points = vec![0; self.spec().axes.len()];
        loop {
            if !self.is_excluded(&points) {
                let kind = self.kind_axis().map_or(0, |axis| points[axis]);
                let all: Vec<usize> = (0..self.grids[kind].groups.len()).collect();
                let mut key = self.part_key(kind, &classes[kind], &all, &points);
                key.push(classes[kind].rest);
                if let Some(first) = seen.insert(key, points.clone()) {
                    return Some([first, points]);
                }
            }
            if !self.spec().advance(&mut points) {
                return None;
            }
        }
    }

    /// What some groups come to at a point of each axis.
    fn part_key(&self, kind: usize, classes: &GridClasses, part: &[usize], points: &[usize]) -> Vec<u32> {
        let groups = &self.grids[kind].groups;
        part.iter().map(|&group| classes.groups[group][self.number(&groups[group].axes, points)]).collect()
    }

    /// Goes through the combinations of some axes, the others being at their first points, as long as `each` says to go on.
    fn for_each_combination(
        &self,
        kind: usize,
        axes: &[usize],
        mut each: impl FnMut(&[usize]) -> bool,
    ) -> Result<(), TooManyCombinations> {
        let n_combinations = axes.iter().fold(1, |all: usize, &axis| all.saturating_mul(self.n_points(axis)));
        if n_combinations > COMPARISON_LIMIT {
            return Err(TooManyCombinations(axes.to_vec()));
        }
        let (mut chosen, mut points) = (vec![0; axes.len()], self.first_of_kind(kind));
        loop {
            axes.iter().zip(&chosen).for_each(|(&axis, &point)| points[axis] = point);
            if !each(&points) || !advance(&mut chosen, |at| self.n_points(axes[at])) {
                return Ok(());
            }
        }
    }

    fn first_of_kind(&self, kind: usize) -> Vec<usize> {
        let mut points = vec![0; self.spec().axes.len()];
        if let Some(axis) = self.kind_axis() {
            points[axis] = kind;
        }
        points
    }

    fn n_points(&self, axis: usize) -> usize {
        self.spec().axes[axis].points.len()
    }
}

impl Numbers {
    fn number(&mut self, text: String) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(text).or_insert(next)
    }
}

/// The groups in parts, by number: those that share an axis, if through others, are in one.
fn parts(groups: &[ResolvedGroup]) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let shares = |part: &mut Vec<usize>| {
            part.iter().any(|&other| groups[other].axes.iter().any(|axis| group.axes.contains(axis)))
        };
        let mut joined: Vec<usize> = parts.extract_if(.., shares).flatten().collect();
        joined.push(number);
        parts.push(joined);
    }
    parts
}

/// The axes of some groups, each once.
fn axes_of(part: &[usize], groups: &[ResolvedGroup]) -> Vec<usize> {
    let axes: BTreeSet<usize> = part.iter().flat_map(|&group| &groups[group].axes).copied().collect();
    axes.into_iter().collect()
}

/// What no group has of the settings.
fn without_groups(grid: &ResolvedGrid) -> Settings {
    let mut rest = grid.first.clone();
    grid.groups.iter().for_each(|group| rest.set_at(&group.path, Value::Flag(true)));
    rest
}

fn canonical(value: &Value) -> String {
    let mut settings = Settings::new();
    settings.set("value", value.clone());
    settings.canonical()
}

/// A label as it is compared with others, with its length, so that no two lists of labels look alike: numbers are compared as numbers,
/// as those who read the results do.
fn compared(label: &str) -> String {
    let number = label.parse::<f64>().ok().filter(|number| number.is_finite());
    // Adding zero turns -0 into 0.
    let label = number.map_or_else(|| label.to_owned(), |number| format!("{:?}", number + 0.0));
    format!("{}:{label}", label.len())
}
