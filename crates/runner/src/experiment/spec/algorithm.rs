//! An algorithm as an experiment asks for it: its settings as written, what it varies and what it leaves out.

use evogrid_core::settings::{Settings, Value};

use super::axis::Axis;

/// The value of a varied setting as the results show it. An operator is shown as it was written, without its own settings.
pub(crate) fn label(resolved: Option<&Value>, written: Option<&Value>) -> String {
    match resolved {
        Some(value) if written.is_none() || !matches!(value, Value::Table(_)) => value.to_string(),
        // `None` is a limit that is taken back in some configurations.
        _ => written.map(Value::to_string).unwrap_or_default(),
    }
}

/// An algorithm and its varied settings.
#[derive(Clone, Debug)]
pub struct AlgorithmSpec {
    /// Its name in the experiment.
    pub name: String,
    /// The fixed settings, including the budget, without defaults.
    pub base: Settings,
    /// The axes of the grid; the last one changes fastest.
    pub axes: Vec<Axis>,
    /// The excluded combinations: each a list of paths and values.
    pub excluded: Vec<Vec<(String, Value)>>,
}

impl AlgorithmSpec {
    /// The varied settings and their values at a point of each axis.
    pub fn values<'a>(&'a self, points: &'a [usize]) -> impl Iterator<Item = (&'a str, &'a Value)> + Clone {
        let axes = self.axes.iter().zip(points);
        axes.flat_map(|(axis, &point)| axis.paths.iter().map(String::as_str).zip(&axis.points[point]))
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
        let mut values: Vec<(&str, &Value)> =
            self.values(points).filter(|(path, _)| last.is_none_or(|(other, _)| *path != other)).collect();
        // A `kind` comes before the settings beside it: another one takes the place of the whole operator.
        values.sort_by_key(|(path, _)| (path.matches('.').count(), !path.ends_with(".kind")));
        let mut settings = self.base.clone();
        for (path, value) in values.into_iter().chain(last) {
            let mut over = Settings::new();
            over.set_at(path, value.clone());
            settings.overlay(&over);
        }
        settings
    }

    /// The number of combinations of its grid, including excluded ones.
    pub(crate) fn n_combinations(&self) -> u64 {
        self.axes.iter().fold(1, |combinations: u64, axis| combinations.saturating_mul(axis.points.len() as u64))
    }

    /// The point of each axis for the combination with this number, from 0. The last axis changes fastest.
    pub(crate) fn combination(&self, number: u64) -> Vec<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_counted_through_with_the_last_axis_moving_fastest() {
        let axes = [2, 1, 3].map(|n_points| Axis { paths: Vec::new(), points: vec![Vec::new(); n_points] });
        let spec =
            AlgorithmSpec { name: String::new(), base: Settings::new(), axes: axes.into(), excluded: Vec::new() };
        let all: Vec<Vec<usize>> = (0..6).map(|number| spec.combination(number)).collect();
        assert_eq!(all, [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0], [1, 0, 1], [1, 0, 2]]);
        assert!(spec.combinations(&[0, 1, 2], vec![0; 3]).eq(all));
        assert!(spec.combinations(&[0], vec![7; 3]).eq([[0, 7, 7], [1, 7, 7]]));
        assert!(spec.combinations(&[], vec![7; 3]).eq([[7, 7, 7]]));
    }
}
