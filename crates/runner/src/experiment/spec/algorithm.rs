//! An algorithm as an experiment asks for it: its settings as written, what it varies and what it leaves out.

use std::borrow::Cow;

use evogrid_core::settings::{Settings, Value};

use super::axis::Axis;
use crate::experiment::design::Designs;
use crate::experiment::space::Space;

/// The value of a varied setting as the results show it. An operator is shown as it was written, without its own settings.
pub(crate) fn label(resolved: Option<&Value>, written: Option<&Value>) -> String {
    match resolved {
        Some(value) if written.is_none() || !matches!(value, Value::Table(_)) => value.to_string(),
        // `None` is a limit that is taken back in some configurations.
        _ => written.map(Value::to_string).unwrap_or_default(),
    }
}

/// An algorithm and its varied settings.
///
/// A combination is a point of each axis, or, of an algorithm with designs, the number of a configuration of theirs.
#[derive(Clone, Debug, Default)]
pub struct AlgorithmSpec {
    /// Its name in the experiment.
    pub name: String,
    /// The fixed settings, including the budget, without defaults.
    pub base: Settings,
    /// The axes of the grid; the last one changes fastest.
    pub axes: Vec<Axis>,
    /// The excluded combinations: each a list of paths and values.
    pub excluded: Vec<Vec<(String, Value)>>,
    /// The space of its configurations; empty if none is given.
    pub space: Space,
    /// The designs that are run instead of a grid; then there are no axes.
    pub designs: Designs,
}

impl AlgorithmSpec {
    /// The settings that it varies.
    pub fn paths(&self) -> impl Iterator<Item = &String> {
        self.axes.iter().flat_map(|axis| &axis.paths).chain(self.designs.paths())
    }

    /// The varied settings and their values at a combination; `None` for a setting without effect there.
    pub fn values<'a>(&'a self, points: &[usize]) -> Vec<(&'a str, Option<Cow<'a, Value>>)> {
        if !self.designs.is_empty() {
            return self.designs.values(points[0]).map(|(path, value)| (path, value.map(Cow::Owned))).collect();
        }
        let axes = self.axes.iter().zip(points);
        let values = axes.flat_map(|(axis, &point)| axis.paths.iter().zip(&axis.points[point]));
        values.map(|(path, value)| (path.as_str(), Some(Cow::Borrowed(value)))).collect()
    }

    /// The fixed settings with the values at a point of each axis laid over them. Operators come before their own settings.
    pub fn settings(&self, points: &[usize]) -> Settings {
        self.laid(points, None)
    }

    /// The same settings with another value of one setting. It replaces the value of the axis if an axis varies only that setting, and is
    /// laid over all others otherwise.
    pub(super) fn settings_with(&self, points: &[usize], path: &str, value: &Value) -> Settings {
        self.laid(points, Some((path, value)))
    }

    fn laid(&self, points: &[usize], last: Option<(&str, &Value)>) -> Settings {
        let values = self.values(points);
        let values = values.iter().map(|(path, value)| (*path, value.as_deref()));
        lay(&self.base, values.filter(|(path, _)| last.is_none_or(|(other, _)| *path != other)), last)
    }

    /// The number of combinations of its grid, including excluded ones, or of configurations of its designs.
    pub(crate) fn n_combinations(&self) -> u64 {
        if !self.designs.is_empty() {
            return self.designs.len();
        }
        self.axes.iter().fold(1, |combinations: u64, axis| combinations.saturating_mul(axis.points.len() as u64))
    }

    /// The combination with this number, from 0. The last axis changes fastest.
    pub(crate) fn combination(&self, number: u64) -> Vec<usize> {
        if !self.designs.is_empty() {
            return vec![number as usize];
        }
        self.combination_of(0..self.axes.len(), number, vec![0; self.axes.len()])
    }

    /// The points of each axis for every combination of some axes; the other axes stay as in `first`.
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

/// Settings with others laid over them; one without effect is removed. Operators come before their own settings, `last` comes last.
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
    // A `kind` comes before the settings beside it: another one takes the place of the whole operator.
    given.sort_by_key(|(path, _)| (path.matches('.').count(), !path.ends_with(".kind")));
    for (path, value) in given.into_iter().chain(last) {
        let mut over = Settings::new();
        over.set_at(path, value.clone());
        settings.overlay(&over);
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
