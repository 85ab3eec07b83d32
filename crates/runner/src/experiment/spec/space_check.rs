//! The check of a space. The check finds the condition under which each dimension has an effect. It also finds ranges of whole numbers, and
//! invalid values.
//!
//! For each dimension, the check resolves settings that contain a value of this dimension and the choices on which the dimension depends.
//! The dimension has no effect if the resolution does not know the setting, or if a condition of its declaration does not hold.

use std::collections::{BTreeMap, BTreeSet};

use evogrid_core::catalogue::{Fault, SettingPart};
use evogrid_core::parameter::Condition;
use evogrid_core::settings::{Settings, Value};
use evogrid_core::suggestion::one_of;

use super::algorithm::lay;
use super::algorithm_table::{Context, PlacedExclusion};
use super::axis::PlacedAxis;
use super::fault_report::FaultReport;
use super::fields::Reader;
use super::resolved::RESOLUTION_LIMIT;
use crate::experiment::document::dotted::{join, settings_of, within};
use crate::experiment::document::{Entry, Node};
use crate::experiment::space::{Dimension, DimensionCondition, ForbiddenValue, Space, Values, is_same};

/// The maximum number of combinations of choices at which the effect of one setting is examined.
const COMBINATION_LIMIT: usize = 10_000;

/// A point of each dimension: a choice, or an end of a range. `None` for a dimension that is left out.
type Assignment = Vec<Option<usize>>;

/// Dimensions that are checked, with the settings that they override.
pub(super) struct SpaceCheck<'a, 'd> {
    base: &'a Settings,
    context: &'a Context<'a>,
    dimensions: &'a [PlacedAxis<'d>],
    /// The conditions of the dimensions that were examined so far.
    conditions: Vec<Option<DimensionCondition>>,
}

impl<'a, 'd> SpaceCheck<'a, 'd> {
    pub(super) fn new(base: &'a Settings, context: &'a Context<'a>, dimensions: &'a [PlacedAxis<'d>]) -> Self {
        Self { base, context, dimensions, conditions: Vec::new() }
    }

    /// The space; `None` if the space has faults, which are reported.
    pub(super) fn space(mut self, report: &mut FaultReport<'_, '_>) -> Option<Space> {
        let n_faults = report.reader.faults();
        for at in 0..self.dimensions.len() {
            let condition = match self.dimensions[at].when {
                Some(when) => self.written_condition(report.reader, at, when),
                None => self.derived_condition(report, at),
            };
            self.conditions.push(condition);
        }
        if report.reader.faults() > n_faults {
            return None;
        }
        let (mut dimensions, mut n_resolved) = (Vec::new(), 0);
        for at in 0..self.dimensions.len() {
            let values = self.values(report, at, &mut n_resolved);
            let (path, condition) = (self.dimensions[at].path().to_owned(), self.conditions[at].clone());
            dimensions.extend(values.map(|values| Dimension { path, values, condition }));
        }
        (report.reader.faults() == n_faults).then_some(Space { dimensions, forbidden: Vec::new() })
    }

    /// The condition of `when = { "parameters.mode" = ["a"] }`.
    fn written_condition(&self, reader: &mut Reader<'_>, at: usize, when: &Entry) -> Option<DimensionCondition> {
        let mut given: Vec<(String, &Entry)> = Vec::new();
        when.node.table().into_iter().for_each(|table| settings_of("", table, &|_, _| false, &mut given));
        let [(path, entry)] = given.as_slice() else {
            let help = "expected one setting and its choices, for example { \"parameters.mode\" = [\"a\"] }";
            return reader.unexpected(&format!("the condition of `{}`", self.dimensions[at].path()), &when.node, help);
        };
        let Some(above) = self.dimensions.iter().position(|dimension| dimension.path() == path) else {
            let names: Vec<&str> = self.dimensions.iter().map(PlacedAxis::path).collect();
            return reader.refuse(&entry.key_span, format!("the space has no setting `{path}`"), one_of(path, &names));
        };
        let other = &self.dimensions[above];
        if other.range.is_some() {
            let message = format!("a condition needs a list of choices, but `{path}` has a range of values");
            return reader.refuse(&entry.key_span, message, "write a list of values instead of the range");
        }
        self.expect_earlier(reader, at, above)?;
        let values = entry.node.each().iter().filter_map(|item| Some((item, reader.value(path, item)?)));
        let values: Vec<(&Node, Value)> = values.collect();
        let choices = values.iter().filter_map(|(item, value)| choice_of(reader, other, item, value)).collect();
        if entry.node.each().is_empty() {
            reader.fault(&entry.node.span, "a condition without choices is never true", "expected at least one choice");
        }
        Some(DimensionCondition { dimension: above, choices })
    }

    fn expect_earlier(&self, reader: &mut Reader<'_>, at: usize, above: usize) -> Option<()> {
        let [own, other] = [at, above].map(|number| self.dimensions[number].path());
        if above > at {
            let message = format!("`{own}` depends on `{other}`, but `{other}` comes later in the space");
            reader.fault(self.dimensions[at].keys[0], message, format!("write `{other}` before `{own}`"));
        }
        (above < at).then_some(())
    }

    /// The condition that the declarations give a dimension.
    fn derived_condition(&self, report: &mut FaultReport<'_, '_>, at: usize) -> Option<DimensionCondition> {
        let path = self.dimensions[at].path();
        let decides = |other: &usize| {
            let above = self.dimensions[*other].path();
            let operator = above.strip_suffix(".kind").unwrap_or(above);
            *other != at && (above == "kind" || within(path, operator).is_some_and(|rest| !rest.is_empty()))
        };
        let mut related: Vec<usize> = (0..self.dimensions.len()).filter(decides).collect();
        for above in &related {
            self.expect_earlier(report.reader, at, *above)?;
        }
        // The declaration of the setting may depend on other settings of the same operator.
        for assignment in self.assignments(report, at, &related)? {
            let Ok(settings) = self.resolve(&with(&assignment, at, 0)) else { continue };
            for (condition, _) in self.conditions_of(path, &settings) {
                let (Condition::Without(name)
                | Condition::With(name)
                | Condition::Is(name, _)
                | Condition::IsNot(name, _)) = condition;
                let sibling = path.rsplit_once('.').map_or_else(|| name.to_owned(), |(above, _)| join(above, name));
                let number = self.dimensions.iter().position(|dimension| *dimension.path() == sibling);
                let Some(number) = number.filter(|number| !related.contains(number)) else { continue };
                if self.dimensions[number].range.is_none() {
                    self.expect_earlier(report.reader, at, number)?;
                }
                related.push(number);
            }
        }
        related.sort_unstable();
        let with_fault = |assignment: Assignment| {
            let fault = self.ineffective(at, &assignment);
            (assignment, fault)
        };
        let effects: Vec<(Assignment, Option<Fault>)> =
            self.assignments(report, at, &related)?.into_iter().map(with_fault).collect();
        let (assignment, fault) = effects.iter().find_map(|(assignment, fault)| Some((assignment, fault.as_ref()?)))?;
        if effects.iter().all(|(_, fault)| fault.is_some()) {
            if related.is_empty() {
                report.add_fault(self.dimensions, fault, &points(assignment));
                return None;
            }
            let message = format!("`{path}` has no effect, whatever values the other settings of the space have");
            return report.reader.refuse(self.dimensions[at].keys[0], message, &*fault.message);
        }
        let condition = |&number: &usize| {
            let with_effect = effects.iter().filter(|(_, fault)| fault.is_none());
            let choices: BTreeSet<usize> = with_effect.filter_map(|(assignment, _)| assignment[number]).collect();
            let is_it = |(assignment, fault): &(Assignment, Option<Fault>)| {
                assignment[number].is_some_and(|choice| choices.contains(&choice)) == fault.is_none()
            };
            let choices = || choices.iter().copied().collect();
            effects.iter().all(is_it).then(|| DimensionCondition { dimension: number, choices: choices() })
        };
        related.iter().rev().find_map(condition).or_else(|| {
            let message = format!("several settings of the space together decide whether `{path}` has an effect");
            report.reader.refuse(self.dimensions[at].keys[0], message, "remove one of these settings from the space")
        })
    }

    /// All combinations of the choices of some dimensions. A combination omits dimensions that have no effect in it. Ranges are at their upper
    /// ends.
    fn assignments(&self, report: &mut FaultReport<'_, '_>, at: usize, related: &[usize]) -> Option<Vec<Assignment>> {
        let mut all = vec![vec![None; self.dimensions.len()]];
        for &number in related {
            let dimension = &self.dimensions[number];
            let n_points = dimension.axis.points.len();
            let points = if dimension.range.is_some() { 1..2 } else { 0..n_points };
            if all.len().saturating_mul(n_points) > COMBINATION_LIMIT {
                report.too_many(&self.dimensions[at]);
                return None;
            }
            let extended = |assignment: Assignment| -> Vec<Assignment> {
                if !self.has_effect(number, &assignment) {
                    return vec![assignment];
                }
                points.clone().map(|point| with(&assignment, number, point)).collect()
            };
            all = all.into_iter().flat_map(extended).collect();
        }
        Some(all)
    }

    /// Whether a dimension has an effect with these other values, according to its condition. A dimension without a known condition has an
    /// effect.
    fn has_effect(&self, number: usize, assignment: &Assignment) -> bool {
        self.conditions.get(number).and_then(Option::as_ref).is_none_or(|DimensionCondition { dimension, choices }| {
            assignment[*dimension].is_some_and(|choice| choices.contains(&choice))
        })
    }

    /// The reason why a dimension has no effect with these other values; `None` if the dimension has an effect.
    fn ineffective(&self, at: usize, assignment: &Assignment) -> Option<Fault> {
        let path = self.dimensions[at].path();
        match self.resolve(&with(assignment, at, 0)) {
            Err(faults) => {
                let is_unknown = |fault: &Fault| fault.part == SettingPart::Name && within(path, &fault.path).is_some();
                faults.into_iter().find(is_unknown)
            }
            Ok(settings) => self.failing(path, &settings),
        }
    }

    /// The fault of the first condition of a setting that does not hold.
    fn failing(&self, path: &str, settings: &Settings) -> Option<Fault> {
        let (condition, _) = self.conditions_of(path, settings).into_iter().find(|(_, holds)| !holds)?;
        Some(condition.fault(path))
    }

    fn conditions_of(&self, path: &str, settings: &Settings) -> Vec<(Condition, bool)> {
        let Context { catalogue, problems, .. } = self.context;
        let families = problems.iter().filter_map(|problem| catalogue.family(problem));
        let all = families.flat_map(|family| catalogue.conditions(settings, family));
        all.filter(|(own, ..)| own == path).map(|(_, condition, holds)| (condition, holds)).collect()
    }

    fn resolve(&self, assignment: &Assignment) -> Result<Settings, Vec<Fault>> {
        let axes = self.dimensions.iter().zip(assignment);
        let values = axes.filter_map(|(PlacedAxis { axis, .. }, point)| {
            Some((axis.paths[0].as_str(), Some(&axis.points[(*point)?][0])))
        });
        self.context.catalogue.resolve(&lay(self.base, values, None), self.context.problems)
    }

    /// Checks and returns the values of a dimension. Each value is checked together with every choice under which the dimension has an
    /// effect.
    fn values(&self, report: &mut FaultReport<'_, '_>, at: usize, n_resolved: &mut usize) -> Option<Values> {
        let PlacedAxis { axis, range, .. } = &self.dimensions[at];
        let (path, values) = (&axis.paths[0], &axis.points);
        let condition = self.conditions[at].as_ref();
        let choices =
            condition.map_or_else(|| vec![None], |condition| condition.choices.iter().copied().map(Some).collect());
        *n_resolved += choices.len() * values.len();
        if *n_resolved > RESOLUTION_LIMIT {
            report.too_many(&self.dimensions[at]);
            return None;
        }
        let mut is_whole = true;
        for choice in choices {
            let mut known: BTreeMap<String, usize> = BTreeMap::new();
            for point in 0..values.len() {
                let assignment = self.complete(at, point, choice);
                let points = points(&assignment);
                match self.resolve(&assignment) {
                    Err(faults) => faults.iter().for_each(|fault| report.add_fault(self.dimensions, fault, &points)),
                    Ok(settings) => {
                        is_whole &= matches!(settings.at(path), Some(Value::Integer(_)));
                        if let Some(fault) = self.failing(path, &settings) {
                            report.add_fault(self.dimensions, &fault, &points);
                        }
                        let first = *known.entry(settings.canonical()).or_insert(point);
                        if first != point && range.is_none() {
                            let [one, other] = [point, first].map(|point| &values[point][0]);
                            let message = format!("`{path}` = `{one}` gives the same configuration as `{other}`");
                            let help = "remove one of the two values";
                            report.add_fault(self.dimensions, &Fault::value(path.clone(), message, help), &points);
                        }
                    }
                }
            }
        }
        let [low, high] = [values.first()?, values.last()?].map(|point| &point[0]);
        Some(match (*range, low, high) {
            (None, ..) => Values::Choices(values.iter().map(|point| point[0].clone()).collect()),
            (Some(is_log), &Value::Integer(low), &Value::Integer(high)) if is_whole => {
                Values::Whole { low, high, is_log }
            }
            (Some(is_log), ..) => Values::Real { low: low.as_real()?, high: high.as_real()?, is_log },
        })
    }

    /// A point of every dimension that has an effect. One dimension has a requested point, and the dimension above it has a requested
    /// choice.
    fn complete(&self, at: usize, point: usize, choice: Option<usize>) -> Assignment {
        // The lower end of a range may be the only value that removes the effect of another setting.
        let usual = self.dimensions.iter().map(|dimension| usize::from(dimension.range.is_some()));
        let mut all: Vec<usize> = usual.collect();
        all[at] = point;
        let (mut below, mut choice) = (at, choice);
        while let Some(condition) = &self.conditions[below] {
            all[condition.dimension] = choice.take().unwrap_or(condition.choices[0]);
            below = condition.dimension;
        }
        let mut assignment = vec![None; all.len()];
        for (number, point) in all.into_iter().enumerate() {
            assignment[number] = self.has_effect(number, &assignment).then_some(point);
        }
        assignment
    }
}

/// The assignment with this point of a dimension.
fn with(assignment: &Assignment, dimension: usize, point: usize) -> Assignment {
    let mut with = assignment.clone();
    with[dimension] = Some(point);
    with
}

/// A point of each dimension. A dimension that is left out gets its first point.
fn points(assignment: &Assignment) -> Vec<usize> {
    assignment.iter().map(|point| point.unwrap_or(0)).collect()
}

/// Forbids the combination of an exclusion in each space that has all its settings and values. Reports a value that no space has.
pub(super) fn forbid(reader: &mut Reader<'_>, exclusion: &PlacedExclusion, spaces: &mut [&mut Space]) {
    let (mut lacking, mut is_found) = (None, false);
    for space in spaces {
        let value = |(path, value): &(String, Value)| {
            let dimension = space.dimensions.iter().position(|dimension| dimension.path == *path)?;
            Some((dimension, space.dimensions[dimension].values.same(value)))
        };
        let Some(values) = exclusion.combination.iter().map(value).collect::<Option<Vec<_>>>() else { continue };
        match values.iter().position(|(_, value)| value.is_none()) {
            Some(at) => lacking = lacking.or(Some(at)),
            None => {
                let forbidden = |(dimension, value)| Some(ForbiddenValue { dimension, value: value? });
                space.forbidden.push(values.into_iter().filter_map(forbidden).collect());
                is_found = true;
            }
        }
    }
    if let Some(at) = lacking.filter(|_| !is_found) {
        let ((path, value), (_, span)) = (&exclusion.combination[at], &exclusion.places[at]);
        let message = format!("`{path}` never has the value `{value}`");
        reader.fault(span, message, "expected one of the values of the space");
    }
}

/// The number of a choice; reports a value that is not a choice.
fn choice_of(reader: &mut Reader<'_>, dimension: &PlacedAxis<'_>, node: &Node, value: &Value) -> Option<usize> {
    let points = &dimension.axis.points;
    let found = points.iter().position(|point| is_same(&point[0], value));
    if found.is_none() {
        let names: Vec<String> = points.iter().map(|point| point[0].to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let message = format!("`{}` never has the value `{value}`", dimension.path());
        reader.fault(&node.span, message, one_of(&value.to_string(), &names));
    }
    found
}
