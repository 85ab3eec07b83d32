//! An algorithm as an experiment asks for it: its settings as they were written, what it varies and what it leaves out.

use evogrid_core::settings::{Settings, Value};

use super::axis::{self, Axis};
use super::combination::advance;

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
        let mut values: Vec<(&str, &Value)> = self.values(points).collect();
        values.sort_by_key(|(path, _)| path.matches('.').count());
        let mut settings = self.base.clone();
        for (path, value) in values {
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

    /// How many combinations are not left out.
    #[must_use]
    pub fn n_cells(&self) -> u64 {
        if self.excluded.is_empty() {
            return self.n_combinations();
        }
        let mut points = vec![0; self.axes.len()];
        let mut n_cells = 0;
        loop {
            n_cells += u64::from(!self.is_excluded(&points));
            if !self.advance(&mut points) {
                return n_cells;
            }
        }
    }

    /// Whether the combination of these points is left out.
    #[must_use]
    pub fn is_excluded(&self, points: &[usize]) -> bool {
        self.excluded.iter().any(|combination| {
            combination.iter().all(|(path, excluded)| {
                self.values(points).any(|(varied, value)| varied == path && axis::is_same(value, excluded))
            })
        })
    }

    /// Moves to the next combination of points. False after the last.
    pub(crate) fn advance(&self, points: &mut [usize]) -> bool {
        advance(points, |at| self.axes[at].points.len())
    }
}
