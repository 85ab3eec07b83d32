//! An algorithm as an experiment asks for it: its settings as they were written, what it varies and what it leaves out.

use evogrid_core::settings::{Settings, Value};

use super::axis::Axis;
use super::combination::advance;

/// The value of a varied setting as the results show it: of an operator as it was written, since its own settings are many.
pub(crate) fn label(resolved: Option<&Value>, written: Option<&Value>) -> String {
    match resolved {
        Some(value) if written.is_none() || !matches!(value, Value::Table(_)) => value.to_string(),
        // `None` is a limit that is taken back in some cells.
        _ => written.map(Value::to_string).unwrap_or_default(),
    }
}

/// An algorithm and what it varies.
#[derive(Clone, Debug)]
pub struct AlgorithmSpec {
    /// Its name in the experiment.
    pub name: String,
    /// Its settings where nothing is varied, the budget among them, without defaults.
    pub base: Settings,
    /// What it varies; the last moves fastest.
    pub axes: Vec<Axis>,
    /// Combinations that are left out: each a list of paths and values.
    pub excluded: Vec<Vec<(String, Value)>>,
}

impl AlgorithmSpec {
    /// The varied settings and their values at a point of each axis.
    pub fn values<'a>(&'a self, points: &'a [usize]) -> impl Iterator<Item = (&'a str, &'a Value)> + Clone {
        let axes = self.axes.iter().zip(points);
        axes.flat_map(|(axis, &point)| axis.paths.iter().map(String::as_str).zip(&axis.points[point]))
    }

    /// The base with the values at a point of each axis laid over it. Operators come before their own settings.
    #[must_use]
    pub fn settings(&self, points: &[usize]) -> Settings {
        self.laid(points, None)
    }

    /// The same with another value of a setting: in the place of the axis' value if an axis varies just that setting, else laid
    /// over all others.
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

    /// How many combinations its grid has, those that are left out among them.
    #[must_use]
    pub fn n_combinations(&self) -> u64 {
        self.axes.iter().fold(1, |combinations: u64, axis| combinations.saturating_mul(axis.points.len() as u64))
    }

    /// Moves to the next combination of points. False after the last.
    pub(crate) fn advance(&self, points: &mut [usize]) -> bool {
        advance(points, |at| self.axes[at].points.len())
    }
}
