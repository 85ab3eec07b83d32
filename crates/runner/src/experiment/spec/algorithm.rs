//! An algorithm of an experiment: the settings in the file, the varied settings, and the excluded combinations.

use std::borrow::Cow;
use std::iter::once;

use evogrid_core::settings::{Settings, Value};
use serde::{Deserialize, Serialize};

use super::axis::Axis;
use crate::experiment::design::Design;
use crate::experiment::settings_json::{SettingsByPath, json_form};
use crate::experiment::space::Space;

/// The value of a varied setting as the results show it. An operator is shown as it was written, without its own settings.
pub(crate) fn label(resolved: Option<&Value>, written: Option<&Value>) -> String {
    match resolved {
        Some(value) if written.is_none() || !matches!(value, Value::Table(_)) => value.to_string(),
        // `None` is a limit that some configurations remove.
        _ => written.map(Value::to_string).unwrap_or_default(),
    }
}

/// An algorithm and its varied settings, as in a manifest.
///
/// A combination consists of one point from each axis. If the algorithm has designs instead of axes, each combination is one point of a
/// design. The index of the point gives the combination. The points of all designs are numbered one after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AlgorithmSpec {
    /// The fixed settings that the experiment file gives, including the budget. Defaults are not filled in.
    #[serde(with = "json_form")]
    pub base: Settings,
    /// The designs. An algorithm that has designs has no grid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub designs: Vec<Design>,
    /// The excluded combinations: lists of settings whose values may not occur together. Each setting is given by a dotted path and a
    /// value.
    #[serde(with = "json_form")]
    pub excluded: Vec<Vec<(String, Value)>>,
    /// The name of the algorithm in the experiment.
    pub name: String,
    /// All resolved settings of the algorithm's first configuration, as pairs of a dotted path and a value. Only manifests contain these
    /// settings. The settings are information for people who read a manifest.
    #[serde(rename = "settings")]
    pub first: SettingsByPath,
    /// The space of the algorithm's configurations. The space may be empty.
    #[serde(default, skip_serializing_if = "Space::is_empty")]
    pub space: Space,
    /// The axes of the grid; the last axis changes fastest.
    #[serde(rename = "varied")]
    pub axes: Vec<Axis>,
}

impl AlgorithmSpec {
    /// Returns the dotted paths of the settings that the algorithm varies. If several designs vary a setting, its path occurs several
    /// times.
    pub fn paths(&self) -> impl Iterator<Item = &String> {
        let dimensions = self.designs.iter().flat_map(|design| &design.space.dimensions);
        self.axes.iter().flat_map(|axis| &axis.paths).chain(dimensions.map(|dimension| &dimension.path))
    }

    /// Returns the varied settings with their values in a combination. The value is `None` if the setting has no effect in the combination.
    pub fn values<'a>(&'a self, points: &[usize]) -> Vec<(&'a str, Option<Cow<'a, Value>>)> {
        if !self.designs.is_empty() {
            let (at, places) = self.design_point(points[0]);
            let space = &self.designs[at].space;
            let paths = space.dimensions.iter().map(|dimension| dimension.path.as_str());
            return paths.zip(space.values(&places).into_iter().map(|value| value.map(Cow::Owned))).collect();
        }
        let axes = self.axes.iter().zip(points);
        let values = axes.flat_map(|(axis, &point)| axis.paths.iter().zip(&axis.points[point]));
        values.map(|(path, value)| (path.as_str(), Some(Cow::Borrowed(value)))).collect()
    }

    /// The number of the design that has this point, and the place of the point in each dimension. Points are counted over all designs.
    pub(super) fn design_point(&self, point: usize) -> (usize, Vec<f64>) {
        let mut number = point as u64;
        for (at, design) in self.designs.iter().enumerate() {
            match number.checked_sub(design.n_points()) {
                Some(rest) => number = rest,
                None => return (at, design.places(number)),
            }
        }
        panic!("the index of a point is below the number of points")
    }

    /// The number of the design that has this point, and the number of the choice in each dimension.
    pub(super) fn choices(&self, point: usize) -> Vec<usize> {
        let (at, places) = self.design_point(point);
        once(at).chain(self.designs[at].space.point_of_choices(&places)).collect()
    }

    /// Returns the settings of a combination. The values of the combination override the fixed settings. The function sets an operator
    /// first, and then the settings of this operator.
    pub fn settings(&self, points: &[usize]) -> Settings {
        self.laid(points, None)
    }

    /// The same settings with another value for the setting `last`. If an axis varies only this setting, the value replaces the value of
    /// the axis. If not, the value is set after all other settings.
    pub(super) fn laid(&self, points: &[usize], last: Option<(&str, &Value)>) -> Settings {
        let values = self.values(points);
        let values = values.iter().map(|(path, value)| (*path, value.as_deref()));
        lay(&self.base, values.filter(|(path, _)| last.is_none_or(|(other, _)| *path != other)), last)
    }

    /// The number of combinations, including excluded combinations. With designs, this number is the number of points of all designs.
    pub(crate) fn n_combinations(&self) -> u64 {
        if !self.designs.is_empty() {
            return self.designs.iter().map(Design::n_points).fold(0, u64::saturating_add);
        }
        self.axes.iter().fold(1, |combinations: u64, axis| combinations.saturating_mul(axis.points.len() as u64))
    }

    /// The combination with this number, counted from 0. The last axis changes fastest.
    pub(super) fn combination(&self, number: u64) -> Vec<usize> {
        if !self.designs.is_empty() {
            return vec![number as usize];
        }
        self.combination_of(0..self.axes.len(), number, vec![0; self.axes.len()])
    }

    /// The points of each axis for every combination of some axes; the other axes stay at their points in `first`.
    pub(super) fn combinations<'s>(
        &'s self,
        axes: &'s [usize],
        first: Vec<usize>,
    ) -> impl Iterator<Item = Vec<usize>> + 's {
        let n_combinations = axes.iter().map(|&axis| self.axes[axis].points.len() as u64).product();
        (0..n_combinations).map(move |number| self.combination_of(axes.iter().copied(), number, first.clone()))
    }

    fn combination_of(
        &self,
        axes: impl DoubleEndedIterator<Item = usize>,
        mut number: u64,
        mut points: Vec<usize>,
    ) -> Vec<usize> {
        for axis in axes.rev() {
            let n_points = self.axes[axis].points.len() as u64;
            points[axis] = (number % n_points) as usize;
            number /= n_points;
        }
        points
    }
}

/// Settings that are overridden by other settings. A setting without effect is removed. Operators come before their own settings, and
/// `last` comes last.
pub(crate) fn lay<'a>(
    base: &Settings,
    values: impl Iterator<Item = (&'a str, Option<&'a Value>)>,
    last: Option<(&'a str, &'a Value)>,
) -> Settings {
    let mut settings = base.clone();
    let mut given = Vec::new();
    for (path, value) in values {
        match value {
            Some(value) => given.push((path, value)),
            None => settings.remove_at(path),
        }
    }
    // A `kind` comes before the settings beside it: another `kind` replaces the whole operator.
    given.sort_by_key(|(path, _)| (path.matches('.').count(), !path.ends_with(".kind")));
    for (path, value) in given.into_iter().chain(last) {
        settings.overlay(&Settings::of(path, value.clone()));
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_counted_through_with_the_last_axis_moving_fastest() {
        let axes = [2, 1, 3].map(|n_points| Axis { paths: Vec::new(), points: vec![Vec::new(); n_points] });
        let spec = AlgorithmSpec { axes: axes.into(), ..AlgorithmSpec::default() };
        let all: Vec<Vec<usize>> = (0..6).map(|number| spec.combination(number)).collect();
        assert_eq!(all, [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0], [1, 0, 1], [1, 0, 2]]);
        assert!(spec.combinations(&[0, 1, 2], vec![0; 3]).eq(all));
        assert!(spec.combinations(&[0], vec![7; 3]).eq([[0, 7, 7], [1, 7, 7]]));
        assert!(spec.combinations(&[], vec![7; 3]).eq([[7, 7, 7]]));
    }
}
