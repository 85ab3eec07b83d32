//! The configurations of designs. Settings are resolved for each combination of choices that occurs: once with all ranges at their lower
//! ends, and once with all ranges at their upper ends. If both ends of a range are valid, all values between the ends are valid, too. So
//! the settings of a point are the settings that were resolved for its choices, with the point's own values in the ranges. If several
//! points have the same settings, they are one configuration.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter;

use evogrid_core::catalogue::Fault;
use evogrid_core::settings::{Settings, Value};

use super::settings_error::{RESOLUTION_LIMIT, SettingsError};
use crate::experiment::document::dotted::root;
use crate::experiment::space::{Dimension, Space, Values};
use crate::experiment::spec::algorithm::{AlgorithmSpec, lay};

/// The maximum number of faults of a design that are reported.
const FAULT_LIMIT: usize = 1000;

/// The number of a design, and a number for each dimension: 0 if the dimension has no effect; the number of the choice, counted from 1; or
/// 1 for a range.
type Choices = (usize, Vec<u32>);

/// The resolved settings of the points of designs.
pub(super) struct ResolvedDesigns {
    choices: HashMap<Choices, ResolvedChoices>,
    /// The tables of settings where the value 1.0 is equal to the value 1.
    free_tables: Vec<&'static str>,
}

struct ResolvedChoices {
    /// The settings with every range at its lower end.
    settings: Settings,
    /// The sum of the hashes of all settings without a range.
    rest: u64,
}

impl ResolvedDesigns {
    /// Resolves the designs of an algorithm. Also returns the numbers of the points that are configurations, and the number of excluded
    /// points. Several points with the same settings are one configuration.
    pub(super) fn new(
        spec: &AlgorithmSpec,
        free_tables: Vec<&'static str>,
        resolve: impl Fn(&Settings) -> Result<Settings, Vec<Fault>>,
    ) -> Result<(Self, Vec<u32>, u64), Vec<SettingsError>> {
        let mut resolved = Self { choices: HashMap::new(), free_tables };
        let (mut errors, mut seen, mut counted) = (Vec::new(), HashSet::new(), Vec::new());
        let (mut number, mut n_forbidden) = (0, 0);
        for (at, design) in spec.designs.iter().enumerate() {
            let space = &design.space;
            for point in 0..design.n_points() {
                let places = design.places(point);
                let key = (at, choices(space, &places));
                if !resolved.choices.contains_key(&key) && errors.len() < FAULT_LIMIT {
                    if resolved.choices.len() >= RESOLUTION_LIMIT {
                        return Err(vec![SettingsError::TooMany(vec![0])]);
                    }
                    match resolved.resolve(spec, space, &key.1, &resolve) {
                        Ok(choices) => drop(resolved.choices.insert(key.clone(), choices)),
                        Err(faults) => {
                            let points: Vec<usize> = iter::once(at).chain(space.point_of_choices(&places)).collect();
                            let error = |fault| SettingsError::Fault { fault, points: points.clone() };
                            errors.extend(faults.into_iter().map(error));
                        }
                    }
                }
                let Some(choices) = resolved.choices.get(&key) else { continue };
                let ranges = resolved.ranges(space, &key.1, |at| space.dimensions[at].values.at(places[at]));
                let hash = ranges.fold(choices.rest, |sum, (path, value)| sum.wrapping_add(hash(path, &value)));
                // There may be a million points, so all values are made only if some are forbidden.
                if !space.forbidden.is_empty() && space.forbids(&space.values(&places)) {
                    n_forbidden += 1;
                } else if seen.insert(hash) {
                    counted.push(number);
                }
                number += 1;
            }
        }
        if errors.is_empty() { Ok((resolved, counted, n_forbidden)) } else { Err(errors) }
    }

    /// All settings at a point. `point` is counted over all designs.
    pub(super) fn settings(&self, spec: &AlgorithmSpec, point: usize) -> Settings {
        let (at, places) = spec.design_point(point);
        let space = &spec.designs[at].space;
        let key = (at, choices(space, &places));
        let mut settings = self.choices[&key].settings.clone();
        let ranges = self.ranges(space, &key.1, |at| space.dimensions[at].values.at(places[at]));
        ranges.for_each(|(path, value)| settings.set_at(path, value));
        settings
    }

    /// Whether a configuration has this setting.
    pub(super) fn has(&self, path: &str) -> bool {
        self.choices.values().any(|choices| choices.settings.at(path).is_some())
    }

    fn resolve(
        &self,
        spec: &AlgorithmSpec,
        space: &Space,
        choices: &[u32],
        resolve: impl Fn(&Settings) -> Result<Settings, Vec<Fault>>,
    ) -> Result<ResolvedChoices, Vec<Fault>> {
        // If both ends of a range are valid, so are all values between them.
        let [low, high] = [0.0, 1.0].map(|place| {
            let value = |(dimension, &choice): (&Dimension, &u32)| match &dimension.values {
                _ if choice == 0 => None,
                Values::Choices(values) => Some(values[choice as usize - 1].clone()),
                range => Some(range.at(place)),
            };
            let values: Vec<Option<Value>> = space.dimensions.iter().zip(choices).map(value).collect();
            let paths = space.dimensions.iter().map(|dimension| dimension.path.as_str());
            let settings = resolve(&lay(&spec.base, paths.zip(values.iter().map(Option::as_ref)), None))?;
            let ranges = self.ranges(space, choices, |at| space.dimensions[at].values.at(place));
            let ranges: Vec<(&str, Value)> = ranges.collect();
            if let Some((path, _)) = ranges.iter().find(|(path, value)| settings.at(path) != Some(value)) {
                let message = format!("this number cannot be stored exactly: `{path}` would have another value");
                return Err(vec![Fault::value(*path, message, "expected another number")]);
            }
            let is_other = |(path, _): &(String, &Value)| !ranges.iter().any(|(range, _)| range == path);
            let others = settings.flat().into_iter().filter(is_other);
            let rest = others.fold(0, |sum: u64, (path, value)| sum.wrapping_add(hash(&path, value)));
            Ok(ResolvedChoices { settings, rest })
        });
        high.and(low)
    }

    /// The ranges with an effect, and their resolved values. `value` gives the value of the dimension with this number.
    fn ranges<'a>(
        &self,
        space: &'a Space,
        choices: &[u32],
        value: impl Fn(usize) -> Value,
    ) -> impl Iterator<Item = (&'a str, Value)> {
        let dimensions = space.dimensions.iter().enumerate();
        let is_range = |at: usize, values: &Values| choices[at] > 0 && !matches!(values, Values::Choices(_));
        dimensions.filter(move |(at, dimension)| is_range(*at, &dimension.values)).map(move |(at, dimension)| {
            let path = dimension.path.as_str();
            let is_free = path.contains('.') && self.free_tables.contains(&root(path));
            (path, if is_free { value(at).plain() } else { value(at) })
        })
    }
}

fn choices(space: &Space, places: &[f64]) -> Vec<u32> {
    let active = space.active(places).into_iter();
    let choices = space.point_of_choices(places).zip(active);
    choices.map(|(choice, is_active)| if is_active { choice as u32 + 1 } else { 0 }).collect()
}

fn hash(path: &str, value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    match value {
        Value::Real(real) => real.to_bits().hash(&mut hasher),
        Value::Integer(integer) => integer.hash(&mut hasher),
        other => other.to_string().hash(&mut hasher),
    }
    hasher.finish()
}
